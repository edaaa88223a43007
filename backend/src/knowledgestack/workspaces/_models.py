"""Workspaces and who belongs to them."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from knowledgestack.db.base import PlainTable, UUIDv7Table, created_at_column


class Workspace(UUIDv7Table):
    __tablename__ = "workspaces"

    name: Mapped[str] = mapped_column(String(100))
    slug: Mapped[str] = mapped_column(String(120), unique=True)
    join_code: Mapped[str] = mapped_column(String(8), unique=True)
    created_at: Mapped[datetime] = created_at_column()


class WorkspaceMembership(PlainTable):
    __tablename__ = "workspace_memberships"
    __table_args__ = (
        CheckConstraint("role IN ('owner', 'member', 'viewer')", name="role"),
        Index("ix_workspace_memberships_user", "user_id", "created_at"),
    )

    workspace_id: Mapped[UUID] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    role: Mapped[str] = mapped_column(String(10))
    created_at: Mapped[datetime] = created_at_column()
