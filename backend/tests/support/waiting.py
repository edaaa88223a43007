"""Waiting for something to become true, with a deadline instead of a guess at how long it takes."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")


async def eventually(probe: Callable[[], Awaitable[T]], *, seconds: float = 60, every: float = 0.02) -> T:
    """The first true answer of `probe`; fail where none comes within `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        answer = await probe()
        if answer:
            return answer
        assert time.monotonic() < deadline, f"still {answer!r} after {seconds} seconds"
        await asyncio.sleep(every)
