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


class DocumentRepository(WorkspaceRepository):
    """The documents of one workspace."""

    async def find(self, document_id: UUID) -> sa.Row[Any] | None:
        """Every column but the text."""
        return (await self.tx.execute(self.select(DocumentRow, *_HEAD).where(_DOCUMENT.id == document_id))).first()

    async def find_text(self, document_id: UUID) -> str | None:
        return await self.tx.scalar(self.select(DocumentRow, _DOCUMENT.text).where(_DOCUMENT.id == document_id))

    async def lock(self, document_id: UUID) -> sa.Row[Any] | None:
        query = self.select(DocumentRow, *_HEAD).where(_DOCUMENT.id == document_id).with_for_update()
        return (await self.tx.execute(query)).first()

    async def lock_by_external_id(self, source_id: UUID, external_id: str) -> sa.Row[Any] | None:
        query = self.select(DocumentRow, *_HEAD).where(
            _DOCUMENT.source_id == source_id, _DOCUMENT.external_id == external_id
        )
        return (await self.tx.execute(query.with_for_update())).first()

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

        Returns the document, or None where it is gone or has used up its attempts.
        """
        begun = await self.tx.execute(
            self.update(DocumentRow)
            .where(_DOCUMENT.id == document_id, _DOCUMENT.attempts < MAX_ATTEMPTS)
            .values(attempts=_DOCUMENT.attempts + 1, state="reading", failure_code=None, failure_detail=None)
            .returning(*_HEAD)
        )
        return begun.first()

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
        *,
        state: str | None,
        document_type: str | None,
    ) -> list[sa.Row[Any]]:
        """Documents in trouble first, then those at work, then waiting, then ready; the newest first in each."""
        query = self.select(DocumentRow, *_HEAD).where(_DOCUMENT.source_id == source_id)
        if state is not None:
            query = query.where(_DOCUMENT.state == state)
        if document_type is not None:
            query = query.where(_DOCUMENT.type == document_type)
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
