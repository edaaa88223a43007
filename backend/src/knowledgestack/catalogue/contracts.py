"""The wire of what a database holds: tables, columns, keys, and what people and documents say of them."""

from datetime import datetime
from typing import Literal
from uuid import UUID

import msgspec

from knowledgestack.core.contract import Contract
from knowledgestack.databases.contracts import QueryColumn
from knowledgestack.documents.contracts import TextRange

TableKind = Literal["table", "partitioned_table", "view", "materialized_view", "foreign_table"]
LinkState = Literal["proposed", "confirmed", "refused"]
ChangeKind = Literal[
    "table_added",
    "table_removed",
    "column_added",
    "column_removed",
    "column_changed",
    "keys_changed",
    "comment_changed",
]


class CatalogueStatus(Contract):
    """How current the catalogue is. `message` says why it could not be read, null when it could."""

    state: Literal["never", "reading", "current", "failed"]
    taken_at: datetime | None
    checked_at: datetime | None
    table_count: int
    row_estimate: int
    message: str | None


class DocumentNote(Contract):
    """What a document says of a table or a column. `score` is from 0 to 1; `range` lies in the document's text."""

    link_id: UUID
    state: LinkState
    score: float
    document_id: UUID
    chunk_id: UUID | None
    title: str
    heading_path: list[str]
    quote: str
    range: TextRange


class ColumnReference(Contract):
    """A foreign key, column by column."""

    columns: list[str]
    schema: str
    table: str
    referenced_columns: list[str]


class TableSummary(Contract):
    """A table as the list shows it. `summary` is what people say of it, else its comment, else a document's words."""

    schema: str
    name: str
    kind: TableKind
    row_estimate: int | None
    column_count: int
    summary: str | None
    readable: bool


class TablePage(Contract):
    items: list[TableSummary]
    next_cursor: str | None


class ColumnDetail(Contract):
    """`readable` is false for a column that the role was not granted, `denied` is true for one on the deny-list."""

    name: str
    type: str
    position: int
    nullable: bool
    default: str | None
    in_primary_key: bool
    enum_values: list[str] | None
    comment: str | None
    description: str | None
    synonyms: list[str]
    readable: bool
    denied: bool
    notes: list[DocumentNote]


class TableDetail(Contract):
    """`partitions` are the tables it is made of, where it is partitioned."""

    schema: str
    name: str
    kind: TableKind
    row_estimate: int | None
    comment: str | None
    description: str | None
    synonyms: list[str]
    readable: bool
    columns: list[ColumnDetail]
    primary_key: list[str]
    unique_keys: list[list[str]]
    foreign_keys: list[ColumnReference]
    referenced_by: list[ColumnReference]
    partitions: list[str]
    notes: list[DocumentNote]


class SampleRows(Contract):
    """Five rows of the columns that may be shown; `withheld` names the others."""

    columns: list[QueryColumn]
    rows: list[list[str | None]]
    withheld: list[str]


class DescriptionChange(Contract):
    """What people say of a table or a column; null takes the description away."""

    description: str | msgspec.UnsetType | None = msgspec.UNSET
    synonyms: list[str] | msgspec.UnsetType = msgspec.UNSET


class DescribedThing(Contract):
    """One line of an export: a table, or a column where `column` is not null."""

    schema: str
    table: str
    column: str | None
    description: str | None
    synonyms: list[str]


class DescriptionFile(Contract):
    """All descriptions of a database, to keep or to carry to another."""

    items: list[DescribedThing]


class DescriptionsImported(Contract):
    """`unknown` names what the database does not have; nothing was stored for it."""

    applied: int
    unknown: list[str]


class CatalogueChange(Contract):
    """Something that was different when the catalogue was read again; `thing` is `schema.table[.column]`."""

    id: UUID
    kind: ChangeKind
    thing: str
    detail: str
    noticed_at: datetime


class CatalogueChangePage(Contract):
    items: list[CatalogueChange]
    next_cursor: str | None


class DocumentLink(Contract):
    """A link from a document to a table or column, as people review it."""

    id: UUID
    schema: str
    table: str
    column: str | None
    note: DocumentNote


class DocumentLinkPage(Contract):
    items: list[DocumentLink]
    next_cursor: str | None


class DocumentLinkChange(Contract):
    """Confirm or refuse a link, or say where it belongs; a corrected link counts as confirmed."""

    state: Literal["confirmed", "refused"]
    schema: str | None = None
    table: str | None = None
    column: str | None = None


class CompletionTable(Contract):
    schema: str
    name: str
    columns: list[str]


class CompletionList(Contract):
    """Names for the editor. Where `complete` is false the schema is larger than what is sent."""

    items: list[CompletionTable]
    complete: bool
