"""Routes of what a connected database holds."""

from typing import Annotated
from uuid import UUID

from litestar import Controller, get, patch, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from knowledgestack.catalogue.contracts import (
    CatalogueChangePage,
    CatalogueStatus,
    CompletionList,
    DescriptionChange,
    DescriptionFile,
    DescriptionsImported,
    DocumentLink,
    DocumentLinkChange,
    DocumentLinkPage,
    LinkState,
    SampleRows,
    TableDetail,
    TablePage,
)
from knowledgestack.catalogue.links import LinkService
from knowledgestack.catalogue.service import CatalogueService
from knowledgestack.core.identity import Actor
from knowledgestack.http.pagination import Cursor, Limit

Words = Annotated[str | None, QueryParameter(name="q", required=False)]
State = Annotated[LinkState | None, QueryParameter(name="state", required=False)]


class CatalogueController(Controller):
    """Everything under /api/database-connections/{connectionId} that tells what the database holds."""

    path = "/api/database-connections/{connection_id:uuid}"
    tags = ["Catalogue"]

    @get("/tables", operation_id="listTables")
    async def list_tables(
        self,
        actor: NamedDependency[Actor],
        catalogue_service: NamedDependency[CatalogueService],
        connection_id: FromPath[UUID],
        q: Words = None,
        cursor: Cursor = None,
        limit: Limit = None,
    ) -> TablePage:
        return await catalogue_service.list_tables(actor, connection_id, q, cursor, limit)

    @get("/tables/{schema:str}/{table:str}", operation_id="readTable")
    async def read_table(
        self,
        actor: NamedDependency[Actor],
        catalogue_service: NamedDependency[CatalogueService],
        connection_id: FromPath[UUID],
        schema: FromPath[str],
        table: FromPath[str],
    ) -> TableDetail:
        return await catalogue_service.read_table(actor, connection_id, schema, table)

    @get("/tables/{schema:str}/{table:str}/sample", operation_id="readTableSample")
    async def read_sample(
        self,
        actor: NamedDependency[Actor],
        catalogue_service: NamedDependency[CatalogueService],
        connection_id: FromPath[UUID],
        schema: FromPath[str],
        table: FromPath[str],
    ) -> SampleRows:
        return await catalogue_service.read_sample(actor, connection_id, schema, table)

    @patch("/tables/{schema:str}/{table:str}/description", operation_id="describeTable")
    async def describe_table(
        self,
        actor: NamedDependency[Actor],
        catalogue_service: NamedDependency[CatalogueService],
        connection_id: FromPath[UUID],
        schema: FromPath[str],
        table: FromPath[str],
        data: JSONBody[DescriptionChange],
    ) -> TableDetail:
        return await catalogue_service.change_description(actor, connection_id, schema, table, None, data)

    @patch("/tables/{schema:str}/{table:str}/columns/{column:str}/description", operation_id="describeColumn")
    async def describe_column(
        self,
        actor: NamedDependency[Actor],
        catalogue_service: NamedDependency[CatalogueService],
        connection_id: FromPath[UUID],
        schema: FromPath[str],
        table: FromPath[str],
        column: FromPath[str],
        data: JSONBody[DescriptionChange],
    ) -> TableDetail:
        return await catalogue_service.change_description(actor, connection_id, schema, table, column, data)

    @get("/descriptions", operation_id="exportDescriptions")
    async def export_descriptions(
        self,
        actor: NamedDependency[Actor],
        catalogue_service: NamedDependency[CatalogueService],
        connection_id: FromPath[UUID],
    ) -> DescriptionFile:
        return await catalogue_service.export_descriptions(actor, connection_id)

    @put("/descriptions", operation_id="importDescriptions")
    async def import_descriptions(
        self,
        actor: NamedDependency[Actor],
        catalogue_service: NamedDependency[CatalogueService],
        connection_id: FromPath[UUID],
        data: JSONBody[DescriptionFile],
    ) -> DescriptionsImported:
        return await catalogue_service.import_descriptions(actor, connection_id, data)

    @get("/catalogue", operation_id="readCatalogueStatus")
    async def read_status(
        self,
        actor: NamedDependency[Actor],
        catalogue_service: NamedDependency[CatalogueService],
        connection_id: FromPath[UUID],
    ) -> CatalogueStatus:
        return await catalogue_service.read_status(actor, connection_id)

    @post("/catalogue/refresh", operation_id="refreshCatalogue", status_code=202)
    async def refresh(
        self,
        actor: NamedDependency[Actor],
        catalogue_service: NamedDependency[CatalogueService],
        connection_id: FromPath[UUID],
    ) -> CatalogueStatus:
        return await catalogue_service.refresh(actor, connection_id)

    @get("/catalogue/changes", operation_id="listCatalogueChanges")
    async def list_changes(
        self,
        actor: NamedDependency[Actor],
        catalogue_service: NamedDependency[CatalogueService],
        connection_id: FromPath[UUID],
        cursor: Cursor = None,
        limit: Limit = None,
    ) -> CatalogueChangePage:
        return await catalogue_service.list_changes(actor, connection_id, cursor, limit)

    @get("/completion", operation_id="listCompletions")
    async def list_completions(
        self,
        actor: NamedDependency[Actor],
        catalogue_service: NamedDependency[CatalogueService],
        connection_id: FromPath[UUID],
    ) -> CompletionList:
        return await catalogue_service.list_completions(actor, connection_id)

    @get("/document-links", operation_id="listDocumentLinks")
    async def list_links(
        self,
        actor: NamedDependency[Actor],
        link_service: NamedDependency[LinkService],
        connection_id: FromPath[UUID],
        link_state: State = None,
        cursor: Cursor = None,
        limit: Limit = None,
    ) -> DocumentLinkPage:
        return await link_service.list_links(actor, connection_id, link_state, cursor, limit)


class DocumentLinkController(Controller):
    """Everything under /api/document-links."""

    path = "/api/document-links"
    tags = ["Catalogue"]

    @patch("/{link_id:uuid}", operation_id="changeDocumentLink")
    async def change_link(
        self,
        actor: NamedDependency[Actor],
        link_service: NamedDependency[LinkService],
        link_id: FromPath[UUID],
        data: JSONBody[DocumentLinkChange],
    ) -> DocumentLink:
        return await link_service.change(actor, link_id, data)
