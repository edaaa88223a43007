"""Which models there are, which one answers, and the settings of both."""

import time
from collections.abc import Awaitable, Callable
from uuid import UUID

from knowledgestack.core.config import ChatWire, Profile, Settings
from knowledgestack.core.crypto import KeyRing
from knowledgestack.core.errors import AppError, InvalidRequest, Unavailable
from knowledgestack.core.identity import Person, require_instance_owner
from knowledgestack.db.engine import Database
from knowledgestack.http.outbound import own_places
from knowledgestack.models.chat import ChatModel
from knowledgestack.models.chat_servers import ChatServer, ChatServers
from knowledgestack.models.contracts import (
    ChatModelItem,
    ChatModelPage,
    ChatServerChange,
    ChatServerSettings,
    EmbeddingChangeRequest,
    EmbeddingSettings,
    ModelSettings,
    ModelTestOutcome,
    NearbyServerList,
)
from knowledgestack.models.embedding import EmbeddingModel
from knowledgestack.models.embedding_models import EmbeddingChange, EmbeddingModels, LocalEmbedding
from knowledgestack.models.model_clients import ModelClients, Trial
from knowledgestack.models.nearby import NEARBY_PORTS, find_nearby_servers
from knowledgestack.models.server_model import CHAT_WIRES, ServerModel

BuildingWorkspaces = Callable[[], Awaitable[int]]

_UNREACHABLE = "The model server cannot be reached now. Try again in a while, or choose another model."
# Below this the instructions, one search and an answer do not fit.
_SMALLEST_WINDOW = 8_000


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
        nearby_ports: dict[int, str] = NEARBY_PORTS,
    ) -> None:
        self._settings = settings
        self._clients = ModelClients(own_places(settings))
        self._servers = ChatServers(database, keys, settings)
        self._embeddings = EmbeddingModels(database, keys, settings, self._clients, local_embedding)
        self._local_answerer = local_answerer
        self._embedding_change = embedding_change
        self._building_workspaces = building_workspaces
        self._nearby_ports = nearby_ports

    async def ensure_embedding_models(self) -> UUID:
        """Make the rows of the local model and of the environment's; return the default's id. Called at start."""
        return await self._embeddings.ensure(self._embedding_change)

    async def chat_models(self, person: Person) -> ChatModelPage:
        """Every model a person can choose; the local answerer comes last and is the default where nothing is set."""
        server = await self._servers.current()
        items = [_item(self._local_answerer, available=True, capabilities=["quotes", "local-only"])]
        names: list[str] = []
        problem = None
        if server is not None:
            catalogue = await self._clients.catalogue(server.base_url, server.api_key)
            names = list(server.models) or catalogue.chat_models()
            capabilities = ["tools", "local-only"] if server.local else ["tools"]
            models = (self._build(server, name, server.spoken_wire or ChatWire.CHAT_COMPLETIONS) for name in names)
            items[:0] = [_item(model, available=catalogue.reachable, capabilities=capabilities) for model in models]
            problem = None if catalogue.reachable else _UNREACHABLE
        return ChatModelPage(items=items, default_model_id=self._default(server, names), problem=problem)

    async def resolve_chat(self, model_id: str | None) -> ChatModel:
        """The model of this id, the default where it is None; raise `InvalidRequest` for an unknown id.

        Raises `Unavailable` for the default of a server that cannot be reached and has no model of known name: nobody
        asked for quotes instead.
        """
        if model_id == self._local_answerer.id:
            return self._local_answerer
        server = await self._servers.current()
        names, complete = ([], True) if server is None else await self._names(server)
        name = model_id or self._default(server, names)
        if server is None or name == self._local_answerer.id or (complete and name not in names):
            if model_id is None:
                if server is not None and not self._is_reachable(server):
                    raise Unavailable(_UNREACHABLE)
                return self._local_answerer
            raise InvalidRequest("There is no model of this name. Choose another one.")
        return self._build(server, name, await self._wire(server, name))

    async def default_embedding_model_id(self) -> UUID:
        return await self._embeddings.default_id()

    async def embedding_model(self, model_id: UUID) -> EmbeddingModel:
        """The model of this row; raise `NotFound` for an unknown id."""
        return await self._embeddings.open(model_id)

    async def read_settings(self, person: Person) -> ModelSettings:
        require_instance_owner(person)
        server = await self._servers.current()
        row = await self._embeddings.row(await self._embeddings.default_id())
        return ModelSettings(
            chat=_chat_settings(server),
            embedding=EmbeddingSettings(
                held_by=await self._embeddings.held_by(),
                id=str(row["id"]),
                provider=row["provider"],
                base_url=row["base_url"] or None,
                api_key_stored=row["provider"] != "local" and self._embeddings.key_of(row) is not None,
                model=row["name"],
                dimensions=row["dimensions"],
                workspaces_building=await self._building_workspaces(),
            ),
        )

    async def save_chat_server(self, person: Person, change: ChatServerChange) -> ModelSettings:
        """Store the server; with wire AUTO it is probed once, and again at the first turn where that fails."""
        require_instance_owner(person)
        server = await self._servers.merged(change)
        wire = server.spoken_wire
        if wire is None:
            names, _ = await self._names(server)
            wire = (await self._try(server, self._default(server, names))).wire if names else None
        await self._servers.save(server, None if wire is ChatWire.AUTO else wire)
        return await self.read_settings(person)

    async def delete_chat_server(self, person: Person) -> ModelSettings:
        require_instance_owner(person)
        await self._servers.delete()
        return await self.read_settings(person)

    async def test_chat_server(self, person: Person, change: ChatServerChange) -> ModelTestOutcome:
        """Make one real call with what was typed in; nothing is stored."""
        require_instance_owner(person)
        server = await self._servers.merged(change)
        catalogue = await self._clients.catalogue(server.base_url, server.api_key, max_age_seconds=0)
        offered = catalogue.chat_models()
        names = list(server.models) or offered
        if not names:
            words = (
                "The server cannot be reached." if not catalogue.reachable else "The server lists no models. Name one."
            )
            return ModelTestOutcome(ok=False, sentence=words, milliseconds=0)
        name = self._default(server, names)
        trial = await self._try(server, name)
        if trial.failure is not None:
            return ModelTestOutcome(
                ok=False, sentence=trial.failure.detail, milliseconds=trial.milliseconds, models=offered
            )
        window = server.window_of(name, catalogue.windows.get(name))
        return ModelTestOutcome(
            ok=True,
            sentence=_answered(name, trial.milliseconds, window),
            milliseconds=trial.milliseconds,
            wire=trial.wire,
            models=offered,
        )

    async def save_embedding_model(self, person: Person, change: EmbeddingChangeRequest) -> ModelSettings:
        """Make it the model of new vectors, after one real call; workspaces then build theirs beside the old ones."""
        require_instance_owner(person)
        server = await self._embeddings.merged(change, await self._chat_key())
        dimensions = await self._embeddings.try_out(server)
        await self._embeddings.choose(await self._embeddings.ensure_row(server, dimensions), self._embedding_change)
        return await self.read_settings(person)

    async def test_embedding_model(self, person: Person, change: EmbeddingChangeRequest) -> ModelTestOutcome:
        """Make one real call with what was typed in; nothing is stored."""
        require_instance_owner(person)
        server = await self._embeddings.merged(change, await self._chat_key())
        started = time.monotonic()
        try:
            dimensions = await self._embeddings.try_out(server)
        except AppError as error:
            return ModelTestOutcome(ok=False, sentence=error.detail, milliseconds=_since(started))
        words = f"{server.name} answered with {dimensions:,} dimensions in {_since(started) / 1000:.1f} s."
        return ModelTestOutcome(ok=True, sentence=words, milliseconds=_since(started), dimensions=dimensions)

    async def nearby_servers(self, person: Person) -> NearbyServerList:
        """Model servers on this machine; in the server profile its loopback is nobody's business, so none."""
        require_instance_owner(person)
        if self._settings.profile is not Profile.LOCAL:
            return NearbyServerList(items=[])
        return NearbyServerList(items=await find_nearby_servers(self._nearby_ports, own_places(self._settings)))

    async def close(self) -> None:
        await self._embeddings.close()
        await self._clients.close()

    async def _chat_key(self) -> tuple[str, str | None] | None:
        server = await self._servers.current()
        return None if server is None else (server.base_url, server.api_key)

    async def _names(self, server: ChatServer) -> tuple[list[str], bool]:
        """Model ids of the server, and whether the list is complete: one that cannot be asked now may know more."""
        if server.models:
            return list(server.models), True
        catalogue = await self._clients.catalogue(server.base_url, server.api_key)
        return catalogue.chat_models(), catalogue.reachable and bool(catalogue.windows)

    def _is_reachable(self, server: ChatServer) -> bool:
        """As of the last time it was asked for its models."""
        catalogue = self._clients.known_catalogue(server.base_url, server.api_key)
        return catalogue is None or catalogue.reachable

    def _default(self, server: ChatServer | None, names: list[str]) -> str:
        chosen = server.default_model_id if server else None
        if chosen is not None and (chosen in names or not names):
            return chosen
        return names[0] if names else self._local_answerer.id

    async def _wire(self, server: ChatServer, name: str) -> ChatWire:
        """The wire to speak, probed once where nobody knows it yet."""
        if server.spoken_wire is not None:
            return server.spoken_wire
        found = (await self._try(server, name)).wire
        if found is None:
            return ChatWire.CHAT_COMPLETIONS
        await self._servers.remember_wire(server, found)
        return found

    async def _try(self, server: ChatServer, name: str) -> Trial:
        wire = server.spoken_wire or ChatWire.AUTO
        return await self._clients.try_server(self._clients.client(server.base_url, server.api_key), name, wire)

    def _build(self, server: ChatServer, name: str, wire: ChatWire) -> ServerModel:
        catalogue = self._clients.known_catalogue(server.base_url, server.api_key)
        return ServerModel(
            id=name,
            provider=server.provider,
            local=server.local,
            context_window=server.window_of(name, catalogue.windows.get(name) if catalogue else None),
            wire=CHAT_WIRES[wire],
            client=self._clients.client(server.base_url, server.api_key),
        )


def _item(model: ChatModel, *, available: bool, capabilities: list[str]) -> ChatModelItem:
    return ChatModelItem(
        id=model.id,
        label=model.label,
        provider=model.provider,
        local=model.local,
        capabilities=capabilities,
        available=available,
    )


def _chat_settings(server: ChatServer | None) -> ChatServerSettings:
    if server is None:
        return ChatServerSettings(
            held_by="none",
            base_url=None,
            api_key_stored=False,
            wire=ChatWire.AUTO,
            resolved_wire=None,
            models=[],
            default_model_id=None,
            context_window=None,
        )
    return ChatServerSettings(
        held_by=server.held_by,
        base_url=server.base_url,
        api_key_stored=server.api_key is not None,
        wire=server.wire,
        resolved_wire=server.spoken_wire if server.wire is ChatWire.AUTO else None,
        models=list(server.models),
        default_model_id=server.default_model_id,
        context_window=server.context_window,
    )


def _answered(name: str, milliseconds: int, window: int | None) -> str:
    words = f"{name} answered in {milliseconds / 1000:.1f} s."
    if window is None:
        return f"{words} The server does not tell how much the model can read: set its window if you know it."
    if window < _SMALLEST_WINDOW:
        return f"{words} It reads only {window:,} tokens at once, too few to search and answer."
    return words


def _since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)
