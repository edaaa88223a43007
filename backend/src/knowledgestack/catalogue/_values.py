"""Looks up a word among the values that a database holds: in the server's statistics first, then in tables."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, TypeAlias

import asyncpg
import msgspec

from knowledgestack.catalogue._samples import open_columns
from knowledgestack.catalogue._similarity import similarity
from knowledgestack.catalogue.ports import FencedStatements
from knowledgestack.catalogue.schema import ColumnFacts, TableFacts
from knowledgestack.databases.errors import SqlRejected
from knowledgestack.databases.identifiers import quoted
from knowledgestack.databases.runner import Caps
from knowledgestack.databases.targets import Target

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

_MOST_DISTINCT = 500
_MOST_COLUMNS = 3_000
_MOST_READ = 12
_READ_ROWS = 20_000
_CAPS = Caps(seconds=20, rows=50)
_VALUE_CHARACTERS = 100
_LEAST_ALIKE = 0.45
_MOST_COMPARED = 100_000
_TEXT_TYPES = frozenset({"text", "character", "character varying", "name", "citext", "bpchar"})
_CODE_TYPES = ("smallint", "integer", "bigint")

# The view shows only columns that the role may read, and none under row security.
_STATISTICS = """
    SELECT coalesce(json_agg(json_build_array(s.schemaname, s.tablename, s.attname, s.n_distinct,
        pg_catalog.to_json(pg_catalog.array_cat(coalesce(s.most_common_vals::text::text[], '{}'),
                                                coalesce(s.histogram_bounds::text::text[], '{}'))))), '[]')::text
    FROM (SELECT s.* FROM pg_catalog.pg_stats s
          JOIN (SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
                       AS wanted (schemaname, tablename, attname)) AS wanted
               USING (schemaname, tablename, attname)
          WHERE s.avg_width <= 200 LIMIT 3000) AS s
"""


class ValueColumn(msgspec.Struct, frozen=True, gc=False):
    """A column with few values. `complete` is false where the statistics may not list them all."""

    table: TableFacts
    column: ColumnFacts
    values: list[str]
    complete: bool


class Match(msgspec.Struct, frozen=True, gc=False):
    """A value that the word names: how, and how surely (1 is the same text)."""

    value: str
    kind: Literal["exact", "case", "similar"]
    score: float


async def read_values(
    session: Connection, tables: Sequence[TableFacts], denied: Collection[str], *, codes: bool
) -> list[ValueColumn]:
    """The columns of few values that the role may read, without denied ones. `codes` adds whole numbers to texts."""
    texts_first = sorted(_candidates(tables, denied, codes=codes), key=lambda item: item[1].type in _CODE_TYPES)
    wanted = texts_first[:_MOST_COLUMNS]
    if not wanted:
        return []
    places = [(table.schema, table.name, column.name) for table, column in wanted]
    text = await session.fetchval(_STATISTICS, *[[place[part] for place in places] for part in range(3)])
    listed = {tuple(row[:3]): (row[3], row[4]) for row in msgspec.json.decode(text, type=list[list[Any]])}
    found: list[ValueColumn] = []
    for (table, column), place in zip(wanted, places, strict=True):
        if column.enum_values is not None:
            found.append(ValueColumn(table, column, column.enum_values, True))
        elif place in listed:
            distinct, values = listed[place]
            count = distinct if distinct >= 0 else -distinct * (table.row_estimate or 0)
            if count <= _MOST_DISTINCT:
                kept = list(dict.fromkeys(value[:_VALUE_CHARACTERS] for value in values))
                found.append(ValueColumn(table, column, kept, len(kept) >= count * 0.98))
        else:
            found.append(ValueColumn(table, column, [], False))
    return found


async def read_missing(
    fence: FencedStatements, target: Target, columns: Sequence[ValueColumn], word: str
) -> list[ValueColumn]:
    """For columns whose statistics are not complete, the values in their first rows that are near the word.

    They are read through the fence; a table that does not pass it is left out. Views are too: their first rows may
    cost as much as all of them.
    """
    found: list[ValueColumn] = []
    stored = [known for known in columns if known.table.kind not in ("view", "foreign_table")]
    for known in stored[:_MOST_READ]:
        try:
            answer = await fence.run(target, _nearby(known, word), caps=_CAPS)
        except SqlRejected:
            continue
        found.append(ValueColumn(known.table, known.column, [row[0] or "" for row in answer.rows], True))
    return found


def _nearby(known: ValueColumn, word: str) -> str:
    name, place = quoted(known.column.name), f"{quoted(known.table.schema)}.{quoted(known.table.name)}"
    literal = "'" + word.replace("'", "''") + "'"
    return (  # names and the word are quoted
        f"SELECT value FROM (SELECT DISTINCT pg_catalog.lower({name}::text) AS folded,"  # noqa: S608
        f" pg_catalog.left({name}::text, {_VALUE_CHARACTERS}) AS value"
        f" FROM (SELECT {name} FROM {place} WHERE {name} IS NOT NULL LIMIT {_READ_ROWS}) AS first) AS read,"
        f" pg_catalog.lower({literal}) AS word"
        " WHERE pg_catalog.strpos(folded, word) > 0 OR pg_catalog.left(folded, 3) = pg_catalog.left(word, 3)"
    )


def matches_in(word: str, columns: Sequence[ValueColumn]) -> Iterator[tuple[ValueColumn, Match]]:
    """What the word names in each column; likeness is looked for in the first 100,000 values, or as near it gets."""
    compared = 0
    for column in columns:
        for match in matches(word, column.values, alike=compared < _MOST_COMPARED):
            yield column, match
        compared += len(column.values)


def matches(word: str, values: Sequence[str], *, alike: bool = True) -> Iterator[Match]:
    """The values that the word names: the same text, the same but for case, or with `alike` one much like it."""
    folded = word.casefold().strip()
    for value in values:
        other = value.casefold().strip()
        if value == word:
            yield Match(value, "exact", 1.0)
        elif other == folded:
            yield Match(value, "case", 0.95)
        elif alike and len(folded) > 2 and len(other) > 2:
            inside = 0.6 if folded in other or other in folded else 0.0
            score = max(similarity(folded, other), inside)
            if score >= _LEAST_ALIKE:
                yield Match(value, "similar", round(min(score, 0.9), 3))


def _candidates(
    tables: Sequence[TableFacts], denied: Collection[str], *, codes: bool
) -> Iterator[tuple[TableFacts, ColumnFacts]]:
    for table in tables:
        for column in open_columns(table, denied):
            kind = column.type.split("(")[0]
            if column.enum_values is not None or kind in _TEXT_TYPES or (codes and kind in _CODE_TYPES):
                yield table, column
