"""What the chat asks about documents without reading them."""

from collections.abc import Collection
from uuid import UUID

import msgspec

from knowledgestack.db.engine import Database, Transaction
from knowledgestack.db.repository import WorkspaceRepository
from knowledgestack.documents._models import DocumentRow


class DocumentHeading(msgspec.Struct, frozen=True):
    """A heading of a document; `path` ends in the heading itself."""

    document_id: UUID
    title: str
    path: tuple[str, ...]

    @property
    def text(self) -> str:
        return self.path[len(self.path) - 1]


class DocumentFacts:
    """Short answers about many documents at once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def content_hashes(self, workspace_id: UUID, document_ids: Collection[UUID]) -> dict[UUID, str | None]:
        """The hash of the content that each document's chunks come from; documents that are gone are left out."""
        if not document_ids:
            return {}
        async with self._database.transaction() as tx:
            return await _FactRepository(tx, workspace_id).content_hashes(document_ids)

    async def headings(
        self, workspace_id: UUID, document_ids: Collection[UUID] | None = None, *, limit: int = 400
    ) -> list[DocumentHeading]:
        """The headings of these documents, or of those indexed last, each document's in reading order."""
        async with self._database.transaction() as tx:
            return await _FactRepository(tx, workspace_id).headings(document_ids, limit)


class _FactRepository(WorkspaceRepository):
    def __init__(self, tx: Transaction, workspace_id: UUID) -> None:
        super().__init__(tx, workspace_id)

    async def content_hashes(self, document_ids: Collection[UUID]) -> dict[UUID, str | None]:
        query = self.select(DocumentRow, DocumentRow.id, DocumentRow.indexed_hash).where(
            DocumentRow.id.in_(document_ids)
        )
        return {row.id: row.indexed_hash for row in await self.tx.execute(query)}

    async def headings(self, document_ids: Collection[UUID] | None, limit: int) -> list[DocumentHeading]:
        rows = await self.run_sql(
            """
            SELECT document.id, document.title, chunk.heading_path
            FROM (
              SELECT id, title, last_indexed_at FROM documents
              WHERE workspace_id = :workspace_id AND state = 'ready'
                AND (CAST(:document_ids AS uuid[]) IS NULL OR id = ANY(CAST(:document_ids AS uuid[])))
              ORDER BY last_indexed_at DESC, id LIMIT 40
            ) AS document
            JOIN document_chunks AS chunk
              ON chunk.workspace_id = :workspace_id AND chunk.document_id = document.id
            WHERE cardinality(chunk.heading_path) > 0
            GROUP BY document.id, document.title, document.last_indexed_at, chunk.heading_path
            ORDER BY document.last_indexed_at DESC, document.id, min(chunk.chunk_index)
            LIMIT :limit
            """,
            document_ids=None if document_ids is None else list(document_ids),
            limit=limit,
        )
        return [DocumentHeading(row.id, row.title, tuple(row.heading_path)) for row in rows]
