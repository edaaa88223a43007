"""People, their sessions and the links that sign them in."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, LargeBinary, String, false, func, text
from sqlalchemy.orm import Mapped, mapped_column

from knowledgestack.db.base import Timestamp, UUIDv7Table, created_at_column


class User(UUIDv7Table):
    __tablename__ = "users"
    __table_args__ = (
        Index("uq_users_email_lower", func.lower(text("email")), unique=True),
        Index("uq_users_external_id", "external_id", unique=True),
    )

    email: Mapped[str] = mapped_column(String(320))
    name: Mapped[str] = mapped_column(String(200))
    image_url: Mapped[str | None]
    external_id: Mapped[str | None]
    instance_owner: Mapped[bool] = mapped_column(server_default=false())
    last_workspace_id: Mapped[UUID | None] = mapped_column(ForeignKey("workspaces.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = created_at_column()


class UserSession(UUIDv7Table):
    """A signed-in browser. The cookie itself is never stored, only its SHA-256."""

    __tablename__ = "user_sessions"

    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    active_workspace_id: Mapped[UUID | None] = mapped_column(ForeignKey("workspaces.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = created_at_column()
    last_seen_at: Mapped[datetime] = mapped_column(Timestamp, server_default=func.now())
    expires_at: Mapped[datetime] = mapped_column(Timestamp)


class SignInLink(UUIDv7Table):
    """A link that signs one person in once. Only the hash of its token is stored."""

    __tablename__ = "sign_in_links"

    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime] = created_at_column()
    expires_at: Mapped[datetime] = mapped_column(Timestamp)
    used_at: Mapped[datetime | None] = mapped_column(Timestamp)
