"""The agent's loop: model call, tool calls, until the model answers or a limit ends the run."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any, Literal

import msgspec

from knowledgestack.agent.budget import MAX_CALLS_AT_ONCE, Budget, EndReason, WallClockReached
from knowledgestack.agent.compaction import compact_history
from knowledgestack.agent.context import ContextMeasure, MessageTokens, fit_context, measure_context, window_limit
from knowledgestack.agent.instructions import history_summary
from knowledgestack.agent.session import ToolSession
from knowledgestack.agent.tool import Correction, ToolRegistry
from knowledgestack.lexicon.tokens import count_tokens
from knowledgestack.models.chat import (
    AssistantMessage,
    ChatModel,
    Completed,
    Message,
    ModelEvent,
    ModelFailed,
    ModelRequest,
    TextDelta,
    ToolCall,
    ToolResult,
    UserMessage,
    events_of,
)


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

_TOO_MANY = f"At most {MAX_CALLS_AT_ONCE} calls are run at once. This one was not run: ask again if you need it."
_REPEATED = "You made exactly this call before and have its result. It was not run again: use that, or ask otherwise."


class AgentLoop:
    """Stateless: one loop serves every run."""

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
    ) -> AsyncGenerator[AgentEvent]:
        """Answer `session.question` after `history` (a user and an assistant message for each earlier turn).

        `history` is never written to. `summary` tells the turns before it that were compacted in earlier runs.
        Raises `ModelFailed` when a model call fails. Cancelling the consuming task cancels model and tool.
        """
        run = _Run(model, registry, session, budget, instructions)
        async with aclosing(run.events(history, summary)) as events:
            async for event in events:
                yield event


class _Run:
    """The state of one run."""

    def __init__(
        self, model: ChatModel, registry: ToolRegistry, session: ToolSession[Any], budget: Budget, instructions: str
    ) -> None:
        self.model = model
        self.registry = registry
        self.session = session
        self.budget = budget
        self.instructions = instructions
        self.history: tuple[Message, ...] = ()
        self.turn: list[Message] = [UserMessage(session.question)]
        self.summary: str | None = None
        self.part = 0
        self.steps = 0
        self.model_used = model.id
        self.answered_calls: set[tuple[str, str]] = set()
        self.tokens = MessageTokens()

    async def events(self, history: Sequence[Message], summary: str | None) -> AsyncGenerator[AgentEvent]:
        self.history, self.summary = tuple(history), summary
        if self.measure().fraction >= 1:
            compacted = await compact_history(self.model, self.history, summary, self.budget)
            if compacted is not None:
                self.history, self.summary = compacted.kept, compacted.summary
                yield Compacted(compacted.summary, compacted.turn_count)
        yield ContextMeasured(self.measure())
        reason: EndReason | None = None
        while reason is None:
            reason = self.budget.exhausted()
            if reason is None:
                async with aclosing(self.cycle()) as cycle:
                    async for event in cycle:
                        if isinstance(event, str):
                            reason = event
                        else:
                            yield event
        yield ContextMeasured(self.measure())
        yield Ended(reason, self.model_used, self.model.provider, self.usage())

    async def cycle(self) -> AsyncGenerator[AgentEvent | EndReason]:
        """One model call and the tools it asks for; the last item is the reason when the run is over."""
        messages = self.fitted()
        if messages is None:
            yield "context_overflow"
            return
        text: list[str] = []
        calls: list[ToolCall] = []
        async with aclosing(self.ask(messages)) as answer:
            async for event in answer:
                match event:
                    case TextDelta():
                        text.append(event.text)
                        yield AnswerDelta(self.part, event.text)
                    case ToolCall():
                        calls.append(event)
                    case Completed():
                        self.count(event, messages, text, calls)
                    case reason:
                        yield reason
                        return
        self.turn.append(AssistantMessage("".join(text), tuple(calls)))
        if calls:
            async with aclosing(self.run_calls(calls)) as ran:
                async for step in ran:
                    yield step
        elif "".join(text).strip():
            yield "answered"
        else:
            raise ModelFailed("The model ended without an answer. Ask again.", code="model_malformed")

    async def ask(self, messages: tuple[Message, ...]) -> AsyncGenerator[ModelEvent | EndReason]:
        """The model's events; a reason instead of the rest where time or the model's window is used up."""
        self.budget.count_model_call()
        request = ModelRequest(instructions=self.instructions, messages=messages, tools=self.registry.specs())
        try:
            async with aclosing(events_of(self.model, request)) as stream:
                async for event in self.budget.within_time(stream):
                    yield event
        except WallClockReached:
            yield "wall_clock"
        except ModelFailed as error:
            if error.code != "model_context_overflow":
                raise
            yield "context_overflow"

    async def run_calls(self, calls: Sequence[ToolCall]) -> AsyncGenerator[AgentEvent | EndReason]:
        reason = self.budget.count_calls({(call.name, call.arguments) for call in calls})
        if reason is not None:
            yield reason
            return
        for number, call in enumerate(calls):
            if number >= MAX_CALLS_AT_ONCE:
                self.turn.append(ToolResult(call.id, _TOO_MANY))
            elif (call.name, call.arguments) in self.answered_calls:
                self.turn.append(ToolResult(call.id, _REPEATED))
            else:
                async with aclosing(self.run_call(call)) as step:
                    async for event in step:
                        if isinstance(event, str):
                            reason = event
                        else:
                            yield event
            if reason is not None or self.budget.seconds_left == 0:
                yield reason or "wall_clock"
                return

    async def run_call(self, call: ToolCall) -> AsyncGenerator[AgentEvent | EndReason]:
        """One step: it claims the text before it, and a new part begins after it."""
        prepared = self.registry.prepare(call.name, call.arguments)
        self.steps += 1
        step_id, part = f"step-{self.steps}", self.part
        self.part += 1
        if isinstance(prepared, Correction):
            words = f"Correcting a call of {call.name[:60]}"
            yield StepStarted(step_id, call.name[:60], words, part)
            yield StepEnded(step_id, call.name[:60], words, part, "failed")
            self.turn.append(ToolResult(call.id, prepared.text))
            reason = self.budget.count_fault()
            if reason is not None:
                yield reason
            return
        self.budget.count_sound_call()
        yield StepStarted(step_id, call.name, prepared.display_text, part)
        seconds = min(self.budget.limits.tool_seconds, self.budget.seconds_left)
        outcome = await self.registry.run(prepared, self.session, seconds=seconds)
        for payload in self.session.drain():
            yield ToolEmitted(payload)
        yield StepEnded(step_id, call.name, prepared.display_text, part, "done" if outcome.ok else "failed")
        if outcome.ok:
            self.answered_calls.add((call.name, call.arguments))
        self.turn.append(ToolResult(call.id, outcome.text))

    def count(
        self, completed: Completed, messages: Sequence[Message], text: Sequence[str], calls: Sequence[ToolCall]
    ) -> None:
        """Count what the server says, or what we count ourselves where it says nothing."""
        self.model_used = completed.model or self.model.id
        written = AssistantMessage("".join(text), tuple(calls))
        self.budget.count_tokens(
            completed.input_tokens or sum(map(self.tokens, messages)) + count_tokens(self.instructions),
            completed.output_tokens or self.tokens(written),
        )

    def measure(self) -> ContextMeasure:
        """The conversation with this turn's question and what was written to it; tool results do not stay."""
        answer = [AssistantMessage(message.text) for message in self.turn[1:] if isinstance(message, AssistantMessage)]
        return measure_context(
            [*self.history, self.turn[0], *answer[-1:]],
            summary=self.summary,
            instructions=self.instructions,
            context_window=self.model.context_window,
            count=self.tokens,
        )

    def fitted(self) -> tuple[Message, ...] | None:
        """What the next call sends; None when it cannot be made to fit the model's window."""
        told: list[Message] = [UserMessage(history_summary(self.summary))] if self.summary else []
        if self.model.context_window is None:
            return (*told, *self.history, *self.turn)
        fixed = count_tokens(self.instructions) + sum(map(self.tokens, told))
        limit = window_limit(self.model.context_window) - fixed
        fitted = fit_context(self.history, self.turn, limit=limit, count=self.tokens)
        return None if fitted is None else (*told, *fitted)

    def usage(self) -> RunUsage:
        return RunUsage(self.budget.model_calls, self.budget.input_tokens, self.budget.output_tokens)
