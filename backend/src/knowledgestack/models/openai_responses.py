"""The Responses API: the whole input each time, nothing kept at the server."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import msgspec
from openai import AsyncOpenAI

from knowledgestack.models._failures import cut, incomplete, reported_failure
from knowledgestack.models._streams import post_stream
from knowledgestack.models.chat import (
    AssistantMessage,
    Completed,
    Message,
    ModelEvent,
    ModelFailed,
    ModelRequest,
    TextDelta,
    ToolCall,
    ToolSpec,
    UserMessage,
)


class _Event(msgspec.Struct):
    type: str


class _TextEvent(msgspec.Struct):
    delta: str


class _ItemKind(msgspec.Struct):
    type: str


class _ItemEvent(msgspec.Struct):
    item: dict[str, Any]


class _CallItem(msgspec.Struct):
    call_id: str
    name: str
    arguments: str


class _Usage(msgspec.Struct):
    input_tokens: int | None = None
    output_tokens: int | None = None


class _Report(msgspec.Struct):
    code: str | None = None
    message: str | None = None


class _Details(msgspec.Struct):
    reason: str | None = None


class _Response(msgspec.Struct):
    model: str = ""
    usage: _Usage | None = None
    error: _Report | None = None
    incomplete_details: _Details | None = None


class _EndEvent(msgspec.Struct):
    response: _Response


async def stream_responses(client: AsyncOpenAI, model: str, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
    """One attempt, without retries. Raises what `model_failure` explains."""
    called = False
    async with aclosing(post_stream(client, "/responses", _body(model, request))) as events:
        async for event in events:
            match msgspec.convert(event, _Event).type:
                case "response.output_text.delta" | "response.refusal.delta":
                    yield TextDelta(msgspec.convert(event, _TextEvent).delta)
                case "response.output_item.done":
                    call = _call(msgspec.convert(event, _ItemEvent).item)
                    if call is not None:
                        called = True
                        yield call
                case "response.completed":
                    yield _completed(msgspec.convert(event, _EndEvent).response, model, called=called)
                    return
                case "response.failed" | "response.incomplete" as kind:
                    raise _ended_badly(kind, msgspec.convert(event, _EndEvent).response, client.api_key)
                case "error":
                    report = msgspec.convert(event, _Report)
                    raise reported_failure(report.code, report.message, client.api_key)
                case _:
                    pass
    raise cut()


def _call(item: dict[str, Any]) -> ToolCall | None:
    if msgspec.convert(item, _ItemKind).type != "function_call":
        return None
    call = msgspec.convert(item, _CallItem)
    return ToolCall(call.call_id, call.name, call.arguments)


def _completed(response: _Response, model: str, *, called: bool) -> Completed:
    usage = response.usage or _Usage()
    return Completed(
        input_tokens=usage.input_tokens or 0,
        output_tokens=usage.output_tokens or 0,
        model=response.model or model,
        finish_reason="tool_calls" if called else "stop",
    )


def _ended_badly(kind: str, response: _Response, secret: str) -> ModelFailed:
    if kind == "response.incomplete":
        return incomplete(response.incomplete_details.reason if response.incomplete_details else None)
    report = response.error or _Report()
    return reported_failure(report.code, report.message, secret)


def _body(model: str, request: ModelRequest) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": model,
        "instructions": request.instructions,
        "input": [item for message in request.messages for item in _input_items(message)],
        "store": False,
    }
    if request.tools:
        body["tools"] = [_tool(spec) for spec in request.tools]
    if request.max_output_tokens is not None:
        body["max_output_tokens"] = request.max_output_tokens
    return body


def _input_items(message: Message) -> list[dict[str, Any]]:
    if isinstance(message, UserMessage):
        return [{"role": "user", "content": message.text}]
    if isinstance(message, AssistantMessage):
        text = [{"role": "assistant", "content": message.text}] if message.text else []
        calls = [
            {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments}
            for call in message.tool_calls
        ]
        return [*text, *calls]
    return [{"type": "function_call_output", "call_id": message.call_id, "output": message.text}]


def _tool(spec: ToolSpec) -> dict[str, Any]:
    return {
        "type": "function",
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.parameters,
        "strict": False,
    }
