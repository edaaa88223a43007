"""What a database holds, as it was last read: tables, columns and keys, without what people or documents say."""

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from knowledgestack.catalogue.contracts import TableKind


class Thing(NamedTuple):
    """A table, or one of its columns."""

    schema: str
    table: str
    column: str | None = None

    def __str__(self) -> str:
        return ".".join(part for part in self if part is not None)


def thing_of(row: Any) -> Thing:
    """What a row is about that has schema, table and column name; the last is empty for a table."""
    return Thing(row.schema_name, row.table_name, row.column_name or None)


class ColumnFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`type` is PostgreSQL's own name; `readable` is whether the role was granted the column."""

    name: str
    type: str
    position: int
    nullable: bool = True
    default: str | None = None
    comment: str | None = None
    enum_values: list[str] | None = None
    readable: bool = True


class ForeignKeyFacts(msgspec.Struct, frozen=True, kw_only=True):
    columns: list[str]
    schema: str
    table: str
    referenced_columns: list[str]


class TableFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`row_estimate` is the server's own, None where it has none; `partitions` are `schema.table`."""

    schema: str
    name: str
    kind: TableKind
    row_estimate: int | None = None
    comment: str | None = None
    readable: bool = True
    columns: list[ColumnFacts] = []
    primary_key: list[str] = []
    unique_keys: list[list[str]] = []
    foreign_keys: list[ForeignKeyFacts] = []
    partitions: list[str] = []

    @property
    def key(self) -> tuple[str, str]:
        return self.schema, self.name


class Snapshot(msgspec.Struct, frozen=True):
    """Everything that was read at once. `complete` is false where the database holds more than is kept."""

    fingerprint: str
    tables: list[TableFacts]
    complete: bool = True


def names_hash(tables: Sequence[TableFacts]) -> str:
    """Changes with the names of tables and columns alone."""
    names = [[table.schema, table.name, [column.name for column in table.columns]] for table in tables]
    return hashlib.sha256(msgspec.json.encode(names)).hexdigest()[:32]
