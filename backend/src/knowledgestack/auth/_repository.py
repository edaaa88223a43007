"""Statements on people, sessions and links."""

from datetime import timedelta
from uuid import UUID

import sqlalchemy as sa

from knowledgestack.auth._models import SignInLink, User, UserSession
from knowledgestack.core.ids import new_id
from knowledgestack.db.repository import InstanceRepository


class AuthRepository(InstanceRepository):
    """Rows of people, not of a workspace: each statement names the person, the session or the token's hash."""

    async def use_link(self, token_hash: bytes) -> UUID | None:
        """Mark the link as used and return its person; None when it is unknown, used or expired."""
        row = await self.tx.execute(
            sa.update(SignInLink)
            .where(
                SignInLink.token_hash == token_hash, SignInLink.used_at.is_(None), SignInLink.expires_at > sa.func.now()
            )
            .values(used_at=sa.func.now())
            .returning(SignInLink.user_id)
        )
        return row.scalar_one_or_none()

    async def add_link(self, user_id: UUID, token_hash: bytes, lifetime: timedelta) -> None:
        await self.tx.execute(
            sa.insert(SignInLink).values(
                id=new_id(), user_id=user_id, token_hash=token_hash, expires_at=sa.func.now() + lifetime
            )
        )

    async def add_session(
        self, user_id: UUID, token_hash: bytes, workspace_id: UUID | None, lifetime: timedelta
    ) -> None:
        await self.tx.execute(
            sa.insert(UserSession).values(
                id=new_id(),
                user_id=user_id,
                token_hash=token_hash,
                active_workspace_id=workspace_id,
                expires_at=sa.func.now() + lifetime,
            )
        )

    async def delete_session(self, session_id: UUID) -> None:
        await self.tx.execute(sa.delete(UserSession).where(UserSession.id == session_id))

    async def delete_expired(self) -> None:
        await self.tx.execute(sa.delete(UserSession).where(UserSession.expires_at < sa.func.now()))
        await self.tx.execute(sa.delete(SignInLink).where(SignInLink.expires_at < sa.func.now() - timedelta(days=1)))

    async def open_workspace(self, session_id: UUID, user_id: UUID, workspace_id: UUID) -> None:
        """Make the workspace the active one of the session, and the one a next sign-in opens."""
        await self.tx.execute(
            sa.update(UserSession).where(UserSession.id == session_id).values(active_workspace_id=workspace_id)
        )
        await self.tx.execute(sa.update(User).where(User.id == user_id).values(last_workspace_id=workspace_id))

    async def last_workspace(self, user_id: UUID) -> UUID | None:
        return await self.tx.scalar(sa.select(User.last_workspace_id).where(User.id == user_id))

    async def find_user_by_email(self, email: str) -> UUID | None:
        return await self.tx.scalar(sa.select(User.id).where(sa.func.lower(User.email) == email.lower()))

    async def find_instance_owner(self) -> UUID | None:
        query = sa.select(User.id).where(User.instance_owner.is_(True)).order_by(User.created_at).limit(1)
        return await self.tx.scalar(query)

    async def add_user(self, email: str, name: str, *, instance_owner: bool) -> UUID:
        user_id = new_id()
        await self.tx.execute(sa.insert(User).values(id=user_id, email=email, name=name, instance_owner=instance_owner))
        return user_id
