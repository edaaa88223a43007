"""Reads a few rows of a target. Values travel as text."""

from collections.abc import Collection

from knowledgestack.catalogue.contracts import SampleRows
from knowledgestack.catalogue.ports import FencedStatements
from knowledgestack.catalogue.schema import ColumnFacts, TableFacts, Thing
from knowledgestack.databases.contracts import QueryColumn
from knowledgestack.databases.identifiers import quoted
from knowledgestack.databases.runner import Caps
from knowledgestack.databases.targets import Target

SAMPLE_ROWS = 5
CELL_CHARACTERS = 200
_CAPS = Caps(seconds=10, rows=SAMPLE_ROWS, cell_characters=CELL_CHARACTERS, result_bytes=4_000_000)


def open_columns(table: TableFacts, denied: Collection[str]) -> list[ColumnFacts]:
    """The columns that the role was granted and the deny-list leaves."""
    return [column for column in table.columns if column.readable and not is_denied(table, column, denied)]


def is_denied(table: TableFacts, column: ColumnFacts, denied: Collection[str]) -> bool:
    return str(Thing(table.schema, table.name, column.name)) in denied


async def read_sample(fence: FencedStatements, target: Target, table: TableFacts) -> SampleRows:
    """Five rows, read through the fence: a view may hide what a SELECT of anybody's own may not call.

    Raises `SqlRejected`, `SqlFailed`, `SqlTimeout` and `Unavailable`.
    """
    columns = open_columns(table, target.denied_columns)
    shown = {column.name for column in columns}
    withheld = [column.name for column in table.columns if column.name not in shown]
    rows: list[list[str | None]] = []
    if columns:
        names = ", ".join(quoted(column.name) for column in columns)
        sql = f"SELECT {names} FROM {quoted(table.schema)}.{quoted(table.name)} LIMIT {SAMPLE_ROWS}"  # noqa: S608
        rows = (await fence.run(target, sql, caps=_CAPS)).rows
    return SampleRows(
        columns=[QueryColumn(name=column.name, type=column.type) for column in columns], rows=rows, withheld=withheld
    )
