"""Makes the demo company's database and the role that may read it."""

import secrets
from importlib.resources import files
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from knowledgestack.demo.database.tables import make_tables

DATABASE_NAME = "quillmoor"
READER_ROLE = "quillmoor_reader"

# The columns of a table of which the role may not read all.
_GRANTED_COLUMNS = {"tchm": ("tno", "nm", "hub", "lvl")}


def address_of(server_url: str, database: str) -> str:
    """The same server and account, another database."""
    return urlunsplit(urlsplit(server_url)._replace(path=f"/{database}"))


async def database_exists(server_url: str, name: str = DATABASE_NAME) -> bool:
    connection = await asyncpg.connect(server_url)
    try:
        return bool(await connection.fetchval("SELECT true FROM pg_database WHERE datname = $1", name))
    finally:
        await connection.close()


async def close_to_others(server_url: str) -> None:
    """Let nobody but its owner connect to the database of `server_url`: a role of readers lives on its server."""
    name = urlsplit(server_url).path.removeprefix("/")
    connection = await asyncpg.connect(server_url)
    try:
        await connection.execute(f'REVOKE CONNECT, TEMPORARY ON DATABASE "{name}" FROM PUBLIC')
    finally:
        await connection.close()


async def make_database(server_url: str, name: str = DATABASE_NAME, role: str = READER_ROLE) -> None:
    """Make the database anew, or for the first time, under the account of `server_url`, which has to be a superuser.

    It is filled beside the old one and takes its place when it is complete: an interrupted run leaves no half of it.
    """
    partial = f"{name}_partial"
    connection = await asyncpg.connect(server_url)
    try:
        await _make_role(connection, role)
        await connection.execute(f"DROP DATABASE IF EXISTS {partial} WITH (FORCE)")
        await connection.execute(f"CREATE DATABASE {partial}")
        await _fill(address_of(server_url, partial), role)
        await connection.execute(f"REVOKE ALL ON DATABASE {partial} FROM PUBLIC")
        await connection.execute(f"GRANT CONNECT ON DATABASE {partial} TO {role}")
        await connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        await connection.execute(f"ALTER DATABASE {partial} RENAME TO {name}")
    finally:
        await connection.close()


async def new_password(server_url: str, role: str = READER_ROLE) -> str:
    """Give the role a password of its own and answer it; the one before no longer opens anything."""
    password = secrets.token_urlsafe(24)
    connection = await asyncpg.connect(server_url)
    try:
        await connection.execute(f"ALTER ROLE {role} PASSWORD '{password}'")
    finally:
        await connection.close()
    return password


async def _make_role(connection: "asyncpg.Connection[asyncpg.Record]", role: str) -> None:
    if not await connection.fetchval("SELECT true FROM pg_roles WHERE rolname = $1", role):
        await connection.execute(f"CREATE ROLE {role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT")
    await connection.execute(f"ALTER ROLE {role} SET default_transaction_read_only = on")


async def _fill(url: str, role: str) -> None:
    schema = (files("knowledgestack.demo.database") / "schema.sql").read_text()
    tables = make_tables()
    connection = await asyncpg.connect(url)
    try:
        async with connection.transaction():
            await connection.execute(schema)
            for table, rows in tables.items():
                await connection.copy_records_to_table(table, records=rows)
            await connection.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC")
            await connection.execute(f"GRANT USAGE ON SCHEMA public TO {role}")
            for table in tables:
                columns = _GRANTED_COLUMNS.get(table)
                granted = f"SELECT ({', '.join(columns)})" if columns else "SELECT"
                await connection.execute(f"GRANT {granted} ON {table} TO {role}")
        await connection.execute("VACUUM (ANALYZE)")
    finally:
        await connection.close()
