"""Links documents to the tables and columns that they explain, when either has changed."""

import asyncio
from typing import Any
from uuid import UUID

import msgspec

from knowledgestack.catalogue._link_repository import LinkRepository
from knowledgestack.catalogue._mentions import Find, find_mentions, locate
from knowledgestack.catalogue._names import Names
from knowledgestack.catalogue._repository import CatalogueRepository
from knowledgestack.catalogue.reading import RelinkDatabase
from knowledgestack.catalogue.schema import thing_of
from knowledgestack.db.engine import Database, Transaction
from knowledgestack.jobs.port import Job, JobQueue

_DOCUMENTS_AT_ONCE = 25
_MOST_NAME_SETS = 8


class LinkDocument(Job, frozen=True, tag="link_document"):
    """Find the names of the workspace's databases in one document."""

    workspace_id: UUID
    document_id: UUID


class _Document(msgspec.Struct, frozen=True):
    id: UUID
    text: str
    language: str
    indexed_hash: str | None


class DocumentLinker:
    """Keeps the links of documents in step with their text and with the names of databases."""

    def __init__(self, database: Database, queue: JobQueue) -> None:
        self._database = database
        self._queue = queue
        self._names: dict[UUID, tuple[str, Names]] = {}

    async def on_indexed(self, tx: Transaction, workspace_id: UUID, document_id: UUID, content_hash: str) -> None:
        """Have the document linked once `tx` commits, where the workspace has a database at all."""
        if await CatalogueRepository(tx, workspace_id).with_tables():
            job = LinkDocument(workspace_id=workspace_id, document_id=document_id)
            await self._queue.enqueue(tx, job, key=f"link_document:{document_id}:{content_hash}")

    async def link_document(self, workspace_id: UUID, document_id: UUID) -> None:
        """Propose, keep and withdraw links of one document to every database of its workspace."""
        async with self._database.transaction() as tx:
            connections = await CatalogueRepository(tx, workspace_id).with_tables()
        for connection_id in connections:
            await self._link(workspace_id, connection_id, [document_id])

    async def relink(self, job: RelinkDatabase) -> None:
        """The next documents of the workspace; what is left is left as a job of its own."""
        async with self._database.transaction() as tx:
            documents = await LinkRepository(tx, job.workspace_id).document_ids(job.after, _DOCUMENTS_AT_ONCE)
        await self._link(job.workspace_id, job.connection_id, documents)
        if len(documents) == _DOCUMENTS_AT_ONCE:
            async with self._database.transaction() as tx:
                rest = RelinkDatabase(
                    workspace_id=job.workspace_id, connection_id=job.connection_id, after=documents[-1]
                )
                await self._queue.enqueue(tx, rest)

    async def _link(self, workspace_id: UUID, connection_id: UUID, document_ids: list[UUID]) -> None:
        """Link these documents; what lists and searches show changes once for all of them."""
        while document_ids:
            read = [await self._mentions(workspace_id, connection_id, one) for one in document_ids]
            document_ids = []
            changed = False
            async with self._database.transaction() as tx:
                links = LinkRepository(tx, workspace_id)
                for document, finds in filter(None, read):
                    if await links.still_indexed(document.id, document.indexed_hash):
                        changed |= await _settle(links, connection_id, document, finds)
                    else:
                        document_ids.append(document.id)
                if changed:
                    await CatalogueRepository(tx, workspace_id).bump(connection_id)

    async def _mentions(
        self, workspace_id: UUID, connection_id: UUID, document_id: UUID
    ) -> tuple[_Document, list[Find]] | None:
        """What the document says of the database; None where either has not been read."""
        async with self._database.transaction() as tx:
            row = await LinkRepository(tx, workspace_id).document(document_id)
            names = await self._names_of(tx, workspace_id, connection_id)
        if row is None or names is None:
            return None
        document = _Document(document_id, row.text, row.language or "en", row.indexed_hash)
        return document, await asyncio.to_thread(find_mentions, document.text, document.language, names)

    async def _names_of(self, tx: Transaction, workspace_id: UUID, connection_id: UUID) -> Names | None:
        catalogues = CatalogueRepository(tx, workspace_id)
        row = await catalogues.read(connection_id)
        if row is None or row.taken_at is None:
            return None
        known = self._names.get(connection_id)
        if known is not None and known[0] == row.names_hash:
            return known[1]
        tables = await catalogues.tables(connection_id)
        names = Names((table.schema, table.name, [column.name for column in table.columns]) for table in tables)
        while len(self._names) >= _MOST_NAME_SETS:
            self._names.pop(next(iter(self._names)))
        self._names[connection_id] = (row.names_hash, names)
        return names


async def _settle(links: LinkRepository, connection_id: UUID, document: _Document, finds: list[Find]) -> bool:
    """Bring the stored links in step with the finds; what a person decided is kept. True where anything changed."""
    found = {find.thing: find for find in finds}
    stored = {thing_of(row): row for row in await links.of_document(connection_id, document.id)}
    changed = False
    proposed: list[Find] = []
    for thing, find in found.items():
        row = stored.get(thing)
        if row is None or row.state == "proposed":
            if row is None or (row.quote, row.range_start, row.score) != (find.quote, find.start, find.score):
                proposed.append(find)
        else:
            changed |= await _keep_decided(links, row, document, find)
    gone: list[UUID] = []
    for thing, row in stored.items():
        if thing in found:
            continue
        if row.state == "proposed":
            gone.append(row.id)
        else:
            changed |= await _keep_decided(links, row, document, None)
    if gone:
        await links.remove(gone)
    if proposed:
        await links.propose(connection_id, document.id, proposed)
    return changed or bool(gone or proposed)


async def _keep_decided(links: LinkRepository, row: Any, document: _Document, find: Find | None) -> bool:
    """A decided link keeps its words where the document still says them, else takes the new ones; without any it
    rests until the document names the thing again."""
    place = locate(document.text, document.language, row.quote)
    if place is not None:
        start, end, path = place
        values: dict[str, Any] = {"range_start": start, "range_end": end, "heading_path": list(path), "present": True}
    elif find is not None:
        values = {
            "quote": find.quote,
            "range_start": find.start,
            "range_end": find.end,
            "heading_path": list(find.path),
            "score": find.score,
            "present": True,
        }
    else:
        values = {"present": False}
    if all(getattr(row, name) == value for name, value in values.items()):
        return False
    await links.change(row.id, **values)
    return True
