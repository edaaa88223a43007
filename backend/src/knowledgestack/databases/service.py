"""What people do with database connections: list, register, test, change, delete."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol
from uuid import UUID

import msgspec
from msgspec import UNSET

from knowledgestack.core.contract import StatusOk
from knowledgestack.core.crypto import KeyRing
from knowledgestack.core.errors import AddressRefused, Conflict, FieldError, InvalidRequest, Unavailable
from knowledgestack.core.identity import Actor, Permission, require
from knowledgestack.core.ids import new_id
from knowledgestack.databases._fields import checked_change, checked_new
from knowledgestack.databases._probing import Prober, Reached
from knowledgestack.databases._repository import ConnectionRepository
from knowledgestack.databases._role_audit import is_refused_role
from knowledgestack.databases.connecting import DatabaseOpener
from knowledgestack.databases.contracts import (
    DatabaseConnection,
    DatabaseConnectionChange,
    DatabaseConnectionPage,
    DatabaseConnectionSaved,
    DatabaseConnectionTested,
    DatabaseHoldings,
    NewDatabaseConnection,
    RoleAudit,
    TlsMode,
)
from knowledgestack.databases.targets import Target, password_place, target_of
from knowledgestack.db.engine import Database, Transaction
from knowledgestack.http.pagination import clamp_limit, decode_cursor, encode_cursor

_ROLE_REFUSED = (
    "This role is a superuser or may reach files and programs of the server, which a reader never needs. Nothing was "
    "stored. Run the script as an administrator and connect as the role that it makes."
)
_ROLE_REFUSED_NOW = (
    "The role has become a superuser, or may reach files and programs of the server. No statement runs until it is a "
    "role that may only read."
)
_GIVE_AGAIN = "has to be given again when the host, the port or the certificate changes, or TLS is weakened"
_ADDRESS = frozenset({"host", "port", "database", "username", "tls", "ca_certificate"})
_STRENGTH: tuple[TlsMode, ...] = ("off", "require", "verify")
_MEANWHILE = "Somebody else changed this connection meanwhile. Load it again."

Forget = Callable[[UUID], Awaitable[None]]
"""Closes the open sockets of a connection."""


class Holdings(Protocol):
    """Who knows what the databases hold."""

    async def holdings(self, workspace_id: UUID, ids: list[UUID]) -> dict[UUID, DatabaseHoldings]:
        """What was last seen in each; databases that were never read are left out."""
        ...


class OnConnected(Protocol):
    """Called in the transaction that stores a connection or changes where it leads."""

    async def __call__(self, tx: Transaction, workspace_id: UUID, connection_id: UUID) -> None: ...


class ConnectionService:
    """Connections of the actor's workspace. One of another workspace is as unknown as one that never was."""

    def __init__(
        self,
        database: Database,
        keys: KeyRing,
        opener: DatabaseOpener,
        *,
        forget: Forget,
        holdings: Holdings | None = None,
        on_connected: OnConnected | None = None,
    ) -> None:
        self._database = database
        self._keys = keys
        self._opener = opener
        self._prober = Prober(opener)
        self._holdings = holdings
        self._on_connected = on_connected
        self._forget = forget

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
        return (await self._with_holdings(actor, [await self._row(actor, connection_id)]))[0]

    async def create(self, actor: Actor, new: NewDatabaseConnection) -> DatabaseConnectionSaved:
        """Open the database, look at its role, then store it; a connection of the same name is replaced.

        What did not open is told and not stored. Raises `AddressRefused` for a host that is closed to members.
        """
        require(actor, Permission.MANAGE_DATABASES)
        new = checked_new(new)
        await self._opener.check(new.host, new.port, new.database)
        target = self._target(actor, new)
        outcome = await self._try(target)
        if isinstance(outcome, DatabaseConnectionSaved):
            return outcome
        async with self._database.transaction() as tx:
            connection_id = await self._store(tx, actor, new, outcome)
            await self._tell(tx, actor, connection_id)
        await self._forget(connection_id)
        return await self._saved(actor, connection_id, outcome.audit)

    async def change(
        self, actor: Actor, connection_id: UUID, change: DatabaseConnectionChange
    ) -> DatabaseConnectionSaved:
        """Open what the change leads to, then store it. A new name or description opens nothing.

        The stored password is sent to no other place than the one it was given for: raises `InvalidRequest` where the
        host, the port or the certificate changes, or TLS is weakened, and the password is not given again.
        """
        require(actor, Permission.MANAGE_DATABASES)
        change = checked_change(change)
        row = await self._row(actor, connection_id)
        values = {
            name: value
            for name, value in msgspec.structs.asdict(change).items()
            if value is not UNSET and (name == "password" or value != getattr(row, name))
        }
        if not values:
            return DatabaseConnectionSaved(success=True, database_connection=await self.read(actor, connection_id))
        if "password" in values:
            values["password"] = self._keys.seal(values["password"], target_of(row).password_place)
        elif values.keys() & {"host", "port", "ca_certificate"} or _weakens(row.tls, values.get("tls")):
            raise InvalidRequest(f"The password {_GIVE_AGAIN}.", errors=(FieldError("password", _GIVE_AGAIN),))
        opened = bool(values.keys() & {*_ADDRESS, "password"})
        outcome = None
        if opened:
            target = _changed_target(target_of(row), values)
            await self._opener.check(target.host, target.port, target.database)
            outcome = await self._try(target)
            if isinstance(outcome, DatabaseConnectionSaved):
                return outcome
            values |= _seen(outcome)
        async with self._database.transaction() as tx:
            await self._apply(tx, actor, row, values)
            if opened:
                await self._tell(tx, actor, connection_id)
        await self._forget(connection_id)
        return await self._saved(actor, connection_id, None if outcome is None else outcome.audit)

    async def test(self, actor: Actor, connection_id: UUID) -> DatabaseConnectionTested:
        """Open it and look at its role again. What is found is kept: that it does not answer is a state."""
        require(actor, Permission.MANAGE_DATABASES)
        row = await self._row(actor, connection_id)
        audit: RoleAudit | None = None
        try:
            reached = await self._prober.probe(target_of(row))
        except (AddressRefused, Unavailable) as error:
            message = error.detail
            values: dict[str, Any] = {"state": "unreachable", "state_message": message, "latency_ms": None}
        else:
            audit = reached.audit
            values = _seen(reached)
            message = f"The database answered in {reached.latency_ms} ms."
            if self._refuses(audit):
                message = _ROLE_REFUSED_NOW
                values |= {"state": "unreachable", "state_message": message}
        async with self._database.transaction() as tx:
            await ConnectionRepository(tx, actor.workspace_id).stamp(connection_id, row.revision, values)
        connection = await self.read(actor, connection_id)
        return DatabaseConnectionTested(database_connection=connection, message=message, audit=audit)

    async def delete(self, actor: Actor, connection_id: UUID) -> StatusOk:
        """Forget the connection; the log of its statements stays."""
        require(actor, Permission.MANAGE_DATABASES)
        async with self._database.transaction() as tx:
            await ConnectionRepository(tx, actor.workspace_id).remove(connection_id)
        await self._forget(connection_id)
        return StatusOk()

    async def _row(self, actor: Actor, connection_id: UUID) -> Any:
        async with self._database.transaction() as tx:
            return await ConnectionRepository(tx, actor.workspace_id).read(connection_id)

    async def _try(self, target: Target) -> Reached | DatabaseConnectionSaved:
        """What was found behind a target that is not stored yet, or the answer that says why it is not stored."""
        try:
            reached = await self._prober.probe(target)
        except Unavailable as error:
            return DatabaseConnectionSaved(success=False, message=error.detail)
        if self._refuses(reached.audit):
            return DatabaseConnectionSaved(success=False, message=_ROLE_REFUSED, audit=reached.audit)
        return reached

    def _refuses(self, audit: RoleAudit) -> bool:
        return is_refused_role(audit) and not self._opener.allow_privileged_roles

    def _target(self, actor: Actor, new: NewDatabaseConnection) -> Target:
        connection_id = new_id()
        return Target(
            workspace_id=actor.workspace_id,
            connection_id=connection_id,
            revision=0,
            name=new.name,
            host=new.host,
            port=new.port,
            database=new.database,
            username=new.username,
            sealed_password=self._keys.seal(new.password, password_place(actor.workspace_id, connection_id)),
            tls=new.tls,
            ca_certificate=new.ca_certificate,
            denied_columns=frozenset(),
        )

    async def _store(self, tx: Transaction, actor: Actor, new: NewDatabaseConnection, reached: Reached) -> UUID:
        def values_for(connection_id: UUID) -> dict[str, Any]:
            place = password_place(actor.workspace_id, connection_id)
            return msgspec.structs.asdict(new) | _seen(reached) | {"password": self._keys.seal(new.password, place)}

        return await ConnectionRepository(tx, actor.workspace_id).put(new.name, values_for)

    async def _apply(self, tx: Transaction, actor: Actor, row: Any, values: dict[str, Any]) -> None:
        connections = ConnectionRepository(tx, actor.workspace_id)
        if (await connections.read(row.id, lock=True)).revision != row.revision:
            raise Conflict(_MEANWHILE)
        await connections.change(row.id, revision=row.revision + 1, **values)

    async def _tell(self, tx: Transaction, actor: Actor, connection_id: UUID) -> None:
        if self._on_connected is not None:
            await self._on_connected(tx, actor.workspace_id, connection_id)

    async def _saved(self, actor: Actor, connection_id: UUID, audit: RoleAudit | None) -> DatabaseConnectionSaved:
        connection = await self.read(actor, connection_id)
        return DatabaseConnectionSaved(success=True, database_connection=connection, audit=audit)

    async def _with_holdings(self, actor: Actor, rows: list[Any]) -> list[DatabaseConnection]:
        ids = [row.id for row in rows]
        held = {} if self._holdings is None else await self._holdings.holdings(actor.workspace_id, ids)
        return [_connection_of(row, held.get(row.id)) for row in rows]


def _weakens(before: TlsMode, after: TlsMode | None) -> bool:
    return after is not None and _STRENGTH.index(after) < _STRENGTH.index(before)


def _changed_target(target: Target, values: dict[str, Any]) -> Target:
    changed = {name: value for name, value in values.items() if name in _ADDRESS}
    if "password" in values:
        changed["sealed_password"] = values["password"]
    return msgspec.structs.replace(target, **changed)


def _seen(reached: Reached) -> dict[str, Any]:
    """The columns that say how a database answered."""
    return {
        "state": "reachable",
        "state_message": None,
        "latency_ms": reached.latency_ms,
        "server_version": reached.server_version,
        "audit": msgspec.json.encode(reached.audit),
    }


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
