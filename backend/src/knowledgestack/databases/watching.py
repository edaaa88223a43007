"""Opens databases and keeps what their answer says of their health."""

import contextlib
from collections.abc import Mapping

import asyncpg

from knowledgestack.core.errors import AddressRefused, AppError, Unavailable
from knowledgestack.databases._repository import ConnectionRepository
from knowledgestack.databases.connecting import DatabaseOpener
from knowledgestack.databases.errors import RoleRefused
from knowledgestack.databases.targets import Target
from knowledgestack.db.engine import Database


class WatchedOpener:
    """What the runner of statements opens its connections with: a database that does not open is seen by everybody."""

    def __init__(self, database: Database, opener: DatabaseOpener) -> None:
        self._database = database
        self._opener = opener

    async def open(self, target: Target, server_settings: Mapping[str, str]) -> asyncpg.Connection:
        """Raises `AddressRefused`, `RoleRefused` and `Unavailable`, each with a sentence for a person."""
        try:
            connection = await self._opener.open(target, server_settings)
        except (AddressRefused, RoleRefused, Unavailable) as error:
            await self._stamp(target, error.detail)
            raise
        try:
            await self._stamp(target, None)
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def _stamp(self, target: Target, failure: str | None) -> None:
        with contextlib.suppress(AppError):
            async with self._database.transaction() as tx:
                connections = ConnectionRepository(tx, target.workspace_id)
                await connections.stamp_opened(target.connection_id, target.revision, failure)
