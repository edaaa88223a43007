"""Reads the rows of a wrapped statement in batches of bounded size and cuts what is too much."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple

import asyncpg
import msgspec
from asyncpg.prepared_stmt import PreparedStatement

from knowledgestack.databases._wrapping import BATCH_CHARACTERS, Shape
from knowledgestack.databases.contracts import TruncatedReason

Row = list[str | None]
_encode = msgspec.json.Encoder().encode


class Rows(NamedTuple):
    rows: list[Row]
    truncated: TruncatedReason | None


class Reader(NamedTuple):
    """A wrapped statement that is ready to be executed; `trip` is told before each trip to the server."""

    statement: PreparedStatement[Any]
    shape: Shape
    trip: Callable[[], None]


async def batches(reader: Reader, *, rows: int, cell_characters: int) -> AsyncIterator[list[Row]]:
    """At most `rows` + 1 rows, in as few trips as the bound on memory allows. The last batch may be short or absent."""
    reader.trip()
    size = max(1, BATCH_CHARACTERS // reader.shape.widest_row(cell_characters))
    if size > rows:
        yield _lists(await reader.statement.fetch())
        return
    cursor = await reader.statement.cursor()
    left = rows + 1
    while left > 0:
        reader.trip()
        batch = await cursor.fetch(min(size, left))
        if batch:
            yield _lists(batch)
        if len(batch) < min(size, left):
            return
        left -= len(batch)


async def collect(reader: Reader, *, rows: int, cell_characters: int, result_bytes: int) -> Rows:
    """The rows that fit. `rows` says more exist, `bytes` that the result was full, `cells` that a cell was cut."""
    kept: list[Row] = []
    left = result_bytes
    cut = False
    async for batch in batches(reader, rows=rows, cell_characters=cell_characters):
        more = len(kept) + len(batch) > rows
        if more:
            del batch[rows - len(kept) :]
        cut = cut_cells(batch, reader.shape, cell_characters) or cut
        size = encoded_size(batch)
        if size > left:
            last = fitting(batch, left)
            if not kept and not last:
                last = [_narrowed(batch[0], result_bytes)]
            return Rows(kept + last, "bytes")
        left -= size
        kept += batch
        if more:
            return Rows(kept, "rows")
    return Rows(kept, "cells" if cut else None)


def cut_cells(batch: list[Row], shape: Shape, cell_characters: int) -> bool:
    """Cut the cells that came one character too long, in place; true if there was one."""
    cut = False
    for index in shape.unbounded:
        longest = max(map(len, filter(None, [row[index] for row in batch])), default=0)
        if longest <= cell_characters:
            continue
        cut = True
        for row in batch:
            row[index] = cell[:cell_characters] if (cell := row[index]) is not None else None
    return cut


def _lists(records: list[asyncpg.Record]) -> list[Row]:
    return [list(record) for record in records]


def encoded_size(batch: list[Row]) -> int:
    """Bytes of these rows as JSON."""
    return len(_encode(batch))


def fitting(batch: list[Row], left: int) -> list[Row]:
    """The first rows, as many as fit into so many bytes of JSON."""
    fitting: list[Row] = []
    for row in batch:
        left -= len(_encode(row)) + 1
        if left < 0:
            break
        fitting.append(row)
    return fitting


def _narrowed(row: Row, result_bytes: int) -> Row:
    """A row that alone is too much, with its cells shortened until it fits."""
    share = result_bytes // max(1, len(row))
    while share > 0 and len(_encode(row)) > result_bytes:
        share //= 2
        row = [cell[:share] if cell is not None else None for cell in row]
    return row
