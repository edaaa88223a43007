"""Tables of model settings. They belong to the installation, not to a workspace."""

from datetime import datetime
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from knowledgestack.db.base import PlainTable, Timestamp, UUIDv7Table, created_at_column


class EmbeddingModelRow(UUIDv7Table):
    """A model that vectors were or are made with. Never changed in what it measures: another name is another row."""

    __tablename__ = "embedding_models"
    __table_args__ = (
        sa.UniqueConstraint("provider", "base_url", "name", "dimensions", name="uq_embedding_models_identity"),
        sa.CheckConstraint("provider IN ('local', 'openai', 'compatible')", name="ck_embedding_models_provider"),
        sa.CheckConstraint("dimensions BETWEEN 1 AND 4000", name="ck_embedding_models_dimensions"),
    )

    provider: Mapped[str] = mapped_column(sa.Text)
    base_url: Mapped[str] = mapped_column(sa.Text, server_default="")
    name: Mapped[str] = mapped_column(sa.Text)
    dimensions: Mapped[int] = mapped_column(sa.Integer)
    api_key: Mapped[bytes | None] = mapped_column(sa.LargeBinary)
    created_at: Mapped[datetime] = created_at_column()


class ChatModelServerRow(UUIDv7Table):
    """A chat server: the one set on the page, and what a probe found out about the one of the environment."""

    __tablename__ = "chat_model_servers"
    __table_args__ = (
        sa.CheckConstraint("held_by IN ('page', 'environment')", name="ck_chat_model_servers_held_by"),
        sa.CheckConstraint(
            "wire IN ('auto', 'responses', 'chat_completions') AND resolved_wire IN ('responses', 'chat_completions')",
            name="ck_chat_model_servers_wire",
        ),
    )

    held_by: Mapped[str] = mapped_column(sa.Text, unique=True)
    base_url: Mapped[str] = mapped_column(sa.Text)
    api_key: Mapped[bytes | None] = mapped_column(sa.LargeBinary)
    wire: Mapped[str] = mapped_column(sa.Text)
    resolved_wire: Mapped[str | None] = mapped_column(sa.Text)
    models: Mapped[list[str]] = mapped_column(ARRAY(sa.Text), server_default="{}")
    default_model_id: Mapped[str | None] = mapped_column(sa.Text)
    context_window: Mapped[int | None] = mapped_column(sa.Integer)
    updated_at: Mapped[datetime] = mapped_column(Timestamp, server_default=sa.func.now())


class InstanceSettingsRow(PlainTable):
    """The one row of choices for the whole installation.

    `embedding_model_id` was set on the page (null: the environment or the local model holds);
    `applied_embedding_model_id` is the one that workspaces were last told to build.
    """

    __tablename__ = "instance_settings"
    __table_args__ = (sa.CheckConstraint("id = 1", name="ck_instance_settings_one_row"),)

    id: Mapped[int] = mapped_column(sa.SmallInteger, primary_key=True, autoincrement=False)
    embedding_model_id: Mapped[UUID | None] = mapped_column(sa.ForeignKey("embedding_models.id"))
    applied_embedding_model_id: Mapped[UUID | None] = mapped_column(sa.ForeignKey("embedding_models.id"))
