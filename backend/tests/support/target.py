"""A database that people connect to: some tables, a role that may read them and one that may write them."""

import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from tests.support.database import execute, with_database

_TABLES = (
    "CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL)",
    "INSERT INTO customers SELECT n, 'Customer ' || n FROM generate_series(1, 50) AS n",
    'CREATE SCHEMA "Back Office"',
    'CREATE TABLE "Back Office".ledger (id int PRIMARY KEY, amount numeric(10,2))',
)


@dataclass(frozen=True)
class TargetDatabase:
    """`reader` may only read, `writer` owns nothing and may write, `admin_url` is the superuser's."""

    admin_url: str
    host: str
    port: int
    database: str
    reader: str
    writer: str
    password: str

    @property
    def superuser(self) -> tuple[str, str]:
        parts = urlsplit(self.admin_url)
        return parts.username or "postgres", parts.password or ""

    def registration(self, **changed: Any) -> dict[str, Any]:
        """What a person sends to register it as a reader."""
        return {
            "name": "Warehouse",
            "host": self.host,
            "port": self.port,
            "database": self.database,
            "username": self.reader,
            "password": self.password,
            "tls": "off",
            **changed,
        }

    async def run(self, *statements: str) -> None:
        await execute(self.admin_url, *statements)


@asynccontextmanager
async def target_database(server_url: str) -> AsyncGenerator[TargetDatabase]:
    mark = secrets.token_hex(4)
    parts = urlsplit(server_url)
    target = TargetDatabase(
        admin_url=with_database(server_url, f"target_{mark}"),
        host=parts.hostname or "127.0.0.1",
        port=parts.port or 5432,
        database=f"target_{mark}",
        reader=f"reader_{mark}",
        writer=f"writer_{mark}",
        password=f"p@ss 'word'\\ {mark}",
    )
    literal = "'" + target.password.replace("'", "''") + "'"
    await execute(
        server_url,
        f"CREATE ROLE {target.reader} LOGIN PASSWORD {literal}",
        f"CREATE ROLE {target.writer} LOGIN PASSWORD {literal}",
        f"CREATE DATABASE {target.database}",
    )
    await target.run(
        *_TABLES,
        f'GRANT USAGE ON SCHEMA "Back Office" TO {target.reader}, {target.writer}',
        f'GRANT SELECT ON ALL TABLES IN SCHEMA public, "Back Office" TO {target.reader}',
        f'GRANT ALL ON ALL TABLES IN SCHEMA public, "Back Office" TO {target.writer}',
    )
    try:
        yield target
    finally:
        await execute(
            server_url,
            f"DROP DATABASE IF EXISTS {target.database} WITH (FORCE)",
            f"DROP ROLE {target.reader}",
            f"DROP ROLE {target.writer}",
        )
