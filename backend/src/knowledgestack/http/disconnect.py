"""Ends a long request's work when its client has left or the process is to end: no server does it by itself."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from litestar import Litestar, Request

from knowledgestack.core.errors import AppError, Unavailable

T = TypeVar("T")


class ClientGone(AppError):
    """Nobody waits for the answer any more."""

    status, code, title = 499, "client_gone", "The client has left"


def watch_stopping(app: Litestar) -> asyncio.Event:
    """The event of this application that ends what `unless_gone` waits for; it is set when the process is to end."""
    app.state.stopping = asyncio.Event()
    return app.state.stopping


async def unless_gone(request: Request[Any, Any, Any], work: Coroutine[Any, Any, T]) -> T:
    """Return what `work` returns.

    When the client leaves first, cancel it, wait for its end and raise `ClientGone`; when the process is told to end,
    raise `Unavailable`. The body has to be read before: what arrives after it can only be the client's departure.
    """
    task = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_departure(request))
    stopping = asyncio.ensure_future(request.app.state.stopping.wait())
    try:
        await asyncio.wait({task, leaving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        if stopping.done():
            raise Unavailable("KnowledgeStack is being restarted. Try again in a few seconds.")
        raise ClientGone("The client left before the answer was there.")
    finally:
        for one in (task, leaving, stopping):
            one.cancel()
        await asyncio.wait({task, leaving, stopping})
        if task.done() and not task.cancelled():
            task.exception()


async def _departure(request: Request[Any, Any, Any]) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
