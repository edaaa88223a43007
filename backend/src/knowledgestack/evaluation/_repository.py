"""The scratch workspace of an evaluation."""

from uuid import UUID

import sqlalchemy as sa

from knowledgestack.core.ids import new_id
from knowledgestack.db.repository import InstanceRepository


class ScratchRepository(InstanceRepository):
    """Makes and removes a workspace that nobody is a member of, so that nobody ever sees it."""

    async def add(self) -> tuple[UUID, UUID]:
        """The ids of a new workspace and of its one source."""
        workspace_id, source_id = new_id(), new_id()
        await self.tx.execute(
            sa.text("INSERT INTO workspaces (id, name, slug, join_code) VALUES (:id, 'Evaluation', :slug, :code)"),
            {"id": workspace_id, "slug": f"evaluation-{workspace_id}", "code": workspace_id.hex[-8:]},
        )
        await self.tx.execute(
            sa.text(
                "INSERT INTO sources (id, workspace_id, provider, name)"
                " VALUES (:id, :workspace, 'upload', 'Evaluation')"
            ),
            {"id": source_id, "workspace": workspace_id},
        )
        return workspace_id, source_id

    async def remove(self, workspace_id: UUID) -> None:
        await self.tx.execute(sa.text("DELETE FROM workspaces WHERE id = :id"), {"id": workspace_id})
