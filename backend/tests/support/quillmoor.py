"""The demo company's database on the server of the tests, under names of its own."""

import secrets
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import asyncpg

from knowledgestack.demo.database.loading import address_of, make_database, new_password
from tests.support.database import execute, run

Rows = list[tuple[object, ...]]


@dataclass(frozen=True)
class Quillmoor:
    """`url` is that of the superuser; `role` and `password` are the reader's."""

    server_url: str
    name: str
    role: str
    password: str

    @property
    def url(self) -> str:
        return address_of(self.server_url, self.name)

    def rows(self, sql: str) -> Rows:
        return run(self._rows(sql))

    async def _rows(self, sql: str) -> Rows:
        connection = await asyncpg.connect(self.url)
        try:
            return [tuple(row.values()) for row in await connection.fetch(sql)]
        finally:
            await connection.close()

    async def as_reader(self) -> "asyncpg.Connection[asyncpg.Record]":
        return await asyncpg.connect(self.url, user=self.role, password=self.password)


@contextmanager
def quillmoor_on(server_url: str) -> Generator[Quillmoor]:
    name, role = _new_names()
    try:
        run(make_database(server_url, name, role))
        yield Quillmoor(server_url, name, role, run(new_password(server_url, role)))
    finally:
        run(_remove(server_url, name, role))


@asynccontextmanager
async def quillmoor_names(server_url: str) -> AsyncGenerator[tuple[str, str]]:
    """Names of a database and a role that a test may make; both are gone after it, however it ended."""
    name, role = _new_names()
    try:
        yield name, role
    finally:
        await _remove(server_url, name, role)


def _new_names() -> tuple[str, str]:
    name = f"ks_test_quillmoor_{secrets.token_hex(4)}"
    return name, f"{name}_reader"


async def _remove(server_url: str, name: str, role: str) -> None:
    databases = [f"DROP DATABASE IF EXISTS {one} WITH (FORCE)" for one in (name, f"{name}_partial")]
    await execute(server_url, *databases, f"DROP ROLE IF EXISTS {role}")
