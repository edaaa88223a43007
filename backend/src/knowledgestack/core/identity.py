"""Who asks, and what they may do. The whole permission table of the product is here."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from knowledgestack.core.errors import Forbidden


class Role(StrEnum):
    """What a person is in one workspace."""

    OWNER = "owner"
    MEMBER = "member"
    VIEWER = "viewer"


class Permission(StrEnum):
    """What a person may do in the active workspace."""

    ASK = "ask"
    READ_DOCUMENTS = "read_documents"
    UPLOAD_DOCUMENTS = "upload_documents"
    DELETE_ANY_DOCUMENT = "delete_any_document"
    MANAGE_SOURCES = "manage_sources"
    READ_DATABASES = "read_databases"
    RUN_SQL = "run_sql"
    VERIFY_QUERIES = "verify_queries"
    DESCRIBE_TABLES = "describe_tables"
    MANAGE_DATABASES = "manage_databases"
    MANAGE_ANY_VERIFIED_QUERY = "manage_any_verified_query"
    READ_ALL_STATEMENTS = "read_all_statements"


_VIEWER = frozenset({Permission.ASK, Permission.READ_DOCUMENTS, Permission.READ_DATABASES})
_MEMBER = _VIEWER | {
    Permission.UPLOAD_DOCUMENTS,
    Permission.RUN_SQL,
    Permission.VERIFY_QUERIES,
    Permission.DESCRIBE_TABLES,
}

ROLE_PERMISSIONS: dict[Role, frozenset[Permission]] = {
    Role.VIEWER: _VIEWER,
    Role.MEMBER: _MEMBER,
    Role.OWNER: frozenset(Permission),
}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is signed in, whether or not a workspace is open."""

    user_id: UUID
    session_id: UUID
    instance_owner: bool


@dataclass(frozen=True, slots=True)
class Actor(Person):
    """A person in their active workspace."""

    workspace_id: UUID
    role: Role


def require(actor: Actor, permission: Permission) -> None:
    """Raise `Forbidden` unless the actor's role grants the permission."""
    if permission not in ROLE_PERMISSIONS[actor.role]:
        raise Forbidden("Your role in this workspace does not allow this. Ask an owner of the workspace.")


def require_instance_owner(person: Person) -> None:
    """Raise `Forbidden` unless the person owns this installation."""
    if not person.instance_owner:
        raise Forbidden("Only the owner of this installation can do this.")
