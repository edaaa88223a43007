"""The text that is executed: the person's SELECT inside our own, which cuts rows and cells and asks for text."""

from collections.abc import Sequence

import msgspec

from knowledgestack.databases.contracts import QueryColumn, ResultOrder

# However wide the rows are, no more than this is held of them at a time.
BATCH_CHARACTERS = 6_000_000
_FIRST_USER_OID = 16384
# The most characters that a value of these types can have; every other type is cut by the server.
_WIDTHS = {
    "bool": 5,
    "char": 4,
    "int2": 6,
    "int4": 11,
    "int8": 20,
    "oid": 10,
    "float4": 16,
    "float8": 25,
    "money": 32,
    "date": 16,
    "time": 16,
    "timetz": 24,
    "timestamp": 35,
    "timestamptz": 42,
    "interval": 128,
    "uuid": 36,
    "name": 64,
    "inet": 64,
    "cidr": 64,
    "macaddr": 17,
    "macaddr8": 23,
    "pg_lsn": 17,
}
# Their cast to text loses something or does not exist; format() asks the type's own output function instead.
_WITHOUT_CAST = frozenset({"bpchar", "void", "anyarray", "anyelement", "anyenum", "anyrange", "anymultirange"})


class ResultColumn(msgspec.Struct, frozen=True):
    """`type_name` is the internal name of the type, such as int4."""

    name: str
    type_oid: int
    type_name: str

    @property
    def width(self) -> int | None:
        """The most characters of a value, None if there is no bound."""
        return _WIDTHS.get(self.type_name) if self.type_oid < _FIRST_USER_OID else None


class Shape(msgspec.Struct, frozen=True):
    """What a statement answers with, as the server described it."""

    result: tuple[ResultColumn, ...]
    columns: list[QueryColumn]

    def widest_row(self, cell_characters: int) -> int:
        """The most characters that a row can have after its cells are cut."""
        return sum(column.width or cell_characters + 1 for column in self.result) + 1

    def cell_characters(self, wanted: int) -> int:
        """Where cells are cut: at `wanted`, or earlier if one row could be too much alone."""
        return min(wanted, BATCH_CHARACTERS // max(1, len(self.unbounded)))

    @property
    def unbounded(self) -> list[int]:
        return [index for index, column in enumerate(self.result) if column.width is None]


def wrapped(
    sql: str, result: Sequence[ResultColumn], *, rows: int, cell_characters: int, order: ResultOrder | None
) -> str:
    """At most `rows` + 1 rows of it, each cell as text of at most `cell_characters` + 1 characters.

    `sql` is one SELECT that the server has parsed alone. The limit stands in a query of its own: otherwise the
    planner may flatten it and compute a cell twice.
    """
    cells = ", ".join(_cell(index, column, cell_characters) for index, column in enumerate(result))
    names = f"({', '.join(f'c{index}' for index in range(len(result)))})" if result else ""
    inner = "*" if result else ""
    ordered = f" ORDER BY c{order.column} {'DESC' if order.descending else 'ASC'} NULLS LAST" if order else ""
    # The server has parsed `sql` alone before, so that it cannot reach out of its parentheses.
    query = f"SELECT {inner} FROM (\n{sql}\n) AS query{names}{ordered} LIMIT {rows + 1}"  # noqa: S608
    return f"SELECT {cells} FROM ({query}) AS capped"  # noqa: S608


def _cell(index: int, column: ResultColumn, cell_characters: int) -> str:
    name = f"c{index}"
    if column.width is not None:
        return f"{name}::pg_catalog.text"
    if column.type_oid < _FIRST_USER_OID and column.type_name not in _WITHOUT_CAST:
        return f"pg_catalog.left({name}::pg_catalog.text, {cell_characters + 1})"
    # An own type may have a cast to text that somebody wrote; its output function is part of the type.
    text = f"pg_catalog.left(pg_catalog.format('%s', {name}), {cell_characters + 1})"
    return f"CASE WHEN pg_catalog.num_nulls({name}) = 0 THEN {text} END"
