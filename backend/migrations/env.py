"""Alembic's environment: runs revisions in one transaction over asyncpg."""

import asyncio
from typing import Any

from alembic import context
from sqlalchemy import Connection, pool
from sqlalchemy.ext.asyncio import create_async_engine

from knowledgestack.app.tables import metadata


def include_name(name: str | None, _kind: str, _parents: Any) -> bool:
    """Leave out the job queue's own tables and the indexes that jobs make."""
    return not (name or "").startswith(("pgqueuer", "ix_dyn_", "tbl_pgqueuer"))


def include_object(_object: Any, name: str | None, kind: str, _reflected: bool, _compare_to: Any) -> bool:
    return include_name(name, kind, None)


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=metadata,
        include_name=include_name,
        include_object=include_object,
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()


async def main() -> None:
    url: str = context.config.attributes["database_url"]
    engine = create_async_engine(url.replace("postgresql://", "postgresql+asyncpg://"), poolclass=pool.NullPool)
    async with engine.connect() as connection:
        await connection.run_sync(run)
        await connection.commit()
    await engine.dispose()


asyncio.run(main())
