"""The real `knowledgestack up` in a data directory of the test's own."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import msgspec

from knowledgestack.app._ports import free_port
from knowledgestack.app._processes import is_alive, wait_until
from knowledgestack.app.local_profile import RunState
from knowledgestack.app.postgres import EmbeddedPostgres

COMMAND = Path(sys.executable).with_name("knowledgestack")
LINK = re.compile(r"https?://\S+/enter#\S+")


def local_environ(data_dir: Path, **more: str) -> dict[str, str]:
    """The environment of the test run without settings of an installation that may run beside it."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("KS_", "OPENAI_"))}
    ours.pop("DATABASE_URL", None)
    return ours | {"KS_DATA_DIR": str(data_dir), "KS_PORT": str(free_port(18500)), "PYTHONUNBUFFERED": "1"} | more


class LocalProfile:
    """One run of the supervisor, with what it printed."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.data_dir = Path(environ["KS_DATA_DIR"])
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            [str(COMMAND), "up"],
            env=dict(environ),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as stdout:
            self.lines.extend(stdout)

    @property
    def output(self) -> str:
        return "".join(self.lines)

    @property
    def link(self) -> str | None:
        found = LINK.search(self.output)
        return found.group() if found else None

    def wait_for_link(self, seconds: float = 240) -> str:
        assert wait_until(lambda: self.link is not None or self.process.poll() is not None, seconds), self.output
        if self.process.poll() is not None:
            self._reader.join(5)
        assert self.link is not None, self.output
        return self.link

    def state(self) -> RunState:
        return msgspec.json.decode((self.data_dir / "run.json").read_bytes(), type=RunState)

    def processes(self) -> list[int]:
        """Supervisor, API, worker and database."""
        postmaster = int((self.data_dir / "postgres/postmaster.pid").read_text().splitlines()[0])
        return [self.process.pid, *self.state().children, postmaster]

    def end(self, number: signal.Signals, seconds: float = 30) -> int:
        """Send the signal to the supervisor alone and return its exit code."""
        self.process.send_signal(number)
        code = self.process.wait(seconds)
        self._reader.join(5)
        return code


@contextmanager
def data_directory(folder: Path) -> Generator[Path]:
    """A data directory whose database is removed at the end, wherever it lies."""
    data_dir = folder / "data"
    try:
        yield data_dir
    finally:
        EmbeddedPostgres(data_dir).remove()


def all_gone(pids: list[int]) -> bool:
    return not any(is_alive(pid) for pid in pids)
