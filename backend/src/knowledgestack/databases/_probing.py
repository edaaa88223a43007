"""Opens a database once to see whether it answers and what its role may do."""

import asyncio
import time
from collections import Counter
from uuid import UUID

import asyncpg
import msgspec

from knowledgestack.core.errors import RateLimited, Unavailable
from knowledgestack.databases._role_audit import audit_role
from knowledgestack.databases.connecting import DatabaseOpener
from knowledgestack.databases.contracts import RoleAudit
from knowledgestack.databases.targets import Target

APPLICATION_NAME = "KnowledgeStack"
_AUDIT_SECONDS = 15.0
_AT_ONCE = 4
_RETRY_SECONDS = 10
_BUSY = "Several databases of this workspace are being tried now. Wait until they have answered."
_NO_AUDIT = "The database answered, but did not say in time what its role may do. Try again."


class Reached(msgspec.Struct, frozen=True):
    """A database answered. `latency_ms` is the time until the session was open."""

    latency_ms: int
    server_version: str
    audit: RoleAudit


class Prober:
    """Opens databases for people, a few at once for one workspace: it is no scanner of networks."""

    def __init__(self, opener: DatabaseOpener) -> None:
        self._opener = opener
        self._running: Counter[UUID] = Counter()

    async def probe(self, target: Target) -> Reached:
        """Open, look, close. Raises `AddressRefused`, `Unavailable` and `RateLimited`, each with a sentence."""
        if self._running[target.workspace_id] >= _AT_ONCE:
            raise RateLimited(_BUSY, retry_after=_RETRY_SECONDS)
        self._running[target.workspace_id] += 1
        try:
            return await self._probe(target)
        finally:
            self._running[target.workspace_id] -= 1
            if not self._running[target.workspace_id]:
                del self._running[target.workspace_id]

    async def _probe(self, target: Target) -> Reached:
        began = time.monotonic()
        connection = await self._opener.open(target, {"application_name": APPLICATION_NAME}, any_role=True)
        latency_ms = round((time.monotonic() - began) * 1_000)
        try:
            async with asyncio.timeout(_AUDIT_SECONDS):
                audit = await audit_role(connection)
                version = connection.get_server_version()
                await connection.close(timeout=2)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise Unavailable(_NO_AUDIT) from error
        finally:
            connection.terminate()
        return Reached(latency_ms, f"{version.major}.{version.minor}", audit)
