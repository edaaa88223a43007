"""Bringing the database to the revision that this code expects, and waiting for it."""

import asyncio
import time
from pathlib import Path

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from knowledgestack.core.errors import Unavailable

MIGRATIONS = Path(__file__).resolve().parents[3] / "migrations"
_ADVISORY_LOCK = 0x6B6E6F77
_POLL_SECONDS = 0.2
_REFUSALS = (OSError, asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidCatalogNameError)


def alembic_config(database_url: str) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["database_url"] = database_url
    return config


def migrate(database_url: str) -> bool:
    """Upgrade to the newest revision; False when the database stood there already.

    Two processes that start together take turns by an advisory lock. Raises `Unavailable` when nothing answers.
    """
    try:
        return asyncio.run(_migrate_locked(database_url))
    except _REFUSALS as error:
        raise Unavailable(f"The database of the application cannot be opened: {error}") from error


async def _migrate_locked(database_url: str) -> bool:
    connection = await asyncpg.connect(database_url)
    try:
        await connection.execute("SELECT pg_advisory_lock($1)", _ADVISORY_LOCK)
        if await current_revision(database_url) == expected_revision():
            return False
        await asyncio.to_thread(command.upgrade, alembic_config(database_url), "head")
        return True
    finally:
        await connection.close()


def expected_revision() -> str:
    head = ScriptDirectory(str(MIGRATIONS)).get_current_head()
    assert head is not None
    return head


async def current_revision(database_url: str) -> str | None:
    """The revision that the database stands at; None where it was never migrated. Raises OSError when unreachable."""
    connection = await asyncpg.connect(database_url, timeout=5)
    try:
        return await connection.fetchval("SELECT version_num FROM alembic_version")
    except asyncpg.UndefinedTableError:
        return None
    finally:
        await connection.close()


async def wait_for_revision(database_url: str, *, seconds: float = 120) -> None:
    """Return when the database stands at the expected revision; raise `Unavailable` when it does not in time."""
    wanted, deadline = expected_revision(), time.monotonic() + seconds
    while True:
        try:
            if await current_revision(database_url) == wanted:
                return
        except (OSError, asyncpg.PostgresError):
            pass
        if time.monotonic() > deadline:
            raise Unavailable(f"The database did not reach revision {wanted} within {seconds:.0f} seconds.")
        await asyncio.sleep(_POLL_SECONDS)
