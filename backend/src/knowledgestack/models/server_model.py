"""A chat model at a server, over the wire that the server speaks."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field

from openai import AsyncOpenAI

from knowledgestack.core.config import ChatWire
from knowledgestack.http.outbound import HostPort, operator_client
from knowledgestack.models._retries import DEFAULT_RETRIES, RetryPolicy, stream_with_retries
from knowledgestack.models._streams import SILENCE_SECONDS
from knowledgestack.models.chat import ModelEvent, ModelRequest
from knowledgestack.models.openai_chat_completions import stream_chat_completions
from knowledgestack.models.openai_responses import stream_responses

Wire = Callable[[AsyncOpenAI, str, ModelRequest], AsyncGenerator[ModelEvent]]

# A new wire is one file and one line here; each passes the conformance tests of the providers.
CHAT_WIRES: dict[ChatWire, Wire] = {
    ChatWire.RESPONSES: stream_responses,
    ChatWire.CHAT_COMPLETIONS: stream_chat_completions,
}

_NO_KEY = "none"


def open_client(
    base_url: str,
    api_key: str | None,
    *,
    silence_seconds: float = SILENCE_SECONDS,
    own: frozenset[HostPort] = frozenset(),
) -> AsyncOpenAI:
    """A client of one server, never of a place in `own`.

    Its own retries are off: ours know whether a token has been shown.
    """
    return AsyncOpenAI(
        base_url=base_url,
        api_key=api_key or _NO_KEY,
        max_retries=0,
        http_client=operator_client(base_url, read_seconds=silence_seconds, own=own),
    )


@dataclass(frozen=True, slots=True)
class ServerModel:
    """A `ChatModel` at an OpenAI-compatible server."""

    id: str
    provider: str
    local: bool
    context_window: int | None
    wire: Wire = field(repr=False)
    client: AsyncOpenAI = field(repr=False)
    retries: RetryPolicy = DEFAULT_RETRIES

    @property
    def label(self) -> str:
        return self.id

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Yield the answer as it comes; raise `ModelFailed` (see the protocol)."""

        def attempt() -> AsyncGenerator[ModelEvent]:
            return self.wire(self.client, self.id, request)

        async with aclosing(stream_with_retries(attempt, self.retries, self.client.api_key)) as events:
            async for event in events:
                yield event
