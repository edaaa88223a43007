"""A migrated PostgreSQL database for each test, cloned from one template.

A savepoint would never commit, so deferred constraints, NOTIFY, jobs and races could not be tested in one.
"""

import asyncio
import os
import secrets
import tempfile
from collections.abc import Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from knowledgestack.app.migrations import migrate
from knowledgestack.app.postgres import EmbeddedPostgres

T = TypeVar("T")
SERVER_VARIABLE = "KS_TEST_DATABASE_URL"


def run(coroutine: Coroutine[object, object, T]) -> T:
    """Run it to its end on an event loop of its own, whatever loop the test uses."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def with_database(server_url: str, name: str) -> str:
    return urlunsplit(urlsplit(server_url)._replace(path=f"/{name}"))


async def execute(url: str, *statements: str) -> None:
    """Run each statement on its own, outside a transaction."""
    connection = await asyncpg.connect(url)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


@contextmanager
def postgres_server() -> Generator[str]:
    """The address of a server: the one of the environment, else an embedded one that ends with the tests."""
    url = os.environ.get(SERVER_VARIABLE)
    if url:
        yield url
        return
    with tempfile.TemporaryDirectory(prefix="ks-test-postgres-", ignore_cleanup_errors=True) as folder:
        server = EmbeddedPostgres(Path(folder))
        yield server.start()
        server.stop()
        server.remove()


class Databases:
    """Makes and drops the databases of one test run on one server."""

    def __init__(self, server_url: str) -> None:
        self.server_url = server_url
        self._prefix = f"ks_test_{secrets.token_hex(4)}"
        self._template = f"{self._prefix}_template"
        self._count = 0

    async def prepare(self) -> None:
        await execute(self.server_url, f'CREATE DATABASE "{self._template}"')
        await asyncio.to_thread(migrate, with_database(self.server_url, self._template))

    async def clone(self) -> str:
        """The address of a new migrated database."""
        self._count += 1
        name = f"{self._prefix}_{self._count}"
        await execute(self.server_url, f'CREATE DATABASE "{name}" TEMPLATE "{self._template}"')
        return with_database(self.server_url, name)

    async def drop(self, url: str) -> None:
        name = urlsplit(url).path.lstrip("/")
        await execute(self.server_url, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    async def close(self) -> None:
        await self.drop(with_database(self.server_url, self._template))
