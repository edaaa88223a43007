"""Tables of the chat."""

from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from knowledgestack.db.base import Timestamp, UUIDv7Table, created_at_column


def _workspace_id() -> Mapped[UUID]:
    return mapped_column(sa.ForeignKey("workspaces.id", ondelete="CASCADE"))


class ChatRow(UUIDv7Table):
    """A conversation of one person. `shown_turn_id` is the last turn of the path on the screen."""

    __tablename__ = "chats"
    __table_args__ = (
        sa.UniqueConstraint("id", "workspace_id"),
        sa.Index("ix_chats_recent", "workspace_id", "user_id", "updated_at", "id"),
    )

    workspace_id: Mapped[UUID] = _workspace_id()
    user_id: Mapped[UUID] = mapped_column(sa.ForeignKey("users.id", ondelete="CASCADE"))
    title: Mapped[str | None]
    title_origin: Mapped[str | None] = mapped_column(sa.String(16))
    """Who named the chat: person, question (a shortened question) or model."""
    shown_turn_id: Mapped[UUID | None]
    summary: Mapped[str | None]
    compacted_turn_count: Mapped[int] = mapped_column(server_default="0")
    compacted_turn_id: Mapped[UUID | None]
    """The last turn that `summary` covers; the summary holds for paths through it."""
    created_at: Mapped[datetime] = created_at_column()
    updated_at: Mapped[datetime] = created_at_column()


class TurnRow(UUIDv7Table):
    """One version of a question at one position of a chat, with the state of its run."""

    __tablename__ = "turns"
    __table_args__ = (
        sa.UniqueConstraint("id", "workspace_id"),
        sa.ForeignKeyConstraint(["chat_id", "workspace_id"], ["chats.id", "chats.workspace_id"], ondelete="CASCADE"),
        sa.Index("ix_turns_chat", "workspace_id", "chat_id", "id"),
        sa.Index("uq_turns_running", "workspace_id", "chat_id", unique=True, postgresql_where="state = 'running'"),
        sa.Index(
            "uq_turns_idempotency",
            "workspace_id",
            "chat_id",
            "idempotency_key",
            unique=True,
            postgresql_where="idempotency_key IS NOT NULL",
        ),
        sa.Index("ix_turns_lease", "lease_expires_at", postgresql_where="state = 'running'"),
        sa.CheckConstraint("state IN ('running', 'done', 'stopped', 'failed')", name="turns_state"),
    )

    workspace_id: Mapped[UUID] = _workspace_id()
    chat_id: Mapped[UUID]
    user_id: Mapped[UUID] = mapped_column(sa.ForeignKey("users.id", ondelete="CASCADE"))
    parent_turn_id: Mapped[UUID | None]
    turn_index: Mapped[int]
    idempotency_key: Mapped[str | None] = mapped_column(sa.String(200))
    question: Mapped[str]
    scope: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    model_id: Mapped[str]
    state: Mapped[str] = mapped_column(sa.String(16))
    parts: Mapped[list[str]] = mapped_column(JSONB, server_default="[]")
    steps: Mapped[list[Any]] = mapped_column(JSONB, server_default="[]")
    citations: Mapped[list[Any]] = mapped_column(JSONB, server_default="[]")
    content_hashes: Mapped[dict[str, str]] = mapped_column(JSONB, server_default="{}")
    """Document id to the hash of the content that was quoted, so that a later edit can be told."""
    query_results: Mapped[list[Any]] = mapped_column(JSONB, server_default="[]")
    figures: Mapped[list[Any]] = mapped_column(JSONB, server_default="[]")
    follow_ups: Mapped[list[str]] = mapped_column(JSONB, server_default="[]")
    not_found: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    context: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    usage: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    reason: Mapped[str | None] = mapped_column(sa.String(32))
    error_code: Mapped[str | None] = mapped_column(sa.String(64))
    error_message: Mapped[str | None]
    model_used: Mapped[str | None]
    provider_used: Mapped[str | None]
    last_seq: Mapped[int] = mapped_column(server_default="-1")
    lease_expires_at: Mapped[datetime | None] = mapped_column(Timestamp)
    watched_at: Mapped[datetime | None] = mapped_column(Timestamp)
    """When a reader in another process last asked; keeps the run from being taken for an orphan."""
    stop_requested: Mapped[bool] = mapped_column(server_default=sa.false())
    created_at: Mapped[datetime] = created_at_column()
    finished_at: Mapped[datetime | None] = mapped_column(Timestamp)


class TurnFeedbackRow(UUIDv7Table):
    """What a person thought of an answer; one row for each turn and person."""

    __tablename__ = "turn_feedback"
    __table_args__ = (
        sa.ForeignKeyConstraint(["turn_id", "workspace_id"], ["turns.id", "turns.workspace_id"], ondelete="CASCADE"),
        sa.UniqueConstraint("workspace_id", "turn_id", "user_id"),
    )

    workspace_id: Mapped[UUID] = _workspace_id()
    turn_id: Mapped[UUID]
    user_id: Mapped[UUID] = mapped_column(sa.ForeignKey("users.id", ondelete="CASCADE"))
    rating: Mapped[str] = mapped_column(sa.String(8))
    reason: Mapped[str | None]
    created_at: Mapped[datetime] = created_at_column()


class TokenUsageRow(UUIDv7Table):
    """Tokens spent for one purpose of one turn. Outlives the chat, so that a deleted chat stays counted."""

    __tablename__ = "token_usage"
    __table_args__ = (
        sa.CheckConstraint("purpose IN ('answer', 'title')", name="token_usage_purpose"),
        sa.Index("ix_token_usage_time", "workspace_id", "created_at"),
    )

    workspace_id: Mapped[UUID] = _workspace_id()
    user_id: Mapped[UUID | None] = mapped_column(sa.ForeignKey("users.id", ondelete="SET NULL"))
    turn_id: Mapped[UUID]
    purpose: Mapped[str] = mapped_column(sa.String(16))
    model: Mapped[str]
    provider: Mapped[str]
    input_tokens: Mapped[int] = mapped_column(sa.BigInteger)
    output_tokens: Mapped[int] = mapped_column(sa.BigInteger)
    created_at: Mapped[datetime] = created_at_column()
