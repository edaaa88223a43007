"""The setup of a checkout: what is missing is named, what is damaged is noticed, what has not changed is left alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import bootstrap


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole search path."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def add_program(folder: Path, name: str, output: str) -> None:
    program = folder / name
    program.write_text(f"#!/bin/sh\necho '{output}'\n")
    program.chmod(0o755)


def test_missing_node_is_named_with_how_to_get_it(programs: Path) -> None:
    with pytest.raises(bootstrap.SetupError, match=r"Node\.js 20\.19 or newer .*nodejs\.org"):
        bootstrap.check_node()


@pytest.mark.parametrize("version", ["v18.20.4", "v20.18.0", "unknown"])
def test_an_old_node_is_refused(programs: Path, version: str) -> None:
    add_program(programs, "node", version)
    add_program(programs, "npm", "10.0.0")
    with pytest.raises(bootstrap.SetupError, match="needed"):
        bootstrap.check_node()


@pytest.mark.parametrize("version", ["v20.19.0", "v22.1.0", "v24.0.0"])
def test_a_new_node_is_taken(programs: Path, version: str) -> None:
    add_program(programs, "node", version)
    add_program(programs, "npm", "10.0.0")
    bootstrap.check_node()


def test_node_without_npm_is_not_enough(programs: Path) -> None:
    add_program(programs, "node", "v22.0.0")
    with pytest.raises(bootstrap.SetupError, match="npm"):
        bootstrap.check_node()


def test_a_package_that_lost_a_file_is_noticed(tmp_path: Path) -> None:
    info = tmp_path / "thing-1.0.dist-info"
    info.mkdir()
    (tmp_path / "thing.py").write_text("")
    (info / "RECORD").write_text("thing.py,sha256=x,0\nthing.pyc,,\nthing-1.0.dist-info/RECORD,,\n")
    assert bootstrap.is_whole(info)
    (tmp_path / "thing.py").unlink()
    assert not bootstrap.is_whole(info)


def test_a_failed_step_shows_what_it_said() -> None:
    with pytest.raises(bootstrap.SetupError, match="no space left"):
        bootstrap.run_quietly("/bin/sh", "-c", "echo no space left; exit 1")


@pytest.mark.parametrize("home", ["", "missing"])
def test_without_a_home_caches_stay_in_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / home) if home else "")
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    bootstrap.give_home()
    assert os.environ["HOME"] == str(tmp_path / ".data/home")


def test_the_key_of_the_python_packages_follows_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    before = bootstrap.python_key("run")
    assert bootstrap.python_key("run") == before
    monkeypatch.setitem(bootstrap.PYTHON_LOCKS, "run", bootstrap.BACKEND / "requirements-dev.lock")
    assert bootstrap.python_key("run") != before


def test_an_unknown_goal_is_refused() -> None:
    said = subprocess.run([sys.executable, bootstrap.__file__, "all"], capture_output=True, text=True, check=False)
    assert said.returncode == 1
    assert said.stderr.startswith("usage:")
