"""Carries the bytes of an export from the task that makes them to whoever sends them."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator

STALLED_SECONDS = 60.0
_AHEAD = 2


class Pump:
    """An async iterator over what a generator makes in a task of its own, a few pieces ahead.

    The generator holds deadlines and a database session, which belong to the task that entered them; a response is
    begun in one task and sent in another. A reader that takes nothing for a minute ends it, and so does `aclose`.
    """

    def __init__(self, pieces: AsyncGenerator[bytes]) -> None:
        self._queue: asyncio.Queue[bytes | Exception | None] = asyncio.Queue(_AHEAD)
        self._first: bytes | None = None
        self._task = asyncio.create_task(self._run(pieces))

    def __aiter__(self) -> "Pump":
        return self

    async def __anext__(self) -> bytes:
        """The next piece; raises what the generator raised."""
        item = self._first if self._first is not None else await self._queue.get()
        self._first = None
        if isinstance(item, bytes):
            return item
        self._queue.put_nowait(item)
        raise StopAsyncIteration if item is None else item

    async def begin(self) -> None:
        """Wait until the first piece is there; raises what the generator raised before it."""
        try:
            self._first = await anext(self)
        except StopAsyncIteration:
            return
        except BaseException:
            await self.aclose()
            raise

    async def aclose(self) -> None:
        """End the generator and wait until it has let go of what it held."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _run(self, pieces: AsyncGenerator[bytes]) -> None:
        last: Exception | None = None
        try:
            async with contextlib.aclosing(pieces):
                async for piece in pieces:
                    async with asyncio.timeout(STALLED_SECONDS):
                        await self._queue.put(piece)
        except TimeoutError as error:
            last = error
            while not self._queue.empty():
                self._queue.get_nowait()
        except Exception as error:  # noqa: BLE001 (whatever it is, the reader raises it)
            last = error
        await self._queue.put(last)
