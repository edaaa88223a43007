"""A few connections per database, and the certainty that nothing of a statement outlives it.

A connection goes back only after everything was undone. Where that takes longer than two seconds its socket is
dropped and its backend ended; the place that it took stays taken until the backend is gone, so that statements that
cannot be stopped do not pile up on the server.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any
from uuid import UUID

import asyncpg

from knowledgestack.core.errors import AppError
from knowledgestack.databases import _failures
from knowledgestack.databases._lookups import TargetFacts
from knowledgestack.databases._session import Session, startup_settings
from knowledgestack.databases.targets import Target

Connect = Callable[[Target, Mapping[str, str]], Awaitable["asyncpg.Connection[Any]"]]
"""Opens a connection with these startup settings. Raises AddressRefused, Unavailable."""

UNDO_SECONDS = 2
IDLE_SECONDS = 60
_OPEN_SECONDS = 10
_GONE_SECONDS = 60
_LOOK_AGAIN_SECONDS = 0.5

_END_BACKEND = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_start IS NOT DISTINCT FROM $2
"""


class Slots:
    """The connections of one database and what is known about it, for one revision of its settings."""

    def __init__(self, revision: int, size: int) -> None:
        self.revision = revision
        self.gate = asyncio.Semaphore(size)
        self.idle: list[tuple[float, Session]] = []
        self.facts = TargetFacts()
        self.closed = False


class Lease:
    """A session in a transaction of its own."""

    def __init__(self, session: Session, place: Slots) -> None:
        self.session = session
        self.facts = place.facts


class Pool:
    def __init__(self, connect: Connect, *, seconds: float, size: int, per_workspace: int) -> None:
        self._connect = connect
        self._seconds = seconds
        self._size = size
        self._per_workspace = per_workspace
        self._places: dict[UUID, Slots] = {}
        self._workspaces: dict[UUID, asyncio.Semaphore] = {}
        self._leaving: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def lease(self, target: Target, seconds: float) -> AsyncGenerator[Lease]:
        """A session whose transaction has begun; all is undone at the end. Raises Unavailable, AddressRefused."""
        place = await self._place(target)
        gates = await self._enter(target, place)
        try:
            session = await self._begun(target, place, seconds)
        except BaseException:
            await gates.aclose()
            raise
        try:
            yield Lease(session, place)
        finally:
            await self._leave(target, place, session, gates)

    async def forget(self, connection_id: UUID) -> None:
        """Close what is idle; what is in use is closed when it is given back."""
        place = self._places.pop(connection_id, None)
        if place is not None:
            await _close(place)

    async def close(self) -> None:
        for connection_id in list(self._places):
            await self.forget(connection_id)
        for task in list(self._leaving):
            task.cancel()
        await asyncio.gather(*self._leaving, return_exceptions=True)

    async def _place(self, target: Target) -> Slots:
        place = self._places.get(target.connection_id)
        if place is not None and place.revision < target.revision:
            await self.forget(target.connection_id)
            place = None
        if place is None:
            place = self._places.setdefault(target.connection_id, Slots(target.revision, self._size))
        return place

    async def _enter(self, target: Target, place: Slots) -> AsyncExitStack:
        workspace = self._workspaces.setdefault(target.workspace_id, asyncio.Semaphore(self._per_workspace))
        gates = AsyncExitStack()
        try:
            async with asyncio.timeout(self._seconds if place.gate.locked() or workspace.locked() else None):
                await gates.enter_async_context(place.gate)
                await gates.enter_async_context(workspace)
        except TimeoutError:
            await gates.aclose()
            raise _failures.busy(target.name) from None
        except BaseException:
            await gates.aclose()
            raise
        return gates

    async def _begun(self, target: Target, place: Slots, seconds: float) -> Session:
        while (session := self._idle(place, target)) is not None:
            try:
                async with asyncio.timeout(_OPEN_SECONDS):
                    await session.begin(seconds)
            except BaseException as error:
                session.connection.terminate()
                if not isinstance(error, (*_failures.LOST, asyncpg.PostgresError, TimeoutError)):
                    raise
            else:
                return session
        return await self._opened(target, seconds)

    def _idle(self, place: Slots, target: Target) -> Session | None:
        while place.idle:
            _, session = place.idle.pop()
            if not session.connection.is_closed() and session.revision == target.revision:
                return session
            session.connection.terminate()
        return None

    async def _opened(self, target: Target, seconds: float) -> Session:
        connection = await self._connect(target, startup_settings(self._seconds))
        try:
            async with asyncio.timeout(_OPEN_SECONDS):
                session = await Session.open(connection, self._seconds, target.revision)
                await session.begin(seconds)
        except (*_failures.LOST, asyncpg.PostgresError, TimeoutError):
            connection.terminate()
            raise _failures.lost(target.name) from None
        except BaseException:
            connection.terminate()
            raise
        return session

    async def _leave(self, target: Target, place: Slots, session: Session, gates: AsyncExitStack) -> None:
        undone = asyncio.Event()
        task = asyncio.create_task(self._undo(target, place, session, gates, undone))
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)
        await undone.wait()

    async def _undo(
        self, target: Target, place: Slots, session: Session, gates: AsyncExitStack, undone: asyncio.Event
    ) -> None:
        async with gates:
            try:
                async with asyncio.timeout(UNDO_SECONDS):
                    await session.leave()
            except asyncio.CancelledError:
                session.connection.terminate()
                undone.set()
                raise
            except (*_failures.LOST, asyncpg.PostgresError, TimeoutError):
                session.connection.terminate()
                undone.set()
                await self._end(target, session)
                return
            self._give_back(place, session)
            undone.set()

    def _give_back(self, place: Slots, session: Session) -> None:
        if place.closed or session.revision != place.revision or session.connection.is_closed():
            session.connection.terminate()
            return
        place.idle.append((time.monotonic(), session))
        asyncio.get_running_loop().call_later(IDLE_SECONDS, _sweep, place)

    async def _end(self, target: Target, session: Session) -> None:
        """End the backend of a dropped socket and wait until it is gone."""
        if not session.direct:
            return
        try:
            async with asyncio.timeout(_GONE_SECONDS):
                connection = await self._connect(target, startup_settings(self._seconds))
                try:
                    await _until_gone(connection, session)
                finally:
                    connection.terminate()
        except (*_failures.LOST, asyncpg.PostgresError, TimeoutError, AppError):
            # The server cannot be asked: its own check of the client's socket is what is left.
            return


async def _until_gone(connection: asyncpg.Connection[Any], session: Session) -> None:
    while await connection.fetch(_END_BACKEND, session.pid, session.backend_start):  # noqa: ASYNC110
        await asyncio.sleep(_LOOK_AGAIN_SECONDS)


def _sweep(place: Slots) -> None:
    oldest = time.monotonic() - IDLE_SECONDS
    stale = [session for since, session in place.idle if since <= oldest]
    place.idle = [(since, session) for since, session in place.idle if since > oldest]
    for session in stale:
        session.connection.terminate()


async def _close(place: Slots) -> None:
    place.closed = True
    idle, place.idle = place.idle, []
    for _, session in idle:
        try:
            await session.connection.close(timeout=UNDO_SECONDS)
        except (*_failures.LOST, asyncpg.PostgresError, TimeoutError):
            session.connection.terminate()
