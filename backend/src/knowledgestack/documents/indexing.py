"""Observing, indexing and removing documents: the domain half of a sync pass."""

import asyncio
import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, Protocol
from uuid import UUID

import msgspec
import structlog
from pgvector import HalfVector

from knowledgestack.core.errors import InsufficientStorage, NotFound, Unavailable, UnsupportedFile
from knowledgestack.core.ids import new_id
from knowledgestack.db.engine import Database, Transaction
from knowledgestack.documents._chunk_repository import ChunkRepository, EmbeddingSetRepository, StoredChunk
from knowledgestack.documents._preparation import PreparedChunk, PreparedDocument, prepare
from knowledgestack.documents._repository import MAX_ATTEMPTS, DocumentRepository
from knowledgestack.documents.embedding import embed_each
from knowledgestack.documents.parsers import ParseFailed
from knowledgestack.documents.ports import OnIndexed, nothing_on_indexed
from knowledgestack.lexicon.terms import text_search_config
from knowledgestack.models.embedding import EmbeddingModel, EmbeddingRefused, EmbeddingUnavailable

_log = structlog.get_logger(__name__)


class ListedDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document as its source lists it; `content_hash` is the SHA-256 in hex of the bytes that `index` is given."""

    external_id: str
    title: str
    url: str | None = None
    type: str | None = None
    author: str | None = None
    author_id: UUID | None = None
    provider: str = "upload"
    edited_at: datetime | None = None
    content_hash: str | None = None


class Observed(msgspec.Struct, frozen=True, kw_only=True):
    """What a listing means for a document: `new` until it is indexed for the first time."""

    document_id: UUID
    change: Literal["new", "changed", "unchanged"]


class DocumentContent(msgspec.Struct, frozen=True, kw_only=True):
    """The bytes of a document. `name` carries the extension by which a parser is chosen."""

    data: bytes
    name: str
    edited_at: datetime | None = None


class IndexOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """How indexing ended.

    `superseded`: newer content was observed meanwhile, nothing was written, the document waits for its next turn.
    `failed`: the row says why; `retryable` is true where the same bytes may succeed later (a provider that is down).
    `gone`: the document was deleted meanwhile.
    """

    state: Literal["ready", "failed", "superseded", "gone"]
    chunk_count: int = 0
    failure_code: str | None = None
    retryable: bool = False


class StaleDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document that a pass did not meet: a candidate to ask the provider about, never yet one to delete."""

    document_id: UUID
    external_id: str


class EmbeddingModels(Protocol):
    """Where embedding models come from; `models.ModelService` is one."""

    async def embedding_model(self, model_id: UUID) -> EmbeddingModel:
        """Raise `NotFound` for an unknown id."""
        ...

    async def default_embedding_model_id(self) -> UUID: ...


Vectors = dict[UUID, list[HalfVector | None]]

# Shorter work is over before anybody could read on the screen that it has begun.
_SHOWN_FROM_CHUNKS = 32


class DocumentIndexer:
    """Keeps the rows of a source's documents in step with what the source shows."""

    def __init__(self, database: Database, models: EmbeddingModels, on_indexed: OnIndexed = nothing_on_indexed) -> None:
        self._database = database
        self._models = models
        self._on_indexed = on_indexed

    async def observe(
        self,
        workspace_id: UUID,
        source_id: UUID,
        listed: ListedDocument,
        seen_at: datetime,
        *,
        tx: Transaction | None = None,
    ) -> Observed:
        """Record that a pass that began at `seen_at` saw this document; within `tx` where one is given."""
        if tx is not None:
            return await _observe(DocumentRepository(tx, workspace_id), source_id, listed, seen_at)
        async with self._database.transaction() as own:
            return await _observe(DocumentRepository(own, workspace_id), source_id, listed, seen_at)

    async def index(self, workspace_id: UUID, document_id: UUID, content: DocumentContent) -> IndexOutcome:
        """Parse, chunk, embed and replace the document's chunks; a failure is recorded on its row.

        Never raises for the document's own sake. Raises `Unavailable` and `InsufficientStorage` for the database's.
        """
        async with self._database.transaction() as tx:
            row = await DocumentRepository(tx, workspace_id).begin_attempt(document_id)
        if row is None:
            return await self._give_up(workspace_id, document_id)
        try:
            return await self._index(workspace_id, row, content)
        except (UnsupportedFile, ParseFailed, EmbeddingRefused) as error:
            return await self._fail(workspace_id, row, content, error.code, error.detail, retryable=False)
        except EmbeddingUnavailable as error:
            return await self._fail(workspace_id, row, content, error.code, error.detail, retryable=True)
        except (Unavailable, InsufficientStorage):
            raise
        except asyncio.CancelledError:
            async with self._database.transaction() as tx:
                await DocumentRepository(tx, workspace_id).return_attempt(document_id)
            raise
        except Exception:  # noqa: BLE001 one document never ends the pass that it is part of
            _log.exception("indexing failed", document_id=str(document_id))
            detail = "Something went wrong while this document was indexed."
            return await self._fail(workspace_id, row, content, "indexing_failed", detail, retryable=True)

    async def fail(self, workspace_id: UUID, document_id: UUID, code: str, detail: str) -> IndexOutcome:
        """Record why there was nothing to index; each later pass tries again, and what was indexed stays."""
        async with self._database.transaction() as tx:
            documents = DocumentRepository(tx, workspace_id)
            row = await documents.lock(document_id)
            if row is None:
                return IndexOutcome(state="gone")
            await documents.change(
                document_id, state="failed", failure_code=code, failure_detail=detail, indexed_hash=None
            )
        return IndexOutcome(state="failed", chunk_count=row.chunk_count, failure_code=code)

    async def stale(self, workspace_id: UUID, source_id: UUID, before: datetime) -> list[StaleDocument]:
        """Documents that no pass has seen since `before`: candidates, the provider has the last word."""
        async with self._database.transaction() as tx:
            rows = await DocumentRepository(tx, workspace_id).list_stale(source_id, before)
        return [StaleDocument(document_id=document_id, external_id=external_id) for document_id, external_id in rows]

    async def delete(self, workspace_id: UUID, document_id: UUID) -> None:
        """Remove the document with its chunks and vectors; one that is gone already is fine."""
        async with self._database.transaction() as tx:
            await DocumentRepository(tx, workspace_id).remove(document_id)

    async def _index(self, workspace_id: UUID, row: Any, content: DocumentContent) -> IndexOutcome:
        prepared = await asyncio.to_thread(prepare, content.name, content.data)
        stored: list[StoredChunk] = []
        if row.chunk_count or len(prepared.chunks) >= _SHOWN_FROM_CHUNKS:
            async with self._database.transaction() as tx:
                await DocumentRepository(tx, workspace_id).change(row.id, state="indexing")
                if row.chunk_count:
                    stored = await ChunkRepository(tx, workspace_id).read_stored(row.id)
        ids, kept = _keep(stored, prepared.chunks)
        needed: list[UUID] = row.model_ids
        vectors: Vectors = {}
        while True:
            for model_id in needed or await self._first_model(workspace_id):
                if model_id not in vectors:
                    vectors[model_id] = await self._embed(model_id, prepared.chunks, kept)
            outcome = await self._replace(workspace_id, row, content, prepared, ids, vectors)
            if isinstance(outcome, IndexOutcome):
                return outcome
            # A set was added or switched to while vectors were made: the next round makes those that lack.
            needed = outcome

    async def _first_model(self, workspace_id: UUID) -> list[UUID]:
        """Give a workspace without any set the default one."""
        default = await self._models.default_embedding_model_id()
        async with self._database.transaction() as tx:
            sets = EmbeddingSetRepository(tx, workspace_id)
            await sets.add_active(default)
            return await sets.list_models()

    async def _embed(
        self, model_id: UUID, chunks: Sequence[PreparedChunk], kept: Sequence[StoredChunk | None]
    ) -> list[HalfVector | None]:
        """A vector for each chunk, None where the model refuses it; text that has one already is not sent again."""
        known = [old.vectors.get(model_id) if old is not None else None for old in kept]
        missing = [index for index, old in enumerate(kept) if old is None or model_id not in old.vectors]
        if missing:
            model = await self._models.embedding_model(model_id)
            made = await embed_each(model, [chunks[index].embedded_text for index in missing])
            for index, vector in zip(missing, made, strict=True):
                known[index] = vector
        return known

    async def _replace(
        self,
        workspace_id: UUID,
        row: Any,
        content: DocumentContent,
        prepared: PreparedDocument,
        ids: Sequence[UUID],
        vectors: Vectors,
    ) -> IndexOutcome | list[UUID]:
        """All of the document's chunks in one transaction; the models needed by now, where `vectors` lacks one."""
        content_hash = hashlib.sha256(content.data).hexdigest()
        async with self._database.transaction() as tx:
            documents = DocumentRepository(tx, workspace_id)
            current = await documents.lock_with_sets(row.id)
            if current is None:
                return IndexOutcome(state="gone")
            if _is_superseded(current, row, content_hash):
                return IndexOutcome(state="superseded", chunk_count=current.chunk_count)
            needed: list[UUID] = current.model_ids
            if not vectors.keys() >= set(needed):
                return needed
            chunks = ChunkRepository(tx, workspace_id)
            if current.chunk_count:
                await chunks.delete_for_document(row.id)
            config = text_search_config(prepared.language)
            await chunks.add_chunks(row.id, ids, prepared.chunks, title=prepared.title, config=config)
            for model_id in needed:
                await chunks.add_vectors(model_id, ids, vectors[model_id])
            await documents.finish(
                row.id,
                title=prepared.title,
                type=prepared.type,
                language=prepared.language,
                text=prepared.text,
                notes=[*prepared.notes, *_refusal_notes(vectors)],
                chunk_count=len(ids),
                indexed_hash=content_hash,
                indexed_edited_at=content.edited_at or current.edited_at,
            )
            await self._on_indexed(tx, workspace_id, row.id, content_hash)
        return IndexOutcome(state="ready", chunk_count=len(ids))

    async def _fail(
        self, workspace_id: UUID, row: Any, content: DocumentContent, code: str, detail: str, *, retryable: bool
    ) -> IndexOutcome:
        """Record why. What cannot succeed with the same bytes, and what has failed too often, is not tried again."""
        retryable = retryable and row.attempts < MAX_ATTEMPTS
        content_hash = hashlib.sha256(content.data).hexdigest()
        async with self._database.transaction() as tx:
            documents = DocumentRepository(tx, workspace_id)
            current = await documents.lock(row.id)
            if current is None:
                return IndexOutcome(state="gone")
            if _is_superseded(current, row, content_hash):
                return IndexOutcome(state="superseded", chunk_count=current.chunk_count)
            await documents.change(
                row.id,
                state="failed",
                failure_code=code,
                failure_detail=detail,
                indexed_hash=None if retryable else content_hash,
                indexed_edited_at=content.edited_at or current.edited_at,
            )
        return IndexOutcome(state="failed", chunk_count=current.chunk_count, failure_code=code, retryable=retryable)

    async def _give_up(self, workspace_id: UUID, document_id: UUID) -> IndexOutcome:
        """The attempts are used up without an outcome: the document has stopped its worker each time."""
        async with self._database.transaction() as tx:
            documents = DocumentRepository(tx, workspace_id)
            row = await documents.lock(document_id)
            if row is None:
                return IndexOutcome(state="gone")
            code, detail = row.failure_code, row.failure_detail
            if code is None:
                code = "gave_up"
                detail = f"Indexing this document was cut short {MAX_ATTEMPTS} times. It is left out until you retry."
            await documents.change(
                document_id,
                state="failed",
                failure_code=code,
                failure_detail=detail,
                indexed_hash=row.content_hash or row.indexed_hash or "",
                indexed_edited_at=row.edited_at,
            )
        return IndexOutcome(state="failed", chunk_count=row.chunk_count, failure_code=code)


async def _observe(
    documents: DocumentRepository, source_id: UUID, listed: ListedDocument, seen_at: datetime
) -> Observed:
    values: dict[str, Any] = {
        "provider": listed.provider,
        "name": listed.title,
        "url": listed.url,
        "type": listed.type,
        "author": listed.author,
        "author_id": listed.author_id,
        "edited_at": listed.edited_at,
        "content_hash": listed.content_hash,
    }
    row = await documents.lock_by_external_id(source_id, listed.external_id)
    if row is None:
        added = await documents.add(source_id, listed.external_id, seen_at, values)
        if added is not None:
            return Observed(document_id=added, change="new")
        row = await documents.lock_by_external_id(source_id, listed.external_id)
        if row is None:
            raise NotFound("This document was removed while it was being listed.")
    seen = {**values, "last_seen_at": max(seen_at, row.last_seen_at), "type": listed.type or row.type}
    if not is_changed(row, listed):
        await documents.change(row.id, **seen)
        return Observed(document_id=row.id, change="unchanged")
    same_bytes = listed.content_hash is not None and listed.content_hash == row.content_hash
    seen |= {"state": "queued", "failure_code": None, "failure_detail": None}
    await documents.change(row.id, **seen, attempts=row.attempts if same_bytes else 0)
    return Observed(document_id=row.id, change="changed" if row.chunk_count else "new")


def is_changed(row: Any, listed: ListedDocument) -> bool:
    """Whether the document has to be indexed again.

    Hashes decide where both are known, so that an edit within the clock's resolution is not lost and a touch without
    an edit costs nothing; else the provider's edit time does. What was never indexed to an end is always due.
    """
    if row.indexed_hash is None or row.name != listed.title:
        return True
    if listed.content_hash is not None:
        return listed.content_hash != row.indexed_hash
    if listed.edited_at is None:
        return False
    return row.indexed_edited_at is None or listed.edited_at > row.indexed_edited_at


def _is_superseded(current: Any, begun: Any, content_hash: str) -> bool:
    """Whether newer content was observed since the work began on `begun`."""
    if current.content_hash is not None:
        return current.content_hash != content_hash
    return current.edited_at != begun.edited_at


def _keep(
    stored: Sequence[StoredChunk], chunks: Sequence[PreparedChunk]
) -> tuple[list[UUID], list[StoredChunk | None]]:
    """For each new chunk its id and the old chunk of the same embedded text, whose id and vectors it takes over."""
    by_hash: dict[bytes, list[StoredChunk]] = {}
    for old in reversed(stored):
        by_hash.setdefault(old.embedded_hash, []).append(old)
    kept = [by_hash[chunk.embedded_hash].pop() if by_hash.get(chunk.embedded_hash) else None for chunk in chunks]
    return [old.id if old is not None else new_id() for old in kept], kept


def _refusal_notes(vectors: Vectors) -> list[str]:
    refused = max((sum(vector is None for vector in made) for made in vectors.values()), default=0)
    if not refused:
        return []
    passages = "1 passage" if refused == 1 else f"{refused} passages"
    return [f"The embedding model refused {passages}; search finds them by words only."]
