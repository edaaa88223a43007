"""Routes of verified queries."""

from typing import Annotated
from uuid import UUID

from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from knowledgestack.core.contract import StatusOk
from knowledgestack.core.identity import Actor
from knowledgestack.http.pagination import Cursor, Limit
from knowledgestack.verified_queries.contracts import (
    NewVerifiedQuery,
    VerifiedQuery,
    VerifiedQueryChange,
    VerifiedQueryPage,
    VerifiedQueryTested,
)
from knowledgestack.verified_queries.service import VerifiedQueryService

ConnectionFilter = Annotated[UUID | None, QueryParameter(name="databaseConnectionId", required=False)]
Words = Annotated[str | None, QueryParameter(name="q", required=False)]


class VerifiedQueryController(Controller):
    """Everything under /api/verified-queries."""

    path = "/api/verified-queries"
    tags = ("verified queries",)

    @get(operation_id="listVerifiedQueries")
    async def list_queries(
        self,
        actor: NamedDependency[Actor],
        verified_query_service: NamedDependency[VerifiedQueryService],
        connection_id: ConnectionFilter = None,
        words: Words = None,
        cursor: Cursor = None,
        limit: Limit = None,
    ) -> VerifiedQueryPage:
        return await verified_query_service.list(actor, connection_id, words, cursor=cursor, limit=limit)

    @post(operation_id="createVerifiedQuery", status_code=201)
    async def create(
        self,
        actor: NamedDependency[Actor],
        verified_query_service: NamedDependency[VerifiedQueryService],
        data: JSONBody[NewVerifiedQuery],
    ) -> VerifiedQuery:
        return await verified_query_service.save(actor, data)

    @get("/{verified_query_id:uuid}", operation_id="readVerifiedQuery")
    async def read(
        self,
        actor: NamedDependency[Actor],
        verified_query_service: NamedDependency[VerifiedQueryService],
        verified_query_id: FromPath[UUID],
    ) -> VerifiedQuery:
        return await verified_query_service.read(actor, verified_query_id)

    @patch("/{verified_query_id:uuid}", operation_id="changeVerifiedQuery")
    async def change(
        self,
        actor: NamedDependency[Actor],
        verified_query_service: NamedDependency[VerifiedQueryService],
        verified_query_id: FromPath[UUID],
        data: JSONBody[VerifiedQueryChange],
    ) -> VerifiedQuery:
        return await verified_query_service.change(actor, verified_query_id, data)

    @delete("/{verified_query_id:uuid}", operation_id="deleteVerifiedQuery", status_code=200)
    async def delete(
        self,
        actor: NamedDependency[Actor],
        verified_query_service: NamedDependency[VerifiedQueryService],
        verified_query_id: FromPath[UUID],
    ) -> StatusOk:
        await verified_query_service.delete(actor, verified_query_id)
        return StatusOk()

    @post("/{verified_query_id:uuid}/test", operation_id="testVerifiedQuery", status_code=200)
    async def test(
        self,
        actor: NamedDependency[Actor],
        verified_query_service: NamedDependency[VerifiedQueryService],
        verified_query_id: FromPath[UUID],
    ) -> VerifiedQueryTested:
        return await verified_query_service.test(actor, verified_query_id)
