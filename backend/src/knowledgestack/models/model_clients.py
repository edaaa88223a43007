"""Clients of model servers, what the servers offer, and trying them out."""

import asyncio
import re
import time
from contextlib import aclosing
from typing import Any

import msgspec
from openai import AsyncOpenAI

from knowledgestack.core.config import ChatWire
from knowledgestack.http.outbound import HostPort
from knowledgestack.models._failures import CALL_ERRORS, model_failure, silence
from knowledgestack.models.chat import ModelFailed, ModelRequest, ToolSpec, UserMessage
from knowledgestack.models.server_model import CHAT_WIRES, open_client

_CATALOGUE_SECONDS = 2.0
_CATALOGUE_AGE_SECONDS = 30.0
_TRIAL_SECONDS = 30.0
_NO_CATALOGUE = {"model_unknown", "model_refused", "model_malformed"}
_WINDOW_FIELDS = ("max_model_len", "context_length", "context_window", "max_context_length")
_NOT_CHAT = re.compile(r"embed|whisper|tts|dall-e|moderation|rerank|transcribe|image|audio|realtime", re.IGNORECASE)

# Asks for almost nothing, with a tool declared, because a server that refuses tools is of no use here.
_TRIAL = ModelRequest(
    instructions="Answer with one word.",
    messages=(UserMessage("Say ready."),),
    tools=(ToolSpec("note", "Not needed here.", {"type": "object", "properties": {}}),),
    max_output_tokens=64,
)


class Catalogue(msgspec.Struct, frozen=True):
    """What a server offers: model ids with their windows in tokens (None where it does not tell)."""

    windows: dict[str, int | None]
    reachable: bool
    read_at: float

    def chat_models(self) -> list[str]:
        """The ids that sound like chat models, all of them where none does."""
        return [name for name in self.windows if not _NOT_CHAT.search(name)] or list(self.windows)


class Trial(msgspec.Struct, frozen=True):
    """How one real call went; `wire` is what the server speaks, None where that stayed open."""

    wire: ChatWire | None
    failure: ModelFailed | None
    milliseconds: int


class ModelClients:
    """One client for each server and key, shared by every turn of the process; none opens a place in `own`."""

    def __init__(self, own: frozenset[HostPort]) -> None:
        self._own = own
        self._clients: dict[tuple[str, str | None], AsyncOpenAI] = {}
        self._catalogues: dict[tuple[str, str | None], Catalogue] = {}
        self._reading = asyncio.Lock()

    def client(self, base_url: str, api_key: str | None) -> AsyncOpenAI:
        place = (base_url, api_key)
        if place not in self._clients:
            self._clients[place] = open_client(base_url, api_key, own=self._own)
        return self._clients[place]

    def known_catalogue(self, base_url: str, api_key: str | None) -> Catalogue | None:
        """What was read before, however old: no call."""
        return self._catalogues.get((base_url, api_key))

    async def catalogue(
        self, base_url: str, api_key: str | None, *, max_age_seconds: float = _CATALOGUE_AGE_SECONDS
    ) -> Catalogue:
        """What the server offers; asking takes 2 s at most."""
        place = (base_url, api_key)
        async with self._reading:
            known = self._catalogues.get(place)
            if known is None or time.monotonic() - known.read_at > max_age_seconds:
                known = await self._read_catalogue(place, known)
                self._catalogues[place] = known
            return known

    async def try_server(self, client: AsyncOpenAI, model: str, wire: ChatWire) -> Trial:
        """Make one real call; with AUTO the Responses API is tried first, then chat completions."""
        started = time.monotonic()
        wires = list(CHAT_WIRES) if wire is ChatWire.AUTO else [wire]
        failures: list[ModelFailed] = []
        for tried in wires:
            failure = await _try_wire(client, model, tried)
            milliseconds = round((time.monotonic() - started) * 1000)
            if failure is None:
                return Trial(tried, None, milliseconds)
            failures.append(failure)
        return Trial(None, failures[-1], round((time.monotonic() - started) * 1000))

    async def close(self) -> None:
        for client in self._clients.values():
            await client.close()
        self._clients.clear()

    async def _read_catalogue(self, place: tuple[str, str | None], known: Catalogue | None) -> Catalogue:
        windows = known.windows if known else {}
        client = self.client(*place)
        try:
            async with asyncio.timeout(_CATALOGUE_SECONDS):
                page = await client.models.list()
            windows = {model.id: _window(model.model_extra or {}) for model in page.data}
            reachable = True
        except TimeoutError:
            reachable = False
        except CALL_ERRORS as error:
            # A server without this route can still answer questions.
            reachable = model_failure(error, client.api_key).code in _NO_CATALOGUE
        return Catalogue(windows, reachable, time.monotonic())


async def _try_wire(client: AsyncOpenAI, model: str, wire: ChatWire) -> ModelFailed | None:
    try:
        async with asyncio.timeout(_TRIAL_SECONDS), aclosing(CHAT_WIRES[wire](client, model, _TRIAL)) as events:
            async for _ in events:
                pass
    except TimeoutError:
        return silence(_TRIAL_SECONDS)
    except CALL_ERRORS as error:
        failure = model_failure(error, client.api_key)
        # Stopping at the small limit of the trial is an answer.
        return None if failure.code == "model_incomplete" else failure
    return None


def _window(extra: dict[str, Any]) -> int | None:
    values = (extra.get(name) for name in _WINDOW_FIELDS)
    return next((value for value in values if isinstance(value, int) and value > 0), None)
