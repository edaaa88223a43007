"""Children that end with their parent, and leftovers of a run that was killed."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

_PR_SET_PDEATHSIG = 1
_POLL_SECONDS = 0.05
_LEFTOVER_SECONDS = 5.0


def start_child(
    arguments: Sequence[str | Path],
    *,
    log: IO[bytes] | IO[str],
    environ: Mapping[str, str],
    user: int | None = None,
    group: int | None = None,
    cwd: Path | None = None,
    death_signal: signal.Signals = signal.SIGTERM,
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own, so that Ctrl-C in the terminal reaches only the parent.

    On Linux the kernel sends `death_signal` when the thread that called this ends, even by kill -9.
    """
    return subprocess.Popen(
        [str(argument) for argument in arguments],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        env=dict(environ),
        cwd=cwd,
        user=user,
        group=group,
        extra_groups=None if user is None else [],
        start_new_session=True,
        preexec_fn=_die_with_parent(death_signal),  # noqa: PLW1509 (the supervisor has one thread)
    )


def _die_with_parent(death_signal: signal.Signals) -> Callable[[], None] | None:
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    parent = os.getpid()

    def ask_kernel() -> None:
        prctl(_PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)
        if os.getppid() != parent:  # it ended between fork and here
            os._exit(1)

    return ask_kernel


def end_with_parent() -> None:
    """On Linux, have the kernel send SIGTERM to this process when its parent ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)


def wait_until(met: Callable[[], bool], seconds: float) -> bool:
    """Poll until `met` answers true; False when the time is over first."""
    deadline = time.monotonic() + seconds
    while not met():
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def stop_child(child: subprocess.Popen[bytes], *, first: signal.Signals, seconds: float) -> None:
    """Send `first` to the child and, after `seconds`, SIGKILL to everything in its session."""
    with suppress(ProcessLookupError):
        child.send_signal(first)
    wait_until(lambda: child.poll() is not None, seconds)
    kill_group(child.pid)
    child.wait()


def kill_group(leader: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def is_alive(pid: int) -> bool:
    """Whether the process exists and is more than an entry that its parent has yet to collect."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    with suppress(OSError, IndexError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return True


def command_line(pid: int) -> str:
    """The arguments of a process joined by spaces; empty when it is gone."""
    if Path("/proc/self/cmdline").exists():
        with suppress(OSError):
            return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        return ""
    listed = subprocess.run(["/bin/ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return listed.stdout


def stop_process(pid: int, *, first: signal.Signals, seconds: float) -> None:
    """Stop a process that is not our child: `first`, then SIGKILL."""
    with suppress(ProcessLookupError):
        os.kill(pid, first)
        if not wait_until(lambda: not is_alive(pid), seconds):
            os.kill(pid, signal.SIGKILL)
            wait_until(lambda: not is_alive(pid), seconds)


def stop_groups(leaders: Sequence[int]) -> bool:
    """End what is left of these sessions, if it is ours; True when there was something."""
    left = [leader for leader in leaders if _is_ours(leader)]
    if not left:
        return False
    # A killed supervisor's children were asked to end by the kernel; they get a moment for it.
    wait_until(lambda: not any(_is_ours(leader) for leader in left), _LEFTOVER_SECONDS)
    for leader in left:
        if _is_ours(leader):
            kill_group(leader)
    return True


def _is_ours(leader: int) -> bool:
    members = _group_members(leader)
    return any("knowledgestack" in command_line(pid) for pid in members)


def _group_members(leader: int) -> list[int]:
    """The processes of the group, also where its leader is gone; the leader alone where there is no /proc."""
    if not Path("/proc/self/stat").exists():
        return [leader] if is_alive(leader) else []
    numbered = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    members = [int(entry.name) for entry in numbered if _group_of(entry) == leader]
    return [pid for pid in members if is_alive(pid)]


def _group_of(process: Path) -> int | None:
    with suppress(OSError, IndexError):
        # After the name in brackets come state, parent and group (proc_pid_stat(5)).
        return int((process / "stat").read_text().rpartition(")")[2].split()[2])
    return None
