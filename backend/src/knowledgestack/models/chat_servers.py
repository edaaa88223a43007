"""The server of the chat models: set on the page, else by the environment, else none."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
import sqlalchemy as sa
import structlog

from knowledgestack.core.config import OPENAI_BASE_URL, OPENAI_CHAT_MODELS, ChatWire, Settings
from knowledgestack.core.crypto import DecryptionFailed, KeyRing, Place
from knowledgestack.core.errors import FieldError, InvalidRequest
from knowledgestack.core.ids import new_id
from knowledgestack.db.engine import Database
from knowledgestack.http.outbound import HostPort, check_address, is_private_host, own_places, parse_http_address
from knowledgestack.models._repository import ModelRepository
from knowledgestack.models.chat import LOCAL_ANSWERER_ID
from knowledgestack.models.contracts import ChatServerChange, SettingsHolder

_log = structlog.get_logger(__name__)

_OPENAI_HOST = "api.openai.com"
_OPENAI_WINDOWS = {"gpt-5": 400_000, "gpt-5-mini": 400_000}


@dataclass(frozen=True, slots=True)
class ChatServer:
    """One server as it stands now. `models` is empty where the server's own list is offered."""

    held_by: SettingsHolder
    base_url: str
    api_key: str | None = field(repr=False)
    wire: ChatWire
    resolved_wire: ChatWire | None
    models: tuple[str, ...]
    default_model_id: str | None
    context_window: int | None

    @property
    def provider(self) -> str:
        return provider_of(self.base_url)

    @property
    def local(self) -> bool:
        return is_private_host(parse_http_address(self.base_url).host)

    @property
    def spoken_wire(self) -> ChatWire | None:
        """The wire to speak; None where only a probe can tell."""
        if self.wire is not ChatWire.AUTO:
            return self.wire
        return ChatWire.RESPONSES if self.provider == "openai" else self.resolved_wire

    def window_of(self, model: str, told: int | None) -> int | None:
        """Tokens: what was set wins, then what the server told, then what is known of the vendor's models."""
        known = _OPENAI_WINDOWS.get(model) if self.provider == "openai" else None
        return self.context_window or told or known


def provider_of(base_url: str) -> str:
    return "openai" if urlsplit(base_url).hostname == _OPENAI_HOST else "compatible"


def same_origin(left: str, right: str) -> bool:
    """Whether a key of one address may be sent to the other."""
    one, other = urlsplit(left), urlsplit(right)
    return one.scheme == other.scheme and parse_http_address(left) == parse_http_address(right)


async def normal_address(address: str, own: frozenset[HostPort]) -> str:
    """The base address to call, checked; `/v1` is added where no path is given, as every compatible server has it."""
    await check_address(address, own)
    trimmed = address.rstrip("/")
    return trimmed if urlsplit(trimmed).path else f"{trimmed}/v1"


class ChatServers:
    """Reads and writes the setting. Every read asks the database, so that each process sees a change at once."""

    def __init__(self, database: Database, keys: KeyRing, settings: Settings) -> None:
        self._database = database
        self._keys = keys
        self._settings = settings

    async def current(self) -> ChatServer | None:
        """The server that holds now; None where answers are quotes only."""
        async with self._database.transaction() as tx:
            rows = {row["held_by"]: row for row in await ModelRepository(tx).list_chat_servers()}
        if "page" in rows:
            return self._from_row(rows["page"])
        return self._from_environment(rows.get("environment"))

    async def merged(self, change: ChatServerChange) -> ChatServer:
        """The server that a change describes, checked. A key that was left out stays only with its own host."""
        base_url = await normal_address(change.base_url, own_places(self._settings))
        models = tuple(dict.fromkeys(name.strip() for name in change.models if name.strip()))
        if LOCAL_ANSWERER_ID in models:
            raise _field_error("models", f'"{LOCAL_ANSWERER_ID}" is the name of the answers without a model.')
        if models and change.default_model_id not in {None, *models}:
            raise _field_error("defaultModelId", "The default has to be one of the models.")
        key = change.api_key
        if isinstance(key, msgspec.UnsetType):
            held = await self.current()
            key = held.api_key if held and same_origin(held.base_url, base_url) else None
        return ChatServer(
            held_by="page",
            base_url=base_url,
            api_key=key.strip() if key else None,
            wire=change.wire,
            resolved_wire=None,
            models=models,
            default_model_id=change.default_model_id,
            context_window=change.context_window,
        )

    async def save(self, server: ChatServer, resolved_wire: ChatWire | None) -> None:
        row_id = new_id()
        async with self._database.transaction() as tx:
            await ModelRepository(tx).replace_chat_server(
                "page",
                id=row_id,
                base_url=server.base_url,
                api_key=self._keys.seal(server.api_key, _place(row_id)) if server.api_key else None,
                wire=server.wire.value,
                resolved_wire=resolved_wire.value if resolved_wire else None,
                models=list(server.models),
                default_model_id=server.default_model_id,
                context_window=server.context_window,
            )

    async def remember_wire(self, server: ChatServer, wire: ChatWire) -> None:
        """Store what a probe found, so that it is made once."""
        async with self._database.transaction() as tx:
            models = ModelRepository(tx)
            if server.held_by == "environment":
                await models.replace_chat_server(
                    "environment",
                    id=new_id(),
                    base_url=server.base_url,
                    wire=server.wire.value,
                    resolved_wire=wire.value,
                )
            else:
                await models.remember_wire(server.held_by, server.base_url, wire.value)

    async def delete(self) -> None:
        """Forget the page's server: the environment's holds again."""
        async with self._database.transaction() as tx:
            await ModelRepository(tx).delete_chat_server("page")

    def _from_row(self, row: sa.RowMapping) -> ChatServer:
        return ChatServer(
            held_by="page",
            base_url=row["base_url"],
            api_key=self._open_key(row["api_key"], row["id"]),
            wire=ChatWire(row["wire"]),
            resolved_wire=ChatWire(row["resolved_wire"]) if row["resolved_wire"] else None,
            models=tuple(row["models"]),
            default_model_id=row["default_model_id"],
            context_window=row["context_window"],
        )

    def _from_environment(self, probed: sa.RowMapping | None) -> ChatServer | None:
        settings = self._settings
        if settings.openai_api_key is None and settings.openai_base_url == OPENAI_BASE_URL:
            return None
        resolved = probed["resolved_wire"] if probed and probed["base_url"] == settings.openai_base_url else None
        vendor = OPENAI_CHAT_MODELS if provider_of(settings.openai_base_url) == "openai" else ()
        return ChatServer(
            held_by="environment",
            base_url=settings.openai_base_url,
            api_key=settings.openai_api_key,
            wire=settings.chat_wire,
            resolved_wire=ChatWire(resolved) if resolved else None,
            models=settings.chat_models or vendor,
            default_model_id=None,
            context_window=None,
        )

    def _open_key(self, sealed: bytes | None, row_id: UUID) -> str | None:
        if sealed is None:
            return None
        try:
            return self._keys.open(sealed, _place(row_id))
        except DecryptionFailed:
            # The server then refuses the call, and the sentence a person sees sends them to the setting.
            _log.warning("stored_key_unreadable", table="chat_model_servers")
            return None


def _place(row_id: UUID) -> Place:
    return Place("chat_model_servers", "api_key", row_id)


def _field_error(path: str, message: str) -> InvalidRequest:
    return InvalidRequest(message, errors=(FieldError(path, message),))
