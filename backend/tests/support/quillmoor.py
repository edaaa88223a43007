"""The demo company's database on the server of the tests, under names of its own."""

import secrets
from collections.abc import Generator
from contextlib import contextmanager
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
    name = f"ks_test_quillmoor_{secrets.token_hex(4)}"
    role = f"{name}_reader"
    run(make_database(server_url, name, role))
    yield Quillmoor(server_url, name, role, run(new_password(server_url, role)))
    run(execute(server_url, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"DROP ROLE {role}"))
