"""Tables of documents, chunks and vectors. `workspace_id` leads every key and index, so cost follows the workspace."""

from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import event
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from knowledgestack.db.base import PlainTable, Timestamp, UUIDv7Table, created_at_column

_WORKSPACE = "workspaces.id"

# Trouble is listed first: a person who opens the list looks for what needs them.
_TROUBLE_RANK = """CASE state WHEN 'failed' THEN 0 WHEN 'needs_ocr' THEN 0
 WHEN 'reading' THEN 1 WHEN 'indexing' THEN 1 WHEN 'queued' THEN 2 ELSE 3 END"""


class DocumentRow(UUIDv7Table):
    """One document of a source, with its extracted text.

    `content_hash` is the newest content that the source has shown, `indexed_hash` the one that the chunks come from.
    """

    __tablename__ = "documents"
    __table_args__ = (
        sa.ForeignKeyConstraint(
            ["workspace_id", "source_id"],
            ["sources.workspace_id", "sources.id"],
            ondelete="CASCADE",
            name="fk_documents_source",
        ),
        sa.UniqueConstraint("workspace_id", "id", name="uq_documents_workspace_id_id"),
        sa.UniqueConstraint("workspace_id", "source_id", "external_id", name="uq_documents_external_id"),
        sa.Index("ix_documents_listing", "workspace_id", "source_id", "trouble_rank", sa.text("id DESC")),
        sa.Index("ix_documents_last_seen_at", "workspace_id", "source_id", "last_seen_at"),
        sa.Index("ix_documents_language", "workspace_id", "language", postgresql_include=["chunk_count"]),
        sa.CheckConstraint("state IN ('queued', 'reading', 'indexing', 'ready', 'failed', 'needs_ocr')", name="state"),
    )

    workspace_id: Mapped[UUID] = mapped_column(sa.ForeignKey(_WORKSPACE, ondelete="CASCADE"))
    source_id: Mapped[UUID] = mapped_column()
    external_id: Mapped[str] = mapped_column(sa.Text)
    provider: Mapped[str] = mapped_column(sa.Text)
    name: Mapped[str] = mapped_column(sa.Text)
    title: Mapped[str] = mapped_column(sa.Text)
    url: Mapped[str | None] = mapped_column(sa.Text)
    type: Mapped[str | None] = mapped_column(sa.Text)
    author: Mapped[str | None] = mapped_column(sa.Text)
    author_id: Mapped[UUID | None] = mapped_column(sa.ForeignKey("users.id", ondelete="SET NULL"))
    language: Mapped[str | None] = mapped_column(sa.Text)
    state: Mapped[str] = mapped_column(sa.Text, server_default="queued")
    trouble_rank: Mapped[int] = mapped_column(sa.SmallInteger, sa.Computed(_TROUBLE_RANK, persisted=True))
    failure_code: Mapped[str | None] = mapped_column(sa.Text)
    failure_detail: Mapped[str | None] = mapped_column(sa.Text)
    attempts: Mapped[int] = mapped_column(sa.SmallInteger, server_default="0")
    notes: Mapped[list[str]] = mapped_column(ARRAY(sa.Text), server_default="{}")
    text: Mapped[str] = mapped_column(sa.Text, server_default="")
    chunk_count: Mapped[int] = mapped_column(sa.Integer, server_default="0")
    content_hash: Mapped[str | None] = mapped_column(sa.Text)
    indexed_hash: Mapped[str | None] = mapped_column(sa.Text)
    edited_at: Mapped[datetime | None] = mapped_column(Timestamp)
    indexed_edited_at: Mapped[datetime | None] = mapped_column(Timestamp)
    last_seen_at: Mapped[datetime] = mapped_column(Timestamp)
    last_indexed_at: Mapped[datetime | None] = mapped_column(Timestamp)
    created_at: Mapped[datetime] = created_at_column()


class ChunkRow(PlainTable):
    """A chunk. `embedded_hash` is the SHA-256 of the text that is embedded: title, heading path and chunk text."""

    __tablename__ = "document_chunks"
    __table_args__ = (
        sa.PrimaryKeyConstraint("workspace_id", "id"),
        sa.ForeignKeyConstraint(
            ["workspace_id", "document_id"], ["documents.workspace_id", "documents.id"], ondelete="CASCADE"
        ),
        sa.UniqueConstraint("workspace_id", "document_id", "chunk_index", name="uq_document_chunks_chunk_index"),
        sa.Index("ix_document_chunks_search_vector", "workspace_id", "search_vector", postgresql_using="gin"),
    )

    workspace_id: Mapped[UUID] = mapped_column()
    id: Mapped[UUID] = mapped_column()
    document_id: Mapped[UUID] = mapped_column()
    chunk_index: Mapped[int] = mapped_column(sa.Integer)
    heading_path: Mapped[list[str]] = mapped_column(ARRAY(sa.Text))
    text: Mapped[str] = mapped_column(sa.Text)
    kind: Mapped[str] = mapped_column(sa.Text)
    blocks: Mapped[list[Any]] = mapped_column(JSONB)
    range_start: Mapped[int] = mapped_column(sa.Integer)
    range_end: Mapped[int] = mapped_column(sa.Integer)
    token_count: Mapped[int] = mapped_column(sa.Integer)
    embedded_hash: Mapped[bytes] = mapped_column(sa.LargeBinary)
    search_vector: Mapped[str] = mapped_column(TSVECTOR)


# The index of words begins with the workspace, which plain GIN has no operator class for.
event.listen(ChunkRow.__table__, "before_create", sa.DDL("CREATE EXTENSION IF NOT EXISTS btree_gin"))


class ChunkVectorRow(PlainTable):
    """The vector of a chunk under one embedding model; NULL where the model refuses that chunk for good."""

    __tablename__ = "chunk_vectors"
    __table_args__ = (
        sa.PrimaryKeyConstraint("workspace_id", "embedding_model_id", "chunk_id"),
        sa.ForeignKeyConstraint(
            ["workspace_id", "chunk_id"], ["document_chunks.workspace_id", "document_chunks.id"], ondelete="CASCADE"
        ),
        sa.Index("ix_chunk_vectors_chunk_id", "workspace_id", "chunk_id"),
    )

    workspace_id: Mapped[UUID] = mapped_column()
    embedding_model_id: Mapped[UUID] = mapped_column()
    chunk_id: Mapped[UUID] = mapped_column()
    embedding: Mapped[Any] = mapped_column(HALFVEC(), nullable=True)


class EmbeddingSetRow(PlainTable):
    """The vectors of one workspace under one model. Search reads the active set; a set being built is filled beside."""

    __tablename__ = "workspace_embedding_sets"
    __table_args__ = (
        sa.PrimaryKeyConstraint("workspace_id", "embedding_model_id"),
        sa.Index(
            "uq_workspace_embedding_sets_active",
            "workspace_id",
            unique=True,
            postgresql_where=sa.text("active"),
        ),
        sa.CheckConstraint("state IN ('building', 'ready')", name="state"),
        sa.CheckConstraint("state = 'ready' OR NOT active", name="active_ready"),
    )

    workspace_id: Mapped[UUID] = mapped_column(sa.ForeignKey(_WORKSPACE, ondelete="CASCADE"))
    embedding_model_id: Mapped[UUID] = mapped_column(sa.ForeignKey("embedding_models.id"))
    state: Mapped[str] = mapped_column(sa.Text)
    active: Mapped[bool] = mapped_column(sa.Boolean)
    created_at: Mapped[datetime] = created_at_column()
