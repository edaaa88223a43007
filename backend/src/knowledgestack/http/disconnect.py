"""Ends a long request's work when its client has left: no server does it for an ordinary request."""

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, TypeVar

from litestar import Request

T = TypeVar("T")


async def unless_gone(request: Request[Any, Any, Any], work: Coroutine[Any, Any, T]) -> T:
    """Return what `work` returns; cancel it as soon as the client is gone, and then raise CancelledError.

    The body has to be read before: what arrives after it can only be the client's departure.
    """
    task = asyncio.ensure_future(work)
    watch = asyncio.ensure_future(_departure(request))
    try:
        await asyncio.wait({task, watch}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            task.cancel()
        return await task
    finally:
        for one in (task, watch):
            one.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await one


async def _departure(request: Request[Any, Any, Any]) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
