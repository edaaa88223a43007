"""Recognises the application's own database, which nobody registers under any name."""

from urllib.parse import unquote, urlsplit

import asyncpg

from knowledgestack.core.allow_list import IPAddress
from knowledgestack.core.errors import AddressRefused
from knowledgestack.databases._repository import OwnDatabaseRepository
from knowledgestack.db.engine import Database
from knowledgestack.http.outbound import HostPort, is_same_host

_DEFAULT_PORT = 5432
_REFUSAL = "This is the database of this application itself, which cannot be read as a source."
_LISTENER = "This application itself listens at this address. Give the address of a database."
_UNKNOWN_SERVER = (
    "The server does not tell its identity, so it cannot be told apart from the application's own. Let the role run "
    "it: GRANT EXECUTE ON FUNCTION pg_catalog.pg_control_system() TO the role."
)
_IDENTITY = """
SELECT system_identifier, pg_catalog.current_database() AS database FROM pg_catalog.pg_control_system()
"""
_UNREADABLE = (asyncpg.InsufficientPrivilegeError, asyncpg.UndefinedFunctionError)


class OwnDatabase:
    """Compares by address and name before a socket opens, by the server's identity and the name after."""

    def __init__(self, database: Database, listeners: frozenset[HostPort]) -> None:
        self._database = database
        self._listeners = listeners
        parts = urlsplit(database.dsn)
        self._place = HostPort((parts.hostname or "localhost").lower(), parts.port or _DEFAULT_PORT)
        self._name = unquote(parts.path.lstrip("/"))
        self._identity: tuple[int, str] | None = None

    async def refuse_address(self, place: HostPort, addresses: list[IPAddress], database: str) -> None:
        """Raise `AddressRefused` for a place where the application itself listens, and for the address of its
        database together with that database's name."""
        for listener in self._listeners:
            if place.port == listener.port and await is_same_host(listener.host, place.host, addresses):
                raise AddressRefused(_LISTENER)
        if database != self._name or place.port != self._place.port:
            return
        if await is_same_host(self._place.host, place.host, addresses):
            raise AddressRefused(_REFUSAL)

    async def refuse_session(self, connection: asyncpg.Connection) -> None:
        """Raise `AddressRefused` where the session is in the application's own database, whatever led there."""
        try:
            row = await connection.fetchrow(_IDENTITY)
        except _UNREADABLE as error:
            raise AddressRefused(_UNKNOWN_SERVER) from error
        if row is None or (row["system_identifier"], row["database"]) == await self._own_identity():
            raise AddressRefused(_REFUSAL)

    async def _own_identity(self) -> tuple[int, str]:
        if self._identity is None:
            async with self._database.transaction() as tx:
                self._identity = await OwnDatabaseRepository(tx).identity()
        return self._identity
