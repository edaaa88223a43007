"""Statements on the record of what was seeded."""

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from knowledgestack.db.repository import WorkspaceRepository
from knowledgestack.demo._models import DemoDatabaseRow, DemoPageRow


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


class DemoDatabaseRepository(WorkspaceRepository):
    async def seeded(self) -> tuple[str, UUID] | None:
        """Version and connection of the database."""
        rows = await self.tx.execute(
            self.select(DemoDatabaseRow, DemoDatabaseRow.version, DemoDatabaseRow.connection_id)
        )
        row = rows.one_or_none()
        return None if row is None else (row.version, row.connection_id)

    async def record(self, version: str, connection_id: UUID) -> None:
        statement = insert(DemoDatabaseRow).values(
            workspace_id=self.workspace_id, version=version, connection_id=connection_id
        )
        await self.tx.execute(
            statement.on_conflict_do_update(
                index_elements=["workspace_id"], set_={"version": version, "connection_id": connection_id}
            )
        )
