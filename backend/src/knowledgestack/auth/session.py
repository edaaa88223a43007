"""The signed-in session that the guard resolved, and what handlers take from it."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from knowledgestack.core.errors import Conflict, NoActiveWorkspace
from knowledgestack.core.identity import Actor, Person, Role


class ActiveWorkspace(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    slug: str
    join_code: str
    role: Role
    member_count: int
    created_at: datetime


class SignedIn(msgspec.Struct, frozen=True):
    """One row of `actor.sql`."""

    session_id: UUID
    user_id: UUID
    email: str
    name: str
    image_url: str | None
    instance_owner: bool
    workspace: ActiveWorkspace | None

    def person(self) -> Person:
        return Person(user_id=self.user_id, session_id=self.session_id, instance_owner=self.instance_owner)

    def actor(self, believed_workspace_id: str | None) -> Actor:
        """The person in their active workspace.

        Raises `NoActiveWorkspace`, and `Conflict` with code `workspace_changed` when the page believes in another one.
        """
        if self.workspace is None:
            raise NoActiveWorkspace("Open a workspace first, or create one.")
        if believed_workspace_id is not None and believed_workspace_id.lower() != str(self.workspace.id):
            raise Conflict("Another workspace was opened in the meantime.", code="workspace_changed")
        return Actor(
            user_id=self.user_id,
            session_id=self.session_id,
            instance_owner=self.instance_owner,
            workspace_id=self.workspace.id,
            role=self.workspace.role,
        )


def signed_in_from_row(row: dict[str, Any]) -> SignedIn:
    workspace = None
    if row["workspace_id"] is not None:
        workspace = ActiveWorkspace(
            id=row["workspace_id"],
            name=row["workspace_name"],
            slug=row["slug"],
            join_code=row["join_code"],
            role=Role(row["role"]),
            member_count=row["member_count"],
            created_at=row["workspace_created_at"],
        )
    return SignedIn(
        session_id=row["session_id"],
        user_id=row["user_id"],
        email=row["email"],
        name=row["name"],
        image_url=row["image_url"],
        instance_owner=row["instance_owner"],
        workspace=workspace,
    )
