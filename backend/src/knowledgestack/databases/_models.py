"""Tables of database connections and of the statements that ran on them."""

from datetime import datetime
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import Mapped, mapped_column

from knowledgestack.db.base import Timestamp, UUIDv7Table, created_at_column


def _workspace_column() -> Mapped[UUID]:
    return mapped_column(sa.ForeignKey("workspaces.id", ondelete="CASCADE"))


def _names_column() -> Mapped[list[str]]:
    return mapped_column(postgresql.ARRAY(sa.Text), server_default="{}")


class DatabaseConnectionRow(UUIDv7Table):
    """A database that may be read. `revision` rises with each change, so that old sockets are left.

    `password` is sealed for this row alone. `audit` is the JSON of the newest role audit.
    """

    __tablename__ = "database_connections"
    __table_args__ = (
        sa.UniqueConstraint("workspace_id", "id", name="uq_database_connections_workspace_id_id"),
        sa.UniqueConstraint("workspace_id", "name", name="uq_database_connections_workspace_id_name"),
        sa.CheckConstraint("tls IN ('off', 'require', 'verify')", name="tls"),
        sa.CheckConstraint("state IN ('reachable', 'unreachable')", name="state"),
    )

    workspace_id: Mapped[UUID] = _workspace_column()
    name: Mapped[str]
    description: Mapped[str]
    host: Mapped[str]
    port: Mapped[int]
    database: Mapped[str]
    username: Mapped[str]
    password: Mapped[bytes]
    tls: Mapped[str]
    ca_certificate: Mapped[str | None]
    denied_columns: Mapped[list[str]] = _names_column()
    revision: Mapped[int] = mapped_column(server_default="1")
    state: Mapped[str]
    state_message: Mapped[str | None]
    last_checked_at: Mapped[datetime] = mapped_column(Timestamp)
    last_reached_at: Mapped[datetime] = mapped_column(Timestamp)
    latency_ms: Mapped[int | None]
    server_version: Mapped[str | None]
    audit: Mapped[bytes | None]
    created_at: Mapped[datetime] = created_at_column()


class DatabaseStatementRow(UUIDv7Table):
    """A statement that somebody sent, whatever became of it.

    It outlives its connection, its chat and its author. While it runs, the process that runs it keeps `lease_until`
    ahead of the clock; a running row whose lease ran out was left by a process that ended.
    """

    __tablename__ = "database_statements"
    __table_args__ = (
        sa.ForeignKeyConstraint(
            ["workspace_id", "database_connection_id"],
            ["database_connections.workspace_id", "database_connections.id"],
            ondelete="SET NULL (database_connection_id)",
            name="fk_database_statements_connection",
        ),
        sa.CheckConstraint("origin IN ('person', 'agent', 'export', 'verified_query')", name="origin"),
        sa.CheckConstraint(
            "outcome IN ('running', 'answered', 'rejected', 'failed', 'timeout', 'cancelled')", name="outcome"
        ),
        sa.Index("ix_database_statements_workspace_id_id", "workspace_id", "id"),
        sa.Index("ix_database_statements_workspace_id_connection", "workspace_id", "database_connection_id", "id"),
        sa.Index("ix_database_statements_workspace_id_user_id", "workspace_id", "user_id", "id"),
        sa.Index(
            "ix_database_statements_running",
            "workspace_id",
            "lease_until",
            postgresql_where=sa.text("outcome = 'running'"),
        ),
    )

    workspace_id: Mapped[UUID] = _workspace_column()
    database_connection_id: Mapped[UUID | None]
    database: Mapped[str]
    user_id: Mapped[UUID | None] = mapped_column(sa.ForeignKey("users.id", ondelete="SET NULL"))
    chat_id: Mapped[UUID | None]
    turn_id: Mapped[UUID | None]
    origin: Mapped[str]
    sql: Mapped[str]
    tables: Mapped[list[str]] = _names_column()
    started_at: Mapped[datetime] = mapped_column(Timestamp, server_default=sa.func.now())
    lease_until: Mapped[datetime] = mapped_column(Timestamp)
    duration_ms: Mapped[int | None]
    row_count: Mapped[int | None]
    outcome: Mapped[str] = mapped_column(server_default="running")
    detail: Mapped[str | None]
