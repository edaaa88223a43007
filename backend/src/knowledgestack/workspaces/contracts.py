"""Wire shapes of workspaces and of the session."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from knowledgestack.core.contract import Contract
from knowledgestack.core.identity import Role


class Workspace(Contract):
    """A workspace as one of its people sees it; `joinCode` is null for all but owners."""

    id: UUID
    name: str
    slug: str
    join_code: str | None
    role: Role
    member_count: int
    created_at: datetime


class WorkspacePage(Contract):
    items: list[Workspace]
    next_cursor: str | None


class NewWorkspace(Contract):
    name: Annotated[str, Meta(min_length=1, max_length=100)]


class SessionUser(Contract):
    id: UUID
    email: str
    name: str
    image_url: str | None
    instance_owner: bool


class Session(Contract):
    """Who is signed in, and the workspace that is open."""

    user: SessionUser
    active_workspace: Workspace | None
