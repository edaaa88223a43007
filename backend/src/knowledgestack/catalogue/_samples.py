"""Reads a few rows and values of a target by statements of our own. Values travel as text."""

from collections.abc import Collection

import msgspec

from knowledgestack.catalogue.contracts import SampleRows
from knowledgestack.catalogue.ports import ReadOnlySessions
from knowledgestack.catalogue.schema import ColumnFacts, TableFacts, Thing
from knowledgestack.databases.contracts import QueryColumn
from knowledgestack.databases.targets import Target

SAMPLE_ROWS = 5
CELL_CHARACTERS = 200


def quoted(name: str) -> str:
    """An identifier, as PostgreSQL reads it whatever it holds."""
    return '"' + name.replace('"', '""') + '"'


def open_columns(table: TableFacts, denied: Collection[str]) -> list[ColumnFacts]:
    """The columns that the role was granted and the deny-list leaves."""
    return [column for column in table.columns if column.readable and not is_denied(table, column, denied)]


def is_denied(table: TableFacts, column: ColumnFacts, denied: Collection[str]) -> bool:
    return str(Thing(table.schema, table.name, column.name)) in denied


async def read_sample(sessions: ReadOnlySessions, target: Target, table: TableFacts) -> SampleRows:
    """Five rows. Raises `SqlFailed`, `SqlTimeout` and `Unavailable`."""
    columns = open_columns(table, target.denied_columns)
    shown = {column.name for column in columns}
    withheld = [column.name for column in table.columns if column.name not in shown]
    rows: list[list[str | None]] = []
    if columns:
        cells = ", ".join(f"pg_catalog.left({quoted(column.name)}::text, {CELL_CHARACTERS})" for column in columns)
        place = f"{quoted(table.schema)}.{quoted(table.name)}"
        # An array of text has no limit of arguments, unlike a function, and keeps NULL apart from "".
        sql = f"SELECT pg_catalog.to_json(ARRAY[{cells}])::text FROM {place} LIMIT {SAMPLE_ROWS}"  # noqa: S608
        async with sessions.read_only(target) as session:
            found = await session.fetch(sql)
        rows = [msgspec.json.decode(record[0], type=list[str | None]) for record in found]
    return SampleRows(
        columns=[QueryColumn(name=column.name, type=column.type) for column in columns], rows=rows, withheld=withheld
    )
