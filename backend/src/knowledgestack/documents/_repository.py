"""Statements on documents."""

from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from knowledgestack.core.ids import new_id
from knowledgestack.db.repository import WorkspaceRepository
from knowledgestack.documents._models import ChunkRow, DocumentRow

MAX_ATTEMPTS = 3

_DOCUMENT = DocumentRow.__table__.c
_CHUNK = ChunkRow.__table__.c
# Everything but the text, which may be megabytes.
_HEAD = tuple(column for column in _DOCUMENT if column.name != "text")

# What a pass runs for every document is written by hand: building it anew costs more than PostgreSQL takes to run it.
_WORKED_ON = """id, source_id, external_id, author_id, name, state, attempts, failure_code, failure_detail, chunk_count,
    type, content_hash, indexed_hash, edited_at, indexed_edited_at, last_seen_at"""
_LOCK = """
    SELECT {columns} FROM documents WHERE workspace_id = :workspace_id AND id = :document_id FOR UPDATE
"""
_LOCK_BY_EXTERNAL_ID = """
    SELECT {columns} FROM documents
    WHERE workspace_id = :workspace_id AND source_id = :source_id AND external_id = :external_id
    FOR UPDATE
"""
_BEGIN = """
    UPDATE documents SET attempts = attempts + 1, state = 'reading', failure_code = NULL, failure_detail = NULL
    WHERE workspace_id = :workspace_id AND id = :document_id AND attempts < :most
    RETURNING {columns}, ARRAY(SELECT embedding_model_id FROM workspace_embedding_sets
                               WHERE workspace_id = :workspace_id) AS model_ids
"""
# The shared lock keeps a set from being switched to while the chunks written here lack its vectors.
_LOCK_WITH_SETS = """
    WITH sets AS (
        SELECT embedding_model_id FROM workspace_embedding_sets
        WHERE workspace_id = :workspace_id ORDER BY embedding_model_id FOR SHARE)
    SELECT {columns}, ARRAY(SELECT embedding_model_id FROM sets) AS model_ids
    FROM documents WHERE workspace_id = :workspace_id AND id = :document_id FOR UPDATE
"""
_FINISH = """
    UPDATE documents SET state = 'ready', attempts = 0, failure_code = NULL, failure_detail = NULL, title = :title,
        type = :type, language = :language, text = :text, notes = :notes, chunk_count = :chunk_count,
        indexed_hash = :indexed_hash, indexed_edited_at = :indexed_edited_at, last_indexed_at = now()
    WHERE workspace_id = :workspace_id AND id = :document_id
"""


class DocumentRepository(WorkspaceRepository):
    """The documents of one workspace."""

    async def find(self, document_id: UUID) -> sa.Row[Any] | None:
        """Every column but the text."""
        return (await self.tx.execute(self.select(DocumentRow, *_HEAD).where(_DOCUMENT.id == document_id))).first()

    async def find_text(self, document_id: UUID) -> str | None:
        return await self.tx.scalar(self.select(DocumentRow, _DOCUMENT.text).where(_DOCUMENT.id == document_id))

    async def lock(self, document_id: UUID) -> sa.Row[Any] | None:
        found = await self.run_sql(_LOCK.format(columns=_WORKED_ON), document_id=document_id)
        return found.first()

    async def lock_with_sets(self, document_id: UUID) -> sa.Row[Any] | None:
        """The document with `model_ids`; no set of vectors becomes active before this transaction ends."""
        found = await self.run_sql(_LOCK_WITH_SETS.format(columns=_WORKED_ON), document_id=document_id)
        return found.first()

    async def lock_by_external_id(self, source_id: UUID, external_id: str) -> sa.Row[Any] | None:
        found = await self.run_sql(
            _LOCK_BY_EXTERNAL_ID.format(columns=_WORKED_ON), source_id=source_id, external_id=external_id
        )
        return found.first()

    async def add(self, source_id: UUID, external_id: str, seen_at: datetime, values: dict[str, Any]) -> UUID | None:
        """Insert a queued document and return its id; None where another transaction has just added it."""
        inserted = await self.run_sql(
            """
            INSERT INTO documents (id, workspace_id, source_id, external_id, provider, name, title, url, type, author,
                                   author_id, edited_at, content_hash, last_seen_at)
            VALUES (:id, :workspace_id, :source_id, :external_id, :provider, :name, :name, :url, :type, :author,
                    :author_id, :edited_at, :content_hash, :last_seen_at)
            ON CONFLICT (workspace_id, source_id, external_id) DO NOTHING
            RETURNING id
            """,
            id=new_id(),
            source_id=source_id,
            external_id=external_id,
            last_seen_at=seen_at,
            **values,
        )
        return inserted.scalar_one_or_none()

    async def change(self, document_id: UUID, **values: Any) -> None:
        await self.tx.execute(self.update(DocumentRow).where(_DOCUMENT.id == document_id).values(**values))

    async def begin_attempt(self, document_id: UUID) -> sa.Row[Any] | None:
        """Count an attempt before the work begins, so that work which kills its worker is counted too.

        Returns the document with `model_ids`, the models whose vectors its chunks need, or None where it is gone or
        has used up its attempts.
        """
        begun = await self.run_sql(_BEGIN.format(columns=_WORKED_ON), document_id=document_id, most=MAX_ATTEMPTS)
        return begun.first()

    async def finish(self, document_id: UUID, **values: Any) -> None:
        """Record the content that the document's chunks come from by now."""
        await self.run_sql(_FINISH, document_id=document_id, **values)

    async def return_attempt(self, document_id: UUID) -> None:
        """Take back an attempt that was cut short from outside, by a worker that shuts down."""
        await self.tx.execute(
            self.update(DocumentRow)
            .where(_DOCUMENT.id == document_id, _DOCUMENT.state.in_(("reading", "indexing")))
            .values(attempts=_DOCUMENT.attempts - 1, state="queued")
        )

    async def remove(self, document_id: UUID) -> bool:
        removed = await self.tx.execute(
            self.delete(DocumentRow).where(_DOCUMENT.id == document_id).returning(_DOCUMENT.id)
        )
        return removed.first() is not None

    async def list_stale(self, source_id: UUID, before: datetime) -> list[tuple[UUID, str]]:
        rows = await self.tx.execute(
            self.select(DocumentRow, _DOCUMENT.id, _DOCUMENT.external_id)
            .where(_DOCUMENT.source_id == source_id, _DOCUMENT.last_seen_at < before)
            .order_by(_DOCUMENT.external_id)
        )
        return [(row.id, row.external_id) for row in rows]

    async def list_for_source(
        self,
        source_id: UUID,
        after: tuple[int, UUID] | None,
        limit: int,
    ) -> list[sa.Row[Any]]:
        """Documents in trouble first, then those at work, then waiting, then ready; the newest first in each."""
        query = self.select(DocumentRow, *_HEAD).where(_DOCUMENT.source_id == source_id)
        if after is not None:
            rank, last_id = after
            query = query.where(
                _DOCUMENT.trouble_rank >= rank,
                sa.or_(_DOCUMENT.trouble_rank > rank, _DOCUMENT.id < last_id),
            )
        rows = await self.tx.execute(query.order_by(_DOCUMENT.trouble_rank, _DOCUMENT.id.desc()).limit(limit))
        return list(rows)

    async def list_chunks(self, document_id: UUID, after_index: int, limit: int) -> list[sa.Row[Any]]:
        columns = (
            _CHUNK.id,
            _CHUNK.chunk_index,
            _CHUNK.heading_path,
            _CHUNK.text,
            _CHUNK.kind,
            _CHUNK.range_start,
            _CHUNK.range_end,
            _CHUNK.token_count,
        )
        rows = await self.tx.execute(
            self.select(ChunkRow, *columns)
            .where(_CHUNK.document_id == document_id, _CHUNK.chunk_index > after_index)
            .order_by(_CHUNK.chunk_index)
            .limit(limit)
        )
        return list(rows)

    async def list_ranges(self, document_id: UUID) -> list[sa.Row[Any]]:
        rows = await self.tx.execute(
            self.select(ChunkRow, _CHUNK.id, _CHUNK.chunk_index, _CHUNK.range_start, _CHUNK.range_end)
            .where(_CHUNK.document_id == document_id)
            .order_by(_CHUNK.chunk_index)
        )
        return list(rows)
