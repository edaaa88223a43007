"""Routes of database connections, of statements that people run, and of the log of statements."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Controller, Request, delete, get, patch, post
from litestar.datastructures import ResponseHeader
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream

from knowledgestack.core.contract import StatusOk
from knowledgestack.core.identity import Actor
from knowledgestack.databases.contracts import (
    DatabaseConnection,
    DatabaseConnectionChange,
    DatabaseConnectionPage,
    DatabaseConnectionSaved,
    DatabaseConnectionTested,
    NewDatabaseConnection,
    NewExport,
    NewQuery,
    QueryResult,
    StatementOutcome,
    StatementPage,
)
from knowledgestack.databases.queries import QueryService
from knowledgestack.databases.service import ConnectionService
from knowledgestack.databases.statements import StatementFilter, StatementLog
from knowledgestack.http.disconnect import unless_gone
from knowledgestack.http.pagination import Cursor, Limit
from knowledgestack.http.sse import byte_stream

UserId = Annotated[UUID | None, QueryParameter(name="userId", required=False)]
ConnectionId = Annotated[UUID | None, QueryParameter(name="databaseConnectionId", required=False)]
Outcome = Annotated[StatementOutcome | None, QueryParameter(name="outcome", required=False)]

_EXPORT_TYPES = "text/csv"
_FILE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cache-Control": "private, no-store",
}


class DatabaseConnectionController(Controller):
    """Everything under /api/database-connections that is about the connection itself and its statements."""

    path = "/api/database-connections"
    tags = ["Databases"]

    @get(operation_id="listDatabaseConnections")
    async def list_connections(
        self,
        actor: NamedDependency[Actor],
        connection_service: NamedDependency[ConnectionService],
        cursor: Cursor = None,
        limit: Limit = None,
    ) -> DatabaseConnectionPage:
        return await connection_service.list_connections(actor, cursor, limit)

    @post(operation_id="createDatabaseConnection", status_code=200)
    async def create_connection(
        self,
        actor: NamedDependency[Actor],
        connection_service: NamedDependency[ConnectionService],
        data: JSONBody[NewDatabaseConnection],
    ) -> DatabaseConnectionSaved:
        return await connection_service.create(actor, data)

    @get("/{connection_id:uuid}", operation_id="readDatabaseConnection")
    async def read_connection(
        self,
        actor: NamedDependency[Actor],
        connection_service: NamedDependency[ConnectionService],
        connection_id: FromPath[UUID],
    ) -> DatabaseConnection:
        return await connection_service.read(actor, connection_id)

    @patch("/{connection_id:uuid}", operation_id="changeDatabaseConnection")
    async def change_connection(
        self,
        actor: NamedDependency[Actor],
        connection_service: NamedDependency[ConnectionService],
        connection_id: FromPath[UUID],
        data: JSONBody[DatabaseConnectionChange],
    ) -> DatabaseConnectionSaved:
        return await connection_service.change(actor, connection_id, data)

    @delete("/{connection_id:uuid}", operation_id="deleteDatabaseConnection", status_code=200)
    async def delete_connection(
        self,
        actor: NamedDependency[Actor],
        connection_service: NamedDependency[ConnectionService],
        connection_id: FromPath[UUID],
    ) -> StatusOk:
        return await connection_service.delete(actor, connection_id)

    @post("/{connection_id:uuid}/test", operation_id="testDatabaseConnection", status_code=200)
    async def test_connection(
        self,
        actor: NamedDependency[Actor],
        connection_service: NamedDependency[ConnectionService],
        connection_id: FromPath[UUID],
    ) -> DatabaseConnectionTested:
        return await connection_service.test(actor, connection_id)

    @post("/{connection_id:uuid}/queries", operation_id="runQuery", status_code=200)
    async def run_query(
        self,
        actor: NamedDependency[Actor],
        query_service: NamedDependency[QueryService],
        connection_id: FromPath[UUID],
        data: JSONBody[NewQuery],
        request: Request[Any, Any, Any],
    ) -> QueryResult:
        """The statement is cancelled in the database when the client leaves before the answer."""
        running = query_service.run(actor, connection_id, data.sql, origin="person", order_by=data.order_by)
        return await unless_gone(request, running)

    @get("/{connection_id:uuid}/queries", operation_id="listQueries")
    async def list_queries(
        self,
        actor: NamedDependency[Actor],
        statement_log: NamedDependency[StatementLog],
        connection_id: FromPath[UUID],
        cursor: Cursor = None,
        limit: Limit = None,
    ) -> StatementPage:
        wanted = StatementFilter(connection_id=connection_id)
        return await statement_log.page(actor, wanted, cursor, limit, known_connection=True)

    @post(
        "/{connection_id:uuid}/queries/export",
        operation_id="exportQuery",
        status_code=200,
        media_type=_EXPORT_TYPES,
        responses={200: ResponseSpec(bytes, media_type=_EXPORT_TYPES, generate_examples=False)},
        response_headers=[ResponseHeader(name="Content-Disposition", documentation_only=True)],
    )
    async def export_query(
        self,
        actor: NamedDependency[Actor],
        query_service: NamedDependency[QueryService],
        connection_id: FromPath[UUID],
        data: JSONBody[NewExport],
        request: Request[Any, Any, Any],
    ) -> Stream:
        """The whole result as a file, run again: at most 100,000 rows or 50 MB; a cut is said at the file's end."""
        export = await unless_gone(request, query_service.export(actor, connection_id, data))
        return byte_stream(
            export.chunks, export.media_type, {**_FILE_HEADERS, "Content-Disposition": export.disposition}
        )


class StatementController(Controller):
    """The log of statements over all databases of the workspace."""

    path = "/api/database-statements"
    tags = ["Databases"]

    @get(operation_id="listStatements")
    async def list_statements(
        self,
        actor: NamedDependency[Actor],
        statement_log: NamedDependency[StatementLog],
        database_connection_id: ConnectionId = None,
        user_id: UserId = None,
        outcome: Outcome = None,
        cursor: Cursor = None,
        limit: Limit = None,
    ) -> StatementPage:
        """An owner of the workspace sees everybody's, a member their own."""
        wanted = StatementFilter(connection_id=database_connection_id, user_id=user_id, outcome=outcome)
        return await statement_log.page(actor, wanted, cursor, limit)
