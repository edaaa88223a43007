"""Routes of sources, uploads and passes."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from litestar import Controller, Request, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.openapi.spec import OpenAPIFormat, OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema
from litestar.params import FromPath, JSONBody

from knowledgestack.auth.guard import BODY_TYPE_OPTION
from knowledgestack.core.contract import StatusOk
from knowledgestack.core.identity import Actor
from knowledgestack.documents.contracts import DocumentPage
from knowledgestack.documents.service import DocumentService
from knowledgestack.http.pagination import Cursor, Limit
from knowledgestack.sources._multipart import FIELD, read_files
from knowledgestack.sources.contracts import (
    ConnectorCatalogue,
    Source,
    SourceChange,
    SourcePage,
    SyncPassPage,
    SyncStarted,
    UploadOutcome,
)
from knowledgestack.sources.service import SourceService
from knowledgestack.sources.uploads import UploadService

_FILE = Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY)
_FORM = Schema(
    type=OpenAPIType.OBJECT, properties={FIELD: Schema(type=OpenAPIType.ARRAY, items=_FILE)}, required=[FIELD]
)


@dataclass
class UploadOperation(Operation):
    """Describes the form, which the route reads as a stream instead of declaring it."""

    def __post_init__(self) -> None:
        self.request_body = RequestBody(content={"multipart/form-data": OpenAPIMediaType(schema=_FORM)}, required=True)


class SourceController(Controller):
    """Everything under /api/sources."""

    path = "/api/sources"
    tags = ["Sources"]

    @get(operation_id="listSources")
    async def list_sources(
        self,
        actor: NamedDependency[Actor],
        source_service: NamedDependency[SourceService],
        cursor: Cursor = None,
        limit: Limit = None,
    ) -> SourcePage:
        return await source_service.list_sources(actor, cursor, limit)

    @get("/connectors", operation_id="listConnectors")
    async def list_connectors(
        self, actor: NamedDependency[Actor], source_service: NamedDependency[SourceService]
    ) -> ConnectorCatalogue:
        return source_service.catalogue(actor)

    @post(
        "/uploads",
        operation_id="uploadFiles",
        status_code=202,
        request_max_body_size=None,  # the reader stops at the limit of the settings, which this decorator cannot know
        operation_class=UploadOperation,
        opt={BODY_TYPE_OPTION: "multipart/form-data"},
    )
    async def upload_files(
        self,
        actor: NamedDependency[Actor],
        upload_service: NamedDependency[UploadService],
        request: Request[Any, Any, Any],
    ) -> UploadOutcome:
        files = read_files(request.headers, request.stream(), upload_service.max_request_bytes)
        return await upload_service.upload(actor, files)

    @get("/{source_id:uuid}/documents", operation_id="listSourceDocuments")
    async def list_documents(
        self,
        actor: NamedDependency[Actor],
        source_service: NamedDependency[SourceService],
        document_service: NamedDependency[DocumentService],
        source_id: FromPath[UUID],
        cursor: Cursor = None,
        limit: Limit = None,
    ) -> DocumentPage:
        await source_service.check(actor, source_id)
        return await document_service.list_for_source(actor, source_id, cursor=cursor, limit=limit)

    @post("/{source_id:uuid}/sync", operation_id="syncSource", status_code=202)
    async def sync_source(
        self, actor: NamedDependency[Actor], source_service: NamedDependency[SourceService], source_id: FromPath[UUID]
    ) -> SyncStarted:
        return await source_service.start_sync(actor, source_id)

    @post("/{source_id:uuid}/cancel", operation_id="cancelSync", status_code=200)
    async def cancel_sync(
        self, actor: NamedDependency[Actor], source_service: NamedDependency[SourceService], source_id: FromPath[UUID]
    ) -> StatusOk:
        return await source_service.cancel_sync(actor, source_id)

    @get("/{source_id:uuid}/passes", operation_id="listSyncPasses")
    async def list_passes(
        self,
        actor: NamedDependency[Actor],
        source_service: NamedDependency[SourceService],
        source_id: FromPath[UUID],
        cursor: Cursor = None,
        limit: Limit = None,
    ) -> SyncPassPage:
        return await source_service.list_passes(actor, source_id, cursor, limit)

    @patch("/{source_id:uuid}", operation_id="changeSource")
    async def change_source(
        self,
        actor: NamedDependency[Actor],
        source_service: NamedDependency[SourceService],
        source_id: FromPath[UUID],
        data: JSONBody[SourceChange],
    ) -> Source:
        return await source_service.change(actor, source_id, data)

    @delete("/{source_id:uuid}", operation_id="deleteSource", status_code=200)
    async def delete_source(
        self, actor: NamedDependency[Actor], source_service: NamedDependency[SourceService], source_id: FromPath[UUID]
    ) -> StatusOk:
        return await source_service.delete(actor, source_id)
