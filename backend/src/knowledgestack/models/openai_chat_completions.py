"""The chat-completions API, for servers that do not speak Responses."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any

import msgspec
from openai import AsyncOpenAI

from knowledgestack.models._failures import cut, incomplete
from knowledgestack.models._streams import post_stream
from knowledgestack.models.chat import (
    AssistantMessage,
    Completed,
    Message,
    ModelEvent,
    ModelRequest,
    TextDelta,
    ToolCall,
    ToolSpec,
    UserMessage,
)

_VENDOR_HOST = "api.openai.com"
_CUT_SHORT = {"length", "content_filter"}


class _Function(msgspec.Struct):
    name: str | None = None
    arguments: str | None = None


class _Fragment(msgspec.Struct):
    index: int | None = None
    id: str | None = None
    function: _Function | None = None


class _Delta(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[_Fragment] | None = None


class _Choice(msgspec.Struct):
    delta: _Delta | None = None
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Chunk(msgspec.Struct):
    choices: list[_Choice] | None = None
    model: str | None = None
    usage: _Usage | None = None


async def stream_chat_completions(client: AsyncOpenAI, model: str, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
    """One attempt, without retries; calls come when the choice has ended. Raises what `model_failure` explains."""
    calls = _CallAssembler()
    finish: str | None = None
    usage = _Usage()
    model_used = model
    async with aclosing(post_stream(client, "/chat/completions", _body(client, model, request))) as events:
        async for event in events:
            chunk = msgspec.convert(event, _Chunk)
            model_used = chunk.model or model_used
            usage = chunk.usage or usage
            for choice in (chunk.choices or [])[:1]:
                delta = choice.delta or _Delta()
                if text := delta.content or delta.refusal:
                    yield TextDelta(text)
                calls.add(delta.tool_calls or ())
                finish = choice.finish_reason or finish
    if finish is None:
        raise cut()
    if finish in _CUT_SHORT:
        raise incomplete(finish)
    for call in calls.finished():
        yield call
    yield Completed(
        input_tokens=usage.prompt_tokens or 0,
        output_tokens=usage.completion_tokens or 0,
        model=model_used,
        finish_reason="tool_calls" if calls.finished() else "stop",
    )


class _PartialCall(msgspec.Struct):
    index: int | None
    call_id: str
    name: str = ""
    fragments: list[str] = []


class _CallAssembler:
    """Puts calls together from their fragments.

    Fragments of one call share an index; servers that leave the index out, or give every call the same, start each
    call with a new id.
    """

    def __init__(self) -> None:
        self._calls: list[_PartialCall] = []

    def add(self, fragments: Sequence[_Fragment]) -> None:
        for fragment in fragments:
            call = self._find(fragment.index, fragment.id or "")
            if call is None:
                call = _PartialCall(fragment.index, fragment.id or f"call_{len(self._calls)}")
                self._calls.append(call)
            if fragment.function is not None:
                call.name += fragment.function.name or ""
                call.fragments.append(fragment.function.arguments or "")

    def finished(self) -> list[ToolCall]:
        return [ToolCall(call.call_id, call.name, "".join(call.fragments) or "{}") for call in self._calls]

    def _find(self, index: int | None, call_id: str) -> _PartialCall | None:
        for call in reversed(self._calls):
            if call_id == call.call_id or (not call_id and index in {call.index, None}):
                return call
        return None


def _body(client: AsyncOpenAI, model: str, request: ModelRequest) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": "system", "content": request.instructions}, *map(_message, request.messages)],
        "stream_options": {"include_usage": True},
    }
    if request.tools:
        body["tools"] = [_tool(spec) for spec in request.tools]
    if request.max_output_tokens is not None:
        # The vendor has renamed the field and refuses the old name; other servers know only that one.
        vendor = client.base_url.host == _VENDOR_HOST
        body["max_completion_tokens" if vendor else "max_tokens"] = request.max_output_tokens
    return body


def _message(message: Message) -> dict[str, Any]:
    if isinstance(message, UserMessage):
        return {"role": "user", "content": message.text}
    if isinstance(message, AssistantMessage):
        calls = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
        return {"role": "assistant", "content": message.text, **({"tool_calls": calls} if calls else {})}
    return {"role": "tool", "tool_call_id": message.call_id, "content": message.text}


def _tool(spec: ToolSpec) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {"name": spec.name, "description": spec.description, "parameters": spec.parameters},
    }
