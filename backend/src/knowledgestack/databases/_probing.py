"""Opens a database once to see whether it answers and what its role may do."""

import asyncio
import time

import asyncpg
import msgspec

from knowledgestack.core.errors import Unavailable
from knowledgestack.databases._role_audit import audit_role
from knowledgestack.databases.connecting import DatabaseOpener
from knowledgestack.databases.contracts import RoleAudit
from knowledgestack.databases.targets import Target

APPLICATION_NAME = "KnowledgeStack"
_AUDIT_SECONDS = 15.0
_NO_AUDIT = "The database answered, but did not say in time what its role may do. Try again."


class Reached(msgspec.Struct, frozen=True):
    """A database answered. `latency_ms` is the time until the session was open."""

    latency_ms: int
    server_version: str
    audit: RoleAudit


async def probe(opener: DatabaseOpener, target: Target) -> Reached:
    """Open, look, close. Raises `AddressRefused` and `Unavailable`, each with a sentence for a person."""
    began = time.monotonic()
    connection = await opener.open(target, {"application_name": APPLICATION_NAME}, any_role=True)
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
