"""Retries of model calls: only while nothing has reached the reader, never more than three tries in all."""

import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Generic, TypeVar

import msgspec
import stamina

from knowledgestack.models._failures import CALL_ERRORS, model_failure
from knowledgestack.models.chat import ModelFailed

Item = TypeVar("Item")
Result = TypeVar("Result")

# A broken stream gets one more try; what a second call cannot mend gets none.
_TRIES = {"model_rate_limited": 3, "model_unreachable": 3, "model_cut": 2}
_MOST_TRIES = max(_TRIES.values())


class RetryPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds: the first wait without word from the server (doubled each time), and the longest wait of all."""

    first_seconds: float = 0.5
    longest_seconds: float = 30.0

    def wait_seconds(self, failure: ModelFailed, tries: int) -> float:
        asked = failure.retry_after
        seconds = self.first_seconds * 2 ** (tries - 1) if asked is None else asked
        capped = min(seconds, self.longest_seconds)
        return capped + random.uniform(0, capped / 4)  # noqa: S311 (spreads callers, keeps no secret)


DEFAULT_RETRIES = RetryPolicy()


async def stream_with_retries(
    attempt: Callable[[], AsyncGenerator[Item]], policy: RetryPolicy, secret: str | None
) -> AsyncGenerator[Item]:
    """Yield what an attempt yields; a failure before its first item may lead to another attempt.

    Raises `ModelFailed`. It is raised outside the handler, so that no traceback carries the request with its key.
    """
    failure: ModelFailed | None = None
    try:
        begun = await _begin(attempt, policy, secret)
    except _AttemptFailed as error:
        failure = error.failure
    else:
        try:
            async with aclosing(begun.items):
                yield begun.first
                async for item in begun.items:
                    yield item
        except CALL_ERRORS as error:
            failure = model_failure(error, secret)
    if failure is not None:
        raise failure


class _Begun(Generic[Item]):
    """An attempt that has given its first item."""

    def __init__(self, items: AsyncGenerator[Item], first: Item) -> None:
        self.items = items
        self.first = first


class _AttemptFailed(Exception):
    """An attempt without a first item. `wait` is in seconds, None where no other attempt is made."""

    def __init__(self, failure: ModelFailed, wait: float | None) -> None:
        super().__init__(failure.code)
        self.failure = failure
        self.wait = wait


async def _begin(attempt: Callable[[], AsyncGenerator[Item]], policy: RetryPolicy, secret: str | None) -> _Begun[Item]:
    async for tried in stamina.retry_context(on=_wait_of, attempts=_MOST_TRIES, timeout=None):
        with tried:
            items = attempt()
            try:
                return _Begun(items, await anext(items))
            except StopAsyncIteration:
                failure = ModelFailed("The model's server sent nothing.", code="model_malformed")
            except CALL_ERRORS as error:
                failure = model_failure(error, secret)
            again = tried.num < _TRIES.get(failure.code, 1)
            raise _AttemptFailed(failure, policy.wait_seconds(failure, tried.num) if again else None)
    raise AssertionError("stamina raises the last failure")


def _wait_of(error: Exception) -> float | bool:
    wait = error.wait if isinstance(error, _AttemptFailed) else None
    return False if wait is None else wait


async def call_with_retries(
    attempt: Callable[[], Awaitable[Result]], policy: RetryPolicy, secret: str | None
) -> Result:
    """Return what an attempt returns; raise `ModelFailed` as `stream_with_retries` does."""

    async def once() -> AsyncGenerator[Result]:
        yield await attempt()

    async with aclosing(stream_with_retries(once, policy, secret)) as results:
        return await anext(results)
