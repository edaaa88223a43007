"""What people do with database connections: list, register, test, change, delete."""

from typing import Any, Protocol
from uuid import UUID

import msgspec

from knowledgestack.core.contract import StatusOk
from knowledgestack.core.errors import Unavailable
from knowledgestack.core.identity import Actor, Permission, require
from knowledgestack.databases._repository import ConnectionRepository
from knowledgestack.databases.contracts import (
    DatabaseConnection,
    DatabaseConnectionChange,
    DatabaseConnectionPage,
    DatabaseConnectionSaved,
    DatabaseConnectionTested,
    DatabaseHoldings,
    NewDatabaseConnection,
    RoleAudit,
)
from knowledgestack.db.engine import Database, Transaction
from knowledgestack.http.pagination import clamp_limit, decode_cursor, encode_cursor


class Holdings(Protocol):
    """Who knows what the databases hold."""

    async def holdings(self, workspace_id: UUID, ids: list[UUID]) -> dict[UUID, DatabaseHoldings]:
        """What was last seen in each; databases that were never read are left out."""
        ...


class OnConnected(Protocol):
    """Called in the transaction that stores a connection or changes where it leads."""

    async def __call__(self, tx: Transaction, workspace_id: UUID, connection_id: UUID) -> None: ...


class NoHoldings:
    """Nobody has looked into the databases."""

    async def holdings(self, workspace_id: UUID, ids: list[UUID]) -> dict[UUID, DatabaseHoldings]:
        return {}


async def nothing_on_connected(tx: Transaction, workspace_id: UUID, connection_id: UUID) -> None:
    """Nobody waits for new connections."""


class ConnectionService:
    """Connections of the actor's workspace. One of another workspace is as unknown as one that never was."""

    def __init__(
        self,
        database: Database,
        *,
        holdings: Holdings | None = None,
        on_connected: OnConnected = nothing_on_connected,
    ) -> None:
        self._database = database
        self._holdings = holdings or NoHoldings()
        self._on_connected = on_connected

    async def list_connections(self, actor: Actor, cursor: str | None, limit: int | None) -> DatabaseConnectionPage:
        """Connections by name, each with what it holds."""
        require(actor, Permission.READ_DATABASES)
        size = clamp_limit(limit)
        after = decode_cursor(cursor, (str, UUID)) if cursor else None
        async with self._database.transaction() as tx:
            rows = await ConnectionRepository(tx, actor.workspace_id).page(after, size + 1)
        items = await self._with_holdings(actor, rows[:size])
        last = encode_cursor((items[-1].name, items[-1].id)) if len(rows) > size else None
        return DatabaseConnectionPage(items=items, next_cursor=last)

    async def read(self, actor: Actor, connection_id: UUID) -> DatabaseConnection:
        """Raise `NotFound` where the workspace has no such connection."""
        require(actor, Permission.READ_DATABASES)
        async with self._database.transaction() as tx:
            row = await ConnectionRepository(tx, actor.workspace_id).read(connection_id)
        return (await self._with_holdings(actor, [row]))[0]

    async def create(self, actor: Actor, new: NewDatabaseConnection) -> DatabaseConnectionSaved:
        """Open the database, look at its role, then store it."""
        require(actor, Permission.MANAGE_DATABASES)
        raise Unavailable("No database can be registered now.")

    async def change(
        self, actor: Actor, connection_id: UUID, change: DatabaseConnectionChange
    ) -> DatabaseConnectionSaved:
        """Open what the change leads to, then store it."""
        require(actor, Permission.MANAGE_DATABASES)
        async with self._database.transaction() as tx:
            await ConnectionRepository(tx, actor.workspace_id).read(connection_id)
        raise Unavailable("No database can be changed now.")

    async def test(self, actor: Actor, connection_id: UUID) -> DatabaseConnectionTested:
        """Open it and look at its role again."""
        require(actor, Permission.MANAGE_DATABASES)
        async with self._database.transaction() as tx:
            await ConnectionRepository(tx, actor.workspace_id).read(connection_id)
        raise Unavailable("No database can be tested now.")

    async def delete(self, actor: Actor, connection_id: UUID) -> StatusOk:
        """Forget the connection; the log of its statements stays."""
        require(actor, Permission.MANAGE_DATABASES)
        async with self._database.transaction() as tx:
            await ConnectionRepository(tx, actor.workspace_id).remove(connection_id)
        return StatusOk()

    async def _with_holdings(self, actor: Actor, rows: list[Any]) -> list[DatabaseConnection]:
        held = await self._holdings.holdings(actor.workspace_id, [row.id for row in rows])
        return [_connection_of(row, held.get(row.id)) for row in rows]


def _connection_of(row: Any, holdings: DatabaseHoldings | None) -> DatabaseConnection:
    return DatabaseConnection(
        id=row.id,
        name=row.name,
        description=row.description,
        engine="postgresql",
        host=row.host,
        port=row.port,
        database=row.database,
        username=row.username,
        tls=row.tls,
        has_ca_certificate=row.ca_certificate is not None,
        state=row.state,
        state_message=row.state_message,
        last_checked_at=row.last_checked_at,
        last_reached_at=row.last_reached_at,
        latency_ms=row.latency_ms,
        server_version=row.server_version,
        audit=None if row.audit is None else msgspec.json.decode(row.audit, type=RoleAudit),
        denied_columns=row.denied_columns,
        holdings=holdings,
        created_at=row.created_at,
    )
