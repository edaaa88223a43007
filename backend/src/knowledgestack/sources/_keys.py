"""Keys of originals in the object store. They are made of ids alone, never of what a person typed."""

from uuid import UUID

from knowledgestack.core.ids import new_id

ORIGINALS_FOLDER = "workspaces"


def new_key(workspace_id: UUID) -> str:
    return f"{ORIGINALS_FOLDER}/{workspace_id}/uploads/{new_id()}"


def workspace_of(key: str) -> UUID:
    return UUID(key.split("/")[1])
