"""`knowledgestack up`: starts and watches everything that the local profile needs, on this machine alone."""

import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import IO

import msgspec

from knowledgestack.app._child import Child, end_reason, stop_all
from knowledgestack.app._ports import free_port
from knowledgestack.app._processes import end_with_parent, start_child, stop_child, stop_groups, wait_until
from knowledgestack.app._terminal import say, step
from knowledgestack.app.local_profile import DataDirectory, RunState, built_client
from knowledgestack.app.postgres import EmbeddedPostgres, PostgresError
from knowledgestack.core.config import Profile, Settings, load_settings
from knowledgestack.core.errors import Conflict, Unavailable

_OPENING_SECONDS = 3.0
_WATCH_SECONDS = 0.25
_LOCK_SECONDS = 1.0
_EARLIER_RUN_SECONDS = 30.0


class _Stopping(Exception):
    """Somebody asked the supervisor to end."""


def up(*, with_parent: bool = False, environ: Mapping[str, str] | None = None) -> None:
    """Run until Ctrl-C or SIGTERM, with `with_parent` also until the parent ends; all that was started ends with it.

    Raises `Conflict` when it runs already for this data directory, `Unavailable` when a part does not start.
    """
    given = dict(os.environ if environ is None else environ)
    if given.get("KS_PROFILE", Profile.LOCAL) != Profile.LOCAL:
        raise Conflict("`knowledgestack up` is for the local profile. On a server run migrate, api and worker.")
    if with_parent:
        end_with_parent()
    data = DataDirectory.of(given)
    data.create()
    with _only_one(data):
        supervisor = _Supervisor(given, data)
        try:
            supervisor.run()
        except PostgresError as error:
            raise Unavailable(str(error)) from error
        except _Stopping:
            pass
        finally:
            supervisor.stop()


@contextmanager
def _only_one(data: DataDirectory) -> Generator[None]:
    """Hold the lock of the data directory; the kernel releases it however the process ends."""
    with data.lock.open("a") as file:
        if not wait_until(lambda: _lock(file), _LOCK_SECONDS):
            state = data.run_state()
            if state is not None and not state.stopping:
                where = f"http://localhost:{state.port}"
                raise Conflict(f"KnowledgeStack runs already at {where}. A new sign-in link: make link")
            say("Waiting for the earlier run to end")
            if not wait_until(lambda: _lock(file), _EARLIER_RUN_SECONDS):
                raise Conflict(f"An earlier run holds {data.lock} and does not end.")
        yield


def _lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class _Supervisor:
    """One run: the database, the API, the worker, and what is said on the terminal."""

    def __init__(self, environ: dict[str, str], data: DataDirectory) -> None:
        self._environ = environ
        self._data = data
        self._postgres: EmbeddedPostgres | None = None
        self._children: list[Child] = []
        self._opening: subprocess.Popen[bytes] | None = None
        self._state: RunState | None = None
        self._stop_requested = False

    def run(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._request_stop)
        started = time.monotonic()
        load_settings({"DATABASE_URL": "postgresql://", "TOKEN_ENCRYPTION_KEY": "A" * 43, **self._environ})
        self._stop_leftovers()
        self._environ["TOKEN_ENCRYPTION_KEY"] = self._environ.get("TOKEN_ENCRYPTION_KEY") or self._data.encryption_key()
        self._start_database()
        settings = self._choose_addresses()
        self._start_children(settings)
        self._open(started)
        while True:
            self._watch()
            time.sleep(_WATCH_SECONDS)

    def stop(self) -> None:
        if not self._children and self._postgres is None:
            return
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        if self._state is not None:
            self._state = msgspec.structs.replace(self._state, stopping=True)
            self._remember_children()
        with step("Stopped"):
            if self._opening is not None:
                stop_child(self._opening, first=signal.SIGTERM, seconds=_OPENING_SECONDS)
            stop_all(self._children)
            if self._postgres is not None:
                self._postgres.stop()
        self._data.forget_run()

    def _request_stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stop_requested = True

    def _stop_leftovers(self) -> None:
        state = self._data.run_state()
        if state is not None and stop_groups(state.children):
            say("Stopped what an earlier run had left")
        self._data.forget_run()

    def _start_database(self) -> None:
        if self._environ.get("DATABASE_URL"):
            say("Using the database of DATABASE_URL")
            return
        postgres = EmbeddedPostgres(self._data.path)
        verb = "Started" if postgres.cluster.exists() else "Made and started"
        with step(f"{verb} the database"):
            self._postgres = postgres
            self._environ["DATABASE_URL"] = postgres.start()

    def _choose_addresses(self) -> Settings:
        wanted = load_settings(self._environ).port
        port = free_port(wanted)
        if port != wanted:
            say(f"Port {wanted} is taken, using {port}")
        self._environ["KS_PORT"] = str(port)
        if not self._environ.get("KS_EMBEDDER_ADDRESS"):
            self._environ["KS_EMBEDDER_ADDRESS"] = f"127.0.0.1:{free_port(port + 1)}"
        client = built_client()
        if client is not None:
            self._environ.setdefault("KS_FRONTEND_DIST", str(client))
        return load_settings(self._environ)

    def _start_children(self, settings: Settings) -> None:
        command = Path(sys.executable).with_name("knowledgestack")
        environ = self._environ | {"PYTHONUNBUFFERED": "1"}
        self._children = [
            Child("API", [command, "api"], self._data.logs / "api.log", environ),
            Child("worker", [command, "worker"], self._data.logs / "worker.log", environ),
        ]
        for child in self._children:
            child.start()
        self._state = RunState(pid=os.getpid(), port=settings.port, embedder_address=settings.embedder_address)
        self._remember_children()

    def _remember_children(self) -> None:
        assert self._state is not None
        pids = tuple(child.pid for child in self._children if child.pid)
        self._data.write_run_state(msgspec.structs.replace(self._state, children=pids))

    def _watch(self) -> None:
        """Start again what ended by itself; raise `_Stopping` when the run has to end."""
        if self._stop_requested:
            raise _Stopping
        if self._postgres is not None and not self._postgres.running:
            with step("The database ended; started it again"):
                self._postgres.start()
        self._watch_opening()
        for child in self._children:
            for event in child.watch():
                say(event)
                self._remember_children()

    def _open(self, started: float) -> None:
        """Start what migrates, fills the demo workspace and prints the link; API and worker wait for the revision."""
        command = [sys.executable, "-m", "knowledgestack.app.opening", str(started)]
        self._opening = start_child(command, log=sys.stdout, environ=self._environ)

    def _watch_opening(self) -> None:
        """Raise `Unavailable` when the installation did not open."""
        if self._opening is None:
            return
        code = self._opening.poll()
        broken = next((child for child in self._children if child.gave_up), None)
        if code is None and broken is not None:
            raise Unavailable(f"The {broken.name} does not start. The end of {broken.log}:\n{broken.log_tail()}")
        if code:
            raise Unavailable(f"KnowledgeStack did not open ({end_reason(code)}). Logs: {self._data.logs}")
        if code == 0:
            self._opening = None
