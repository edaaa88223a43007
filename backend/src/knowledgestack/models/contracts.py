"""The wire of models and their settings."""

from typing import Annotated, Literal

import msgspec

from knowledgestack.core.config import ChatWire
from knowledgestack.core.contract import Contract

SettingsHolder = Literal["page", "environment", "none"]
EmbeddingProvider = Literal["local", "openai", "compatible"]

Address = Annotated[str, msgspec.Meta(min_length=1, max_length=2_000)]
ApiKey = Annotated[str, msgspec.Meta(min_length=1, max_length=4_000)]
ModelName = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
ContextWindow = Annotated[int, msgspec.Meta(ge=1_000, le=100_000_000)]
Dimensions = Annotated[int, msgspec.Meta(ge=1, le=4_000)]


class ChatModelItem(Contract):
    """A model a person can choose. `local` is true when nothing leaves this machine or its private network."""

    id: str
    label: str
    provider: str
    local: bool
    capabilities: list[str]
    available: bool


class ChatModelPage(Contract):
    """`problem` is a sentence where the server that is set cannot be reached; None where all is well."""

    items: list[ChatModelItem]
    default_model_id: str
    problem: str | None = None


class ChatServerSettings(Contract):
    """The server of the chat models. `held_by` says which setting holds; the page wins over the environment.

    `wire` is what was chosen, `resolved_wire` what a probe found where `wire` is auto. `context_window` is in
    tokens, null where neither the server nor the page tells it. `api_key_stored` never shows the key.
    """

    held_by: SettingsHolder
    base_url: str | None
    api_key_stored: bool
    wire: ChatWire
    resolved_wire: ChatWire | None
    models: list[str]
    default_model_id: str | None
    context_window: int | None


class EmbeddingSettings(Contract):
    """The embedding model of new vectors. `workspaces_building` counts workspaces whose new set is not complete."""

    held_by: SettingsHolder
    id: str
    provider: EmbeddingProvider
    base_url: str | None
    api_key_stored: bool
    model: str
    dimensions: int
    workspaces_building: int


class ModelSettings(Contract):
    chat: ChatServerSettings
    embedding: EmbeddingSettings


class ChatServerChange(Contract):
    """A chat server to store or to test. `api_key` left out keeps the stored one while the host stays the same;
    null removes it. Where `models` is empty the server's own list is offered."""

    base_url: Address
    api_key: ApiKey | msgspec.UnsetType | None = msgspec.UNSET
    wire: ChatWire = ChatWire.AUTO
    models: Annotated[list[ModelName], msgspec.Meta(max_length=100)] = []
    default_model_id: ModelName | None = None
    context_window: ContextWindow | None = None


class EmbeddingChangeRequest(Contract, kw_only=True):
    """An embedding model to use or to test. `dimensions` is asked of the server where it is left out."""

    provider: EmbeddingProvider
    base_url: Address | None = None
    api_key: ApiKey | msgspec.UnsetType | None = msgspec.UNSET
    model: ModelName
    dimensions: Dimensions | None = None


class ModelTestOutcome(Contract):
    """What one real call said. `sentence` is for a person; `models` is what the server offers, where it tells."""

    ok: bool
    sentence: str
    milliseconds: int
    wire: ChatWire | None = None
    dimensions: int | None = None
    models: list[str] = []


class NearbyServer(Contract):
    """A model server found on this machine. `base_url` is what a chat setting takes."""

    base_url: str
    label: str
    models: list[str]


class NearbyServerList(Contract):
    items: list[NearbyServer]
