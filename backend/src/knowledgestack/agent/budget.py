"""The one budget of a turn: model calls, wall clock, tokens, repeated calls, faults of the model (decision 19)."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Literal, TypeVar

import msgspec

Item = TypeVar("Item")

EndReason = Literal[
    "answered",
    "model_call_limit",
    "wall_clock",
    "token_budget",
    "loop_detected",
    "unknown_tool_breaker",
    "context_overflow",
]

MAX_CALLS_AT_ONCE = 8
_SAME_CALLS = 3
_FAULTS_IN_A_ROW = 3
_FAULTS_IN_ALL = 5


class BudgetLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of a run, from the settings KS_AGENT_*. Seconds and tokens are for the whole run."""

    model_calls: int = 50
    seconds: float = 600
    tokens: int = 2_000_000
    tool_seconds: float = 60


class WallClockReached(Exception):
    """The run's time is over."""


class Budget:
    """What is left of one turn. Made anew for each turn; its clock starts when it is made."""

    def __init__(self, limits: BudgetLimits) -> None:
        self.limits = limits
        self.model_calls = 0
        self.input_tokens = 0
        self.output_tokens = 0
        self._deadline = time.monotonic() + limits.seconds
        self._same_calls: dict[tuple[str, str], int] = {}
        self._faults_in_a_row = 0
        self._faults = 0

    @property
    def seconds_left(self) -> float:
        return max(0.0, self._deadline - time.monotonic())

    def exhausted(self) -> EndReason | None:
        """Why the next model call may not be made; None while it may."""
        if self.model_calls >= self.limits.model_calls:
            return "model_call_limit"
        if self.seconds_left == 0:
            return "wall_clock"
        if self.input_tokens + self.output_tokens >= self.limits.tokens:
            return "token_budget"
        return None

    def count_model_call(self) -> None:
        self.model_calls += 1

    def count_tokens(self, input_tokens: int, output_tokens: int) -> None:
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens

    def count_calls(self, calls: set[tuple[str, str]]) -> EndReason | None:
        """Note the different calls (name, arguments) of one model answer; the third time of one ends the run."""
        for call in calls:
            self._same_calls[call] = self._same_calls.get(call, 0) + 1
        return "loop_detected" if any(self._same_calls[call] >= _SAME_CALLS for call in calls) else None

    def count_fault(self) -> EndReason | None:
        """Note a call that could not be run as written: three in a row or five in all end the run."""
        self._faults_in_a_row += 1
        self._faults += 1
        broken = self._faults_in_a_row >= _FAULTS_IN_A_ROW or self._faults >= _FAULTS_IN_ALL
        return "unknown_tool_breaker" if broken else None

    def count_sound_call(self) -> None:
        self._faults_in_a_row = 0

    async def within_time(self, items: AsyncIterator[Item]) -> AsyncGenerator[Item]:
        """Pass items on; raise `WallClockReached` when the run's time ends while one is waited for.

        The deadline stands around each wait alone: around the whole loop it could cancel the reader's own work.
        """
        while True:
            try:
                async with asyncio.timeout(self.seconds_left):
                    item = await anext(items)
            except StopAsyncIteration:
                return
            except TimeoutError:
                if self.seconds_left == 0:
                    raise WallClockReached from None
                raise
            yield item
