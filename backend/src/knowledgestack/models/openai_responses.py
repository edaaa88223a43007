"""The Responses API: the whole input each time, nothing kept at the server."""

from collections.abc import AsyncGenerator
from typing import Any

from openai import AsyncOpenAI, AsyncStream, Omit, omit
from openai.types.responses import (
    FunctionToolParam,
    ResponseInputItemParam,
    ResponseStreamEvent,
)

from knowledgestack.models._failures import cut, incomplete, reported_failure
from knowledgestack.models._streams import read_stream, text_of
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

_TEXT_EVENTS = {"response.output_text.delta", "response.refusal.delta"}


async def stream_responses(client: AsyncOpenAI, model: str, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
    """One attempt, without retries. Raises what `model_failure` explains."""
    stream: AsyncStream[ResponseStreamEvent] = await client.responses.create(
        model=model,
        instructions=request.instructions,
        input=[item for message in request.messages for item in _input_items(message)],
        tools=[_tool(spec) for spec in request.tools] if request.tools else omit,
        max_output_tokens=_or_omit(request.max_output_tokens),
        store=False,
        stream=True,
    )
    called = False
    async for event in read_stream(stream):
        if event.type in _TEXT_EVENTS:
            yield TextDelta(text_of(event, "delta"))
        elif event.type == "response.output_item.done" and event.item.type == "function_call":
            called = True
            yield ToolCall(
                text_of(event.item, "call_id"), text_of(event.item, "name"), text_of(event.item, "arguments")
            )
        elif event.type == "response.completed":
            usage = event.response.usage
            yield Completed(
                input_tokens=usage.input_tokens if usage else 0,
                output_tokens=usage.output_tokens if usage else 0,
                model=text_of(event.response, "model"),
                finish_reason="tool_calls" if called else "stop",
            )
            return
        else:
            _raise_if_failed(event, client.api_key)
    raise cut()


def _raise_if_failed(event: ResponseStreamEvent, secret: str) -> None:
    if event.type == "response.failed":
        error = event.response.error
        raise reported_failure(error.code if error else None, error.message if error else None, secret)
    if event.type == "response.incomplete":
        details = event.response.incomplete_details
        raise incomplete(details.reason if details else None)
    if event.type == "error":
        raise reported_failure(event.code, event.message, secret)


def _input_items(message: Message) -> list[ResponseInputItemParam]:
    if isinstance(message, UserMessage):
        return [{"role": "user", "content": message.text}]
    if isinstance(message, AssistantMessage):
        items: list[ResponseInputItemParam] = []
        if message.text:
            items.append({"role": "assistant", "content": message.text})
        items.extend(
            {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments}
            for call in message.tool_calls
        )
        return items
    return [{"type": "function_call_output", "call_id": message.call_id, "output": message.text}]


def _tool(spec: ToolSpec) -> FunctionToolParam:
    parameters: dict[str, Any] = spec.parameters
    return {
        "type": "function",
        "name": spec.name,
        "description": spec.description,
        "parameters": parameters,
        "strict": False,
    }


def _or_omit(value: int | None) -> int | Omit:
    return omit if value is None else value
