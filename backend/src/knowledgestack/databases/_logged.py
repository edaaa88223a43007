"""Keeps the line of a statement: written before it is sent, closed with what became of it."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import msgspec
import structlog

from knowledgestack.core.errors import AppError
from knowledgestack.databases._repository import ConnectionRepository, NewStatement, StatementRepository
from knowledgestack.databases.contracts import SQL_MAX_BYTES, StatementOrigin, StatementOutcome
from knowledgestack.databases.errors import SqlRejected, SqlTimeout
from knowledgestack.databases.targets import Target, target_of
from knowledgestack.db.engine import Database

_log = structlog.get_logger(__name__)

LEASE_SECONDS = 60.0
_RENEW_SECONDS = 20.0
_STOPPED = "It was stopped before it was answered."
_UNEXPECTED = "Something failed on this server."


class Sender(msgspec.Struct, frozen=True, kw_only=True):
    """Who sends a statement, from where."""

    workspace_id: UUID
    user_id: UUID
    origin: StatementOrigin
    chat_id: UUID | None = None
    turn_id: UUID | None = None


class Line(msgspec.Struct):
    """An open line of the log; `tables`, `row_count` and `duration_ms` are filled in when they are known."""

    statement_id: UUID
    target: Target
    tables: list[str] = []
    row_count: int | None = None
    duration_ms: int | None = None


@asynccontextmanager
async def logged(database: Database, sender: Sender, connection_id: UUID, sql: str) -> AsyncGenerator[Line]:
    """The line of one statement, open as long as the block runs. Raises `NotFound` for an unknown connection.

    While it is open its lease is renewed, so that a line whose process died is told from one that runs.
    """
    line = await _opened(database, sender, connection_id, sql)
    began = time.monotonic()
    renewing = asyncio.create_task(_renew(database, sender, line))
    outcome: StatementOutcome = "answered"
    detail: str | None = None
    try:
        yield line
    except BaseException as error:
        outcome, detail = _outcome_of(error)
        raise
    finally:
        renewing.cancel()
        if line.duration_ms is None:
            line.duration_ms = round((time.monotonic() - began) * 1_000)
        # A task of its own: who stops the statement twice still finds it closed.
        await asyncio.shield(asyncio.create_task(_close(database, sender, line, outcome, detail)))


def _outcome_of(error: BaseException) -> tuple[StatementOutcome, str]:
    match error:
        case SqlRejected():
            return "rejected", error.detail
        case SqlTimeout():
            return "timeout", error.detail
        case AppError():
            return "failed", error.detail
        case asyncio.CancelledError() | GeneratorExit():
            return "cancelled", _STOPPED
        case _:
            return "failed", _UNEXPECTED


async def _opened(database: Database, sender: Sender, connection_id: UUID, sql: str) -> Line:
    async with database.transaction() as tx:
        row: Any = await ConnectionRepository(tx, sender.workspace_id).read(connection_id)
        new = NewStatement(
            connection_id=connection_id,
            database=row.name,
            user_id=sender.user_id,
            chat_id=sender.chat_id,
            turn_id=sender.turn_id,
            origin=sender.origin,
            sql=_storable(sql),
        )
        statement_id = await StatementRepository(tx, sender.workspace_id).add(new, LEASE_SECONDS)
    return Line(statement_id, target_of(row))


def _storable(sql: str) -> str:
    """The text as a column of text can hold it, cut where it is longer than any statement that is let through."""
    return sql[: SQL_MAX_BYTES + 1].replace("\0", "\N{REPLACEMENT CHARACTER}").encode(errors="replace").decode()


async def _renew(database: Database, sender: Sender, line: Line) -> None:
    while True:
        await asyncio.sleep(_RENEW_SECONDS)
        with contextlib.suppress(AppError):
            async with database.transaction() as tx:
                await StatementRepository(tx, sender.workspace_id).extend(line.statement_id, LEASE_SECONDS)


async def _close(database: Database, sender: Sender, line: Line, outcome: StatementOutcome, detail: str | None) -> None:
    values: dict[str, Any] = {"tables": line.tables, "duration_ms": line.duration_ms, "row_count": line.row_count}
    try:
        async with database.transaction() as tx:
            log = StatementRepository(tx, sender.workspace_id)
            await log.close(line.statement_id, outcome, detail=detail, **values)
    except AppError as error:
        # Its lease runs out, and then the line is closed as one that nobody finished.
        _log.warning("statement_not_closed", statement_id=str(line.statement_id), code=error.code)
