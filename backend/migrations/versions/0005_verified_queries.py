"""Keep verified queries"""

import pgvector.sqlalchemy
import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "verified_queries",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("database_connection_id", sa.Uuid(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("sql", sa.Text(), nullable=False),
        sa.Column("tables", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("used", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("slots", postgresql.JSONB(astext_type=sa.Text()), server_default="[]", nullable=False),
        sa.Column("state", sa.Text(), server_default="current", nullable=False),
        sa.Column("stale_reason", sa.Text(), nullable=True),
        sa.Column("embedding_model_id", sa.Uuid(), nullable=True),
        sa.Column("embedding", pgvector.sqlalchemy.halfvec.HALFVEC(), nullable=True),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("last_tested_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("state IN ('current', 'stale')", name=op.f("ck_verified_queries_state")),
        sa.CheckConstraint(
            "(state = 'stale') = (stale_reason IS NOT NULL)", name=op.f("ck_verified_queries_stale_reason")
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_verified_queries_created_by_users"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["embedding_model_id"],
            ["embedding_models.id"],
            name=op.f("fk_verified_queries_embedding_model_id_embedding_models"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_verified_queries_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "database_connection_id"],
            ["database_connections.workspace_id", "database_connections.id"],
            name="fk_verified_queries_connection",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verified_queries")),
    )
    op.create_index("ix_verified_queries_listing", "verified_queries", ["workspace_id", "database_connection_id", "id"])


def downgrade() -> None:
    op.drop_index("ix_verified_queries_listing", table_name="verified_queries")
    op.drop_table("verified_queries")
