"""What is known of a database, put together once and kept until something of it changes."""

import asyncio
from collections import OrderedDict
from functools import cached_property
from uuid import UUID

from knowledgestack.catalogue._link_repository import LinkRepository
from knowledgestack.catalogue._repository import CatalogueRepository, Described
from knowledgestack.catalogue._search import TableSearch
from knowledgestack.catalogue.contracts import ColumnReference
from knowledgestack.catalogue.schema import TableFacts, Thing
from knowledgestack.databases.targets import Target
from knowledgestack.db.engine import Transaction

_MOST_KEPT = 16


class Known:
    """The tables of one database with what people and documents say of them."""

    def __init__(self, tables: list[TableFacts], said: dict[Thing, Described], quotes: dict[Thing, str]) -> None:
        self.tables = tables
        self.by_key = {table.key: table for table in tables}
        self._by_dotted = {f"{table.schema}.{table.name}": table for table in tables}
        self.said = said
        self.quotes = quotes

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


class KnownDatabases:
    """Keeps the databases asked for last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[UUID, tuple[int, frozenset[str], Known]] = OrderedDict()

    async def load(self, tx: Transaction, target: Target) -> Known:
        """Empty where nothing has been read yet. What documents say of denied columns is no part of it."""
        workspace_id, connection_id, denied = target.workspace_id, target.connection_id, target.denied_columns
        catalogues = CatalogueRepository(tx, workspace_id)
        row = await catalogues.read(connection_id)
        if row is None or row.taken_at is None:
            return Known([], {}, {})
        kept = self._kept.get(connection_id)
        if kept is not None and kept[:2] == (row.stamp, denied):
            self._kept.move_to_end(connection_id)
            return kept[2]
        quotes = {
            thing: link.quote
            for link in await LinkRepository(tx, workspace_id).best_quotes(connection_id)
            if str(thing := Thing(link.schema_name, link.table_name, link.column_name or None)) not in denied
        }
        known = Known(await catalogues.tables(connection_id), await catalogues.descriptions(connection_id), quotes)
        # An index over thousands of tables takes a while that nobody else should wait for.
        await asyncio.to_thread(lambda: known.search)
        self._kept[connection_id] = (row.stamp, denied, known)
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return known
