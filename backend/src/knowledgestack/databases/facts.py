"""What the chat and the agent's tools ask about database connections without opening one."""

from datetime import datetime
from uuid import UUID

import msgspec

from knowledgestack.databases._models import DatabaseConnectionRow
from knowledgestack.databases.contracts import ConnectionState
from knowledgestack.db.engine import Database
from knowledgestack.db.repository import WorkspaceRepository


class KnownDatabase(msgspec.Struct, frozen=True):
    """A registered database by the words that people gave it, and how it answered when it was last asked."""

    id: UUID
    name: str
    description: str
    state: ConnectionState
    state_message: str | None
    last_checked_at: datetime


class DatabaseFacts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def databases(self, workspace_id: UUID) -> list[KnownDatabase]:
        """The databases of the workspace, by name."""
        row = DatabaseConnectionRow
        columns = (row.id, row.name, row.description, row.state, row.state_message, row.last_checked_at)
        async with self._database.transaction() as tx:
            query = WorkspaceRepository(tx, workspace_id).select(row, *columns).order_by(row.name, row.id)
            return [KnownDatabase(*found) for found in await tx.execute(query)]
