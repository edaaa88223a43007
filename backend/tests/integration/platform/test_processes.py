"""Children of the supervisor: they end with it, leave nothing behind, and come back when they end by themselves."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from knowledgestack.app import _child
from knowledgestack.app._child import Child, stop_all
from knowledgestack.app._ports import free_port, port_is_free
from knowledgestack.app._processes import is_alive, start_child, stop_groups, wait_until

SLEEP = "import time; time.sleep(120)"
# Starts a child of its own, writes its pid, and ignores SIGTERM, as a server with open streams may for a while.
STUBBORN = """
import pathlib, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
grandchild = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"])
pathlib.Path(sys.argv[1]).write_text(str(grandchild.pid))
time.sleep(120)
"""
PARENT = """
import os, pathlib, sys, time
from knowledgestack.app._processes import start_child
with open(os.devnull, "ab") as log:
    child = start_child([sys.executable, "-c", "import time; time.sleep(120)"], log=log, environ=os.environ)
pathlib.Path(sys.argv[1]).write_text(str(child.pid))
time.sleep(120)
"""


def read_pid(path: Path) -> int:
    assert wait_until(lambda: path.exists() and path.read_text() != "", 10)
    return int(path.read_text())


@pytest.fixture
def children() -> Generator[list[Child]]:
    made: list[Child] = []
    yield made
    for child in made:
        child.kill()


def make_child(children: list[Child], folder: Path, code: str, *arguments: str) -> Child:
    child = Child("worker", [sys.executable, "-c", code, *arguments], folder / "worker.log", os.environ)
    children.append(child)
    return child


def test_a_child_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path / "pid")])
    pid = read_pid(tmp_path / "pid")
    assert is_alive(pid)
    parent.kill()
    parent.wait()
    assert wait_until(lambda: not is_alive(pid), 10)


def test_stopping_ends_a_stubborn_child_and_what_it_started(
    children: list[Child], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_child, "_STOP_SECONDS", 0.5)
    child = make_child(children, tmp_path, STUBBORN, str(tmp_path / "pid"))
    child.start()
    grandchild = read_pid(tmp_path / "pid")
    stop_all([child])
    assert child.ended
    assert wait_until(lambda: not is_alive(grandchild), 10)


def test_a_child_that_ends_is_started_again_and_the_event_is_told(
    children: list[Child], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_child, "_BACKOFF_SECONDS", (0.0,))
    child = make_child(children, tmp_path, SLEEP)
    child.start()
    first = child.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    events: list[str] = []
    assert wait_until(lambda: events.extend(child.watch()) or len(events) == 2, 10)
    assert "signal SIGKILL" in events[0]
    assert str(child.log) in events[0]
    assert events[1] == "Started the worker again"
    assert child.pid != first
    assert not child.gave_up


def test_waits_grow_and_a_child_that_never_stays_up_is_given_up(
    children: list[Child], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_child, "_BACKOFF_SECONDS", (0.0, 0.01, 0.02, 0.03))
    child = make_child(children, tmp_path, "print('no such database'); raise SystemExit(3)")
    child.start()
    events: list[str] = []
    assert wait_until(lambda: events.extend(child.watch()) or child.gave_up, 30)
    assert "exit code 3" in events[0]
    assert "no such database" in child.log_tail()


def test_leftovers_of_a_killed_run_are_ended_also_without_their_leader(tmp_path: Path) -> None:
    code = f"# knowledgestack\n{STUBBORN}"
    with (tmp_path / "log").open("ab") as log:
        leader = start_child([sys.executable, "-c", code, str(tmp_path / "pid")], log=log, environ=os.environ)
    grandchild = read_pid(tmp_path / "pid")
    try:
        assert stop_groups([leader.pid])
        leader.wait()
        assert wait_until(lambda: not is_alive(grandchild), 10)
        assert not stop_groups([leader.pid])
    finally:
        leader.kill()


def test_another_program_with_the_number_of_a_leftover_stays(tmp_path: Path) -> None:
    with (tmp_path / "log").open("ab") as log:
        other = start_child(["/bin/sleep", "60"], log=log, environ=os.environ)
    try:
        assert not stop_groups([other.pid])
        assert is_alive(other.pid)
    finally:
        other.kill()
        other.wait()


def test_the_next_free_port_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert not port_is_free(port)
        assert free_port(port) > port
