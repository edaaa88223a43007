"""What people do with verified queries: save, find, change, test and delete them."""

from uuid import UUID

from knowledgestack.core.errors import NotFound
from knowledgestack.core.identity import Actor, Permission, require
from knowledgestack.db.engine import Database
from knowledgestack.verified_queries.contracts import (
    NewVerifiedQuery,
    VerifiedQuery,
    VerifiedQueryChange,
    VerifiedQueryPage,
    VerifiedQueryTested,
)


class VerifiedQueryService:
    """Verified queries of the actor's workspace. A foreign or unknown id raises `NotFound`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(
        self,
        actor: Actor,
        connection_id: UUID | None = None,
        words: str | None = None,
        *,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> VerifiedQueryPage:
        require(actor, Permission.READ_DATABASES)
        return VerifiedQueryPage(items=[], next_cursor=None)

    async def read(self, actor: Actor, verified_query_id: UUID) -> VerifiedQuery:
        require(actor, Permission.READ_DATABASES)
        raise _not_found()

    async def save(self, actor: Actor, new: NewVerifiedQuery) -> VerifiedQuery:
        require(actor, Permission.VERIFY_QUERIES)
        raise _not_found()

    async def change(self, actor: Actor, verified_query_id: UUID, change: VerifiedQueryChange) -> VerifiedQuery:
        require(actor, Permission.VERIFY_QUERIES)
        raise _not_found()

    async def delete(self, actor: Actor, verified_query_id: UUID) -> None:
        require(actor, Permission.VERIFY_QUERIES)
        raise _not_found()

    async def test(self, actor: Actor, verified_query_id: UUID) -> VerifiedQueryTested:
        require(actor, Permission.VERIFY_QUERIES)
        raise _not_found()


def _not_found() -> NotFound:
    return NotFound("This verified query does not exist, or not in this workspace.")
