"""Asking for a pass: the one place that decides whether a new one begins."""

from typing import Any
from uuid import UUID

from knowledgestack.core.errors import Conflict
from knowledgestack.db.engine import Transaction
from knowledgestack.jobs.port import Job, JobQueue
from knowledgestack.sources._repository import PassRepository, SourceRepository


class SyncSource(Job, frozen=True, tag="sync_source"):
    """Run one pass."""

    workspace_id: UUID
    pass_id: UUID


class RequestSync(Job, frozen=True, tag="request_sync"):
    """See to it that a pass begins over a source."""

    workspace_id: UUID
    source_id: UUID


class DeleteOriginals(Job, frozen=True, tag="delete_originals"):
    """Remove bytes that no row names any more."""

    keys: list[str]


class SweepOriginals(Job, frozen=True, tag="sweep_originals"):
    """Find and remove bytes that no row names: of an upload that was cut off, of a workspace that was deleted."""


_KEYS_PER_JOB = 500
STOPPED = "Stopped before it was complete."


def refuse_paused(source: Any) -> None:
    """Raise `Conflict` (`source_paused`) for the row of a source that rests."""
    if source.state == "paused":
        raise Conflict("This source is paused. Resume it first.", code="source_paused")


class Passes:
    """Begins passes. The caller's transaction has the source's row locked, so that none is begun twice or missed."""

    def __init__(self, queue: JobQueue) -> None:
        self._queue = queue

    async def start(self, tx: Transaction, workspace_id: UUID, source_id: UUID) -> UUID:
        """Begin a pass and return its id; raise `Conflict` (`already_running`) where one waits or runs."""
        passes = PassRepository(tx, workspace_id)
        if await passes.active(source_id) is not None:
            raise Conflict("A sync of this source is already running.", code="already_running")
        return await self._begin(passes, source_id)

    async def request(self, tx: Transaction, workspace_id: UUID, source_id: UUID) -> None:
        """See to it that a pass begins after this transaction: a running one is followed by another."""
        source = await SourceRepository(tx, workspace_id).lock(source_id)
        if source.state == "paused":
            return
        passes = PassRepository(tx, workspace_id)
        active = await passes.active(source_id)
        if active is None:
            await self._begin(passes, source_id)
        elif active.state == "running":
            await SourceRepository(tx, workspace_id).change(source_id, sync_requested=True)

    async def cancel(self, tx: Transaction, workspace_id: UUID, source_id: UUID) -> None:
        """Have the active pass stopped: at once where nobody works on it, else by its worker within seconds."""
        passes = PassRepository(tx, workspace_id)
        active = await passes.active(source_id)
        if active is None:
            return
        await SourceRepository(tx, workspace_id).change(source_id, sync_requested=False)
        locked = await passes.lock(active.id)
        if locked is not None and locked.lease_left is not None and locked.lease_left > 0:
            await passes.request_cancel(active.id)
        else:
            await passes.end(active.id, "cancelled", STOPPED)

    async def delete_originals(self, tx: Transaction, keys: list[str]) -> None:
        """Have the bytes removed once the transaction that forgot them is committed."""
        for start in range(0, len(keys), _KEYS_PER_JOB):
            await self._queue.enqueue(tx, DeleteOriginals(keys=keys[start : start + _KEYS_PER_JOB]))

    async def sweep_originals(self, tx: Transaction) -> None:
        """Have bytes removed that no row names."""
        await self._queue.enqueue(tx, SweepOriginals(), key="sweep_originals")

    async def enqueue(self, tx: Transaction, workspace_id: UUID, pass_id: UUID) -> None:
        """Leave the job of a pass in the queue, unless it is there."""
        await self._queue.enqueue(tx, SyncSource(workspace_id=workspace_id, pass_id=pass_id), key=f"sync:{pass_id}")

    async def _begin(self, passes: PassRepository, source_id: UUID) -> UUID:
        pass_id = await passes.add(source_id)
        await self.enqueue(passes.tx, passes.workspace_id, pass_id)
        return pass_id
