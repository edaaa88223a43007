"""A chat model without a server: a test gives the events of each call."""

import asyncio
from collections.abc import AsyncGenerator, Sequence

from knowledgestack.models.chat import Completed, ModelEvent, ModelRequest, TextDelta, ToolCall

Script = Sequence[ModelEvent | Exception | float]


def said(*pieces: str) -> Script:
    """Text and the end of the call."""
    return [*map(TextDelta, pieces), finished()]


def asked(*calls: tuple[str, str], text: str = "") -> Script:
    """Calls (name, arguments), after some text."""
    written = [TextDelta(text)] if text else []
    made = [ToolCall(f"call-{index}", name, arguments) for index, (name, arguments) in enumerate(calls)]
    return [*written, *made, finished("tool_calls")]


def finished(reason: str = "stop", *, tokens: int = 10) -> Completed:
    return Completed(
        input_tokens=tokens,
        output_tokens=tokens,
        model="scripted-1",
        finish_reason="tool_calls" if reason == "tool_calls" else "stop",
    )


class ScriptedModel:
    """Plays one script a call, the last one again and again. An exception is raised, a number is seconds of silence."""

    def __init__(self, *scripts: Script, context_window: int | None = None, model_id: str = "scripted") -> None:
        self.id = model_id
        self.label = "Scripted"
        self.provider = "test"
        self.local = True
        self.context_window = context_window
        self.requests: list[ModelRequest] = []
        self.closed = 0
        self._scripts = scripts

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        script = self._scripts[min(len(self.requests), len(self._scripts) - 1)]
        self.requests.append(request)
        try:
            for event in script:
                if isinstance(event, Exception):
                    raise event
                if isinstance(event, float):
                    await asyncio.sleep(event)
                else:
                    yield event
        finally:
            self.closed += 1
