"""Statements on workspaces and memberships."""

from typing import Any
from uuid import UUID

import sqlalchemy as sa

from knowledgestack.core.identity import Role
from knowledgestack.db.repository import InstanceRepository
from knowledgestack.workspaces._models import Workspace, WorkspaceMembership


class MembershipRepository(InstanceRepository):
    """What one person sees: every statement is limited to that person's memberships."""

    async def list_workspaces(self, user_id: UUID, after: tuple[Any, ...] | None, limit: int) -> list[sa.RowMapping]:
        """The person's workspaces with role and member count, newest membership last."""
        query = self._visible(user_id).order_by(WorkspaceMembership.created_at, Workspace.id).limit(limit)
        if after is not None:
            query = query.where(sa.tuple_(WorkspaceMembership.created_at, Workspace.id) > after)
        return list((await self.tx.execute(query)).mappings())

    async def find_workspace(self, user_id: UUID, workspace_id: UUID) -> sa.RowMapping | None:
        query = self._visible(user_id).where(Workspace.id == workspace_id)
        return (await self.tx.execute(query)).mappings().one_or_none()

    async def first_workspace(self, user_id: UUID, preferred: UUID | None) -> UUID | None:
        query = (
            sa.select(WorkspaceMembership.workspace_id)
            .where(WorkspaceMembership.user_id == user_id)
            .order_by(
                (WorkspaceMembership.workspace_id == preferred).desc() if preferred else sa.literal(0),
                WorkspaceMembership.created_at,
            )
            .limit(1)
        )
        return await self.tx.scalar(query)

    async def slug_taken(self, slug: str) -> bool:
        return bool(await self.tx.scalar(sa.select(sa.exists().where(Workspace.slug == slug))))

    async def add_workspace(self, workspace_id: UUID, name: str, slug: str, join_code: str) -> None:
        await self.tx.execute(sa.insert(Workspace).values(id=workspace_id, name=name, slug=slug, join_code=join_code))

    async def add_membership(self, workspace_id: UUID, user_id: UUID, role: Role) -> None:
        await self.tx.execute(
            sa.insert(WorkspaceMembership).values(workspace_id=workspace_id, user_id=user_id, role=role.value)
        )

    def _visible(self, user_id: UUID) -> sa.Select[*tuple[Any, ...]]:
        members = WorkspaceMembership.__table__.alias("members")
        member_count = (
            sa.select(sa.func.count())
            .select_from(members)
            .where(members.c.workspace_id == Workspace.id)
            .scalar_subquery()
        )
        return (
            sa.select(
                Workspace.id,
                Workspace.name,
                Workspace.slug,
                Workspace.join_code,
                Workspace.created_at,
                WorkspaceMembership.role,
                WorkspaceMembership.created_at.label("joined_at"),
                member_count.label("member_count"),
            )
            .join(WorkspaceMembership, WorkspaceMembership.workspace_id == Workspace.id)
            .where(WorkspaceMembership.user_id == user_id)
        )
