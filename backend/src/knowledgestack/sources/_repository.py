"""Statements on sources, uploaded files and passes. Every time is the database's."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
import sqlalchemy as sa

from knowledgestack.core.errors import NotFound
from knowledgestack.core.ids import new_id
from knowledgestack.db.repository import InstanceRepository, WorkspaceRepository
from knowledgestack.sources._models import SourceRow, SyncPassRow, UploadedFileRow

UPLOAD = "upload"
UPLOAD_SOURCE_NAME = "Uploads"
_ACTIVE = ("queued", "running")

_FILES = """
SELECT f.file_name, f.object_key, f.size_bytes, f.content_hash, f.uploaded_at, f.uploaded_by, u.name AS uploader
FROM uploaded_files f LEFT JOIN users u ON u.id = f.uploaded_by
WHERE f.workspace_id = :workspace_id AND f.source_id = :source_id
"""
_ADD_UPLOAD_SOURCE = """
INSERT INTO sources (id, workspace_id, provider, name) VALUES (:id, :workspace_id, :provider, :name)
ON CONFLICT (workspace_id) WHERE provider = 'upload' DO NOTHING
"""
_PUT_FILE = """
INSERT INTO uploaded_files
    (id, workspace_id, source_id, file_name, object_key, size_bytes, content_hash, uploaded_by, uploaded_at)
VALUES (:id, :workspace_id, :source_id, :file_name, :object_key, :size_bytes, :content_hash, :uploaded_by, :uploaded_at)
ON CONFLICT (workspace_id, file_name) DO UPDATE SET
    source_id = excluded.source_id, object_key = excluded.object_key, size_bytes = excluded.size_bytes,
    content_hash = excluded.content_hash, uploaded_by = excluded.uploaded_by, uploaded_at = excluded.uploaded_at
"""
_COUNTS = """
SELECT source_id, count(*) AS documents, coalesce(sum(chunk_count), 0) AS chunks
FROM documents WHERE workspace_id = :workspace_id AND source_id = ANY(:source_ids) GROUP BY source_id
"""
_NEWEST_PASSES = """
SELECT DISTINCT ON (source_id) * FROM sync_passes
WHERE workspace_id = :workspace_id AND source_id = ANY(:source_ids) ORDER BY source_id, id DESC
"""


class FileRecord(msgspec.Struct, frozen=True):
    """A row of uploaded files with its uploader's name."""

    file_name: str
    object_key: str
    size_bytes: int
    content_hash: str
    uploaded_at: datetime
    uploaded_by: UUID | None
    uploader: str | None


class SourceRepository(WorkspaceRepository):
    """Sources of one workspace."""

    async def lock_upload_source(self) -> UUID:
        """The id of the workspace's upload source, made where there is none, locked until the transaction ends."""
        statement = self.select(SourceRow, SourceRow.id).where(SourceRow.provider == UPLOAD)
        while True:
            await self.run_sql(_ADD_UPLOAD_SOURCE, id=new_id(), provider=UPLOAD, name=UPLOAD_SOURCE_NAME)
            source_id = (await self.tx.execute(statement.with_for_update(key_share=True))).scalar()
            # None: a deletion that was under way when the row was added is committed only now.
            if source_id is not None:
                return source_id

    async def find_upload_source(self) -> Any | None:
        """The row of the workspace's upload source; None before its first upload."""
        return (await self.tx.execute(self.select(SourceRow).where(SourceRow.provider == UPLOAD))).one_or_none()

    async def lock(self, source_id: UUID, *, for_delete: bool = False) -> Any:
        """The source's row, locked against other changes; raise `NotFound` where there is none.

        The weaker lock lets documents of the source be added meanwhile, the one for deletion does not.
        """
        statement = self.select(SourceRow).where(SourceRow.id == source_id)
        row = (await self.tx.execute(statement.with_for_update(key_share=not for_delete))).one_or_none()
        if row is None:
            raise NotFound("This source does not exist.")
        return row

    async def read(self, source_id: UUID) -> Any:
        """The source's row; raise `NotFound` where there is none."""
        row = (await self.tx.execute(self.select(SourceRow).where(SourceRow.id == source_id))).one_or_none()
        if row is None:
            raise NotFound("This source does not exist.")
        return row

    async def page(self, after: UUID | None, limit: int) -> list[Any]:
        statement = self.select(SourceRow).order_by(SourceRow.id).limit(limit)
        if after is not None:
            statement = statement.where(SourceRow.id > after)
        return list((await self.tx.execute(statement)).all())

    async def counts(self, source_ids: list[UUID]) -> dict[UUID, tuple[int, int]]:
        """Documents and chunks of each source that has any."""
        rows = await self.run_sql(_COUNTS, source_ids=source_ids)
        return {row.source_id: (row.documents, int(row.chunks)) for row in rows}

    async def document_state(self, document_id: UUID) -> Any:
        rows = await self.run_sql(
            "SELECT state FROM documents WHERE workspace_id = :workspace_id AND id = :id", id=document_id
        )
        return rows.scalar_one()

    async def change(self, source_id: UUID, **values: Any) -> None:
        await self.tx.execute(self.update(SourceRow).where(SourceRow.id == source_id).values(**values))

    async def remove(self, source_id: UUID) -> None:
        """Remove documents and files before the source, so that a failure leaves nothing to be read again."""
        await self.run_sql(
            "DELETE FROM documents WHERE workspace_id = :workspace_id AND source_id = :source_id", source_id=source_id
        )
        await self.tx.execute(self.delete(UploadedFileRow).where(UploadedFileRow.source_id == source_id))
        await self.tx.execute(self.delete(SourceRow).where(SourceRow.id == source_id))


class FileRepository(WorkspaceRepository):
    """Uploaded files of one workspace."""

    async def read(self, source_id: UUID, file_name: str) -> FileRecord | None:
        rows = await self.run_sql(_FILES + " AND f.file_name = :name", source_id=source_id, name=file_name)
        row = rows.one_or_none()
        return FileRecord(*row) if row is not None else None

    async def page(self, source_id: UUID, after: str | None, limit: int) -> list[FileRecord]:
        rows = await self.run_sql(
            _FILES + " AND f.file_name > :after ORDER BY f.file_name LIMIT :limit",
            source_id=source_id,
            after=after or "",
            limit=limit,
        )
        return [FileRecord(*row) for row in rows]

    async def put(self, source_id: UUID, file_name: str, **values: Any) -> None:
        """Write the file's row, over the one that the name has already."""
        await self.run_sql(_PUT_FILE, id=new_id(), source_id=source_id, file_name=file_name, **values)

    async def same_content(self, content_hash: str, file_name: str) -> str | None:
        """The name of another file with the same bytes."""
        statement = self.select(UploadedFileRow, UploadedFileRow.file_name).where(
            UploadedFileRow.content_hash == content_hash, UploadedFileRow.file_name != file_name
        )
        return (await self.tx.execute(statement.order_by(UploadedFileRow.file_name).limit(1))).scalar()

    async def remove(self, source_id: UUID, file_name: str) -> str | None:
        """Remove the row; return the key of its bytes, None where there was no row."""
        statement = self.delete(UploadedFileRow).where(
            UploadedFileRow.source_id == source_id, UploadedFileRow.file_name == file_name
        )
        return (await self.tx.execute(statement.returning(UploadedFileRow.object_key))).scalar()

    async def keys(self, source_id: UUID) -> list[str]:
        statement = self.select(UploadedFileRow, UploadedFileRow.object_key).where(
            UploadedFileRow.source_id == source_id
        )
        return list((await self.tx.execute(statement)).scalars())


class PassRepository(WorkspaceRepository):
    """Passes over the sources of one workspace."""

    async def active(self, source_id: UUID) -> Any | None:
        """The pass that waits or runs."""
        statement = self.select(SyncPassRow).where(SyncPassRow.source_id == source_id, SyncPassRow.state.in_(_ACTIVE))
        return (await self.tx.execute(statement.with_for_update())).one_or_none()

    async def add(self, source_id: UUID) -> UUID:
        pass_id = new_id()
        await self.insert(SyncPassRow, id=pass_id, source_id=source_id)
        return pass_id

    async def find(self, pass_id: UUID) -> Any | None:
        return (await self.tx.execute(self.select(SyncPassRow).where(SyncPassRow.id == pass_id))).one_or_none()

    async def lock(self, pass_id: UUID) -> Any | None:
        """The pass's row and `lease_left`, the seconds that its lease still holds (None where nobody has it)."""
        left = sa.func.extract("epoch", SyncPassRow.lease_until - sa.func.clock_timestamp()).label("lease_left")
        statement = self.select(SyncPassRow, *SyncPassRow.__table__.c, left).where(SyncPassRow.id == pass_id)
        return (await self.tx.execute(statement.with_for_update())).one_or_none()

    async def claim(self, pass_id: UUID, owner: UUID, lease_seconds: float) -> datetime:
        """Take the pass; return when it began, which a takeover does not change."""
        statement = (
            self.update(SyncPassRow)
            .where(SyncPassRow.id == pass_id)
            .values(
                state="running",
                lease_owner=owner,
                lease_until=_from_now(lease_seconds),
                attempts=SyncPassRow.attempts + 1,
                started_at=sa.func.coalesce(SyncPassRow.started_at, sa.func.clock_timestamp()),
                message=None,
            )
            .returning(sa.func.coalesce(SyncPassRow.started_at, sa.func.clock_timestamp()))
        )
        return (await self.tx.execute(statement)).scalar_one()

    async def hold(self, pass_id: UUID, owner: UUID, lease_seconds: float) -> bool | None:
        """Renew the lease; True where the pass was asked to stop, None where it is no longer this owner's."""
        statement = (
            self._owned(pass_id, owner)
            .values(lease_until=_from_now(lease_seconds))
            .returning(SyncPassRow.cancel_requested)
        )
        return (await self.tx.execute(statement)).scalar()

    async def save(self, pass_id: UUID, owner: UUID, **values: Any) -> bool:
        """Write values of a running pass; False where it is no longer this owner's."""
        return (await self.tx.execute(self._owned(pass_id, owner).values(**values))).rowcount == 1

    async def release(self, pass_id: UUID, owner: UUID, *, counted: bool) -> None:
        """Give up the lease; a claim that is not counted as an attempt is taken back."""
        taken_back = 0 if counted else 1
        attempts = sa.func.greatest(SyncPassRow.attempts - taken_back, 0)
        await self.tx.execute(self._owned(pass_id, owner).values(lease_owner=None, lease_until=None, attempts=attempts))

    async def end(self, pass_id: UUID, state: str, message: str | None) -> None:
        await self.tx.execute(
            self.update(SyncPassRow)
            .where(SyncPassRow.id == pass_id, SyncPassRow.state.in_(_ACTIVE))
            .values(
                state=state,
                message=message,
                finished_at=sa.func.clock_timestamp(),
                lease_owner=None,
                lease_until=None,
                checkpoint=None,
            )
        )

    async def request_cancel(self, pass_id: UUID) -> None:
        await self.tx.execute(self.update(SyncPassRow).where(SyncPassRow.id == pass_id).values(cancel_requested=True))

    async def page(self, source_id: UUID, before: UUID | None, limit: int) -> list[Any]:
        """Newest first."""
        statement = self.select(SyncPassRow).where(SyncPassRow.source_id == source_id)
        if before is not None:
            statement = statement.where(SyncPassRow.id < before)
        return list((await self.tx.execute(statement.order_by(SyncPassRow.id.desc()).limit(limit))).all())

    async def newest(self, source_ids: list[UUID]) -> dict[UUID, Any]:
        rows = await self.run_sql(_NEWEST_PASSES, source_ids=source_ids)
        return {row.source_id: row for row in rows}

    def _owned(self, pass_id: UUID, owner: UUID) -> sa.Update:
        return self.update(SyncPassRow).where(
            SyncPassRow.id == pass_id, SyncPassRow.lease_owner == owner, SyncPassRow.state == "running"
        )


class InstanceSources(InstanceRepository):
    """What is asked across workspaces, or of no workspace."""

    async def active_passes(self) -> list[tuple[UUID, UUID]]:
        """(workspace id, pass id) of every pass that waits or runs."""
        passes = SyncPassRow.__table__.c
        rows = await self.tx.execute(sa.select(passes.workspace_id, passes.id).where(passes.state.in_(_ACTIVE)))
        return [(row.workspace_id, row.id) for row in rows]

    async def unknown_keys(self, workspace_ids: list[UUID], keys: list[str]) -> list[str]:
        """Those of the keys that no uploaded file of these workspaces names."""
        files = UploadedFileRow.__table__.c
        known = sa.select(files.object_key).where(files.workspace_id.in_(workspace_ids), files.object_key.in_(keys))
        named = set((await self.tx.execute(known)).scalars())
        return [key for key in keys if key not in named]

    async def person_name(self, user_id: UUID) -> str | None:
        return (await self.tx.execute(sa.text("SELECT name FROM users WHERE id = :id"), {"id": user_id})).scalar()

    async def clock(self) -> datetime:
        """The time now; `now()` would be when the transaction began, which may have waited for a lock."""
        return (await self.tx.execute(sa.select(sa.func.clock_timestamp()))).scalar_one()


def _from_now(seconds: float) -> sa.ColumnElement[datetime]:
    return sa.func.clock_timestamp() + sa.func.make_interval(0, 0, 0, 0, 0, 0, seconds)
