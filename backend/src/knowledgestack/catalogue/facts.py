"""What tools, verified queries and chats ask of catalogues."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Literal
from uuid import UUID

import msgspec

from knowledgestack.catalogue._aliases import Alias, Explained, Explanations, Passage, aliases_of
from knowledgestack.catalogue._assembly import detail_of, summary_of
from knowledgestack.catalogue._cache import LoadedCatalogue, LoadedCatalogues
from knowledgestack.catalogue._link_repository import LinkRepository
from knowledgestack.catalogue._repository import CatalogueRepository
from knowledgestack.catalogue._samples import read_sample
from knowledgestack.catalogue._similarity import most_alike
from knowledgestack.catalogue._values import ValueColumn, matches_in, read_missing, read_values
from knowledgestack.catalogue.contracts import SampleRows, TableDetail, TableSummary
from knowledgestack.catalogue.ports import Targets, TargetStatements
from knowledgestack.catalogue.schema import TableFacts, Thing
from knowledgestack.core.errors import NotFound
from knowledgestack.core.identity import Actor, Permission, require
from knowledgestack.databases.contracts import DatabaseHoldings
from knowledgestack.databases.targets import Target
from knowledgestack.db.engine import Database

MatchKind = Literal["exact", "case", "similar", "alias"]

_MOST_VALUES = 20


class FoundValue(msgspec.Struct, frozen=True, kw_only=True):
    """A value that a word names. `match`: `exact` the same text, `case` but for capitals, `similar` by trigrams,
    `alias` where a document says so, with its words in `quote`. `table` is `schema.table`; `score` from 0 to 1."""

    table: str
    column: str
    value: str
    match: MatchKind
    score: float
    document_id: UUID | None = None
    title: str | None = None
    quote: str | None = None


class CatalogueFacts:
    """Answers about the databases of the actor's workspace. Raises `NotFound` for a connection of another one."""

    def __init__(
        self, database: Database, targets: Targets, sessions: TargetStatements, catalogues: LoadedCatalogues
    ) -> None:
        self._database = database
        self._targets = targets
        self._sessions = sessions
        self._catalogues = catalogues

    async def table_count(self, actor: Actor, connection_id: UUID) -> int:
        return len((await self._load(actor, connection_id))[1].tables)

    async def search_tables(
        self, actor: Actor, connection_id: UUID, words: str, limit: int, *, quoting: bool = True
    ) -> list[TableSummary]:
        """The tables that the words fit best; the first by name where there are no words.

        Where nobody has described a table, its summary quotes a document, unless `quoting` is off.
        """
        _, known = await self._load(actor, connection_id)
        tables = known.search.find(words) if words.strip() else known.tables
        return [summary_of(known, table, quoting=quoting) for table in tables[:limit]]

    async def describe(self, actor: Actor, connection_id: UUID, names: Sequence[str]) -> list[TableDetail]:
        """Tables by `table` or `schema.table`, in the order asked for; names that nothing has are left out."""
        target, known = await self._load(actor, connection_id)
        tables = list({table.key: table for name in names if (table := known.find(name)) is not None}.values())
        if not tables:
            return []
        async with self._database.transaction() as tx:
            notes = await LinkRepository(tx, actor.workspace_id).notes(connection_id, [table.key for table in tables])
        return [
            detail_of(
                known,
                table,
                [row for row in notes if (row.schema_name, row.table_name) == table.key],
                target.denied_columns,
            )
            for table in tables
        ]

    async def closest(self, actor: Actor, connection_id: UUID, name: str, limit: int = 5) -> list[str]:
        """The tables whose names are most like this one, as `schema.table` outside of public."""
        _, known = await self._load(actor, connection_id)
        spoken = {_spoken(table): table for table in known.tables}
        return most_alike(name.rpartition(".")[2], spoken, limit) or most_alike(name, spoken, limit)

    async def sample(self, actor: Actor, connection_id: UUID, name: str) -> SampleRows:
        """Five rows of a table; raises `NotFound`, `SqlFailed`, `SqlTimeout` and `Unavailable`."""
        target, known = await self._load(actor, connection_id)
        table = known.find(name)
        if table is None:
            raise NotFound("This database has no such table.")
        return await read_sample(self._sessions, target, table)

    async def find_values(
        self,
        actor: Actor,
        connection_id: UUID,
        word: str,
        *,
        table: str | None = None,
        column: str | None = None,
        source_ids: Collection[UUID] = (),
        document_ids: Collection[UUID] = (),
    ) -> list[FoundValue]:
        """Where a word stands in the data, best first: in columns of few values, and by the documents' tables of codes.

        `source_ids` and `document_ids` limit the documents; an empty one limits nothing.
        Raises `NotFound` for a table or column that does not exist, `SqlFailed`, `SqlTimeout` and `Unavailable`.
        """
        target, known = await self._load(actor, connection_id)
        word = word.strip()
        tables = _chosen(known, table, column)
        if not word or not tables:
            return []
        async with self._database.transaction() as tx:
            links = LinkRepository(tx, actor.workspace_id)
            passages = await links.passages(connection_id, word, source_ids, document_ids)
            explained = await links.explained_in(connection_id, {passage.document_id for passage in passages})
        columns = await self._read(target, tables, word)
        # Comparing tens of thousands of values takes a while that nobody else should wait for.
        return await asyncio.to_thread(_named, word, columns, passages, explained)

    async def holdings(self, workspace_id: UUID, ids: list[UUID]) -> dict[UUID, DatabaseHoldings]:
        """How much each of these databases held when it was last read."""
        if not ids:
            return {}
        async with self._database.transaction() as tx:
            rows = await CatalogueRepository(tx, workspace_id).many(ids)
        return {
            row.connection_id: DatabaseHoldings(
                table_count=row.table_count, row_estimate=row.row_estimate, taken_at=row.taken_at
            )
            for row in rows
        }

    async def _load(self, actor: Actor, connection_id: UUID) -> tuple[Target, LoadedCatalogue]:
        require(actor, Permission.READ_DATABASES)
        target = await self._targets.load(actor.workspace_id, connection_id)
        return target, await self._catalogues.load(target)

    async def _read(self, target: Target, tables: Sequence[TableFacts], word: str) -> list[ValueColumn]:
        async with self._sessions.read_only(target) as session:
            columns = await read_values(session, tables, target.denied_columns, codes=True)
        rest = [column for column in columns if not column.complete and not _is_number(column)]
        return [*columns, *await read_missing(self._sessions, target, rest, word)]


def _spoken(table: TableFacts) -> str:
    return table.name if table.schema == "public" else f"{table.schema}.{table.name}"


def _is_number(column: ValueColumn) -> bool:
    return column.column.type in ("smallint", "integer", "bigint")


def _chosen(known: LoadedCatalogue, table: str | None, column: str | None) -> list[TableFacts]:
    """The tables to look in, with the one column where one is named."""
    if table is None:
        tables = known.tables
    else:
        one = known.find(table)
        if one is None:
            raise NotFound("This database has no such table.")
        tables = [one]
    if column is None:
        return tables
    narrowed = [
        msgspec.structs.replace(one, columns=[own for own in one.columns if own.name.casefold() == column.casefold()])
        for one in tables
    ]
    narrowed = [one for one in narrowed if one.columns]
    if not narrowed:
        raise NotFound("This database has no such column.")
    return narrowed


def _named(
    word: str, columns: Sequence[ValueColumn], passages: Sequence[Passage], explained: Sequence[Explained]
) -> list[FoundValue]:
    """The values that the word names, itself or by what documents say."""
    found = [
        FoundValue(
            table=f"{known.table.schema}.{known.table.name}",
            column=known.column.name,
            value=match.value,
            match=match.kind,
            score=match.score,
        )
        for known, match in matches_in(word, columns)
    ]
    found.extend(_by_alias(columns, list(aliases_of(word, passages)), Explanations(explained)))
    return _best(found)


def _by_alias(columns: Sequence[ValueColumn], aliases: Sequence[Alias], explanations: Explanations) -> list[FoundValue]:
    """Codes that documents give for the word and that stand in a column which the same document explains."""
    found: list[FoundValue] = []
    for known in columns:
        column = Thing(known.table.schema, known.table.name, known.column.name)
        values = set(known.values)
        for alias in aliases:
            score = explanations.score(alias, column) if alias.code in values else 0.0
            if score:
                found.append(
                    FoundValue(
                        table=f"{column.schema}.{column.table}",
                        column=known.column.name,
                        value=alias.code,
                        match="alias",
                        score=round(score, 3),
                        document_id=alias.document_id,
                        title=alias.title,
                        quote=alias.quote,
                    )
                )
    return found


def _best(found: Sequence[FoundValue]) -> list[FoundValue]:
    """One line for each value, the surest first."""
    best: dict[tuple[str, str, str], FoundValue] = {}
    for value in sorted(found, key=lambda value: -value.score):
        best.setdefault((value.table, value.column, value.value), value)
    return sorted(best.values(), key=lambda value: (-value.score, value.table, value.column, value.value))[
        :_MOST_VALUES
    ]
