"""Asking a model of a fake server, and what came of it."""

from knowledgestack.models._retries import RetryPolicy
from knowledgestack.models.chat import (
    ModelEvent,
    ModelFailed,
    ModelRequest,
    TextDelta,
    ToolSpec,
    UserMessage,
)
from knowledgestack.models.server_model import ServerModel

KEY = "sk-canary-4f9d8b7a"
FAST = RetryPolicy(first_seconds=0.01, longest_seconds=2.0)
REQUEST = ModelRequest(
    instructions="Answer.",
    messages=(UserMessage("How long?"),),
    tools=(ToolSpec("search", "Searches.", {"type": "object", "properties": {}}),),
)
WORDS = [TextDelta("Two "), TextDelta("years.")]


class Outcome:
    def __init__(self) -> None:
        self.events: list[ModelEvent] = []
        self.failure: ModelFailed | None = None

    @property
    def code(self) -> str | None:
        return self.failure.code if self.failure else None

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextDelta))


async def ask(model: ServerModel, request: ModelRequest = REQUEST, into: Outcome | None = None) -> Outcome:
    outcome = into or Outcome()
    try:
        async for answered in model.stream(request):
            outcome.events += [answered]
    except ModelFailed as error:
        outcome.failure = error
    assert KEY not in f"{outcome.failure!r} {getattr(outcome.failure, '__cause__', None)!r}"
    return outcome
