"""How vectors travel: in pgvector's binary form, which costs a hundredth of the text form."""

from asyncpg import Connection
from pgvector import HalfVector
from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import ConnectionPoolEntry


def send_vectors_in_binary(engine: AsyncEngine) -> None:
    """From now on every connection of `engine` exchanges `pgvector.HalfVector` for halfvec, in binary."""

    @event.listens_for(engine.sync_engine, "connect")
    def register(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.run_async(_register_halfvec)  # pyright: ignore[reportAttributeAccessIssue]


async def _register_halfvec(connection: Connection) -> None:
    try:
        await connection.set_type_codec(
            "halfvec", schema="public", encoder=HalfVector.to_binary, decoder=HalfVector.from_binary, format="binary"
        )
    except ValueError as error:
        # A database that is not migrated yet has no such type, and nobody asks it for vectors.
        if not str(error).startswith("unknown type:"):
            raise
