"""The one engine of a process and the one way to open a transaction.

Services open short transactions themselves; nothing else commits. A transaction is a SQLAlchemy Core connection:
the ORM's unit of work stays off the read paths.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import asyncpg
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from knowledgestack.core.errors import InsufficientStorage, Unavailable
from knowledgestack.db.codecs import send_vectors_in_binary

Transaction = AsyncConnection

_POOL_WAIT_SECONDS = 5.0
_DISK_FULL = "53100"
_UNREACHABLE_SQLSTATES = ("08", "57P", "53300", "25006")


class Database:
    """Owns the connection pool of one process."""

    def __init__(self, url: str, *, pool_size: int = 10) -> None:
        self.dsn = url.replace("postgresql+asyncpg://", "postgresql://")
        self.engine = create_async_engine(
            self.dsn.replace("postgresql://", "postgresql+asyncpg://"),
            pool_size=pool_size,
            max_overflow=0,
            pool_timeout=_POOL_WAIT_SECONDS,
            pool_pre_ping=True,
            connect_args={"timeout": _POOL_WAIT_SECONDS},
        )
        send_vectors_in_binary(self.engine)

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Transaction]:
        """Commit when the block ends, roll back when it raises.

        Raises `Unavailable` when the database cannot be reached and `InsufficientStorage` when its disk is full.
        """
        try:
            async with self.engine.begin() as connection:
                yield connection
        except (OSError, PoolTimeoutError, OperationalError, InterfaceError, DBAPIError) as error:
            translated = database_failure(error)
            if translated is None:
                raise
            raise translated from error

    async def close(self) -> None:
        await self.engine.dispose()


def database_failure(error: BaseException) -> InsufficientStorage | Unavailable | None:
    """The application error for a database that is gone or full; None for a fault of the statement."""
    sqlstate = _sqlstate(error)
    if sqlstate == _DISK_FULL:
        return InsufficientStorage("The disk of the database is full. Nothing was stored.")
    unreachable = isinstance(error, OSError | PoolTimeoutError | asyncpg.InterfaceError) or (
        isinstance(error, DBAPIError) and error.connection_invalidated
    )
    if unreachable or (sqlstate or "").startswith(_UNREACHABLE_SQLSTATES):
        return Unavailable("The database does not answer now. Try again in a few seconds.")
    return None


def _sqlstate(error: BaseException) -> str | None:
    origin = error.orig if isinstance(error, DBAPIError) else error
    state = getattr(origin, "sqlstate", None)
    return state if isinstance(state, str) else None
