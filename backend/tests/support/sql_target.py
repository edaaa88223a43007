"""Databases for the fence to read: on the server of the tests and, where its programs are, on a PostgreSQL 15.

Each holds what a careless or hostile owner could have put there, and is read by an ordinary role and by a superuser.
"""

import os
import secrets
import signal
import subprocess
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg

from knowledgestack.app._ports import free_port
from knowledgestack.databases.runner import StatementRunner
from knowledgestack.databases.targets import Target
from tests.support.database import run, with_database
from tests.support.waiting import eventually

POSTGRES_15 = Path("/usr/lib/postgresql/15/bin")
SCHEMA = Path(__file__).with_name("sql_target.sql")
_PASSWORD = "reader"


@contextmanager
def postgres_15() -> Generator[str]:
    """The address of a PostgreSQL 15 that ends with the tests; it listens on loopback alone."""
    account: dict[str, Any] = {"user": "postgres", "group": "postgres", "extra_groups": []} if _is_root() else {}
    with tempfile.TemporaryDirectory(prefix="ks-test-postgres15-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o777)  # noqa: PTH101
        data, port = Path(folder, "data"), free_port()
        initdb = [POSTGRES_15 / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C"]
        subprocess.run(initdb, check=True, capture_output=True, **account)
        settings = [f"-c{setting}" for setting in (f"port={port}", "fsync=off", f"unix_socket_directories={folder}")]
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        server = subprocess.Popen([POSTGRES_15 / "postgres", "-D", data, *settings], **quiet, **account)
        url = f"postgresql://postgres@127.0.0.1:{port}/postgres"
        try:
            run(_answering(url))
            yield url
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(30)


class SqlTarget:
    """One database of one server, filled from `sql_target.sql`, with a role that may read it."""

    def __init__(self, server_url: str) -> None:
        self._server_url = server_url
        self.name = f"ks_fence_{secrets.token_hex(4)}"
        self.admin_url = with_database(server_url, self.name)
        self.role = f"{self.name}_reader"

    async def make(self) -> None:
        server = await asyncpg.connect(self._server_url)
        await server.execute(f'CREATE DATABASE "{self.name}"')
        await server.execute(f"CREATE ROLE \"{self.role}\" LOGIN PASSWORD '{_PASSWORD}'")
        await server.close()
        admin = await asyncpg.connect(self.admin_url)
        await admin.execute(SCHEMA.read_text())
        await admin.execute(f'GRANT USAGE ON SCHEMA shop TO "{self.role}"')
        await admin.execute(f'GRANT SELECT ON ALL TABLES IN SCHEMA public, shop TO "{self.role}"')
        await admin.close()

    async def drop(self) -> None:
        server = await asyncpg.connect(self._server_url)
        await server.execute(f'DROP DATABASE "{self.name}" WITH (FORCE)')
        await server.execute(f'DROP ROLE "{self.role}"')
        await server.close()

    def url(self, *, superuser: bool) -> str:
        if superuser:
            return self.admin_url
        parts = urlsplit(self.admin_url)
        return parts._replace(netloc=f"{self.role}:{_PASSWORD}@{parts.hostname}:{parts.port}").geturl()


class Fence:
    """A runner on one target as one role, and a second connection that sees what is left behind."""

    def __init__(
        self,
        target: SqlTarget,
        *,
        superuser: bool,
        seconds: float = 3,
        pool_size: int = 4,
        ignore_settings: bool = False,
    ) -> None:
        self.url = target.url(superuser=superuser)
        self.admin_url = target.admin_url
        self.target = target_for(self.url)
        self._ignore_settings = ignore_settings
        self.opened: list[asyncpg.Connection[Any]] = []
        self.runner = StatementRunner(self._connect, seconds=seconds, pool_size=pool_size)

    async def _connect(self, target: Target, settings: Mapping[str, str]) -> "asyncpg.Connection[Any]":
        del target
        asked = {} if self._ignore_settings else dict(settings)
        connection = await asyncpg.connect(self.url, server_settings=asked, statement_cache_size=0)
        self.opened.append(connection)
        return connection

    async def value(self, sql: str, *arguments: object) -> Any:
        """Asks as the owner of the database."""
        admin = await asyncpg.connect(self.admin_url)
        try:
            return await admin.fetchval(sql, *arguments)
        finally:
            await admin.close()

    async def left_behind(self) -> list[str]:
        """What the fence's connections still do or hold on the server; empty after every statement."""
        return await self.value("""
            SELECT coalesce(array_agg(what), '{}') FROM (
                SELECT 'active: ' || left(query, 60) AS what FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = 'knowledgestack' AND state <> 'idle'
                UNION ALL
                SELECT 'lock: ' || locktype FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                WHERE d.datname = current_database() AND l.pid <> pg_backend_pid()
                UNION ALL
                SELECT 'large object: ' || oid FROM pg_largeobject_metadata
                UNION ALL
                SELECT 'row' FROM shop.written
            ) AS found""")


def target_for(url: str, revision: int = 1) -> Target:
    parts = urlsplit(url)
    return Target(
        workspace_id=uuid4(),
        connection_id=uuid4(),
        revision=revision,
        name="sales",
        host=parts.hostname or "",
        port=parts.port or 5432,
        database=parts.path.lstrip("/"),
        username=parts.username or "",
        sealed_password=b"",
        tls="off",
        ca_certificate=None,
        denied_columns=frozenset(),
    )


async def _answering(url: str) -> None:
    async def answers() -> bool:
        try:
            connection = await asyncpg.connect(url, timeout=5)
        except (OSError, asyncpg.PostgresError):
            return False
        await connection.close()
        return True

    await eventually(answers, every=0.1)


def _is_root() -> bool:
    return os.geteuid() == 0
