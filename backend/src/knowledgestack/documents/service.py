"""What people do with documents: read, list, delete, try again."""

from uuid import UUID

from knowledgestack.core.identity import Actor
from knowledgestack.documents.contracts import Document, DocumentChunkPage, DocumentPage, DocumentState, DocumentText
from knowledgestack.documents.ports import Original


class DocumentService:
    async def list_for_source(
        self,
        actor: Actor,
        source_id: UUID,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        state: DocumentState | None = None,
        type: str | None = None,
    ) -> DocumentPage:
        raise NotImplementedError

    async def read(self, actor: Actor, document_id: UUID) -> Document:
        raise NotImplementedError

    async def read_text(self, actor: Actor, document_id: UUID) -> DocumentText:
        raise NotImplementedError

    async def list_chunks(
        self, actor: Actor, document_id: UUID, *, cursor: str | None = None, limit: int | None = None
    ) -> DocumentChunkPage:
        raise NotImplementedError

    async def open_original(self, actor: Actor, document_id: UUID) -> Original:
        raise NotImplementedError

    async def retry(self, actor: Actor, document_id: UUID) -> None:
        raise NotImplementedError

    async def delete(self, actor: Actor, document_id: UUID) -> None:
        raise NotImplementedError
