# ruff: noqa: E501  generated
"""Make the first tables"""

import pgvector.sqlalchemy
import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from knowledgestack.jobs.schema import drop_statements, schema_statements

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    for extension in ("btree_gin", "vector"):
        op.execute(f"CREATE EXTENSION IF NOT EXISTS {extension}")
    for statement in schema_statements():
        op.execute(statement)
    op.create_table(
        "chat_model_servers",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("held_by", sa.Text(), nullable=False),
        sa.Column("base_url", sa.Text(), nullable=False),
        sa.Column("api_key", sa.LargeBinary(), nullable=True),
        sa.Column("wire", sa.Text(), nullable=False),
        sa.Column("resolved_wire", sa.Text(), nullable=True),
        sa.Column("models", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("default_model_id", sa.Text(), nullable=True),
        sa.Column("context_window", sa.Integer(), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "held_by IN ('page', 'environment')", name=op.f("ck_chat_model_servers_ck_chat_model_servers_held_by")
        ),
        sa.CheckConstraint(
            "wire IN ('auto', 'responses', 'chat_completions') AND resolved_wire IN ('responses', 'chat_completions')",
            name=op.f("ck_chat_model_servers_ck_chat_model_servers_wire"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_model_servers")),
        sa.UniqueConstraint("held_by", name=op.f("uq_chat_model_servers_held_by")),
    )
    op.create_table(
        "embedding_models",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("base_url", sa.Text(), server_default="", nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("dimensions", sa.Integer(), nullable=False),
        sa.Column("api_key", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "provider IN ('local', 'openai', 'compatible')",
            name=op.f("ck_embedding_models_ck_embedding_models_provider"),
        ),
        sa.CheckConstraint(
            "dimensions BETWEEN 1 AND 4000", name=op.f("ck_embedding_models_ck_embedding_models_dimensions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_embedding_models")),
        sa.UniqueConstraint("provider", "base_url", "name", "dimensions", name="uq_embedding_models_identity"),
    )
    op.create_table(
        "worker_heartbeats",
        sa.Column("worker_id", sa.Uuid(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("worker_id", name=op.f("pk_worker_heartbeats")),
    )
    op.create_table(
        "workspaces",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("slug", sa.String(length=120), nullable=False),
        sa.Column("join_code", sa.String(length=8), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workspaces")),
        sa.UniqueConstraint("join_code", name=op.f("uq_workspaces_join_code")),
        sa.UniqueConstraint("slug", name=op.f("uq_workspaces_slug")),
    )
    op.create_table(
        "demo_pages",
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("source_id", sa.Uuid(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_demo_pages_workspace_id_workspaces"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("workspace_id", "name", name="pk_demo_pages"),
    )
    op.create_table(
        "instance_settings",
        sa.Column("id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("embedding_model_id", sa.Uuid(), nullable=True),
        sa.Column("applied_embedding_model_id", sa.Uuid(), nullable=True),
        sa.CheckConstraint("id = 1", name=op.f("ck_instance_settings_ck_instance_settings_one_row")),
        sa.ForeignKeyConstraint(
            ["applied_embedding_model_id"],
            ["embedding_models.id"],
            name=op.f("fk_instance_settings_applied_embedding_model_id_embedding_models"),
        ),
        sa.ForeignKeyConstraint(
            ["embedding_model_id"],
            ["embedding_models.id"],
            name=op.f("fk_instance_settings_embedding_model_id_embedding_models"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_instance_settings")),
    )
    op.create_table(
        "sources",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("state", sa.String(), server_default="active", nullable=False),
        sa.Column("sync_requested", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("last_synced_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_sources_workspace_id_workspaces"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sources")),
        sa.UniqueConstraint("workspace_id", "id", name="uq_sources_workspace_id_id"),
    )
    op.create_index(
        "uq_sources_workspace_id_upload",
        "sources",
        ["workspace_id"],
        unique=True,
        postgresql_where=sa.text("provider = 'upload'"),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.String(length=320), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("image_url", sa.String(), nullable=True),
        sa.Column("external_id", sa.String(), nullable=True),
        sa.Column("instance_owner", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("last_workspace_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["last_workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_users_last_workspace_id_workspaces"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
    )
    op.create_index("uq_users_email_lower", "users", [sa.literal_column("lower(email)")], unique=True)
    op.create_index("uq_users_external_id", "users", ["external_id"], unique=True)
    op.create_table(
        "workspace_embedding_sets",
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("embedding_model_id", sa.Uuid(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("state = 'ready' OR NOT active", name=op.f("ck_workspace_embedding_sets_active_ready")),
        sa.CheckConstraint("state IN ('building', 'ready')", name=op.f("ck_workspace_embedding_sets_state")),
        sa.ForeignKeyConstraint(
            ["embedding_model_id"],
            ["embedding_models.id"],
            name=op.f("fk_workspace_embedding_sets_embedding_model_id_embedding_models"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_workspace_embedding_sets_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "embedding_model_id", name=op.f("pk_workspace_embedding_sets")),
    )
    op.create_index(
        "uq_workspace_embedding_sets_active",
        "workspace_embedding_sets",
        ["workspace_id"],
        unique=True,
        postgresql_where=sa.text("active"),
    )
    op.create_table(
        "chats",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("title", sa.String(), nullable=True),
        sa.Column("title_origin", sa.String(length=16), nullable=True),
        sa.Column("shown_turn_id", sa.Uuid(), nullable=True),
        sa.Column("summary", sa.String(), nullable=True),
        sa.Column("compacted_turn_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("compacted_turn_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_chats_user_id_users"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_chats_workspace_id_workspaces"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chats")),
        sa.UniqueConstraint("id", "workspace_id", name=op.f("uq_chats_id")),
    )
    op.create_index("ix_chats_recent", "chats", ["workspace_id", "user_id", "updated_at", "id"], unique=False)
    op.create_table(
        "documents",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("source_id", sa.Uuid(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("type", sa.Text(), nullable=True),
        sa.Column("author", sa.Text(), nullable=True),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), server_default="queued", nullable=False),
        sa.Column(
            "trouble_rank",
            sa.SmallInteger(),
            sa.Computed(
                "CASE state WHEN 'failed' THEN 0 WHEN 'needs_ocr' THEN 0\n WHEN 'reading' THEN 1 WHEN 'indexing' THEN 1 WHEN 'queued' THEN 2 ELSE 3 END",
                persisted=True,
            ),
            nullable=False,
        ),
        sa.Column("failure_code", sa.Text(), nullable=True),
        sa.Column("failure_detail", sa.Text(), nullable=True),
        sa.Column("attempts", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("notes", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.Column("chunk_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=True),
        sa.Column("indexed_hash", sa.Text(), nullable=True),
        sa.Column("edited_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("indexed_edited_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_indexed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "state IN ('queued', 'reading', 'indexing', 'ready', 'failed', 'needs_ocr')",
            name=op.f("ck_documents_state"),
        ),
        sa.ForeignKeyConstraint(
            ["author_id"], ["users.id"], name=op.f("fk_documents_author_id_users"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "source_id"],
            ["sources.workspace_id", "sources.id"],
            name="fk_documents_source",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_documents_workspace_id_workspaces"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_documents")),
        sa.UniqueConstraint("workspace_id", "id", name="uq_documents_workspace_id_id"),
        sa.UniqueConstraint("workspace_id", "source_id", "external_id", name="uq_documents_external_id"),
    )
    op.create_index(
        "ix_documents_language",
        "documents",
        ["workspace_id", "language"],
        unique=False,
        postgresql_include=["chunk_count"],
    )
    op.create_index(
        "ix_documents_last_seen_at", "documents", ["workspace_id", "source_id", "last_seen_at"], unique=False
    )
    op.create_index(
        "ix_documents_listing",
        "documents",
        ["workspace_id", "source_id", "trouble_rank", sa.literal_column("id DESC")],
        unique=False,
    )
    op.create_table(
        "sign_in_links",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_sign_in_links_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_links")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_sign_in_links_token_hash")),
    )
    op.create_index(op.f("ix_sign_in_links_user_id"), "sign_in_links", ["user_id"], unique=False)
    op.create_table(
        "sync_passes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("source_id", sa.Uuid(), nullable=False),
        sa.Column("state", sa.String(), server_default="queued", nullable=False),
        sa.Column("found", sa.Integer(), server_default="0", nullable=False),
        sa.Column("new", sa.Integer(), server_default="0", nullable=False),
        sa.Column("changed", sa.Integer(), server_default="0", nullable=False),
        sa.Column("unchanged", sa.Integer(), server_default="0", nullable=False),
        sa.Column("failed", sa.Integer(), server_default="0", nullable=False),
        sa.Column("deleted", sa.Integer(), server_default="0", nullable=False),
        sa.Column("message", sa.String(), nullable=True),
        sa.Column("cancel_requested", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("checkpoint", sa.LargeBinary(), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("lease_owner", sa.Uuid(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "source_id"],
            ["sources.workspace_id", "sources.id"],
            name="fk_sync_passes_source",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_sync_passes_workspace_id_workspaces"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sync_passes")),
    )
    op.create_index(
        "ix_sync_passes_workspace_id_source_id", "sync_passes", ["workspace_id", "source_id", "id"], unique=False
    )
    op.create_index(
        "uq_sync_passes_active",
        "sync_passes",
        ["workspace_id", "source_id"],
        unique=True,
        postgresql_where=sa.text("state IN ('queued', 'running')"),
    )
    op.create_table(
        "token_usage",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("turn_id", sa.Uuid(), nullable=False),
        sa.Column("purpose", sa.String(length=16), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("purpose IN ('answer', 'title')", name=op.f("ck_token_usage_token_usage_purpose")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_token_usage_user_id_users"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_token_usage_workspace_id_workspaces"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token_usage")),
    )
    op.create_index("ix_token_usage_time", "token_usage", ["workspace_id", "created_at"], unique=False)
    op.create_table(
        "uploaded_files",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("source_id", sa.Uuid(), nullable=False),
        sa.Column("file_name", sa.Text(collation="C"), nullable=False),
        sa.Column("object_key", sa.String(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("uploaded_by", sa.Uuid(), nullable=True),
        sa.Column("uploaded_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["uploaded_by"], ["users.id"], name=op.f("fk_uploaded_files_uploaded_by_users"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "source_id"],
            ["sources.workspace_id", "sources.id"],
            name="fk_uploaded_files_source",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_uploaded_files_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_uploaded_files")),
        sa.UniqueConstraint("workspace_id", "file_name", name="uq_uploaded_files_workspace_id_file_name"),
    )
    op.create_index(
        "ix_uploaded_files_workspace_id_source_id",
        "uploaded_files",
        ["workspace_id", "source_id", "file_name"],
        unique=False,
    )
    op.create_table(
        "user_sessions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("active_workspace_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("last_seen_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["active_workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_user_sessions_active_workspace_id_workspaces"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_user_sessions_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user_sessions")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_user_sessions_token_hash")),
    )
    op.create_index(op.f("ix_user_sessions_user_id"), "user_sessions", ["user_id"], unique=False)
    op.create_table(
        "workspace_memberships",
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("role IN ('owner', 'member', 'viewer')", name=op.f("ck_workspace_memberships_role")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_workspace_memberships_user_id_users"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_workspace_memberships_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "user_id", name=op.f("pk_workspace_memberships")),
    )
    op.create_index("ix_workspace_memberships_user", "workspace_memberships", ["user_id", "created_at"], unique=False)
    op.create_table(
        "document_chunks",
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("document_id", sa.Uuid(), nullable=False),
        sa.Column("chunk_index", sa.Integer(), nullable=False),
        sa.Column("heading_path", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("blocks", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("range_start", sa.Integer(), nullable=False),
        sa.Column("range_end", sa.Integer(), nullable=False),
        sa.Column("token_count", sa.Integer(), nullable=False),
        sa.Column("embedded_hash", sa.LargeBinary(), nullable=False),
        sa.Column("search_vector", postgresql.TSVECTOR(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "document_id"],
            ["documents.workspace_id", "documents.id"],
            name=op.f("fk_document_chunks_workspace_id_documents"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_document_chunks")),
        sa.UniqueConstraint("workspace_id", "document_id", "chunk_index", name="uq_document_chunks_chunk_index"),
    )
    op.create_index(
        "ix_document_chunks_search_vector",
        "document_chunks",
        ["workspace_id", "search_vector"],
        unique=False,
        postgresql_using="gin",
    )
    op.create_table(
        "turns",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("chat_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("parent_turn_id", sa.Uuid(), nullable=True),
        sa.Column("turn_index", sa.Integer(), nullable=False),
        sa.Column("idempotency_key", sa.String(length=200), nullable=True),
        sa.Column("question", sa.String(), nullable=False),
        sa.Column("scope", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("model_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("parts", postgresql.JSONB(astext_type=sa.Text()), server_default="[]", nullable=False),
        sa.Column("steps", postgresql.JSONB(astext_type=sa.Text()), server_default="[]", nullable=False),
        sa.Column("citations", postgresql.JSONB(astext_type=sa.Text()), server_default="[]", nullable=False),
        sa.Column("content_hashes", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.Column("figures", postgresql.JSONB(astext_type=sa.Text()), server_default="[]", nullable=False),
        sa.Column("follow_ups", postgresql.JSONB(astext_type=sa.Text()), server_default="[]", nullable=False),
        sa.Column("not_found", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("context", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("usage", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("reason", sa.String(length=32), nullable=True),
        sa.Column("error_code", sa.String(length=64), nullable=True),
        sa.Column("error_message", sa.String(), nullable=True),
        sa.Column("model_used", sa.String(), nullable=True),
        sa.Column("provider_used", sa.String(), nullable=True),
        sa.Column("last_seq", sa.Integer(), server_default="-1", nullable=False),
        sa.Column("lease_expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("watched_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("stop_requested", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("state IN ('running', 'done', 'stopped', 'failed')", name=op.f("ck_turns_turns_state")),
        sa.ForeignKeyConstraint(
            ["chat_id", "workspace_id"],
            ["chats.id", "chats.workspace_id"],
            name=op.f("fk_turns_chat_id_chats"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_turns_user_id_users"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_turns_workspace_id_workspaces"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turns")),
        sa.UniqueConstraint("id", "workspace_id", name=op.f("uq_turns_id")),
    )
    op.create_index("ix_turns_chat", "turns", ["workspace_id", "chat_id", "id"], unique=False)
    op.create_index("ix_turns_lease", "turns", ["lease_expires_at"], unique=False, postgresql_where="state = 'running'")
    op.create_index(
        "uq_turns_idempotency",
        "turns",
        ["workspace_id", "chat_id", "idempotency_key"],
        unique=True,
        postgresql_where="idempotency_key IS NOT NULL",
    )
    op.create_index(
        "uq_turns_running", "turns", ["workspace_id", "chat_id"], unique=True, postgresql_where="state = 'running'"
    )
    op.create_table(
        "chunk_vectors",
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("embedding_model_id", sa.Uuid(), nullable=False),
        sa.Column("chunk_id", sa.Uuid(), nullable=False),
        sa.Column("embedding", pgvector.sqlalchemy.halfvec.HALFVEC(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "chunk_id"],
            ["document_chunks.workspace_id", "document_chunks.id"],
            name=op.f("fk_chunk_vectors_workspace_id_document_chunks"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "embedding_model_id", "chunk_id", name=op.f("pk_chunk_vectors")),
    )
    op.create_index("ix_chunk_vectors_chunk_id", "chunk_vectors", ["workspace_id", "chunk_id"], unique=False)
    op.create_table(
        "turn_feedback",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("turn_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("rating", sa.String(length=8), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["turn_id", "workspace_id"],
            ["turns.id", "turns.workspace_id"],
            name=op.f("fk_turn_feedback_turn_id_turns"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_turn_feedback_user_id_users"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_turn_feedback_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turn_feedback")),
        sa.UniqueConstraint("workspace_id", "turn_id", "user_id", name=op.f("uq_turn_feedback_workspace_id")),
    )


def downgrade() -> None:
    for statement in drop_statements():
        op.execute(statement)
    op.drop_table("turn_feedback")
    op.drop_index("ix_chunk_vectors_chunk_id", table_name="chunk_vectors")
    op.drop_table("chunk_vectors")
    op.drop_index("uq_turns_running", table_name="turns", postgresql_where="state = 'running'")
    op.drop_index("uq_turns_idempotency", table_name="turns", postgresql_where="idempotency_key IS NOT NULL")
    op.drop_index("ix_turns_lease", table_name="turns", postgresql_where="state = 'running'")
    op.drop_index("ix_turns_chat", table_name="turns")
    op.drop_table("turns")
    op.drop_index("ix_document_chunks_search_vector", table_name="document_chunks", postgresql_using="gin")
    op.drop_table("document_chunks")
    op.drop_index("ix_workspace_memberships_user", table_name="workspace_memberships")
    op.drop_table("workspace_memberships")
    op.drop_index(op.f("ix_user_sessions_user_id"), table_name="user_sessions")
    op.drop_table("user_sessions")
    op.drop_index("ix_uploaded_files_workspace_id_source_id", table_name="uploaded_files")
    op.drop_table("uploaded_files")
    op.drop_index("ix_token_usage_time", table_name="token_usage")
    op.drop_table("token_usage")
    op.drop_index(
        "uq_sync_passes_active", table_name="sync_passes", postgresql_where=sa.text("state IN ('queued', 'running')")
    )
    op.drop_index("ix_sync_passes_workspace_id_source_id", table_name="sync_passes")
    op.drop_table("sync_passes")
    op.drop_index(op.f("ix_sign_in_links_user_id"), table_name="sign_in_links")
    op.drop_table("sign_in_links")
    op.drop_index("ix_documents_listing", table_name="documents")
    op.drop_index("ix_documents_last_seen_at", table_name="documents")
    op.drop_index("ix_documents_language", table_name="documents", postgresql_include=["chunk_count"])
    op.drop_table("documents")
    op.drop_index("ix_chats_recent", table_name="chats")
    op.drop_table("chats")
    op.drop_index(
        "uq_workspace_embedding_sets_active", table_name="workspace_embedding_sets", postgresql_where=sa.text("active")
    )
    op.drop_table("workspace_embedding_sets")
    op.drop_index("uq_users_external_id", table_name="users")
    op.drop_index("uq_users_email_lower", table_name="users")
    op.drop_table("users")
    op.drop_index(
        "uq_sources_workspace_id_upload", table_name="sources", postgresql_where=sa.text("provider = 'upload'")
    )
    op.drop_table("sources")
    op.drop_table("instance_settings")
    op.drop_table("demo_pages")
    op.drop_table("workspaces")
    op.drop_table("worker_heartbeats")
    op.drop_table("embedding_models")
    op.drop_table("chat_model_servers")
