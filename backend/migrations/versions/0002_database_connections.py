"""Make the tables of database connections and of their statements"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "database_connections",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("port", sa.Integer(), nullable=False),
        sa.Column("database", sa.String(), nullable=False),
        sa.Column("username", sa.String(), nullable=False),
        sa.Column("password", sa.LargeBinary(), nullable=False),
        sa.Column("tls", sa.String(), nullable=False),
        sa.Column("ca_certificate", sa.String(), nullable=True),
        sa.Column("denied_columns", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("revision", sa.Integer(), server_default="1", nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("state_message", sa.String(), nullable=True),
        sa.Column("last_checked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_reached_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("latency_ms", sa.Integer(), nullable=True),
        sa.Column("server_version", sa.String(), nullable=True),
        sa.Column("audit", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("state IN ('reachable', 'unreachable')", name=op.f("ck_database_connections_state")),
        sa.CheckConstraint("tls IN ('off', 'require', 'verify')", name=op.f("ck_database_connections_tls")),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_database_connections_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_database_connections")),
        sa.UniqueConstraint("workspace_id", "id", name="uq_database_connections_workspace_id_id"),
        sa.UniqueConstraint("workspace_id", "name", name="uq_database_connections_workspace_id_name"),
    )
    op.create_table(
        "database_statements",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("database_connection_id", sa.Uuid(), nullable=True),
        sa.Column("database", sa.String(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("chat_id", sa.Uuid(), nullable=True),
        sa.Column("turn_id", sa.Uuid(), nullable=True),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("sql", sa.String(), nullable=False),
        sa.Column("tables", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("duration_ms", sa.Integer(), nullable=True),
        sa.Column("row_count", sa.Integer(), nullable=True),
        sa.Column("outcome", sa.String(), server_default="running", nullable=False),
        sa.Column("detail", sa.String(), nullable=True),
        sa.CheckConstraint(
            "origin IN ('person', 'agent', 'export', 'verified_query')", name=op.f("ck_database_statements_origin")
        ),
        sa.CheckConstraint(
            "outcome IN ('running', 'answered', 'rejected', 'failed', 'timeout', 'cancelled')",
            name=op.f("ck_database_statements_outcome"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_database_statements_user_id_users"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "database_connection_id"],
            ["database_connections.workspace_id", "database_connections.id"],
            name="fk_database_statements_connection",
            ondelete="SET NULL (database_connection_id)",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_database_statements_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_database_statements")),
    )
    op.create_index(
        "ix_database_statements_running",
        "database_statements",
        ["workspace_id", "lease_until"],
        unique=False,
        postgresql_where=sa.text("outcome = 'running'"),
    )
    op.create_index(
        "ix_database_statements_workspace_id_connection",
        "database_statements",
        ["workspace_id", "database_connection_id", "id"],
        unique=False,
    )
    op.create_index(
        "ix_database_statements_workspace_id_id", "database_statements", ["workspace_id", "id"], unique=False
    )
    op.create_index(
        "ix_database_statements_workspace_id_user_id",
        "database_statements",
        ["workspace_id", "user_id", "id"],
        unique=False,
    )


def downgrade() -> None:
    op.drop_index("ix_database_statements_workspace_id_user_id", table_name="database_statements")
    op.drop_index("ix_database_statements_workspace_id_id", table_name="database_statements")
    op.drop_index("ix_database_statements_workspace_id_connection", table_name="database_statements")
    op.drop_index(
        "ix_database_statements_running",
        table_name="database_statements",
        postgresql_where=sa.text("outcome = 'running'"),
    )
    op.drop_table("database_statements")
    op.drop_table("database_connections")
