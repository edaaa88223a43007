"""Make the tables of the catalogue and of job schedules"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "job_schedules",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("kind", name=op.f("pk_job_schedules")),
    )
    op.create_table(
        "catalogue_changes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("connection_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("thing", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("noticed_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "connection_id"],
            ["database_connections.workspace_id", "database_connections.id"],
            name="fk_catalogue_changes_connection",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_catalogue_changes")),
    )
    op.create_index(
        "ix_catalogue_changes_newest", "catalogue_changes", ["workspace_id", "connection_id", "id"], unique=False
    )
    op.create_table(
        "catalogue_descriptions",
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("connection_id", sa.Uuid(), nullable=False),
        sa.Column("schema_name", sa.Text(collation="C"), nullable=False),
        sa.Column("table_name", sa.Text(collation="C"), nullable=False),
        sa.Column("column_name", sa.Text(collation="C"), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("synonyms", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("updated_by", sa.Uuid(), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["updated_by"], ["users.id"], name=op.f("fk_catalogue_descriptions_updated_by_users"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "connection_id"],
            ["database_connections.workspace_id", "database_connections.id"],
            name="fk_catalogue_descriptions_connection",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "workspace_id",
            "connection_id",
            "schema_name",
            "table_name",
            "column_name",
            name=op.f("pk_catalogue_descriptions"),
        ),
    )
    op.create_table(
        "catalogue_tables",
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("connection_id", sa.Uuid(), nullable=False),
        sa.Column("schema_name", sa.Text(collation="C"), nullable=False),
        sa.Column("table_name", sa.Text(collation="C"), nullable=False),
        sa.Column("facts", postgresql.JSONB(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "connection_id"],
            ["database_connections.workspace_id", "database_connections.id"],
            name="fk_catalogue_tables_connection",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "workspace_id", "connection_id", "schema_name", "table_name", name=op.f("pk_catalogue_tables")
        ),
    )
    op.create_table(
        "catalogues",
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("connection_id", sa.Uuid(), nullable=False),
        sa.Column("state", sa.Text(), server_default="never", nullable=False),
        sa.Column("stamp", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=True),
        sa.Column("names_hash", sa.Text(), nullable=True),
        sa.Column("table_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("row_estimate", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("check_failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("checked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_check_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("state IN ('never', 'reading', 'current', 'failed')", name=op.f("ck_catalogues_state")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "connection_id"],
            ["database_connections.workspace_id", "database_connections.id"],
            name="fk_catalogues_connection",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "connection_id", name=op.f("pk_catalogues")),
    )
    op.create_index("ix_catalogues_next_check_at", "catalogues", ["next_check_at"], unique=False)
    op.create_table(
        "document_links",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("connection_id", sa.Uuid(), nullable=False),
        sa.Column("document_id", sa.Uuid(), nullable=False),
        sa.Column("schema_name", sa.Text(collation="C"), nullable=False),
        sa.Column("table_name", sa.Text(collation="C"), nullable=False),
        sa.Column("column_name", sa.Text(collation="C"), nullable=False),
        sa.Column("state", sa.Text(), server_default="proposed", nullable=False),
        sa.Column("present", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("heading_path", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("quote", sa.Text(), nullable=False),
        sa.Column("range_start", sa.Integer(), nullable=False),
        sa.Column("range_end", sa.Integer(), nullable=False),
        sa.Column("decided_by", sa.Uuid(), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("state IN ('proposed', 'confirmed', 'refused')", name=op.f("ck_document_links_state")),
        sa.ForeignKeyConstraint(
            ["decided_by"], ["users.id"], name=op.f("fk_document_links_decided_by_users"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "connection_id"],
            ["database_connections.workspace_id", "database_connections.id"],
            name="fk_document_links_connection",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "document_id"],
            ["documents.workspace_id", "documents.id"],
            name="fk_document_links_document",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document_links")),
        sa.UniqueConstraint(
            "workspace_id",
            "connection_id",
            "schema_name",
            "table_name",
            "column_name",
            "document_id",
            name="uq_document_links_pair",
        ),
    )
    op.create_index("ix_document_links_document_id", "document_links", ["workspace_id", "document_id"], unique=False)


def downgrade() -> None:

    op.drop_index("ix_document_links_document_id", table_name="document_links")
    op.drop_table("document_links")
    op.drop_index("ix_catalogues_next_check_at", table_name="catalogues")
    op.drop_table("catalogues")
    op.drop_table("catalogue_tables")
    op.drop_table("catalogue_descriptions")
    op.drop_index("ix_catalogue_changes_newest", table_name="catalogue_changes")
    op.drop_table("catalogue_changes")
    op.drop_table("job_schedules")
