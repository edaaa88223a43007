"""The work of a request ends when its client leaves, and when the process is to end."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from knowledgestack.core.errors import Unavailable
from knowledgestack.http.disconnect import ClientGone, unless_gone


class Client:
    """What the server tells of a client: a rest of the body, then its departure."""

    def __init__(self) -> None:
        self.gone, self.stopping = asyncio.Event(), asyncio.Event()
        self.app = SimpleNamespace(state=SimpleNamespace(stopping=self.stopping))
        self._rest = True

    async def receive(self) -> dict[str, Any]:
        if self._rest:
            self._rest = False
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}


class Work:
    def __init__(self) -> None:
        self.began, self.cancelled = asyncio.Event(), False

    async def forever(self) -> str:
        self.began.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            self.cancelled = True
            raise
        return "never"


async def test_the_answer_is_given_to_a_client_that_waits() -> None:
    client: Any = Client()

    async def answer() -> str:
        return "rows"

    assert await unless_gone(client, answer()) == "rows"


async def test_a_failure_is_the_works_own() -> None:
    client: Any = Client()

    async def fail() -> str:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await unless_gone(client, fail())


async def test_who_leaves_cancels_the_work_and_it_has_ended_before_anything_else_happens() -> None:
    client, work = Client(), Work()
    request: Any = client
    waiting = asyncio.create_task(unless_gone(request, work.forever()))
    await work.began.wait()
    client.gone.set()
    with pytest.raises(ClientGone):
        await waiting
    assert work.cancelled


async def test_a_process_that_is_to_end_cancels_the_work_and_says_so() -> None:
    client, work = Client(), Work()
    request: Any = client
    waiting = asyncio.create_task(unless_gone(request, work.forever()))
    await work.began.wait()
    client.stopping.set()
    with pytest.raises(Unavailable, match="restarted"):
        await waiting
    assert work.cancelled


async def test_a_request_that_is_cancelled_cancels_its_work() -> None:
    work = Work()
    request: Any = Client()
    waiting = asyncio.create_task(unless_gone(request, work.forever()))
    await work.began.wait()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert work.cancelled
