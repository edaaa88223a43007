"""The chat-completions API, for servers that do not speak Responses."""

from collections.abc import AsyncGenerator, Sequence

import msgspec
from openai import AsyncOpenAI, AsyncStream, omit
from openai.types.chat import (
    ChatCompletionAssistantMessageParam,
    ChatCompletionChunk,
    ChatCompletionFunctionToolParam,
    ChatCompletionMessageParam,
)
from openai.types.chat.chat_completion_chunk import ChoiceDeltaToolCall

from knowledgestack.models._failures import cut, incomplete
from knowledgestack.models._streams import read_stream
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

_CUT_SHORT = {"length", "content_filter"}


async def stream_chat_completions(client: AsyncOpenAI, model: str, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
    """One attempt, without retries; calls come when the choice has ended. Raises what `model_failure` explains."""
    stream: AsyncStream[ChatCompletionChunk] = await client.chat.completions.create(
        model=model,
        messages=[{"role": "system", "content": request.instructions}, *map(_message, request.messages)],
        tools=[_tool(spec) for spec in request.tools] if request.tools else omit,
        max_tokens=omit if request.max_output_tokens is None else request.max_output_tokens,
        stream=True,
        stream_options={"include_usage": True},
    )
    calls = _CallAssembler()
    finish: str | None = None
    input_tokens = output_tokens = 0
    model_used = model
    async for chunk in read_stream(stream):
        model_used = chunk.model or model_used
        if chunk.usage is not None:
            input_tokens, output_tokens = chunk.usage.prompt_tokens or 0, chunk.usage.completion_tokens or 0
        for choice in (chunk.choices or [])[:1]:
            text = choice.delta.content or choice.delta.refusal
            if text:
                yield TextDelta(_checked(text))
            calls.add(choice.delta.tool_calls or ())
            finish = choice.finish_reason or finish
    if finish is None:
        raise cut()
    if finish in _CUT_SHORT:
        raise incomplete(finish)
    for call in calls.finished():
        yield call
    yield Completed(
        input_tokens=input_tokens,
        output_tokens=output_tokens,
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

    def add(self, fragments: Sequence[ChoiceDeltaToolCall]) -> None:
        for fragment in fragments:
            call = self._find(fragment.index, fragment.id or "")
            if call is None:
                call = _PartialCall(fragment.index, fragment.id or f"call_{len(self._calls)}")
                self._calls.append(call)
            if fragment.function is not None:
                call.name += _checked(fragment.function.name or "")
                call.fragments.append(_checked(fragment.function.arguments or ""))

    def finished(self) -> list[ToolCall]:
        return [ToolCall(call.call_id, call.name, "".join(call.fragments) or "{}") for call in self._calls]

    def _find(self, index: int | None, call_id: str) -> _PartialCall | None:
        for call in reversed(self._calls):
            if call_id == call.call_id or (not call_id and index in {call.index, None}):
                return call
        return None


def _message(message: Message) -> ChatCompletionMessageParam:
    if isinstance(message, UserMessage):
        return {"role": "user", "content": message.text}
    if isinstance(message, AssistantMessage):
        param: ChatCompletionAssistantMessageParam = {"role": "assistant", "content": message.text}
        if message.tool_calls:
            param["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in message.tool_calls
            ]
        return param
    return {"role": "tool", "tool_call_id": message.call_id, "content": message.text}


def _tool(spec: ToolSpec) -> ChatCompletionFunctionToolParam:
    return {
        "type": "function",
        "function": {"name": spec.name, "description": spec.description, "parameters": spec.parameters},
    }


def _checked(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a fragment of the answer is not text")
    return value
