"""The migrations make exactly the tables that the code declares."""

import asyncio

from alembic import command

from knowledgestack.app.migrations import alembic_config, current_revision, expected_revision, migrate


async def test_migrations_and_tables_agree(database_url: str) -> None:
    await asyncio.to_thread(command.check, alembic_config(database_url))


async def test_a_second_migration_changes_nothing(database_url: str) -> None:
    await asyncio.to_thread(migrate, database_url)
    assert await current_revision(database_url) == expected_revision()
