"""The embedding models of the installation: their rows, which one is the default, and how to reach each."""

from collections.abc import Awaitable, Callable
from uuid import UUID

import msgspec
import sqlalchemy as sa
import structlog

from knowledgestack.core.config import OPENAI_BASE_URL, Settings
from knowledgestack.core.crypto import DecryptionFailed, KeyRing, Place
from knowledgestack.core.errors import AppError, FieldError, InvalidRequest, NotFound
from knowledgestack.db.engine import Database
from knowledgestack.http.outbound import own_places
from knowledgestack.models._minilm import MINILM_DIMENSIONS, MINILM_NAME
from knowledgestack.models._repository import ModelRepository
from knowledgestack.models.chat_servers import normal_address, provider_of, same_origin
from knowledgestack.models.contracts import EmbeddingChangeRequest, EmbeddingProvider, SettingsHolder
from knowledgestack.models.embedder_client import RemoteEmbedder
from knowledgestack.models.embedding import EmbeddingModel
from knowledgestack.models.model_clients import ModelClients
from knowledgestack.models.openai_embedding import KNOWN_DIMENSIONS, OpenAIEmbedding, measure_dimensions

_log = structlog.get_logger(__name__)

_LOCAL_WORDS = {"local", MINILM_NAME}

LocalEmbedding = Callable[[UUID], EmbeddingModel]
EmbeddingChange = Callable[[UUID], Awaitable[None]]


class EmbeddingServer(msgspec.Struct, frozen=True):
    """A model at a server before it has a row. The key has no place in the repr."""

    provider: EmbeddingProvider
    base_url: str
    name: str
    api_key: str | None
    dimensions: int | None

    def __repr__(self) -> str:
        return f"EmbeddingServer({self.provider}, {self.base_url}, {self.name})"


class EmbeddingModels:
    """Rows are never changed in what they measure; choosing another model is choosing another row."""

    def __init__(
        self,
        database: Database,
        keys: KeyRing,
        settings: Settings,
        clients: ModelClients,
        local_embedding: LocalEmbedding,
    ) -> None:
        self._database = database
        self._keys = keys
        self._settings = settings
        self._clients = clients
        self._local_embedding = local_embedding
        self._local: dict[UUID, EmbeddingModel] = {}

    async def ensure(self, change: EmbeddingChange) -> UUID:
        """Make the rows of the local model and of the environment's, and start a change of default that is due.

        Returns the default's id. Called once at the start of a process.
        """
        await self._ensure_environment()
        chosen = await self.default_id()
        async with self._database.transaction() as tx:
            _, applied = await ModelRepository(tx).read_choice()
        if applied != chosen:
            if applied is not None:
                await change(chosen)
            async with self._database.transaction() as tx:
                await ModelRepository(tx).write_choice(applied_embedding_model_id=chosen)
        return chosen

    async def default_id(self) -> UUID:
        """The model of new vectors: the page's, else the environment's, else the local one."""
        async with self._database.transaction() as tx:
            models = ModelRepository(tx)
            chosen, _ = await models.read_choice()
            if chosen is not None:
                return chosen
            environment = self._environment()
            if environment is not None:
                rows = await models.find_embedding_models(environment.provider, environment.base_url, environment.name)
                if rows:
                    return rows[0]["id"]
            return await models.ensure_embedding_model("local", "", MINILM_NAME, MINILM_DIMENSIONS)

    async def held_by(self) -> SettingsHolder:
        async with self._database.transaction() as tx:
            chosen, _ = await ModelRepository(tx).read_choice()
        if chosen is not None:
            return "page"
        return "environment" if self._environment() else "none"

    async def row(self, model_id: UUID) -> sa.RowMapping:
        async with self._database.transaction() as tx:
            row = await ModelRepository(tx).find_embedding_model(model_id)
        if row is None:
            raise NotFound("There is no embedding model of this id.")
        return row

    async def open(self, model_id: UUID) -> EmbeddingModel:
        """The model of this row; raise `NotFound` for an unknown id."""
        row = await self.row(model_id)
        if row["provider"] == "local":
            return self._open_local(model_id)
        return self._at_server(
            EmbeddingServer(row["provider"], row["base_url"], row["name"], self.key_of(row), row["dimensions"]),
            model_id,
            row["dimensions"],
        )

    def key_of(self, row: sa.RowMapping) -> str | None:
        """The row's own key, else the environment's where it is the same server."""
        if row["api_key"] is None:
            return self._environment_key(row["base_url"])
        try:
            return self._keys.open(row["api_key"], _place(row["id"]))
        except DecryptionFailed:
            _log.warning("stored_key_unreadable", table="embedding_models")
            return None

    async def merged(self, change: EmbeddingChangeRequest, chat_key: tuple[str, str | None] | None) -> EmbeddingServer:
        """The model that a change describes, checked. `chat_key` is address and key of the chat server: a key that
        was left out may come from there when the host is the same."""
        name = change.model.strip()
        if change.provider == "local":
            if name not in _LOCAL_WORDS:
                raise _field_error("model", f"The local model is {MINILM_NAME}.")
            return EmbeddingServer("local", "", MINILM_NAME, None, MINILM_DIMENSIONS)
        if change.provider == "compatible" and change.base_url is None:
            raise _field_error("baseUrl", "A compatible server needs its address.")
        base_url = (
            OPENAI_BASE_URL
            if change.provider == "openai"
            else await normal_address(change.base_url or "", own_places(self._settings))
        )
        if isinstance(change.api_key, msgspec.UnsetType):
            key = await self._kept_key(change.provider, base_url, name, chat_key)
        else:
            key = change.api_key.strip() if change.api_key else None
        return EmbeddingServer(change.provider, base_url, name, key, change.dimensions)

    async def try_out(self, server: EmbeddingServer) -> int:
        """Embed two texts and return the dimensions; raise `EmbeddingUnavailable` or `EmbeddingRefused`."""
        if server.provider == "local":
            model = self._open_local(await self.ensure_row(server, MINILM_DIMENSIONS))
        else:
            dimensions = server.dimensions or KNOWN_DIMENSIONS.get(server.name)
            if dimensions is None or server.provider == "compatible":
                client = self._clients.client(server.base_url, server.api_key)
                measured = await measure_dimensions(client, server.name)
                dimensions = server.dimensions or measured
            model = self._at_server(server, UUID(int=0), dimensions)
        await model.embed(["How long is the warranty?", "The warranty lasts two years."])
        return model.dimensions

    async def ensure_row(self, server: EmbeddingServer, dimensions: int) -> UUID:
        """The row of this model, with its key sealed in it."""
        async with self._database.transaction() as tx:
            models = ModelRepository(tx)
            row_id = await models.ensure_embedding_model(server.provider, server.base_url, server.name, dimensions)
            sealed = self._keys.seal(server.api_key, _place(row_id)) if server.api_key else None
            await models.set_embedding_key(row_id, sealed)
            return row_id

    async def choose(self, model_id: UUID, change: EmbeddingChange) -> None:
        """Make this the default; `change` has every workspace build its vectors. What is interrupted between the
        two is taken up by `ensure` at the next start."""
        async with self._database.transaction() as tx:
            models = ModelRepository(tx)
            _, applied = await models.read_choice()
            await models.write_choice(embedding_model_id=model_id)
        if applied != model_id:
            await change(model_id)
            async with self._database.transaction() as tx:
                await ModelRepository(tx).write_choice(applied_embedding_model_id=model_id)

    async def close(self) -> None:
        """Close the connections to the worker."""
        for model in self._local.values():
            if isinstance(model, RemoteEmbedder):
                await model.close()

    async def _ensure_environment(self) -> None:
        environment = self._environment()
        if environment is None:
            return
        async with self._database.transaction() as tx:
            known = await ModelRepository(tx).find_embedding_models(
                environment.provider, environment.base_url, environment.name
            )
        if known:
            return
        try:
            dimensions = await self.try_out(environment)
        except AppError as error:
            _log.warning("environment_embedding_model_failed", model=environment.name, detail=error.detail)
            return
        # The environment keeps its key: the row is made without one.
        await self.ensure_row(msgspec.structs.replace(environment, api_key=None), dimensions)

    def _environment(self) -> EmbeddingServer | None:
        name = self._settings.embedding_model
        if name is None or name in _LOCAL_WORDS:
            return None
        base_url = self._settings.openai_base_url
        provider: EmbeddingProvider = "openai" if provider_of(base_url) == "openai" else "compatible"
        return EmbeddingServer(provider, base_url, name, self._settings.openai_api_key, None)

    def _environment_key(self, base_url: str) -> str | None:
        return self._settings.openai_api_key if same_origin(base_url, self._settings.openai_base_url) else None

    async def _kept_key(
        self, provider: str, base_url: str, name: str, chat_key: tuple[str, str | None] | None
    ) -> str | None:
        async with self._database.transaction() as tx:
            rows = await ModelRepository(tx).find_embedding_models(provider, base_url, name)
        if rows and rows[0]["api_key"] is not None:
            return self.key_of(rows[0])
        if chat_key is not None and same_origin(chat_key[0], base_url):
            return chat_key[1]
        return self._environment_key(base_url)

    def _open_local(self, model_id: UUID) -> EmbeddingModel:
        """Opened once: it holds a connection to the worker, or the loaded model itself."""
        if model_id not in self._local:
            self._local[model_id] = self._local_embedding(model_id)
        return self._local[model_id]

    def _at_server(self, server: EmbeddingServer, model_id: UUID, dimensions: int) -> EmbeddingModel:
        client = self._clients.client(server.base_url, server.api_key)
        return OpenAIEmbedding(model_id, server.name, server.provider, dimensions, client)


def _place(row_id: UUID) -> Place:
    return Place("embedding_models", "api_key", row_id)


def _field_error(path: str, message: str) -> InvalidRequest:
    return InvalidRequest(message, errors=(FieldError(path, message),))
