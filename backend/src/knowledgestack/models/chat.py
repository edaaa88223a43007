"""The protocol of chat models: what a model is asked and what it streams back. Knows no provider."""

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, Literal, Protocol

import msgspec

from knowledgestack.core.errors import AppError

FinishReason = Literal["stop", "tool_calls"]

# The model that answers where none is set: it quotes documents and reads the question alone.
LOCAL_ANSWERER_ID = "local"


class ToolCall(msgspec.Struct, frozen=True):
    """A tool the model wants run. `arguments` is the JSON text exactly as the model wrote it."""

    id: str
    name: str
    arguments: str


class UserMessage(msgspec.Struct, frozen=True):
    text: str


class AssistantMessage(msgspec.Struct, frozen=True):
    """What the model wrote, with the calls it made; each call is answered by a `ToolResult` of the same id."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()


class ToolResult(msgspec.Struct, frozen=True):
    call_id: str
    text: str


Message = UserMessage | AssistantMessage | ToolResult


class ToolSpec(msgspec.Struct, frozen=True):
    """A tool as the model sees it; `parameters` is a JSON schema of an object."""

    name: str
    description: str
    parameters: dict[str, Any]


class ModelRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One model call. The whole conversation is sent each time; the server keeps nothing."""

    instructions: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    max_output_tokens: int | None = None


class TextDelta(msgspec.Struct, frozen=True):
    text: str


class Completed(msgspec.Struct, frozen=True, kw_only=True):
    """The last event of every stream that ended well. Token counts are 0 where the server does not tell them."""

    input_tokens: int
    output_tokens: int
    model: str
    finish_reason: FinishReason


ModelEvent = TextDelta | ToolCall | Completed


class ChatModel(Protocol):
    """A model that answers in a stream of events."""

    @property
    def id(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def provider(self) -> str: ...
    @property
    def local(self) -> bool:
        """True when nothing leaves this machine or its private network."""
        ...

    @property
    def context_window(self) -> int | None:
        """Tokens of input and output together; None where the server does not tell."""
        ...

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Yield text and calls as they come, then exactly one `Completed`; raise `ModelFailed` otherwise.

        Cancelling the task that reads the stream cancels the request to the server.
        """
        ...


async def events_of(model: ChatModel, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
    """The model's stream, closed as soon as its reader stops: closing is what ends the request to the server."""
    stream = model.stream(request)
    try:
        async for event in stream:
            yield event
    finally:
        if isinstance(stream, AsyncGenerator):
            await stream.aclose()


class ModelFailed(AppError):
    """A model call that did not end well. `code` says how; `retry_after` is what the server asked for, in seconds.

    Codes: model_rate_limited, model_quota, model_unreachable, model_unauthorized, model_unknown, model_refused,
    model_cut (the stream broke off), model_incomplete (the model stopped at its output limit), model_malformed,
    model_silent, model_context_overflow.
    """

    status, code, title = 503, "model_unreachable", "The model did not answer"

    def __init__(self, detail: str, *, code: str | None = None, retry_after: float | None = None) -> None:
        super().__init__(detail, code=code)
        self.retry_after = retry_after
