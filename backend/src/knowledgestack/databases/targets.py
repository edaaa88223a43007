"""A registered database as the code that speaks to it knows it."""

from typing import Any
from uuid import UUID

import msgspec

from knowledgestack.core.crypto import Place
from knowledgestack.databases._repository import ConnectionRepository
from knowledgestack.databases.contracts import TlsMode
from knowledgestack.db.engine import Database


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """Where one connection leads and as whom. `revision` rises when any of it changes, so that old sockets are left.

    `sealed_password` is opened only while a socket is opened.
    """

    workspace_id: UUID
    connection_id: UUID
    revision: int
    name: str
    host: str
    port: int
    database: str
    username: str
    sealed_password: bytes
    tls: TlsMode
    ca_certificate: str | None
    denied_columns: frozenset[str]

    @property
    def password_place(self) -> Place:
        """The cell that the sealed password belongs to."""
        return password_place(self.workspace_id, self.connection_id)


class TargetLoader:
    """Reads targets of a workspace. One of another workspace is as unknown as one that never was."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, workspace_id: UUID, connection_id: UUID) -> Target:
        """Raise `NotFound` where the workspace has no such connection."""
        async with self._database.transaction() as tx:
            return target_of(await ConnectionRepository(tx, workspace_id).read(connection_id))


def password_place(workspace_id: UUID, connection_id: UUID) -> Place:
    """The cell of a connection's password: sealed there, it opens nowhere else."""
    return Place("database_connections", "password", connection_id, workspace_id)


def target_of(row: Any) -> Target:
    """The target that a row of the table describes."""
    return Target(
        workspace_id=row.workspace_id,
        connection_id=row.id,
        revision=row.revision,
        name=row.name,
        host=row.host,
        port=row.port,
        database=row.database,
        username=row.username,
        sealed_password=row.password,
        tls=row.tls,
        ca_certificate=row.ca_certificate,
        denied_columns=frozenset(row.denied_columns),
    )
