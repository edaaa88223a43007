"""A process of the product that the supervisor keeps running."""

import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from knowledgestack.app._processes import kill_group, start_child, wait_until

_STOP_SECONDS = 10.0
_BACKOFF_SECONDS = (1.0, 2.0, 5.0, 15.0, 30.0)
_STABLE_SECONDS = 60.0
_MAX_EARLY_ENDS = 3
_LOG_LIMIT = 10 * 1024 * 1024


class Child:
    """Starts one program, and starts it again with growing waits whenever it ends by itself."""

    def __init__(self, name: str, command: Sequence[str | Path], log: Path, environ: Mapping[str, str]) -> None:
        self.name = name
        self.log = log
        self._command = command
        self._environ = environ
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = 0.0
        self._start_at: float | None = None
        self._early_ends = 0

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def gave_up(self) -> bool:
        """Whether it ended so often right after its start that waiting on is of no use."""
        return self._early_ends >= _MAX_EARLY_ENDS

    def start(self) -> None:
        if self.log.exists() and self.log.stat().st_size > _LOG_LIMIT:
            self.log.replace(self.log.with_suffix(".log.1"))
        with self.log.open("ab") as log:
            self._process = start_child(self._command, log=log, environ=self._environ)
        self._started_at = time.monotonic()
        self._start_at = None

    def watch(self) -> Iterator[str]:
        """Notice an end and plan the next start; yields a sentence for each thing that happened."""
        now = time.monotonic()
        if self._start_at is not None:
            if now >= self._start_at:
                self.start()
                yield f"Started the {self.name} again"
            return
        process = self._process
        if process is None or process.poll() is None:
            return
        kill_group(process.pid)  # what it had started itself must not hold its port
        self._early_ends = 0 if now - self._started_at > _STABLE_SECONDS else self._early_ends + 1
        wait = _BACKOFF_SECONDS[min(self._early_ends, len(_BACKOFF_SECONDS) - 1)]
        self._start_at = now + wait
        yield f"The {self.name} ended ({end_reason(process.returncode)}), next start in {wait:.0f} s, log: {self.log}"

    def log_tail(self) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-15:])

    def ask_to_stop(self) -> None:
        self._start_at = None
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)

    @property
    def ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def kill(self) -> None:
        if self._process is not None:
            kill_group(self._process.pid)
            self._process.wait()


def stop_all(children: Sequence[Child]) -> None:
    """End all of them at once: each gets a while to finish what it does, then SIGKILL."""
    for child in children:
        child.ask_to_stop()
    wait_until(lambda: all(child.ended for child in children), _STOP_SECONDS)
    for child in children:
        child.kill()


def end_reason(code: int) -> str:
    """How a process ended, in words."""
    return f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"
