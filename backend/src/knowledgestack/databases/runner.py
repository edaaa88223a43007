"""Runs SELECTs of people and of the agent on a target, behind the fence.

In this order: PostgreSQL's grammar, look-ups in the target's catalogue, the server's own parser on the text alone,
the planner's cost, and the wrapped text in a read-only transaction that is always rolled back.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import asyncpg
import msgspec

from knowledgestack.databases import _failures
from knowledgestack.databases._execution import Reader, Row, batches, collect, cut_cells, encoded_size, fitting
from knowledgestack.databases._grammar import ParsedStatement, parse
from knowledgestack.databases._lookups import Reading
from knowledgestack.databases._outputs import declared
from knowledgestack.databases._pool import Connect, Lease, Pool
from knowledgestack.databases._session import TIME_ZONE
from knowledgestack.databases._wrapping import ResultColumn, Shape, wrapped
from knowledgestack.databases.contracts import QueryColumn, ResultOrder, TruncatedReason
from knowledgestack.databases.errors import SqlRejected
from knowledgestack.databases.targets import Target

__all__ = ["Answer", "Caps", "Connect", "StatementRunner", "Streamed"]

EXPORT_SECONDS = 300
_EXPORT_CELL_CHARACTERS = 32_767
_CLIENT_GRACE_SECONDS = 0.25
_KNOWN_SECONDS = 2
_KEPT_TEXTS = 256


class Caps(msgspec.Struct, frozen=True, kw_only=True):
    """What one answer may hold; `result_bytes` are those of its rows as JSON."""

    seconds: float
    rows: int = 1_000
    cell_characters: int = 10_000
    result_bytes: int = 1_000_000


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of a statement as text, null is NULL. `tables` are `schema.table`, `read_columns` with `.column`."""

    columns: list[QueryColumn]
    rows: list[Row]
    truncated: bool
    truncated_reason: TruncatedReason | None
    duration_ms: int
    tables: list[str]
    read_columns: list[str]
    cost_estimate: float | None
    time_zone: str
    today: str
    started_at: datetime


class _Known(msgspec.Struct, frozen=True):
    """A statement that passed the fence on one target, and what the server said of it, believed until `until`."""

    shape: Shape
    tables: list[str]
    read_columns: list[str]
    cost: float | None
    until: float


_Key = tuple[UUID, int, str]


class Streamed:
    """The rows of an export, batch by batch. `truncated_reason` holds after the last batch."""

    def __init__(self, columns: list[QueryColumn], tables: list[str], reader: Reader, caps: Caps) -> None:
        self.columns = columns
        self.tables = tables
        self.truncated_reason: TruncatedReason | None = None
        self._reader = reader
        self._caps = caps

    async def __aiter__(self) -> AsyncIterator[list[Row]]:
        caps, rows, cut = self._caps, 0, False
        left = caps.result_bytes
        async for batch in batches(self._reader, rows=caps.rows, cell_characters=caps.cell_characters):
            more = rows + len(batch) > caps.rows
            if more:
                del batch[caps.rows - rows :]
            cut = cut_cells(batch, self._reader.shape, caps.cell_characters) or cut
            size = encoded_size(batch)
            if size > left:
                self.truncated_reason = "bytes"
                yield fitting(batch, left)
                return
            rows, left = rows + len(batch), left - size
            yield batch
            if more:
                self.truncated_reason = "rows"
                return
        self.truncated_reason = "cells" if cut else None


class StatementRunner:
    """One for the whole process. Whatever opens a target raises Unavailable or AddressRefused where it cannot."""

    def __init__(self, connect: Connect, *, seconds: float, pool_size: int = 4, per_workspace: int = 8) -> None:
        self._seconds = seconds
        self._pool = Pool(connect, seconds=seconds, size=pool_size, per_workspace=per_workspace)
        self._parsed: OrderedDict[str, ParsedStatement] = OrderedDict()
        self._known: OrderedDict[_Key, _Known] = OrderedDict()

    def parse_check(self, sql: str) -> ParsedStatement:
        """Only the first layer: what one SELECT names. Raises SqlRejected."""
        statement = self._parsed.get(sql)
        if statement is None:
            statement = parse(sql)
        _keep(self._parsed, sql, statement)
        return statement

    async def run(
        self, target: Target, sql: str, *, caps: Caps | None = None, order_by: ResultOrder | None = None
    ) -> Answer:
        """The first rows. Raises SqlRejected, SqlFailed, SqlTimeout.

        When the awaiting task is cancelled, the statement is cancelled on the server before this ends.
        """
        caps = caps or Caps(seconds=self._seconds)
        statement = self.parse_check(sql)
        for attempt in ("first", "last"):
            try:
                return await self._answer(target, statement, caps, order_by)
            except asyncpg.PostgresError as error:
                # What was believed of a known text may have become wrong: it is looked at anew, once.
                was_known = self._known.pop(_key(target, statement), None) is not None
                if attempt == "last" or not was_known or not _is_outdated(error):
                    raise _failures.spoken(error, caps.seconds, target.name) from None
        raise AssertionError

    @asynccontextmanager
    async def stream(
        self,
        target: Target,
        sql: str,
        *,
        order_by: ResultOrder | None = None,
        max_rows: int = 100_000,
        max_bytes: int = 50_000_000,
    ) -> AsyncGenerator[Streamed]:
        """Many rows, through the same fence; raises the same. Cells are cut at 32,767 characters."""
        statement = self.parse_check(sql)
        try:
            async with self._leased(target, EXPORT_SECONDS) as lease:
                known = await self._fenced(target, statement, lease)
                caps = Caps(
                    seconds=EXPORT_SECONDS,
                    rows=max_rows,
                    cell_characters=known.shape.cell_characters(_EXPORT_CELL_CHARACTERS),
                    result_bytes=max_bytes,
                )
                reader = await _reader(lease, statement, known, caps, order_by)
                yield Streamed(known.shape.columns, known.tables, reader, caps)
        except asyncpg.PostgresError as error:
            raise _failures.spoken(error, EXPORT_SECONDS, target.name) from None

    @asynccontextmanager
    async def read_only(self, target: Target) -> AsyncGenerator[asyncpg.Connection[Any]]:
        """A connection for fixed SQL of our own with bound parameters, in the session that statements run in.

        Raises SqlFailed and SqlTimeout for what the server refuses or does not finish.
        """
        try:
            async with self._leased(target, self._seconds) as lease:
                yield lease.session.connection
        except asyncpg.PostgresError as error:
            raise _failures.spoken(error, self._seconds, target.name) from None

    async def forget(self, connection_id: UUID) -> None:
        """Close the connections of a database that was changed or deleted."""
        for key in [key for key in self._known if key[0] == connection_id]:
            del self._known[key]
        await self._pool.forget(connection_id)

    async def close(self) -> None:
        await self._pool.close()

    @asynccontextmanager
    async def _leased(self, target: Target, seconds: float) -> AsyncGenerator[Lease]:
        async with self._pool.lease(target, seconds) as lease:
            try:
                async with asyncio.timeout(seconds + _CLIENT_GRACE_SECONDS):
                    yield lease
            except TimeoutError:
                raise _failures.timed_out(seconds) from None
            except UnicodeError:
                raise _failures.undecodable() from None
            except _failures.LOST:
                if lease.session.inflow.exceeded:
                    raise _failures.flooded() from None
                raise _failures.lost(target.name) from None

    async def _answer(
        self, target: Target, statement: ParsedStatement, caps: Caps, order: ResultOrder | None
    ) -> Answer:
        async with self._leased(target, caps.seconds) as lease:
            started_at, began = datetime.now(UTC), time.monotonic()
            known = await self._fenced(target, statement, lease)
            caps = msgspec.structs.replace(caps, cell_characters=known.shape.cell_characters(caps.cell_characters))
            rows, reason = await collect(
                await _reader(lease, statement, known, caps, order),
                rows=caps.rows,
                cell_characters=caps.cell_characters,
                result_bytes=caps.result_bytes,
            )
            return Answer(
                columns=known.shape.columns,
                rows=rows,
                truncated=reason is not None,
                truncated_reason=reason,
                duration_ms=round((time.monotonic() - began) * 1000),
                tables=known.tables,
                read_columns=known.read_columns,
                cost_estimate=known.cost,
                time_zone=TIME_ZONE,
                today=lease.session.server_time().date().isoformat(),
                started_at=started_at,
            )

    async def _fenced(self, target: Target, statement: ParsedStatement, lease: Lease) -> _Known:
        """The layers between the grammar and the execution, each once for a text that is known."""
        key = _key(target, statement)
        known = self._known.get(key)
        if known is not None and known.until > time.monotonic():
            return known
        connection = lease.session.connection
        lease.session.inflow.trip()
        reading = await lease.facts.check(connection, statement)
        shape = await _described(lease, statement, reading)
        cost = await _cost(connection, statement)
        known = _Known(shape, reading.tables, reading.columns, cost, time.monotonic() + _KNOWN_SECONDS)
        _keep(self._known, key, known)
        return known


async def _described(lease: Lease, statement: ParsedStatement, reading: Reading) -> Shape:
    """Has the server parse the statement alone: it agrees that this is one whole statement, and names its columns."""
    connection = lease.session.connection
    try:
        attributes = (await connection.prepare(statement.sql)).get_attributes()
    except asyncpg.PostgresError as error:
        failure = _failures.described(error, statement.sql, lease.facts.elsewhere(statement))
        if failure is None:
            raise
        raise failure from None
    names = await lease.facts.type_names(connection, [attribute.type.oid for attribute in attributes])
    types = declared(statement.outputs, reading.facts, [names[each.type.oid] for each in attributes])
    return Shape(
        tuple(ResultColumn(each.name, each.type.oid, each.type.name) for each in attributes),
        [QueryColumn(name=each.name, type=kind) for each, kind in zip(attributes, types, strict=True)],
    )


async def _cost(connection: asyncpg.Connection[Any], statement: ParsedStatement) -> float | None:
    """The planner's estimate; planning evaluates functions, so that the look-ups come first."""
    plan = await connection.fetchval(f"EXPLAIN (FORMAT JSON)\n{statement.sql}")
    return msgspec.json.decode(plan)[0]["Plan"].get("Total Cost")


async def _reader(
    lease: Lease, statement: ParsedStatement, known: _Known, caps: Caps, order: ResultOrder | None
) -> Reader:
    width = len(known.shape.result)
    if order is not None and not 0 <= order.column < width:
        raise SqlRejected(f"The result has {width} columns, counted from 0. Order by one of them.")
    text = wrapped(statement.sql, known.shape.result, rows=caps.rows, cell_characters=caps.cell_characters, order=order)
    return Reader(await lease.session.prepared(text), known.shape, lease.session.inflow.trip)


def _key(target: Target, statement: ParsedStatement) -> _Key:
    return target.connection_id, target.revision, statement.sql


def _is_outdated(error: asyncpg.PostgresError) -> bool:
    return (error.sqlstate or "").startswith(("42", "0A"))


def _keep(kept: OrderedDict[Any, Any], key: object, value: object) -> None:
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > _KEPT_TEXTS:
        kept.popitem(last=False)
