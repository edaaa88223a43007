"""Retries of model calls: only while nothing has reached the reader, never more than three tries in all."""

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import TypeVar

import msgspec

from knowledgestack.models._failures import CALL_ERRORS, model_failure
from knowledgestack.models.chat import ModelFailed

Item = TypeVar("Item")
Result = TypeVar("Result")

# A broken stream gets one more try; what a second call cannot mend gets none.
_TRIES = {"model_rate_limited": 3, "model_unreachable": 3, "model_cut": 2}


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
    tries = 0
    while True:
        tries += 1
        started = False
        try:
            async with aclosing(attempt()) as items:
                async for item in items:
                    started = True
                    yield item
            return
        except CALL_ERRORS as error:
            failure = model_failure(error, secret)
        if started or tries >= _TRIES.get(failure.code, 1):
            raise failure
        await asyncio.sleep(policy.wait_seconds(failure, tries))


async def call_with_retries(
    attempt: Callable[[], Awaitable[Result]], policy: RetryPolicy, secret: str | None
) -> Result:
    """Return what an attempt returns; raise `ModelFailed` as `stream_with_retries` does."""

    async def once() -> AsyncGenerator[Result]:
        yield await attempt()

    async for result in stream_with_retries(once, policy, secret):
        return result
    raise ModelFailed("The model's server sent nothing.", code="model_malformed")
