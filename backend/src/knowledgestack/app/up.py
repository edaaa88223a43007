"""`knowledgestack up`: starts and watches everything that the local profile needs, on this machine alone."""

import asyncio
import fcntl
import http.client
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO, Protocol

import msgspec

from knowledgestack.app._child import Child, stop_all
from knowledgestack.app._ports import free_port
from knowledgestack.app._processes import end_with_parent, stop_groups, wait_until
from knowledgestack.app.local_profile import DataDirectory, RunState, built_client
from knowledgestack.app.postgres import EmbeddedPostgres, PostgresError
from knowledgestack.core.config import Profile, Settings, load_settings
from knowledgestack.core.errors import Conflict, Unavailable

_READY_SECONDS = 120.0
_POLL_SECONDS = 0.1
_WATCH_SECONDS = 0.25
_LOCK_SECONDS = 1.0
_EARLIER_RUN_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the demo workspace is: documents in all, and those still waiting or failed."""

    total: int
    waiting: int
    failed: int


class Welcome(Protocol):
    """What a person needs who opens a fresh installation."""

    async def seed(self) -> None:
        """Put the demo company's documents into their workspace; those that are there stay."""
        ...

    async def progress(self) -> Progress: ...

    async def sign_in_link(self) -> str:
        """A new address that signs the owner of the installation in once."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What the supervisor needs of the application. It is imported while API and worker start."""

    migrate: Callable[[str], bool]
    open_welcome: Callable[[Settings], Awaitable[Welcome]]


class _Stopping(Exception):
    """Somebody asked the supervisor to end."""


def up(load_parts: Callable[[], Parts], *, with_parent: bool = False, environ: Mapping[str, str] | None = None) -> None:
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
        supervisor = _Supervisor(given, data, load_parts)
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
            _say("Waiting for the earlier run to end")
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

    def __init__(self, environ: dict[str, str], data: DataDirectory, load_parts: Callable[[], Parts]) -> None:
        self._environ = environ
        self._data = data
        self._load_parts = load_parts
        self._postgres: EmbeddedPostgres | None = None
        self._children: list[Child] = []
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
        starting = time.monotonic()
        parts = self._load_parts()
        self._migrate(parts)
        self._wait_until_ready(settings)
        _say("Started the API and the worker", time.monotonic() - starting)
        asyncio.run(self._welcome(parts, settings, started))
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
        with _step("Stopped"):
            stop_all(self._children)
            if self._postgres is not None:
                self._postgres.stop()
        self._data.forget_run()

    def _request_stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stop_requested = True

    def _stop_leftovers(self) -> None:
        state = self._data.run_state()
        if state is not None and stop_groups(state.children):
            _say("Stopped what an earlier run had left")
        self._data.forget_run()

    def _start_database(self) -> None:
        if self._environ.get("DATABASE_URL"):
            _say("Using the database of DATABASE_URL")
            return
        postgres = EmbeddedPostgres(self._data.path)
        verb = "Started" if postgres.cluster.exists() else "Made and started"
        with _step(f"{verb} the database"):
            self._postgres = postgres
            self._environ["DATABASE_URL"] = postgres.start()

    def _migrate(self, parts: Parts) -> None:
        """API and worker wait for the revision; they never migrate."""
        began = time.monotonic()
        if parts.migrate(self._environ["DATABASE_URL"]):
            _say("Brought the database up to date", time.monotonic() - began)

    def _choose_addresses(self) -> Settings:
        wanted = load_settings(self._environ).port
        port = free_port(wanted)
        if port != wanted:
            _say(f"Port {wanted} is taken, using {port}")
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
            with _step("The database ended; started it again"):
                self._postgres.start()
        for child in self._children:
            for event in child.watch():
                _say(event)
                self._remember_children()

    async def _welcome(self, parts: Parts, settings: Settings, started: float) -> None:
        welcome = await parts.open_welcome(settings)
        try:
            await self._index_demo(welcome)
            link = await welcome.sign_in_link()
        finally:
            await welcome.close()
        _say("Ready", time.monotonic() - started)
        _print(f"\nOpen this link. It signs you in once, within 15 minutes (make link prints another):\n\n  {link}\n")
        _print(f"Logs: {self._data.logs}   End with Ctrl-C\n")

    def _wait_until_ready(self, settings: Settings) -> None:
        deadline = time.monotonic() + _READY_SECONDS
        while not _is_ready(settings.port):
            self._watch()
            broken = next((child for child in self._children if child.gave_up), None)
            if broken is not None:
                raise Unavailable(f"The {broken.name} does not start. The end of {broken.log}:\n{broken.log_tail()}")
            if time.monotonic() > deadline:
                raise Unavailable(f"Not ready within {_READY_SECONDS:.0f} s. What happened stands in {self._data.logs}")
            time.sleep(_POLL_SECONDS)

    async def _index_demo(self, welcome: Welcome) -> None:
        began = time.monotonic()
        await welcome.seed()
        progress = await welcome.progress()
        if not progress.waiting:
            return
        _say(f"Indexing the demo company's handbook ({progress.total} documents)")
        while progress.waiting:
            self._watch()
            await asyncio.sleep(_POLL_SECONDS)
            progress = await welcome.progress()
        failed = f", {progress.failed} of them failed" if progress.failed else ""
        _say(f"Indexed {progress.total} documents{failed}", time.monotonic() - began)


def _is_ready(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/api/health/ready")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _say(event: str, seconds: float | None = None) -> None:
    took = "" if seconds is None else f"{seconds:8.1f} s"
    _print(f"{time.strftime('%H:%M:%S')}  {event:<60}{took}".rstrip())


def _print(text: str) -> None:
    with suppress(OSError):  # a terminal that was closed is no reason to leave the database running
        print(text, flush=True)


@contextmanager
def _step(event: str) -> Generator[None]:
    began = time.monotonic()
    yield
    _say(event, time.monotonic() - began)
