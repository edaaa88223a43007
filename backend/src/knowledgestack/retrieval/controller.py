"""The route of search."""

from typing import Annotated
from uuid import UUID

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromQuery, QueryParameter

from knowledgestack.core.identity import Actor
from knowledgestack.retrieval.contracts import SearchResults
from knowledgestack.retrieval.service import SearchService


class SearchController(Controller):
    path = "/api/search"
    tags = ("search",)

    @get(operation_id="search")
    async def search(
        self,
        actor: NamedDependency[Actor],
        search_service: NamedDependency[SearchService],
        q: FromQuery[str],
        limit: FromQuery[int | None] = None,
        source_id: Annotated[UUID | None, QueryParameter(name="sourceId")] = None,
        document_type: Annotated[str | None, QueryParameter(name="type")] = None,
    ) -> SearchResults:
        return await search_service.search(actor, q, limit=limit, source_id=source_id, document_type=document_type)
