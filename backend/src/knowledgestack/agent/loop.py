"""The agent's loop: model call, tool calls, until the model answers or a limit ends the run."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Literal

import msgspec

from knowledgestack.agent.budget import Budget
from knowledgestack.agent.context import ContextMeasure
from knowledgestack.agent.session import ToolSession
from knowledgestack.agent.tool import ToolRegistry
from knowledgestack.models.chat import ChatModel, Message

EndReason = Literal[
    "answered",
    "model_call_limit",
    "wall_clock",
    "token_budget",
    "loop_detected",
    "unknown_tool_breaker",
    "context_overflow",
]


class AnswerDelta(msgspec.Struct, frozen=True):
    """Text of a numbered part. A part that a later step claims was thinking aloud; the last part is the answer."""

    part: int
    text: str


class StepStarted(msgspec.Struct, frozen=True):
    """A tool call began. The text of `part`, where there is any, now belongs to this step."""

    step_id: str
    tool: str
    display_text: str
    part: int


class StepEnded(msgspec.Struct, frozen=True):
    step_id: str
    tool: str
    display_text: str
    part: int
    state: Literal["done", "failed"]


class ToolEmitted(msgspec.Struct, frozen=True):
    """An event of a tool, passed on as it is."""

    payload: object


class Compacted(msgspec.Struct, frozen=True):
    """The oldest `turn_count` turns of the given history are now told by `summary` (an earlier summary included)."""

    summary: str
    turn_count: int


class ContextMeasured(msgspec.Struct, frozen=True):
    usage: ContextMeasure


class RunUsage(msgspec.Struct, frozen=True):
    """Tokens of all model calls of a run; counted by us where the server does not tell."""

    model_calls: int
    input_tokens: int
    output_tokens: int


class Ended(msgspec.Struct, frozen=True):
    """The last event of a run that did not raise."""

    reason: EndReason
    model_used: str
    provider_used: str
    usage: RunUsage


AgentEvent = AnswerDelta | StepStarted | StepEnded | ToolEmitted | Compacted | ContextMeasured | Ended


class AgentLoop:
    async def run(
        self,
        model: ChatModel,
        history: Sequence[Message],
        registry: ToolRegistry,
        session: ToolSession[Any],
        budget: Budget,
        *,
        instructions: str,
        summary: str | None = None,
    ) -> AsyncIterator[AgentEvent]:
        """Answer `session.question` after `history` (a user and an assistant message for each earlier turn).

        `history` is never written to. `summary` tells the turns before it that were compacted in earlier runs.
        Raises `ModelFailed` when a model call fails. Cancelling the consuming task cancels model and tool.
        """
        raise NotImplementedError
        yield
