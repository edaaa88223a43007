"""Puts the wire's shapes together from what was read, what people say and what documents say."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any

from knowledgestack.catalogue._cache import LoadedCatalogue
from knowledgestack.catalogue.contracts import (
    CatalogueStatus,
    ColumnDetail,
    ColumnReference,
    DocumentLink,
    DocumentNote,
    TableDetail,
    TableSummary,
)
from knowledgestack.catalogue.schema import ColumnFacts, TableFacts, Thing, thing_of
from knowledgestack.documents.contracts import TextRange


def status_of(row: Any | None) -> CatalogueStatus:
    """The status of a catalogue's row; None is one that nobody has asked for."""
    if row is None:
        return CatalogueStatus(
            state="never", taken_at=None, checked_at=None, table_count=0, row_estimate=0, message=None
        )
    return CatalogueStatus(
        state=row.state,
        taken_at=row.taken_at,
        checked_at=row.checked_at,
        table_count=row.table_count,
        row_estimate=row.row_estimate,
        message=row.message,
    )


def note_of(row: Any) -> DocumentNote:
    return DocumentNote(
        link_id=row.id,
        state=row.state,
        score=round(row.score, 3),
        document_id=row.document_id,
        chunk_id=row.chunk_id,
        title=row.title,
        heading_path=row.heading_path,
        quote=row.quote,
        range=TextRange(start=row.range_start, end=row.range_end),
    )


def link_of(row: Any) -> DocumentLink:
    return DocumentLink(
        id=row.id, schema=row.schema_name, table=row.table_name, column=row.column_name or None, note=note_of(row)
    )


def summary_of(known: LoadedCatalogue, table: TableFacts, *, quoting: bool = True) -> TableSummary:
    """A table on one line; `quoting`: what documents say of it may be told."""
    own = Thing(table.schema, table.name)
    said = known.said.get(own)
    return TableSummary(
        schema=table.schema,
        name=table.name,
        kind=table.kind,
        row_estimate=table.row_estimate,
        column_count=len(table.columns),
        summary=(said.description if said else None) or table.comment or (known.quotes.get(own) if quoting else None),
        readable=table.readable,
    )


def detail_of(known: LoadedCatalogue, table: TableFacts, notes: Iterable[Any], denied: Collection[str]) -> TableDetail:
    """`notes` are rows of links, best first. Nothing that documents say of a denied column is passed on."""
    by_thing: defaultdict[Thing, list[DocumentNote]] = defaultdict(list)
    for row in notes:
        by_thing[thing_of(row)].append(note_of(row))
    own = Thing(table.schema, table.name)
    said = known.said.get(own)
    return TableDetail(
        schema=table.schema,
        name=table.name,
        kind=table.kind,
        row_estimate=table.row_estimate,
        comment=table.comment,
        description=said.description if said else None,
        synonyms=said.synonyms if said else [],
        readable=table.readable,
        columns=[_column(known, table, column, by_thing, denied) for column in table.columns],
        primary_key=table.primary_key,
        unique_keys=table.unique_keys,
        foreign_keys=[
            ColumnReference(
                columns=key.columns, schema=key.schema, table=key.table, referenced_columns=key.referenced_columns
            )
            for key in table.foreign_keys
        ],
        referenced_by=known.referenced_by.get(table.key, []),
        partitions=table.partitions,
        notes=by_thing[own],
    )


def _column(
    known: LoadedCatalogue,
    table: TableFacts,
    column: ColumnFacts,
    notes: dict[Thing, list[DocumentNote]],
    denied: Collection[str],
) -> ColumnDetail:
    thing = Thing(table.schema, table.name, column.name)
    said = known.said.get(thing)
    is_denied = str(thing) in denied
    return ColumnDetail(
        name=column.name,
        type=column.type,
        position=column.position,
        nullable=column.nullable,
        default=column.default,
        in_primary_key=column.name in table.primary_key,
        enum_values=column.enum_values,
        comment=column.comment,
        description=said.description if said else None,
        synonyms=said.synonyms if said else [],
        readable=column.readable,
        denied=is_denied,
        notes=[] if is_denied else notes.get(thing, []),
    )
