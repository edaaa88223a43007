"""Links from documents to tables and columns, as people review them."""

from uuid import UUID

from knowledgestack.catalogue._assembly import link_of
from knowledgestack.catalogue._cache import LoadedCatalogue, LoadedCatalogues
from knowledgestack.catalogue._link_repository import LinkRepository
from knowledgestack.catalogue._repository import CatalogueRepository
from knowledgestack.catalogue.contracts import DocumentLink, DocumentLinkChange, DocumentLinkPage, LinkState
from knowledgestack.catalogue.ports import Targets
from knowledgestack.catalogue.schema import Thing, thing_of
from knowledgestack.core.errors import FieldError, InvalidRequest, NotFound
from knowledgestack.core.identity import Actor, Permission, require
from knowledgestack.db.engine import Database
from knowledgestack.http.pagination import clamp_limit, decode_cursor, encode_cursor

_UNKNOWN = "This link does not exist."


class LinkService:
    """Lists links and remembers what people decide about them."""

    def __init__(self, database: Database, targets: Targets, catalogues: LoadedCatalogues) -> None:
        self._database = database
        self._targets = targets
        self._catalogues = catalogues

    async def list_links(
        self, actor: Actor, connection_id: UUID, state: LinkState | None, cursor: str | None, limit: int | None
    ) -> DocumentLinkPage:
        """By table and column; none about a column of the deny-list."""
        require(actor, Permission.READ_DATABASES)
        target = await self._targets.load(actor.workspace_id, connection_id)
        size = clamp_limit(limit)
        after = decode_cursor(cursor, (str, str, str, UUID)) if cursor else None
        async with self._database.transaction() as tx:
            rows = await LinkRepository(tx, actor.workspace_id).page(connection_id, state, after, size + 1)
        last = rows[size - 1] if len(rows) > size else None
        return DocumentLinkPage(
            items=[link_of(row) for row in rows[:size] if str(thing_of(row)) not in target.denied_columns],
            next_cursor=encode_cursor((last.schema_name, last.table_name, last.column_name, last.id)) if last else None,
        )

    async def change(self, actor: Actor, link_id: UUID, change: DocumentLinkChange) -> DocumentLink:
        """Confirm or refuse a link, or move it to the thing that its words are about.

        A moved link is confirmed there and refused where it was; what is refused is never proposed again. The answer
        is the link that holds now, under an id of its own where it was moved.
        """
        require(actor, Permission.DESCRIBE_TABLES)
        thing = await self._meant(actor, link_id, change)
        async with self._database.transaction() as tx:
            links = LinkRepository(tx, actor.workspace_id)
            row = await links.lock(link_id)
            if row is None:
                raise NotFound(_UNKNOWN)
            if thing == thing_of(row):
                await links.decide(link_id, change.state, actor.user_id)
            else:
                await links.decide(link_id, "refused", actor.user_id)
                link_id = await links.put(
                    row.connection_id,
                    row.document_id,
                    thing,
                    state="confirmed",
                    score=row.score,
                    heading_path=row.heading_path,
                    quote=row.quote,
                    start=row.range_start,
                    end=row.range_end,
                    decided_by=actor.user_id,
                )
            await CatalogueRepository(tx, actor.workspace_id).bump(row.connection_id)
            return link_of(await links.one(link_id))

    async def _meant(self, actor: Actor, link_id: UUID, change: DocumentLinkChange) -> Thing:
        """The thing that the change names, else the link's own. What a link is about never changes."""
        async with self._database.transaction() as tx:
            row = await LinkRepository(tx, actor.workspace_id).find(link_id)
        if row is None:
            raise NotFound(_UNKNOWN)
        if change.table is None and change.column is None and change.schema is None:
            return thing_of(row)
        target = await self._targets.load(actor.workspace_id, row.connection_id)
        return _named(await self._catalogues.load(target), thing_of(row), change)


def _named(known: LoadedCatalogue, thing: Thing, change: DocumentLinkChange) -> Thing:
    """The thing that the change names; raises `InvalidRequest` for one that the database does not have."""
    if change.state != "confirmed" or change.table is None:
        problem = FieldError("table", "is needed to say where a confirmed link belongs")
        raise InvalidRequest("Say the table that these words are about, and confirm the link.", errors=(problem,))
    table = known.by_key.get((change.schema or thing.schema, change.table))
    if table is None:
        raise InvalidRequest("This database has no such table.", errors=(FieldError("table", "does not exist"),))
    if change.column is not None and all(column.name != change.column for column in table.columns):
        raise InvalidRequest("This table has no such column.", errors=(FieldError("column", "does not exist"),))
    return Thing(table.schema, table.name, change.column)
