"""What the chat asks about sources without reading them."""

from uuid import UUID

from knowledgestack.db.engine import Database
from knowledgestack.db.repository import WorkspaceRepository
from knowledgestack.sources._models import SourceRow


class SourceFacts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def source_ids(self, workspace_id: UUID) -> frozenset[UUID]:
        """The sources of the workspace."""
        async with self._database.transaction() as tx:
            query = WorkspaceRepository(tx, workspace_id).select(SourceRow, SourceRow.id)
            return frozenset((await tx.scalars(query)).all())
