"""Tables of sources, uploaded files and passes."""

from datetime import datetime
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from knowledgestack.db.base import Timestamp, UUIDv7Table, created_at_column


def _workspace_column() -> Mapped[UUID]:
    return mapped_column(sa.ForeignKey("workspaces.id", ondelete="CASCADE"))


def _source_key(name: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["workspace_id", "source_id"], ["sources.workspace_id", "sources.id"], ondelete="CASCADE", name=name
    )


class SourceRow(UUIDv7Table):
    """Where documents come from. `last_synced_at` is the start of the newest complete pass, never its end."""

    __tablename__ = "sources"
    __table_args__ = (
        sa.UniqueConstraint("workspace_id", "id", name="uq_sources_workspace_id_id"),
        sa.Index(
            "uq_sources_workspace_id_upload",
            "workspace_id",
            unique=True,
            postgresql_where=sa.text("provider = 'upload'"),
        ),
    )

    workspace_id: Mapped[UUID] = _workspace_column()
    provider: Mapped[str]
    name: Mapped[str]
    state: Mapped[str] = mapped_column(server_default="active")
    sync_requested: Mapped[bool] = mapped_column(server_default=sa.false())
    last_synced_at: Mapped[datetime | None] = mapped_column(Timestamp)
    created_at: Mapped[datetime] = created_at_column()


class UploadedFileRow(UUIDv7Table):
    """One uploaded file: where its bytes are kept and what they are. A second upload of a name replaces the row."""

    __tablename__ = "uploaded_files"
    __table_args__ = (
        _source_key("fk_uploaded_files_source"),
        sa.UniqueConstraint("workspace_id", "file_name", name="uq_uploaded_files_workspace_id_file_name"),
        sa.Index("ix_uploaded_files_workspace_id_source_id", "workspace_id", "source_id", "file_name"),
    )

    workspace_id: Mapped[UUID] = _workspace_column()
    source_id: Mapped[UUID]
    file_name: Mapped[str] = mapped_column(sa.Text(collation="C"))
    object_key: Mapped[str]
    size_bytes: Mapped[int] = mapped_column(sa.BigInteger)
    content_hash: Mapped[str]
    uploaded_by: Mapped[UUID | None] = mapped_column(sa.ForeignKey("users.id", ondelete="SET NULL"))
    uploaded_at: Mapped[datetime] = mapped_column(Timestamp, server_default=sa.func.now())


class SyncPassRow(UUIDv7Table):
    """One run of a sync. The lease says which worker has it; a lease that ran out may be taken over.

    `checkpoint` holds the cursor and the counts after the last whole page; `attempts` the claims since then.
    """

    __tablename__ = "sync_passes"
    __table_args__ = (
        _source_key("fk_sync_passes_source"),
        sa.Index(
            "uq_sync_passes_active",
            "workspace_id",
            "source_id",
            unique=True,
            postgresql_where=sa.text("state IN ('queued', 'running')"),
        ),
        sa.Index("ix_sync_passes_workspace_id_source_id", "workspace_id", "source_id", "id"),
    )

    workspace_id: Mapped[UUID] = _workspace_column()
    source_id: Mapped[UUID]
    state: Mapped[str] = mapped_column(server_default="queued")
    found: Mapped[int] = mapped_column(server_default="0")
    new: Mapped[int] = mapped_column(server_default="0")
    changed: Mapped[int] = mapped_column(server_default="0")
    unchanged: Mapped[int] = mapped_column(server_default="0")
    failed: Mapped[int] = mapped_column(server_default="0")
    deleted: Mapped[int] = mapped_column(server_default="0")
    message: Mapped[str | None]
    cancel_requested: Mapped[bool] = mapped_column(server_default=sa.false())
    checkpoint: Mapped[bytes | None]
    attempts: Mapped[int] = mapped_column(server_default="0")
    lease_owner: Mapped[UUID | None]
    lease_until: Mapped[datetime | None] = mapped_column(Timestamp)
    created_at: Mapped[datetime] = created_at_column()
    started_at: Mapped[datetime | None] = mapped_column(Timestamp)
    finished_at: Mapped[datetime | None] = mapped_column(Timestamp)
