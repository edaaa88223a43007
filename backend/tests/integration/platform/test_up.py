"""`knowledgestack up` as a person runs it: from an empty folder to a link, through kills, to nothing left running."""

import http.client
import json
import os
import signal
import socket
import stat
import subprocess
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from knowledgestack.app._ports import free_port
from knowledgestack.app._processes import wait_until
from tests.support.local_profile import COMMAND, LINK, LocalProfile, all_gone, data_directory, local_environ


class Installation:
    """One data directory and the run on it; the first makes the database and indexes the handbook."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self._run: LocalProfile | None = None

    def live(self) -> LocalProfile:
        """The present run, or a new one where a test ended it."""
        if self._run is None or self._run.process.poll() is not None:
            self._run = LocalProfile(local_environ(self.data_dir))
        self._run.wait_for_link()
        return self._run

    def stop(self) -> None:
        if self._run is not None and self._run.process.poll() is None:
            self._run.end(signal.SIGTERM)


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Generator[Installation]:
    with data_directory(tmp_path_factory.mktemp("up")) as folder:
        made = Installation(folder)
        try:
            yield made
        finally:
            made.stop()


@pytest.fixture
def run(installation: Installation) -> LocalProfile:
    return installation.live()


class Browser:
    """Keeps the session cookie, and nothing else."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._headers = {"Origin": f"http://localhost:{port}", "Content-Type": "application/json"}

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, dict[str, object]]:
        connection = http.client.HTTPConnection("localhost", self._port, timeout=20)
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, self._headers)
            answer = connection.getresponse()
            cookie = answer.getheader("Set-Cookie")
            if cookie:
                self._headers["Cookie"] = cookie.partition(";")[0]
            return answer.status, json.loads(answer.read() or b"{}")
        finally:
            connection.close()


def enter(run: LocalProfile, link: str) -> Browser:
    browser = Browser(run.state().port)
    status, _ = browser.ask("POST", "/api/auth/enter", {"token": link.partition("#")[2]})
    assert status == 200
    return browser


def new_link(data_dir: Path) -> str:
    """What `make link` prints while a run is live."""
    command, environ = [COMMAND, "link"], local_environ(data_dir)
    said = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60, check=True)
    link = LINK.search(said.stdout)
    assert link is not None, said.stdout + said.stderr
    return link.group()


def document_count(browser: Browser) -> int:
    _, sources = browser.ask("GET", "/api/sources")
    items = sources["items"]
    assert isinstance(items, list)
    return sum(source["documentCount"] for source in items)


def test_the_link_opens_the_demo_workspace_with_its_handbook(installation: Installation) -> None:
    browser = enter(installation.live(), new_link(installation.data_dir))
    status, session = browser.ask("GET", "/api/auth/session")
    assert status == 200
    assert session["activeWorkspace"] is not None
    assert document_count(browser) >= 20
    assert browser.ask("GET", "/api/health/ready")[0] == 200


def test_the_demo_database_is_connected_and_its_tables_are_known(installation: Installation) -> None:
    browser = enter(installation.live(), new_link(installation.data_dir))
    _, page = browser.ask("GET", "/api/database-connections")
    items = page["items"]
    assert isinstance(items, list)
    (connection,) = items
    assert (connection["name"], connection["state"]) == ("BRAMBLE", "reachable")
    assert connection["audit"]["verdict"] == "read_only"
    assert connection["holdings"]["tableCount"] == 23


def test_every_step_is_told_with_its_seconds(run: LocalProfile) -> None:
    assert "Started the API and the worker" in run.output
    assert [line for line in run.lines if "Ready" in line and line.rstrip().endswith(" s")]


def test_an_interrupt_leaves_nothing_running_and_the_next_start_is_quick(installation: Installation) -> None:
    run = installation.live()
    pids = run.processes()
    began = time.monotonic()
    assert run.end(signal.SIGINT) == 0
    assert time.monotonic() - began < 30
    assert all_gone(pids)
    began = time.monotonic()
    installation.live()
    # 5 s on a quiet machine; the bound here leaves room for one that does other things beside.
    assert time.monotonic() - began < 15


def test_a_killed_run_takes_everything_with_it_and_loses_nothing(installation: Installation) -> None:
    run = installation.live()
    browser = enter(run, new_link(installation.data_dir))
    count = document_count(browser)
    pids = run.processes()
    run.end(signal.SIGKILL)
    second = installation.live()
    assert wait_until(lambda: all_gone(pids), 15)
    assert document_count(enter(second, new_link(installation.data_dir))) == count


def test_children_that_die_come_back(run: LocalProfile) -> None:
    api, worker = run.state().children
    os.kill(api, signal.SIGKILL)
    os.kill(worker, signal.SIGKILL)
    assert wait_until(lambda: run.output.count("again") >= 2, 30), run.output
    browser = Browser(run.state().port)

    def is_ready() -> bool:
        try:
            return browser.ask("GET", "/api/health/ready")[0] == 200
        except OSError:
            return False

    assert wait_until(is_ready, 30), run.output
    assert set(run.state().children).isdisjoint({api, worker})


def test_a_second_run_is_refused_and_names_the_first(installation: Installation, run: LocalProfile) -> None:
    environ = local_environ(installation.data_dir)
    again = subprocess.run([COMMAND, "up"], env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert again.returncode == 1
    assert f"http://localhost:{run.state().port}" in again.stderr


def test_the_printed_link_works_once(installation: Installation) -> None:
    installation.stop()
    run = installation.live()
    token = run.wait_for_link().partition("#")[2]
    browser = Browser(run.state().port)
    assert browser.ask("POST", "/api/auth/enter", {"token": token})[0] == 200
    assert browser.ask("POST", "/api/auth/enter", {"token": token})[0] == 401


def test_secrets_are_private(installation: Installation, run: LocalProfile) -> None:
    data_dir = installation.data_dir
    for name in ("encryption-key", "database-url", "run.json"):
        assert stat.S_IMODE((data_dir / name).stat().st_mode) == 0o600, name
    assert run.wait_for_link() not in "".join(log.read_text() for log in (data_dir / "logs").glob("*.log"))


def test_a_taken_port_is_told_and_the_next_one_used(installation: Installation) -> None:
    installation.stop()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        run = LocalProfile(local_environ(installation.data_dir, KS_PORT=str(port)))
        try:
            assert f":{port}/" not in run.wait_for_link()
            assert f"Port {port} is taken" in run.output
        finally:
            run.end(signal.SIGTERM)


def test_a_malformed_setting_is_named_before_anything_starts(tmp_path: Path) -> None:
    run = LocalProfile(local_environ(tmp_path / "data", KS_UPLOAD_MAX_BYTES="lots"))
    assert run.process.wait(30) == 1
    assert wait_until(lambda: "KS_UPLOAD_MAX_BYTES" in run.output, 5)
    assert not (tmp_path / "data/postgres").exists()


def test_a_database_that_does_not_answer_is_told(tmp_path: Path) -> None:
    run = LocalProfile(local_environ(tmp_path / "data", DATABASE_URL=f"postgresql://u:p@127.0.0.1:{free_port()}/x"))
    assert run.process.wait(60) == 1
    assert wait_until(lambda: "cannot be opened" in run.output, 5)


def test_link_before_the_first_start_says_what_to_do(tmp_path: Path) -> None:
    environ = local_environ(tmp_path / "data")
    said = subprocess.run([COMMAND, "link"], env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert said.returncode == 1
    assert "make run" in said.stderr
