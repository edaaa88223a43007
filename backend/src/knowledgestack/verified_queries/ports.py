"""What verified queries need of others."""

from typing import Protocol
from uuid import UUID

from knowledgestack.core.identity import Actor
from knowledgestack.databases.contracts import QueryResult, ResultOrder, StatementOrigin
from knowledgestack.models.embedding import EmbeddingModel


class Statements(Protocol):
    """Runs a statement through the fence and keeps a line of it; `databases.queries.QueryService` is one."""

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
    ) -> QueryResult: ...


class EmbeddingModels(Protocol):
    async def default_embedding_model_id(self) -> UUID: ...

    async def embedding_model(self, model_id: UUID) -> EmbeddingModel: ...
