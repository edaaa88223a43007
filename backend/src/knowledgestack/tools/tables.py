"""The agent's look into tables: columns, keys, sample rows, what documents say, and where a word stands in the data."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

import msgspec

from knowledgestack.catalogue.contracts import ColumnDetail, DocumentNote, TableDetail
from knowledgestack.catalogue.facts import CatalogueFacts, FoundValue
from knowledgestack.core.errors import AppError, InvalidRequest
from knowledgestack.databases.facts import KnownDatabase
from knowledgestack.retrieval.citing import CitedChunk
from knowledgestack.retrieval.passages import PassageReader
from knowledgestack.tools.databases import DatabaseName
from knowledgestack.tools.naming import DatabaseSession, TurnDatabases, closest_words, sql_name
from knowledgestack.tools.results import attributes, cell_text, data_text
from knowledgestack.tools.wording import Wording, shortened

_MOST_TABLES = 8
_MOST_COLUMNS = 150
_MOST_NOTES = 6
_LONGEST_QUOTE = 400
_LONGEST_SAMPLE = 80
_LONGEST_TEXT = 38_000
_MATCHES = {
    "exact": "exactly this",
    "case": "in other capitals",
    "similar": "similar",
    "alias": "this is its code in a document",
}

_TableName = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class DescribeTablesArguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`tables` are names as list_tables gives them."""

    database: DatabaseName
    tables: Annotated[list[_TableName], msgspec.Meta(min_length=1, max_length=_MOST_TABLES)]


class DescribeTables:
    """Cites the passages that the notes come from, so that an answer can rest on them."""

    name = "describe_tables"
    description = (
        "Describes tables: columns with types and what people say of them, keys and the tables they join, five sample "
        "rows, and numbered notes of what the documents say. Read them before you write SQL: names in old systems "
        "mislead. Cite a note by its number n in square brackets. Columns that may not be read are named as withheld."
    )
    arguments = DescribeTablesArguments

    def __init__(
        self, databases: TurnDatabases, catalogue: CatalogueFacts, passages: PassageReader, wording: Wording
    ) -> None:
        self._databases = databases
        self._catalogue = catalogue
        self._passages = passages
        self._wording = wording

    def display_text(self, arguments: DescribeTablesArguments) -> str:
        return self._wording.describe_tables.format(
            tables=shortened(", ".join(arguments.tables)), database=shortened(arguments.database)
        )

    async def run(self, arguments: DescribeTablesArguments, session: DatabaseSession) -> str:
        database = await self._databases.named(session, arguments.database)
        names = [name.replace('"', "") for name in arguments.tables]
        tables = await self._catalogue.describe(session.actor, database.id, names)
        found = {word for table in tables for word in (table.name.casefold(), _spoken(table).casefold())}
        missing = [
            await unknown_table(self._catalogue, session, database, name)
            for name in names
            if name.casefold() not in found
        ]
        if not tables:
            raise InvalidRequest(" ".join(missing))
        passages = await self._read_passages(session, tables)
        described = [
            await self._describe(session, database, table, passages, longest=_LONGEST_TEXT // len(tables))
            for table in tables
        ]
        return "\n".join([*described, *missing])

    async def _read_passages(self, session: DatabaseSession, tables: Sequence[TableDetail]) -> dict[UUID, CitedChunk]:
        chunk_ids = {note.chunk_id for table in tables for _, note in _notes(table) if note.chunk_id is not None}
        return await self._passages.read(
            session.actor,
            chunk_ids,
            source_ids=session.scope.source_ids,
            document_ids=session.scope.document_ids,
        )

    async def _describe(
        self,
        session: DatabaseSession,
        database: KnownDatabase,
        table: TableDetail,
        passages: dict[UUID, CitedChunk],
        *,
        longest: int,
    ) -> str:
        head = attributes(
            name=sql_name(table.schema, table.name), kind=table.kind.replace("_", " "), rows=table.row_estimate
        )
        lines = [*_table_lines(table), *_note_lines(session, table, passages)]
        lines += await self._sample_lines(session, database, table)
        text = "\n".join([f"<table {head}>", *map(data_text, lines)])
        if len(text) > longest:
            text = f"{text[:longest]}…\n[The description was cut: describe fewer tables at once.]"
        return f"{text}\n</table>"

    async def _sample_lines(self, session: DatabaseSession, database: KnownDatabase, table: TableDetail) -> list[str]:
        try:
            sample = await self._catalogue.sample(session.actor, database.id, f"{table.schema}.{table.name}")
        except AppError as error:
            return [f"Sample rows could not be read: {error.detail}"]
        withheld = [f"Withheld: {', '.join(sample.withheld)}. Nobody may read them here."] if sample.withheld else []
        if not sample.columns:
            return withheld
        header = " | ".join(cell_text(column.name) for column in sample.columns)
        rows = [" | ".join(cell_text(cell, _LONGEST_SAMPLE) for cell in row) for row in sample.rows]
        return [*withheld, f"Sample rows ({len(rows)}):", header, *rows]


async def unknown_table(catalogue: CatalogueFacts, session: DatabaseSession, database: KnownDatabase, name: str) -> str:
    """That there is no such table, and which ones look most like it."""
    alike = await catalogue.closest(session.actor, database.id, name)
    hint = f" The closest are: {', '.join(alike)}." if alike else " Call list_tables to see what there is."
    return f"There is no table “{name[:100]}” in “{database.name}”.{hint}"


def _spoken(table: TableDetail) -> str:
    return f"{table.schema}.{table.name}"


def _table_lines(table: TableDetail) -> list[str]:
    told = [table.description, table.comment]
    lines = [" ".join(text.split()) for text in told if text]
    if table.synonyms:
        lines.append(f"Also called: {', '.join(table.synonyms)}")
    if not table.readable:
        lines.append("The role may not read this table.")
    lines.append("Columns:")
    lines += map(_column_line, table.columns[:_MOST_COLUMNS])
    if len(table.columns) > _MOST_COLUMNS:
        lines.append(f"… and {len(table.columns) - _MOST_COLUMNS} more columns")
    if table.primary_key:
        lines.append(f"Primary key: {_names(table.primary_key)}")
    lines += [f"Unique: {_names(key)}" for key in table.unique_keys]
    lines += [
        f"Foreign key: {_names(key.columns)} → {sql_name(key.schema, key.table)} ({_names(key.referenced_columns)})"
        for key in table.foreign_keys
    ]
    lines += [
        f"Referenced by: {sql_name(key.schema, key.table)} ({_names(key.columns)}) → {_names(key.referenced_columns)}"
        for key in table.referenced_by
    ]
    if table.partitions:
        lines.append(f"Partitions: {len(table.partitions)}; read the table itself")
    return lines


def _column_line(column: ColumnDetail) -> str:
    facts = [column.type]
    if not column.nullable:
        facts.append("not null")
    if column.enum_values:
        facts.append("one of " + ", ".join(map(cell_text, column.enum_values[:30])))
    if column.denied or not column.readable:
        facts.append("withheld")
    told = [" ".join(text.split()) for text in (column.description, column.comment) if text]
    if column.synonyms:
        told.append(f"also called {', '.join(column.synonyms)}")
    words = f": {'; '.join(told)}" if told else ""
    return f"- {sql_name(column.name)} {', '.join(facts)}{words}"


def _names(columns: Sequence[str]) -> str:
    return ", ".join(sql_name(column) for column in columns)


def _notes(table: TableDetail) -> list[tuple[str, DocumentNote]]:
    """The notes on the table and on its columns that nobody has refused, the surest first for each."""
    notes = [("", note) for note in _best(table.notes)]
    for column in table.columns:
        if not column.denied:
            notes += [(column.name, note) for note in _best(column.notes)]
    return notes


def _best(notes: Sequence[DocumentNote]) -> list[DocumentNote]:
    kept = [note for note in notes if note.state != "refused"]
    return sorted(kept, key=lambda note: (note.state != "confirmed", -note.score))[:_MOST_NOTES]


def _note_lines(session: DatabaseSession, table: TableDetail, passages: dict[UUID, CitedChunk]) -> list[str]:
    lines: list[str] = []
    for column, note in _notes(table):
        passage = None if note.chunk_id is None else passages.get(note.chunk_id)
        if passage is None:
            # The passage lies outside of what the question may look at, or is being indexed anew.
            continue
        number = cite(session, passage)
        quote = " ".join(note.quote.split())
        if len(quote) > _LONGEST_QUOTE:
            quote = quote[: _LONGEST_QUOTE - 1].rstrip() + "…"
        heading = " › ".join([note.title, *note.heading_path])
        lines.append(f"- {sql_name(column) if column else 'the table'}: “{quote}” [{number}] ({heading})")
    return ["What the documents say:", *lines] if lines else []


def cite(session: DatabaseSession, passage: CitedChunk) -> int:
    """The number of a passage among the citations of the turn."""
    index = len(session.citations) + 1
    numbered = msgspec.structs.replace(passage.citation, index=index)
    return session.cite(passage.citation.chunk_id, CitedChunk(numbered, passage.content_hash))


class FindValuesArguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`table` and `column` narrow the search where they are known."""

    database: DatabaseName
    word: Annotated[str, msgspec.Meta(min_length=1, max_length=200, description="The word as the question has it.")]
    table: _TableName | None = None
    column: _TableName | None = None


class FindValues:
    name = "find_values"
    description = (
        "Finds how a word of the question is written in the data: looks in columns of few values and in the documents' "
        "tables of codes. Call it before you filter by a name, a status or a region. Gives table, column and value."
    )
    arguments = FindValuesArguments

    def __init__(self, databases: TurnDatabases, catalogue: CatalogueFacts, wording: Wording) -> None:
        self._databases = databases
        self._catalogue = catalogue
        self._wording = wording

    def display_text(self, arguments: FindValuesArguments) -> str:
        return self._wording.find_values.format(word=shortened(arguments.word), database=shortened(arguments.database))

    async def run(self, arguments: FindValuesArguments, session: DatabaseSession) -> str:
        database = await self._databases.named(session, arguments.database)
        table = None if arguments.table is None else arguments.table.replace('"', "")
        column = None if arguments.column is None else arguments.column.replace('"', "")
        if table is not None:
            await self._check_names(session, database, table, column)
        found = await self._catalogue.find_values(
            session.actor,
            database.id,
            arguments.word,
            table=table,
            column=column,
            source_ids=session.scope.source_ids,
            document_ids=session.scope.document_ids,
        )
        if not found:
            return (
                f"No column of few values in “{database.name}” holds “{arguments.word}” or anything like it. It may"
                " stand in a column of many values: look there with ILIKE, or ask the documents what it is called."
            )
        head = attributes(database=database.name, word=arguments.word, count=len(found))
        return "\n".join([f"<values {head}>", *(data_text(_value_line(value)) for value in found), "</values>"])

    async def _check_names(
        self, session: DatabaseSession, database: KnownDatabase, table: str, column: str | None
    ) -> None:
        described = await self._catalogue.describe(session.actor, database.id, [table])
        if not described:
            raise InvalidRequest(await unknown_table(self._catalogue, session, database, table))
        names = [own.name for own in described[0].columns]
        if column is not None and column.casefold() not in {name.casefold() for name in names}:
            alike = ", ".join(closest_words(column, names)) or ", ".join(names[:20])
            raise InvalidRequest(f"“{table}” has no column “{column}”. The closest are: {alike}.")


def _value_line(value: FoundValue) -> str:
    schema, _, table = value.table.partition(".")
    where = f"{sql_name(schema, table)}.{sql_name(value.column)}"
    text = f"{where} = '{value.value.replace(chr(39), chr(39) * 2)}' ({_MATCHES[value.match]})"
    if value.quote is None:
        return text
    return f"{text}: “{' '.join(value.quote.split())}” in {value.title or 'a document'}"
