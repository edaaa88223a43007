"""The table of verified queries."""

from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from pgvector.sqlalchemy import HALFVEC
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from knowledgestack.db.base import Timestamp, UUIDv7Table, created_at_column


class VerifiedQueryRow(UUIDv7Table):
    """A question with the SQL that answers it.

    `used` has the types of the columns that the SQL reads, by `schema.table` and column; a type is null until the
    catalogue knows it. `embedding` is the question's, of `embedding_model_id`; null until one was made. `slots` are
    the parts of the question that may vary.
    """

    __tablename__ = "verified_queries"
    __table_args__ = (
        sa.ForeignKeyConstraint(
            ["workspace_id", "database_connection_id"],
            ["database_connections.workspace_id", "database_connections.id"],
            ondelete="CASCADE",
            name="fk_verified_queries_connection",
        ),
        sa.Index("ix_verified_queries_listing", "workspace_id", "database_connection_id", "id"),
        sa.CheckConstraint("state IN ('current', 'stale')", name="state"),
        sa.CheckConstraint("(state = 'stale') = (stale_reason IS NOT NULL)", name="stale_reason"),
    )

    workspace_id: Mapped[UUID] = mapped_column(sa.ForeignKey("workspaces.id", ondelete="CASCADE"))
    database_connection_id: Mapped[UUID] = mapped_column()
    question: Mapped[str] = mapped_column(sa.Text)
    description: Mapped[str] = mapped_column(sa.Text)
    sql: Mapped[str] = mapped_column(sa.Text)
    tables: Mapped[list[str]] = mapped_column(ARRAY(sa.Text))
    used: Mapped[dict[str, dict[str, str | None]]] = mapped_column(JSONB)
    slots: Mapped[list[Any]] = mapped_column(JSONB, server_default="[]")
    state: Mapped[str] = mapped_column(sa.Text, server_default="current")
    stale_reason: Mapped[str | None] = mapped_column(sa.Text)
    embedding_model_id: Mapped[UUID | None] = mapped_column(sa.ForeignKey("embedding_models.id", ondelete="SET NULL"))
    embedding: Mapped[Any] = mapped_column(HALFVEC(), nullable=True)
    created_by: Mapped[UUID | None] = mapped_column(sa.ForeignKey("users.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = created_at_column()
    updated_at: Mapped[datetime] = mapped_column(Timestamp, server_default=sa.func.now())
    last_tested_at: Mapped[datetime] = mapped_column(Timestamp, server_default=sa.func.now())
