"""The log of statements: who sent what to which database, and what became of it."""

from typing import Any
from uuid import UUID

import msgspec

from knowledgestack.core.identity import ROLE_PERMISSIONS, Actor, Permission, require
from knowledgestack.databases._repository import ConnectionRepository, EveryStatementRepository, StatementRepository
from knowledgestack.databases.contracts import Statement, StatementOutcome, StatementPage
from knowledgestack.db.engine import Database
from knowledgestack.http.pagination import clamp_limit, decode_cursor, encode_cursor


class StatementFilter(msgspec.Struct, frozen=True, kw_only=True):
    """What to show of the log; None shows all."""

    connection_id: UUID | None = None
    user_id: UUID | None = None
    outcome: StatementOutcome | None = None


class StatementLog:
    """Reads the log. An owner of the workspace sees every line, a member the lines of their own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def recover(self) -> None:
        """Close the lines that processes left open when they ended."""
        async with self._database.transaction() as tx:
            await EveryStatementRepository(tx).close_lost()

    async def page(
        self,
        actor: Actor,
        wanted: StatementFilter,
        cursor: str | None,
        limit: int | None,
        *,
        known_connection: bool = False,
    ) -> StatementPage:
        """Lines newest first. `known_connection` raises `NotFound` for a connection that does not exist."""
        require(actor, Permission.RUN_SQL)
        size = clamp_limit(limit)
        before = decode_cursor(cursor, (UUID,))[0] if cursor else None
        user_id = wanted.user_id
        if Permission.READ_ALL_STATEMENTS not in ROLE_PERMISSIONS[actor.role]:
            if user_id not in {None, actor.user_id}:
                return StatementPage(items=[], next_cursor=None)
            user_id = actor.user_id
        async with self._database.transaction() as tx:
            if known_connection and wanted.connection_id is not None:
                await ConnectionRepository(tx, actor.workspace_id).read(wanted.connection_id)
            log = StatementRepository(tx, actor.workspace_id)
            await log.close_lost()
            rows = await log.page(wanted.connection_id, user_id, wanted.outcome, before, size + 1)
        items = [_statement_of(row) for row in rows[:size]]
        return StatementPage(items=items, next_cursor=encode_cursor((items[-1].id,)) if len(rows) > size else None)


def _statement_of(row: Any) -> Statement:
    return Statement(
        id=row.id,
        database_connection_id=row.database_connection_id,
        database=row.database,
        user_id=row.user_id,
        user_name=row.user_name,
        chat_id=row.chat_id,
        turn_id=row.turn_id,
        origin=row.origin,
        sql=row.sql,
        tables=row.tables,
        started_at=row.started_at,
        duration_ms=row.duration_ms,
        row_count=row.row_count,
        outcome=row.outcome,
        detail=row.detail,
    )
