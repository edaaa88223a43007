"""What a database holds, as people read and describe it."""

from collections.abc import Iterable
from uuid import UUID

import msgspec

from knowledgestack.catalogue._assembly import detail_of, status_of, summary_of
from knowledgestack.catalogue._cache import LoadedCatalogue, LoadedCatalogues
from knowledgestack.catalogue._link_repository import LinkRepository
from knowledgestack.catalogue._repository import CatalogueRepository, Described
from knowledgestack.catalogue._samples import read_sample
from knowledgestack.catalogue.contracts import (
    CatalogueChange,
    CatalogueChangePage,
    CatalogueStatus,
    CompletionList,
    CompletionTable,
    DescribedThing,
    DescriptionChange,
    DescriptionFile,
    DescriptionsImported,
    SampleRows,
    TableDetail,
    TablePage,
)
from knowledgestack.catalogue.ports import Targets, TargetStatements
from knowledgestack.catalogue.reading import CatalogueReader
from knowledgestack.catalogue.schema import TableFacts, Thing
from knowledgestack.core.errors import FieldError, InvalidRequest, NotFound
from knowledgestack.core.identity import Actor, Permission, require
from knowledgestack.databases.targets import Target
from knowledgestack.db.engine import Database
from knowledgestack.http.pagination import clamp_limit, decode_cursor, encode_cursor

DESCRIPTION_MAX = 2_000
SYNONYM_MAX = 100
SYNONYMS_MAX = 20
_IMPORT_MAX = 20_000
_COMPLETION_COLUMNS = 20_000


class CatalogueService:
    """The verbs of the catalogue's routes. All raise `NotFound` for a connection that is not the workspace's."""

    def __init__(
        self,
        database: Database,
        targets: Targets,
        sessions: TargetStatements,
        reader: CatalogueReader,
        catalogues: LoadedCatalogues,
    ) -> None:
        self._database = database
        self._targets = targets
        self._sessions = sessions
        self._reader = reader
        self._catalogues = catalogues

    async def list_tables(
        self, actor: Actor, connection_id: UUID, words: str | None, cursor: str | None, limit: int | None
    ) -> TablePage:
        """By name, or by how well they fit the words."""
        _, known = await self._load(actor, connection_id)
        size = clamp_limit(limit)
        start = decode_cursor(cursor, (int,))[0] if cursor else 0
        tables = known.search.find(words) if words and words.strip() else known.tables
        shown = tables[max(start, 0) : max(start, 0) + size]
        more = len(tables) > max(start, 0) + size
        return TablePage(
            items=[summary_of(known, table) for table in shown],
            next_cursor=encode_cursor((max(start, 0) + size,)) if more else None,
        )

    async def read_table(self, actor: Actor, connection_id: UUID, schema: str, table: str) -> TableDetail:
        target, known = await self._load(actor, connection_id)
        return await self._detail(actor, target, known, _found(known, schema, table))

    async def read_sample(self, actor: Actor, connection_id: UUID, schema: str, table: str) -> SampleRows:
        """Five rows of what may be shown. Raises `SqlFailed`, `SqlTimeout` and `Unavailable`."""
        target, known = await self._load(actor, connection_id)
        return await read_sample(self._sessions, target, _found(known, schema, table))

    async def change_description(
        self,
        actor: Actor,
        connection_id: UUID,
        schema: str,
        table: str,
        column: str | None,
        change: DescriptionChange,
    ) -> TableDetail:
        """What is left out of the change stays."""
        target, known = await self._load(actor, connection_id, Permission.DESCRIBE_TABLES)
        thing = Thing(schema, table, column)
        _check_thing(_found(known, schema, table), column)
        async with self._database.transaction() as tx:
            catalogues = CatalogueRepository(tx, actor.workspace_id)
            await catalogues.lock(connection_id)
            before = (await catalogues.descriptions(connection_id)).get(thing, Described(None, []))
            said = Described(
                before.description if change.description is msgspec.UNSET else _clean(change.description),
                before.synonyms if change.synonyms is msgspec.UNSET else _clean_synonyms(change.synonyms),
            )
            await catalogues.describe(connection_id, {thing: said}, actor.user_id)
            await catalogues.bump(connection_id)
        known = await self._catalogues.load(target)
        return await self._detail(actor, target, known, _found(known, schema, table))

    async def export_descriptions(self, actor: Actor, connection_id: UUID) -> DescriptionFile:
        """All that people said, also of things that the database no longer has."""
        await self._load(actor, connection_id)
        async with self._database.transaction() as tx:
            said = await CatalogueRepository(tx, actor.workspace_id).descriptions(connection_id)
        items = [
            DescribedThing(
                schema=thing.schema,
                table=thing.table,
                column=thing.column,
                description=described.description,
                synonyms=described.synonyms,
            )
            for thing, described in sorted(said.items(), key=lambda item: (*item[0][:2], item[0].column or ""))
        ]
        return DescriptionFile(items=items)

    async def import_descriptions(
        self, actor: Actor, connection_id: UUID, file: DescriptionFile
    ) -> DescriptionsImported:
        """Put the file's lines over what stands; what the file does not name stays."""
        _, known = await self._load(actor, connection_id, Permission.DESCRIBE_TABLES)
        if len(file.items) > _IMPORT_MAX:
            raise InvalidRequest(f"A file may hold {_IMPORT_MAX:,} descriptions at most.")
        unknown: list[str] = []
        said: dict[Thing, Described] = {}
        for item in file.items:
            thing = Thing(item.schema, item.table, item.column)
            if _has(known, thing):
                said[thing] = Described(_clean(item.description), _clean_synonyms(item.synonyms))
            else:
                unknown.append(str(thing))
        async with self._database.transaction() as tx:
            catalogues = CatalogueRepository(tx, actor.workspace_id)
            await catalogues.lock(connection_id)
            await catalogues.describe(connection_id, said, actor.user_id)
            await catalogues.bump(connection_id)
        return DescriptionsImported(applied=len(file.items) - len(unknown), unknown=unknown)

    async def read_status(self, actor: Actor, connection_id: UUID) -> CatalogueStatus:
        require(actor, Permission.READ_DATABASES)
        await self._targets.load(actor.workspace_id, connection_id)
        async with self._database.transaction() as tx:
            return status_of(await CatalogueRepository(tx, actor.workspace_id).read(connection_id))

    async def refresh(self, actor: Actor, connection_id: UUID) -> CatalogueStatus:
        """Have the catalogue read again now."""
        require(actor, Permission.DESCRIBE_TABLES)
        await self._targets.load(actor.workspace_id, connection_id)
        async with self._database.transaction() as tx:
            await self._reader.request(tx, actor.workspace_id, connection_id)
            return status_of(await CatalogueRepository(tx, actor.workspace_id).read(connection_id))

    async def list_changes(
        self, actor: Actor, connection_id: UUID, cursor: str | None, limit: int | None
    ) -> CatalogueChangePage:
        """Newest first."""
        require(actor, Permission.READ_DATABASES)
        await self._targets.load(actor.workspace_id, connection_id)
        size = clamp_limit(limit)
        before = decode_cursor(cursor, (UUID,))[0] if cursor else None
        async with self._database.transaction() as tx:
            rows = await CatalogueRepository(tx, actor.workspace_id).changes(connection_id, before, size + 1)
        items = [
            CatalogueChange(id=row.id, kind=row.kind, thing=row.thing, detail=row.detail, noticed_at=row.noticed_at)
            for row in rows[:size]
        ]
        return CatalogueChangePage(
            items=items, next_cursor=encode_cursor((items[-1].id,)) if len(rows) > size else None
        )

    async def list_completions(self, actor: Actor, connection_id: UUID) -> CompletionList:
        """The names of readable tables and columns, as many as an editor can hold."""
        _, known = await self._load(actor, connection_id)
        items: list[CompletionTable] = []
        left = _COMPLETION_COLUMNS
        readable = [table for table in known.tables if table.readable]
        for table in readable:
            left -= len(table.columns) + 1
            if left < 0:
                break
            names = [column.name for column in table.columns if column.readable]
            items.append(CompletionTable(schema=table.schema, name=table.name, columns=names))
        return CompletionList(items=items, complete=len(items) == len(readable))

    async def _load(
        self, actor: Actor, connection_id: UUID, permission: Permission = Permission.READ_DATABASES
    ) -> tuple[Target, LoadedCatalogue]:
        require(actor, permission)
        target = await self._targets.load(actor.workspace_id, connection_id)
        return target, await self._catalogues.load(target)

    async def _detail(self, actor: Actor, target: Target, known: LoadedCatalogue, table: TableFacts) -> TableDetail:
        async with self._database.transaction() as tx:
            notes = await LinkRepository(tx, actor.workspace_id).notes(target.connection_id, [table.key])
        return detail_of(known, table, notes, target.denied_columns)


def _found(known: LoadedCatalogue, schema: str, table: str) -> TableFacts:
    found = known.by_key.get((schema, table))
    if found is None:
        raise NotFound("This database has no such table.")
    return found


def _check_thing(table: TableFacts, column: str | None) -> None:
    if column is not None and all(own.name != column for own in table.columns):
        raise NotFound("This table has no such column.")


def _has(known: LoadedCatalogue, thing: Thing) -> bool:
    table = known.by_key.get((thing.schema, thing.table))
    return table is not None and (thing.column is None or any(column.name == thing.column for column in table.columns))


def _clean(description: str | None) -> str | None:
    """Without white space around it; nothing is None. Raises `InvalidRequest` for one that is too long."""
    text = (description or "").replace("\x00", "").strip()
    if len(text) > DESCRIPTION_MAX:
        problem = FieldError("description", f"may have {DESCRIPTION_MAX:,} characters at most")
        raise InvalidRequest(f"A description may have {DESCRIPTION_MAX:,} characters at most.", errors=(problem,))
    return text or None


def _clean_synonyms(synonyms: Iterable[str]) -> list[str]:
    words = list(dict.fromkeys(word for synonym in synonyms if (word := " ".join(synonym.replace("\x00", "").split()))))
    if len(words) > SYNONYMS_MAX or any(len(word) > SYNONYM_MAX for word in words):
        detail = f"Up to {SYNONYMS_MAX} synonyms of {SYNONYM_MAX} characters each can be kept."
        raise InvalidRequest(detail, errors=(FieldError("synonyms", "has too many or too long ones"),))
    return words
