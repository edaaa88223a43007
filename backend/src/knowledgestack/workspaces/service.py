"""Workspaces: list, create, select; and the answer of the session route."""

import unicodedata
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from knowledgestack.auth.session import SignedIn
from knowledgestack.core.errors import FieldError, InvalidRequest, NotFound
from knowledgestack.core.identity import Person, Role
from knowledgestack.core.ids import new_id
from knowledgestack.db.engine import Database, Transaction
from knowledgestack.http.pagination import clamp_limit, decode_cursor, encode_cursor
from knowledgestack.workspaces._repository import MembershipRepository
from knowledgestack.workspaces.contracts import NewWorkspace, Session, SessionUser, Workspace, WorkspacePage
from knowledgestack.workspaces.naming import new_join_code, slug_of

_SLUG_SUFFIX_LENGTH = 4


class OpenWorkspace(Protocol):
    """Makes a workspace the active one of the person's session, in the caller's transaction."""

    async def __call__(self, tx: Transaction, person: Person, workspace_id: UUID) -> None: ...


class WorkspaceService:
    def __init__(self, database: Database, open_workspace: OpenWorkspace) -> None:
        self._database = database
        self._open_workspace = open_workspace

    async def workspace_to_open(self, tx: Transaction, user_id: UUID, last: UUID | None) -> UUID | None:
        return await MembershipRepository(tx).first_workspace(user_id, last)

    async def list_workspaces(self, person: Person, cursor: str | None, limit: int | None) -> WorkspacePage:
        size = clamp_limit(limit)
        after = decode_cursor(cursor, (datetime, UUID)) if cursor else None
        async with self._database.transaction() as tx:
            rows = await MembershipRepository(tx).list_workspaces(person.user_id, after, size + 1)
        last = rows[size - 1] if len(rows) > size else None
        return WorkspacePage(
            items=[_workspace(row) for row in rows[:size]],
            next_cursor=encode_cursor((last["joined_at"], last["id"])) if last else None,
        )

    async def create(self, person: Person, new: NewWorkspace, *, has_active: bool) -> Workspace:
        """Write workspace, join code and the creator's ownership together; open it where none is open."""
        name = _clean_name(new.name)
        workspace_id = new_id()
        async with self._database.transaction() as tx:
            repository = MembershipRepository(tx)
            slug = slug_of(name)
            if await repository.slug_taken(slug):
                slug = f"{slug}-{new_join_code()[:_SLUG_SUFFIX_LENGTH].lower()}"
            await repository.add_workspace(workspace_id, name, slug, new_join_code())
            await repository.add_membership(workspace_id, person.user_id, Role.OWNER)
            if not has_active:
                await self._open_workspace(tx, person, workspace_id)
            row = await repository.find_workspace(person.user_id, workspace_id)
        assert row is not None
        return _workspace(row)

    async def select(self, person: Person, workspace_id: UUID) -> None:
        """Open the workspace in the person's session; raises `NotFound` unless the person belongs to it."""
        async with self._database.transaction() as tx:
            if await MembershipRepository(tx).find_workspace(person.user_id, workspace_id) is None:
                raise NotFound("There is no such workspace among yours.")
            await self._open_workspace(tx, person, workspace_id)


def session_of(signed_in: SignedIn) -> Session:
    """What the session route answers; the guard's one statement has read all of it."""
    active = signed_in.workspace
    return Session(
        user=SessionUser(
            id=signed_in.user_id,
            email=signed_in.email,
            name=signed_in.name,
            image_url=signed_in.image_url,
            instance_owner=signed_in.instance_owner,
        ),
        active_workspace=None
        if active is None
        else Workspace(
            id=active.id,
            name=active.name,
            slug=active.slug,
            join_code=active.join_code if active.role is Role.OWNER else None,
            role=active.role,
            member_count=active.member_count,
            created_at=active.created_at,
        ),
    )


def _workspace(row: Any) -> Workspace:
    role = Role(row["role"])
    return Workspace(
        id=row["id"],
        name=row["name"],
        slug=row["slug"],
        join_code=row["join_code"] if role is Role.OWNER else None,
        role=role,
        member_count=row["member_count"],
        created_at=row["created_at"],
    )


def _clean_name(name: str) -> str:
    cleaned = " ".join(unicodedata.normalize("NFC", name).split())
    if not cleaned or any(unicodedata.category(letter) in {"Cc", "Cf", "Cs"} for letter in cleaned):
        raise InvalidRequest(
            "Give the workspace a name of visible characters.",
            errors=(FieldError("name", "has to hold visible characters only"),),
        )
    return cleaned
