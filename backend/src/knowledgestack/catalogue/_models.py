"""Tables of the catalogue. What people and documents say is kept apart from what was read, and outlives it."""

from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from knowledgestack.db.base import PlainTable, Timestamp, UUIDv7Table


def _connection_key(name: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["workspace_id", "connection_id"],
        ["database_connections.workspace_id", "database_connections.id"],
        ondelete="CASCADE",
        name=name,
    )


class CatalogueRow(PlainTable):
    """How current the catalogue of one connection is.

    `stamp` rises with anything that a list or a search shows. `attempts` counts readings begun without an end.
    """

    __tablename__ = "catalogues"
    __table_args__ = (
        sa.PrimaryKeyConstraint("workspace_id", "connection_id"),
        _connection_key("fk_catalogues_connection"),
        sa.CheckConstraint("state IN ('never', 'reading', 'current', 'failed')", name="state"),
        sa.Index("ix_catalogues_next_check_at", "next_check_at"),
    )

    workspace_id: Mapped[UUID] = mapped_column()
    connection_id: Mapped[UUID] = mapped_column()
    state: Mapped[str] = mapped_column(sa.Text, server_default="never")
    stamp: Mapped[int] = mapped_column(sa.BigInteger, server_default="0")
    fingerprint: Mapped[str | None] = mapped_column(sa.Text)
    names_hash: Mapped[str | None] = mapped_column(sa.Text)
    table_count: Mapped[int] = mapped_column(sa.Integer, server_default="0")
    row_estimate: Mapped[int] = mapped_column(sa.BigInteger, server_default="0")
    message: Mapped[str | None] = mapped_column(sa.Text)
    attempts: Mapped[int] = mapped_column(sa.Integer, server_default="0")
    check_failures: Mapped[int] = mapped_column(sa.Integer, server_default="0")
    taken_at: Mapped[datetime | None] = mapped_column(Timestamp)
    checked_at: Mapped[datetime | None] = mapped_column(Timestamp)
    next_check_at: Mapped[datetime] = mapped_column(Timestamp, server_default=sa.func.now())


class CatalogueTableRow(PlainTable):
    """One table as it was last read; `facts` is a `schema.TableFacts`."""

    __tablename__ = "catalogue_tables"
    __table_args__ = (
        sa.PrimaryKeyConstraint("workspace_id", "connection_id", "schema_name", "table_name"),
        _connection_key("fk_catalogue_tables_connection"),
    )

    workspace_id: Mapped[UUID] = mapped_column()
    connection_id: Mapped[UUID] = mapped_column()
    schema_name: Mapped[str] = mapped_column(sa.Text(collation="C"))
    table_name: Mapped[str] = mapped_column(sa.Text(collation="C"))
    facts: Mapped[Any] = mapped_column(JSONB)


class CatalogueChangeRow(UUIDv7Table):
    """Something that was different when the catalogue was read again."""

    __tablename__ = "catalogue_changes"
    __table_args__ = (
        _connection_key("fk_catalogue_changes_connection"),
        sa.Index("ix_catalogue_changes_newest", "workspace_id", "connection_id", "id"),
    )

    workspace_id: Mapped[UUID] = mapped_column()
    connection_id: Mapped[UUID] = mapped_column()
    kind: Mapped[str] = mapped_column(sa.Text)
    thing: Mapped[str] = mapped_column(sa.Text)
    detail: Mapped[str] = mapped_column(sa.Text)
    noticed_at: Mapped[datetime] = mapped_column(Timestamp, server_default=sa.func.now())


class DescriptionRow(PlainTable):
    """What people say of a table, or of a column where `column_name` is not empty. Stays when the thing goes."""

    __tablename__ = "catalogue_descriptions"
    __table_args__ = (
        sa.PrimaryKeyConstraint("workspace_id", "connection_id", "schema_name", "table_name", "column_name"),
        _connection_key("fk_catalogue_descriptions_connection"),
    )

    workspace_id: Mapped[UUID] = mapped_column()
    connection_id: Mapped[UUID] = mapped_column()
    schema_name: Mapped[str] = mapped_column(sa.Text(collation="C"))
    table_name: Mapped[str] = mapped_column(sa.Text(collation="C"))
    column_name: Mapped[str] = mapped_column(sa.Text(collation="C"))
    description: Mapped[str | None] = mapped_column(sa.Text)
    synonyms: Mapped[list[str]] = mapped_column(ARRAY(sa.Text), server_default="{}")
    updated_by: Mapped[UUID | None] = mapped_column(sa.ForeignKey("users.id", ondelete="SET NULL"))
    updated_at: Mapped[datetime] = mapped_column(Timestamp, server_default=sa.func.now())


class DocumentLinkRow(UUIDv7Table):
    """What one document says of one table or column (`column_name` empty for a table).

    A link that a person decided stays when the document no longer says it: `present` is false then, and the decision
    holds again once it does. The range counts code points of the document's text.
    """

    __tablename__ = "document_links"
    __table_args__ = (
        _connection_key("fk_document_links_connection"),
        sa.ForeignKeyConstraint(
            ["workspace_id", "document_id"],
            ["documents.workspace_id", "documents.id"],
            ondelete="CASCADE",
            name="fk_document_links_document",
        ),
        sa.UniqueConstraint(
            "workspace_id",
            "connection_id",
            "schema_name",
            "table_name",
            "column_name",
            "document_id",
            name="uq_document_links_pair",
        ),
        sa.Index("ix_document_links_document_id", "workspace_id", "document_id"),
        sa.CheckConstraint("state IN ('proposed', 'confirmed', 'refused')", name="state"),
    )

    workspace_id: Mapped[UUID] = mapped_column()
    connection_id: Mapped[UUID] = mapped_column()
    document_id: Mapped[UUID] = mapped_column()
    schema_name: Mapped[str] = mapped_column(sa.Text(collation="C"))
    table_name: Mapped[str] = mapped_column(sa.Text(collation="C"))
    column_name: Mapped[str] = mapped_column(sa.Text(collation="C"))
    state: Mapped[str] = mapped_column(sa.Text, server_default="proposed")
    present: Mapped[bool] = mapped_column(sa.Boolean, server_default=sa.true())
    score: Mapped[float] = mapped_column(sa.Float)
    heading_path: Mapped[list[str]] = mapped_column(ARRAY(sa.Text))
    quote: Mapped[str] = mapped_column(sa.Text)
    range_start: Mapped[int] = mapped_column(sa.Integer)
    range_end: Mapped[int] = mapped_column(sa.Integer)
    decided_by: Mapped[UUID | None] = mapped_column(sa.ForeignKey("users.id", ondelete="SET NULL"))
    decided_at: Mapped[datetime | None] = mapped_column(Timestamp)
