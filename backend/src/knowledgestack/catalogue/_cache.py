"""What is known of a database, put together once and kept until something of it changes."""

import asyncio
from collections import OrderedDict
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from knowledgestack.catalogue._link_repository import LinkRepository
from knowledgestack.catalogue._repository import CatalogueRepository, Described
from knowledgestack.catalogue._search import TableSearch
from knowledgestack.catalogue.contracts import ColumnReference
from knowledgestack.catalogue.schema import TableFacts, Thing, thing_of
from knowledgestack.databases.targets import Target
from knowledgestack.db.engine import Database

# All catalogues that are kept together; a column takes about 1 KB with its share of the index.
_MOST_COLUMNS = 200_000


class LoadedCatalogue:
    """The tables of one database with what people and documents say of them."""

    def __init__(self, tables: list[TableFacts], said: dict[Thing, Described], quotes: dict[Thing, str]) -> None:
        self.tables = tables
        self.by_key = {table.key: table for table in tables}
        self._by_dotted = {f"{table.schema}.{table.name}": table for table in tables}
        self.said = said
        self.quotes = quotes
        self.column_count = sum(len(table.columns) + 1 for table in tables)

    @cached_property
    def search(self) -> TableSearch:
        return TableSearch(self.tables, self.said, self.quotes)

    @cached_property
    def referenced_by(self) -> dict[tuple[str, str], list[ColumnReference]]:
        """The keys of other tables that lead to each table; schema and table are where they come from."""
        found: dict[tuple[str, str], list[ColumnReference]] = {}
        for table in self.tables:
            for key in table.foreign_keys:
                reference = ColumnReference(
                    columns=key.columns,
                    schema=table.schema,
                    table=table.name,
                    referenced_columns=key.referenced_columns,
                )
                found.setdefault((key.schema, key.table), []).append(reference)
        return found

    def find(self, name: str) -> TableFacts | None:
        """By `schema.table` or by the table alone; where several schemas have it, the one in public, else the first."""
        if (exact := self._by_dotted.get(name)) is not None:
            return exact
        wanted = name.replace('"', "").strip()
        schema, _, table = wanted.rpartition(".")
        for fold in (str, str.casefold):
            hits = [
                known
                for known in self.tables
                if fold(known.name) == fold(table) and (not schema or fold(known.schema) == fold(schema))
            ]
            if hits:
                return next((known for known in hits if known.schema == "public"), hits[0])
        return None


class _Version(NamedTuple):
    """What a catalogue was put together from."""

    stamp: int
    denied: frozenset[str]


class LoadedCatalogues:
    """Keeps the catalogues asked for last, as many as fit; each change is put together once for all who ask."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: OrderedDict[UUID, tuple[_Version, LoadedCatalogue]] = OrderedDict()
        self._under_way: dict[tuple[UUID, _Version], asyncio.Task[LoadedCatalogue]] = {}

    async def load(self, target: Target) -> LoadedCatalogue:
        """Empty where nothing has been read yet. What documents say of denied columns is no part of it.

        Opens transactions of its own: not to be called within one.
        """
        connection_id = target.connection_id
        async with self._database.transaction() as tx:
            row = await CatalogueRepository(tx, target.workspace_id).read(connection_id)
        if row is None or row.taken_at is None:
            return LoadedCatalogue([], {}, {})
        version = _Version(row.stamp, target.denied_columns)
        kept = self._kept.get(connection_id)
        if kept is not None and kept[0] == version:
            self._kept.move_to_end(connection_id)
            return kept[1]
        key = connection_id, version
        task = self._under_way.get(key)
        if task is None:
            task = self._under_way[key] = asyncio.create_task(self._put_together(target, version))
            task.add_done_callback(lambda done: self._forget(key, done))
        return await asyncio.shield(task)

    async def _put_together(self, target: Target, version: _Version) -> LoadedCatalogue:
        workspace_id, connection_id = target.workspace_id, target.connection_id
        async with self._database.transaction() as tx:
            catalogues = CatalogueRepository(tx, workspace_id)
            links = await LinkRepository(tx, workspace_id).best_quotes(connection_id)
            tables = await catalogues.tables(connection_id)
            said = await catalogues.descriptions(connection_id)
        quotes = {thing: link.quote for link in links if str(thing := thing_of(link)) not in version.denied}
        catalogue = LoadedCatalogue(tables, said, quotes)
        # An index over thousands of tables takes a while that nobody else should wait for.
        await asyncio.to_thread(lambda: catalogue.search)
        newest = self._kept.get(connection_id)
        if newest is None or newest[0].stamp <= version.stamp:
            self._keep(connection_id, version, catalogue)
        return catalogue

    def _keep(self, connection_id: UUID, version: _Version, catalogue: LoadedCatalogue) -> None:
        self._kept[connection_id] = (version, catalogue)
        self._kept.move_to_end(connection_id)
        while len(self._kept) > 1 and sum(one.column_count for _, one in self._kept.values()) > _MOST_COLUMNS:
            self._kept.popitem(last=False)

    def _forget(self, key: tuple[UUID, _Version], done: asyncio.Task[LoadedCatalogue]) -> None:
        del self._under_way[key]
        if not done.cancelled():
            done.exception()  # Read here, for one that everybody has stopped waiting for.
