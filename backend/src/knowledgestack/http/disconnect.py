"""Ends a long request's work when its client has left: no server does it for an ordinary request."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from litestar import Request

from knowledgestack.core.errors import AppError

T = TypeVar("T")


class ClientGone(AppError):
    """Nobody waits for the answer any more."""

    status, code, title = 499, "client_gone", "The client has left"


async def unless_gone(request: Request[Any, Any, Any], work: Coroutine[Any, Any, T]) -> T:
    """Return what `work` returns. When the client leaves first, cancel it, wait for its end and raise `ClientGone`.

    The body has to be read before: what arrives after it can only be the client's departure.
    """
    task = asyncio.ensure_future(work)
    watch = asyncio.ensure_future(_departure(request))
    try:
        await asyncio.wait({task, watch}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientGone("The client left before the answer was there.")
    finally:
        task.cancel()
        watch.cancel()
        await asyncio.wait({task, watch})
        if task.done() and not task.cancelled():
            task.exception()


async def _departure(request: Request[Any, Any, Any]) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
