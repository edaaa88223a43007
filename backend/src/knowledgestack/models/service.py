"""Which models there are, which one answers, and the settings of both."""

from collections.abc import Awaitable, Callable
from uuid import UUID

from knowledgestack.core.config import Settings
from knowledgestack.core.crypto import KeyRing
from knowledgestack.core.identity import Person
from knowledgestack.db.engine import Database
from knowledgestack.models.chat import ChatModel
from knowledgestack.models.contracts import (
    ChatModelPage,
    ChatServerChange,
    EmbeddingChangeRequest,
    ModelSettings,
    ModelTestOutcome,
    NearbyServerList,
)
from knowledgestack.models.embedding import EmbeddingModel

LocalEmbedding = Callable[[UUID], EmbeddingModel]
EmbeddingChange = Callable[[UUID], Awaitable[None]]
BuildingWorkspaces = Callable[[], Awaitable[int]]


class ModelService:
    """Settings are rows read at the start of each turn or job, so that every process sees a change at once."""

    def __init__(
        self,
        database: Database,
        keys: KeyRing,
        settings: Settings,
        *,
        local_answerer: ChatModel,
        local_embedding: LocalEmbedding,
        embedding_change: EmbeddingChange,
        building_workspaces: BuildingWorkspaces,
    ) -> None: ...

    async def ensure_embedding_models(self) -> UUID:
        """Make the rows of the local model and of the environment's; return the default's id. Called at start."""
        raise NotImplementedError

    async def chat_models(self, person: Person) -> ChatModelPage:
        raise NotImplementedError

    async def resolve_chat(self, model_id: str | None) -> ChatModel:
        """The model of this id, the default where it is None; raise `InvalidRequest` for an unknown id."""
        raise NotImplementedError

    async def default_embedding_model_id(self) -> UUID:
        raise NotImplementedError

    async def embedding_model(self, model_id: UUID) -> EmbeddingModel:
        """The model of this row; raise `NotFound` for an unknown id."""
        raise NotImplementedError

    async def read_settings(self, person: Person) -> ModelSettings:
        raise NotImplementedError

    async def save_chat_server(self, person: Person, change: ChatServerChange) -> ModelSettings:
        raise NotImplementedError

    async def delete_chat_server(self, person: Person) -> ModelSettings:
        raise NotImplementedError

    async def test_chat_server(self, person: Person, change: ChatServerChange) -> ModelTestOutcome:
        raise NotImplementedError

    async def save_embedding_model(self, person: Person, change: EmbeddingChangeRequest) -> ModelSettings:
        raise NotImplementedError

    async def test_embedding_model(self, person: Person, change: EmbeddingChangeRequest) -> ModelTestOutcome:
        raise NotImplementedError

    async def nearby_servers(self, person: Person) -> NearbyServerList:
        raise NotImplementedError

    async def close(self) -> None:
        raise NotImplementedError
