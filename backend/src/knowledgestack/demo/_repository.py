"""Statements on the record of seeded pages."""

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from knowledgestack.db.repository import WorkspaceRepository
from knowledgestack.demo._models import DemoPageRow


class DemoPageRepository(WorkspaceRepository):
    async def seeded(self) -> dict[str, tuple[str, UUID]]:
        """Name → content hash and source of each page."""
        rows = await self.tx.execute(
            self.select(DemoPageRow, DemoPageRow.name, DemoPageRow.content_hash, DemoPageRow.source_id)
        )
        return {name: (content_hash, source_id) for name, content_hash, source_id in rows}

    async def record(self, source_id: UUID, hashes: Mapping[str, str]) -> None:
        statement = insert(DemoPageRow).values(
            [
                {"workspace_id": self.workspace_id, "source_id": source_id, "name": name, "content_hash": content_hash}
                for name, content_hash in hashes.items()
            ]
        )
        await self.tx.execute(
            statement.on_conflict_do_update(
                index_elements=["workspace_id", "name"],
                set_={"content_hash": statement.excluded.content_hash, "source_id": statement.excluded.source_id},
            )
        )
