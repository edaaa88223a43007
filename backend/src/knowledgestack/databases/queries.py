"""Statements that somebody sends to a registered database: who may, what becomes of them, and how it is kept."""

import asyncio
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager
from urllib.parse import quote
from uuid import UUID

import msgspec

from knowledgestack.core.clock import utc_now
from knowledgestack.core.identity import Actor, Permission, require
from knowledgestack.databases._files import CSV_TYPE, EXPORT_BYTES, EXPORT_ROWS, XLSX_TYPE, Workbook, csv_lines, note_of
from knowledgestack.databases._logged import Line, Sender, logged
from knowledgestack.databases._pump import Pump
from knowledgestack.databases.contracts import (
    ExportFormat,
    NewExport,
    QueryReceipt,
    QueryResult,
    ResultOrder,
    StatementOrigin,
)
from knowledgestack.databases.runner import Answer, StatementRunner, Streamed
from knowledgestack.databases.targets import TargetLoader
from knowledgestack.db.engine import Database

_OWN_ORIGINS = ("person", "export")
_PIECE_BYTES = 256 * 1024
_UNSAFE = re.compile(r"[^\w.-]+")


class Export(msgspec.Struct, frozen=True):
    """A file on its way: how it is called and its bytes as they come. `chunks` is closed by whoever sends it."""

    disposition: str
    media_type: str
    chunks: Pump


class QueryService:
    """Runs statements through the fence and keeps a line of each."""

    def __init__(self, database: Database, targets: TargetLoader, runner: StatementRunner) -> None:
        self._database = database
        self._targets = targets
        self._runner = runner

    async def run(
        self,
        actor: Actor,
        connection_id: UUID,
        sql: str,
        *,
        origin: StatementOrigin,
        chat_id: UUID | None = None,
        turn_id: UUID | None = None,
        order_by: ResultOrder | None = None,
    ) -> QueryResult:
        """Raise `SqlRejected`, `SqlFailed` or `SqlTimeout` with a sentence to act on, `Unavailable` where the database
        does not answer. Cancelling the call cancels the statement in the database."""
        require(actor, Permission.RUN_SQL if origin in _OWN_ORIGINS else Permission.ASK)
        sender = _sender(actor, origin, chat_id, turn_id)
        async with logged(self._database, sender, connection_id, sql) as line:
            line.tables = self._named(sql)
            answer = await self._runner.run(line.target, sql, order_by=order_by)
            line.tables, line.row_count, line.duration_ms = answer.tables, len(answer.rows), answer.duration_ms
        return _result_of(line, answer)

    def _named(self, sql: str) -> list[str]:
        """The tables that the text names: all that is known of a statement which gives no rows."""
        tables = self._runner.parse_check(sql).tables
        return sorted(f"{schema}.{name}" if schema else name for schema, name in tables)

    async def export(self, actor: Actor, connection_id: UUID, wanted: NewExport) -> Export:
        """The whole result as a file; raises what `run` raises before the first byte."""
        require(actor, Permission.RUN_SQL)
        target = await self._targets.load(actor.workspace_id, connection_id)
        make = self._csv if wanted.format == "csv" else self._xlsx
        chunks = Pump(make(actor, connection_id, wanted))
        await chunks.begin()
        media_type = CSV_TYPE if wanted.format == "csv" else XLSX_TYPE
        return Export(_disposition(target.name, wanted.format), media_type, chunks)

    async def _csv(self, actor: Actor, connection_id: UUID, wanted: NewExport) -> AsyncGenerator[bytes]:
        sender = _sender(actor, "export")
        async with (
            logged(self._database, sender, connection_id, wanted.sql) as line,
            self._stream(line, wanted) as streamed,
        ):
            line.tables, line.row_count = streamed.tables, 0
            head = csv_lines([[column.name for column in streamed.columns]])
            async for batch in streamed:
                line.row_count += len(batch)
                yield head + await asyncio.to_thread(csv_lines, batch)
                head = b""
            if streamed.truncated_reason is not None:
                head += csv_lines([[note_of(streamed.truncated_reason)]])
            if head:
                yield head

    async def _xlsx(self, actor: Actor, connection_id: UUID, wanted: NewExport) -> AsyncGenerator[bytes]:
        sender = _sender(actor, "export")
        async with logged(self._database, sender, connection_id, wanted.sql) as line:
            book: Workbook | None = None
            try:
                async with self._stream(line, wanted) as streamed:
                    line.tables, line.row_count = streamed.tables, 0
                    book = Workbook(streamed.columns)
                    async for batch in streamed:
                        line.row_count += len(batch)
                        await _in_thread(book.add, batch)
                reason = streamed.truncated_reason
                facts = [
                    ("Database", line.target.name),
                    ("Run at", utc_now().isoformat(timespec="seconds")),
                    ("Rows", f"{line.row_count:,}"),
                    ("Statement", wanted.sql),
                ]
                await _in_thread(book.finish, [] if reason is None else [note_of(reason)], facts)
                with await asyncio.to_thread(book.path.open, "rb") as file:
                    while piece := await asyncio.to_thread(file.read, _PIECE_BYTES):
                        yield piece
            finally:
                if book is not None:
                    book.close()

    def _stream(self, line: Line, wanted: NewExport) -> AbstractAsyncContextManager[Streamed]:
        return self._runner.stream(
            line.target, wanted.sql, order_by=wanted.order_by, max_rows=EXPORT_ROWS, max_bytes=EXPORT_BYTES
        )


def _sender(actor: Actor, origin: StatementOrigin, chat_id: UUID | None = None, turn_id: UUID | None = None) -> Sender:
    return Sender(
        workspace_id=actor.workspace_id, user_id=actor.user_id, origin=origin, chat_id=chat_id, turn_id=turn_id
    )


def _result_of(line: Line, answer: Answer) -> QueryResult:
    return QueryResult(
        columns=answer.columns,
        rows=answer.rows,
        row_count=len(answer.rows),
        truncated=answer.truncated,
        truncated_reason=answer.truncated_reason,
        duration_ms=answer.duration_ms,
        receipt=QueryReceipt(
            statement_id=line.statement_id,
            database=line.target.name,
            role=line.target.username,
            tables=answer.tables,
            columns=answer.read_columns,
            cost_estimate=answer.cost_estimate,
            time_zone=answer.time_zone,
            today=answer.today,
            started_at=answer.started_at,
        ),
    )


def _disposition(database: str, kind: ExportFormat) -> str:
    name = f"{_UNSAFE.sub('-', database).strip('-.') or 'result'}-{utc_now():%Y%m%d-%H%M%S}.{kind}"
    return f"attachment; filename*=UTF-8''{quote(name, safe='')}"


async def _in_thread(work: Callable[..., None], *arguments: object) -> None:
    """Run it in a thread; when cancelled, wait for it first, so that nothing is cleared away under it."""
    running = asyncio.ensure_future(asyncio.to_thread(work, *arguments))
    try:
        await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait({running})
        raise
