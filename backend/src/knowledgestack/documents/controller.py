"""Routes of documents."""

from urllib.parse import quote
from uuid import UUID

from litestar import Controller, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.response import Stream

from knowledgestack.core.contract import StatusOk
from knowledgestack.core.identity import Actor
from knowledgestack.documents.contracts import Document, DocumentChunkPage, DocumentText
from knowledgestack.documents.service import DocumentService

# An original is data from outsiders: never rendered by this origin, never sniffed into something that runs.
_ORIGINAL_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cache-Control": "private, no-store",
}


class DocumentController(Controller):
    path = "/api/documents"
    tags = ("documents",)

    @get("/{document_id:uuid}", operation_id="readDocument")
    async def read(
        self,
        actor: NamedDependency[Actor],
        document_service: NamedDependency[DocumentService],
        document_id: FromPath[UUID],
    ) -> Document:
        return await document_service.read(actor, document_id)

    @delete("/{document_id:uuid}", operation_id="deleteDocument", status_code=200)
    async def delete(
        self,
        actor: NamedDependency[Actor],
        document_service: NamedDependency[DocumentService],
        document_id: FromPath[UUID],
    ) -> StatusOk:
        await document_service.delete(actor, document_id)
        return StatusOk()

    @get("/{document_id:uuid}/text", operation_id="readDocumentText")
    async def read_text(
        self,
        actor: NamedDependency[Actor],
        document_service: NamedDependency[DocumentService],
        document_id: FromPath[UUID],
    ) -> DocumentText:
        return await document_service.read_text(actor, document_id)

    @get("/{document_id:uuid}/chunks", operation_id="listDocumentChunks")
    async def list_chunks(
        self,
        actor: NamedDependency[Actor],
        document_service: NamedDependency[DocumentService],
        document_id: FromPath[UUID],
        cursor: FromQuery[str | None] = None,
        limit: FromQuery[int | None] = None,
    ) -> DocumentChunkPage:
        return await document_service.list_chunks(actor, document_id, cursor=cursor, limit=limit)

    @get("/{document_id:uuid}/original", operation_id="readDocumentOriginal", media_type="application/octet-stream")
    async def read_original(
        self,
        actor: NamedDependency[Actor],
        document_service: NamedDependency[DocumentService],
        document_id: FromPath[UUID],
    ) -> Stream:
        original = await document_service.open_original(actor, document_id)
        name = quote(original.name.rsplit("/", 1)[-1], safe="")
        headers = {
            **_ORIGINAL_HEADERS,
            "Content-Disposition": f"attachment; filename*=UTF-8''{name}",
            "Content-Length": str(original.size),
        }
        return Stream(original.content, media_type=original.media_type, headers=headers)

    @post("/{document_id:uuid}/retry", operation_id="retryDocument", status_code=202)
    async def retry(
        self,
        actor: NamedDependency[Actor],
        document_service: NamedDependency[DocumentService],
        document_id: FromPath[UUID],
    ) -> StatusOk:
        await document_service.retry(actor, document_id)
        return StatusOk()
