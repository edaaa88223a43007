"""What people do with documents: read, list, delete, try again."""

from typing import Any
from uuid import UUID

from knowledgestack.core.errors import Conflict, Forbidden, NotFound
from knowledgestack.core.identity import ROLE_PERMISSIONS, Actor, Permission, require
from knowledgestack.db.engine import Database
from knowledgestack.documents._repository import DocumentRepository
from knowledgestack.documents.contracts import (
    ChunkRange,
    Document,
    DocumentChunk,
    DocumentChunkPage,
    DocumentFailure,
    DocumentPage,
    DocumentText,
    TextRange,
)
from knowledgestack.documents.ports import Original, Originals, Reindexing
from knowledgestack.http.pagination import clamp_limit, decode_cursor, encode_cursor


class DocumentService:
    """Documents of the actor's workspace. A foreign or unknown id raises `NotFound`."""

    def __init__(self, database: Database, originals: Originals, reindexing: Reindexing) -> None:
        self._database = database
        self._originals = originals
        self._reindexing = reindexing

    async def list_for_source(
        self,
        actor: Actor,
        source_id: UUID,
        *,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> DocumentPage:
        """One page, trouble first. A source that is unknown here has no documents: its own route answers 404."""
        require(actor, Permission.READ_DOCUMENTS)
        size = clamp_limit(limit)
        after: tuple[int, UUID] | None = None
        if cursor is not None:
            rank, last_id = decode_cursor(cursor, (int, UUID))
            after = (rank, last_id)
        async with self._database.transaction() as tx:
            rows = await DocumentRepository(tx, actor.workspace_id).list_for_source(source_id, after, size + 1)
        last = rows[size - 1] if len(rows) > size else None
        return DocumentPage(
            items=[_document(row) for row in rows[:size]],
            next_cursor=encode_cursor((last.trouble_rank, last.id)) if last is not None else None,
        )

    async def read(self, actor: Actor, document_id: UUID) -> Document:
        require(actor, Permission.READ_DOCUMENTS)
        async with self._database.transaction() as tx:
            return _document(await _find(DocumentRepository(tx, actor.workspace_id), document_id))

    async def read_text(self, actor: Actor, document_id: UUID) -> DocumentText:
        require(actor, Permission.READ_DOCUMENTS)
        async with self._database.transaction() as tx:
            documents = DocumentRepository(tx, actor.workspace_id)
            text = await documents.find_text(document_id)
            if text is None:
                raise _not_found()
            ranges = await documents.list_ranges(document_id)
        return DocumentText(
            text=text,
            ranges=[
                ChunkRange(chunk_id=row.id, chunk_index=row.chunk_index, start=row.range_start, end=row.range_end)
                for row in ranges
            ],
        )

    async def list_chunks(
        self, actor: Actor, document_id: UUID, *, cursor: str | None = None, limit: int | None = None
    ) -> DocumentChunkPage:
        require(actor, Permission.READ_DOCUMENTS)
        size = clamp_limit(limit)
        after_index = -1 if cursor is None else decode_cursor(cursor, (int,))[0]
        async with self._database.transaction() as tx:
            documents = DocumentRepository(tx, actor.workspace_id)
            await _find(documents, document_id)
            rows = await documents.list_chunks(document_id, after_index, size + 1)
        return DocumentChunkPage(
            items=[_chunk(row) for row in rows[:size]],
            next_cursor=encode_cursor((rows[size - 1].chunk_index,)) if len(rows) > size else None,
        )

    async def open_original(self, actor: Actor, document_id: UUID) -> Original:
        require(actor, Permission.READ_DOCUMENTS)
        async with self._database.transaction() as tx:
            row = await _find(DocumentRepository(tx, actor.workspace_id), document_id)
        return await self._originals.open(actor.workspace_id, row.source_id, row.external_id)

    async def retry(self, actor: Actor, document_id: UUID) -> None:
        """Read and index the document again, with its attempts forgotten.

        Raises `Conflict` while it is being read or indexed, and (`source_paused`) while its source rests.
        """
        require(actor, Permission.UPLOAD_DOCUMENTS)
        async with self._database.transaction() as tx:
            documents = DocumentRepository(tx, actor.workspace_id)
            row = await documents.lock(document_id)
            if row is None:
                raise _not_found()
            if row.state in {"reading", "indexing"}:
                raise Conflict("This document is being read right now.")
            await documents.change(
                document_id, state="queued", attempts=0, failure_code=None, failure_detail=None, indexed_hash=None
            )
            await self._reindexing.enqueue(tx, actor.workspace_id, row.source_id, document_id)

    async def delete(self, actor: Actor, document_id: UUID) -> None:
        """Remove the document, its chunks and its original. Without the right to delete any, only one's own."""
        require(actor, Permission.UPLOAD_DOCUMENTS)
        async with self._database.transaction() as tx:
            documents = DocumentRepository(tx, actor.workspace_id)
            row = await documents.lock(document_id)
            if row is None:
                raise _not_found()
            deletes_any = Permission.DELETE_ANY_DOCUMENT in ROLE_PERMISSIONS[actor.role]
            if not deletes_any and row.author_id != actor.user_id:
                raise Forbidden("Only whoever uploaded this document or an owner of the workspace can delete it.")
            await documents.remove(document_id)
            await self._originals.delete(tx, actor.workspace_id, row.source_id, row.external_id)


async def _find(documents: DocumentRepository, document_id: UUID) -> Any:
    row = await documents.find(document_id)
    if row is None:
        raise _not_found()
    return row


def _not_found() -> NotFound:
    return NotFound("This document does not exist, or not in this workspace.")


def _document(row: Any) -> Document:
    failure = DocumentFailure(code=row.failure_code, detail=row.failure_detail) if row.failure_code else None
    return Document(
        id=row.id,
        source_id=row.source_id,
        name=row.name,
        title=row.title,
        url=row.url,
        type=row.type,
        state=row.state,
        failure=failure,
        updated_at=row.edited_at or row.created_at,
        last_indexed_at=row.last_indexed_at,
        chunk_count=row.chunk_count,
        language=row.language,
        author=row.author,
        notes=row.notes,
    )


def _chunk(row: Any) -> DocumentChunk:
    return DocumentChunk(
        id=row.id,
        chunk_index=row.chunk_index,
        heading_path=row.heading_path,
        text=row.text,
        kind=row.kind,
        range=TextRange(start=row.range_start, end=row.range_end),
        token_count=row.token_count,
    )
