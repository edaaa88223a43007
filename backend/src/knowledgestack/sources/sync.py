"""One pass over one source: list, index what changed, ask about what is missing, stamp.

Every step may be done twice: a pass whose worker died is taken over by another once the lease ran out, from the last
whole page on.
"""

import asyncio
import contextlib
from collections.abc import Callable
from datetime import datetime
from uuid import UUID

import msgspec
import structlog

from knowledgestack.connectors.protocol import Connector, ListedPage
from knowledgestack.core.errors import AppError, InsufficientStorage, NotFound, Unavailable
from knowledgestack.core.ids import new_id
from knowledgestack.db.engine import Database
from knowledgestack.documents.indexing import DocumentContent, DocumentIndexer, IndexOutcome
from knowledgestack.jobs.port import RetryLater
from knowledgestack.sources._listing import document_of
from knowledgestack.sources._repository import PassRepository, SourceRepository
from knowledgestack.sources.passes import STOPPED, Passes, SyncSource

_log = structlog.get_logger(__name__)

PAGE_SIZE = 100
LEASE_SECONDS = 30.0
_LONGEST_WATCH_SECONDS = 2.0
_MAX_CLAIMS = 5
_DOUBTED_SHARE = 0.2
_MAX_FAILURES_IN_A_ROW = 3
WAITS_BEFORE_RETRY = (1.0, 4.0)

ConnectorFactory = Callable[[str, UUID, UUID], Connector]
"""(provider, workspace id, source id) → its connector."""


class Counts(msgspec.Struct):
    """What a pass met so far."""

    found: int = 0
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    failed: int = 0
    deleted: int = 0


class Checkpoint(msgspec.Struct, frozen=True):
    """Where to go on: the cursor of the next page and the counts of all pages before it."""

    cursor: str | None
    counts: Counts


class PassFailed(Exception):
    """The pass cannot go on; the text is a sentence for a person."""


class _LeaseLost(Exception):
    """Another worker has the pass, or it is gone with its source."""


class _Claim(msgspec.Struct, frozen=True):
    workspace_id: UUID
    source_id: UUID
    pass_id: UUID
    owner: UUID
    started_at: datetime
    checkpoint: Checkpoint
    connector: Connector


class SyncRunner:
    """Runs passes. Each is worked on by one worker at a time, which renews its lease while it works."""

    def __init__(
        self,
        database: Database,
        indexer: DocumentIndexer,
        passes: Passes,
        connect: ConnectorFactory,
        *,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self._database = database
        self._indexer = indexer
        self._passes = passes
        self._connect = connect
        self._lease_seconds = lease_seconds

    async def run(self, job: SyncSource) -> None:
        """Run the pass to its end; raise `RetryLater` while another worker's lease on it holds."""
        claim = await self._claim(job)
        if claim is None:
            return
        work = asyncio.create_task(self._work(claim))
        watch = asyncio.create_task(self._watch(claim))
        interrupted = False
        try:
            await asyncio.wait({work, watch}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                await self._conclude(claim, work)
            elif watch.result():
                await _cancel(work)
                await self._end(claim, "cancelled", STOPPED)
        except (asyncio.CancelledError, Unavailable, InsufficientStorage):
            interrupted = True
            raise
        finally:
            await _cancel(work)
            await _cancel(watch)
            await asyncio.shield(self._release(claim, interrupted=interrupted))

    async def _claim(self, job: SyncSource) -> _Claim | None:
        async with self._database.transaction() as tx:
            passes = PassRepository(tx, job.workspace_id)
            found = await passes.find(job.pass_id)
            if found is None:
                return None
            try:
                source = await SourceRepository(tx, job.workspace_id).lock(found.source_id)
            except NotFound:
                return None
            row = await passes.lock(job.pass_id)
            if row is None or row.state not in {"queued", "running"}:
                return None
            if row.lease_left is not None and row.lease_left > 0:
                raise RetryLater("another worker has this pass", seconds=float(row.lease_left) + 0.1)
            if row.cancel_requested or source.state == "paused":
                await passes.end(job.pass_id, "cancelled", STOPPED)
                return None
            if row.attempts >= _MAX_CLAIMS:
                await self._end_in(passes, found.source_id, job.pass_id, "failed", _GAVE_UP)
                return None
            owner = new_id()
            return _Claim(
                workspace_id=job.workspace_id,
                source_id=found.source_id,
                pass_id=job.pass_id,
                owner=owner,
                started_at=await passes.claim(job.pass_id, owner, self._lease_seconds),
                checkpoint=_checkpoint_of(row.checkpoint),
                connector=self._connect(source.provider, job.workspace_id, found.source_id),
            )

    async def _watch(self, claim: _Claim) -> bool:
        """Renew the lease until the pass is to stop: True when a person asked for it, False when the lease is lost."""
        while True:
            await asyncio.sleep(min(self._lease_seconds / 3, _LONGEST_WATCH_SECONDS))
            try:
                async with self._database.transaction() as tx:
                    passes = PassRepository(tx, claim.workspace_id)
                    asked = await passes.hold(claim.pass_id, claim.owner, self._lease_seconds)
            except (Unavailable, InsufficientStorage) as error:
                _log.warning("lease_not_renewed", pass_id=str(claim.pass_id), error=error.code)
                continue
            if asked is not False:
                return asked is True

    async def _conclude(self, claim: _Claim, work: "asyncio.Task[Counts]") -> None:
        """Write how the work ended; raise its error where the queue has to call again."""
        error = work.exception()
        if error is None:
            state, message = _ending(work.result())
            await self._end(claim, state, message)
        elif isinstance(error, Unavailable | InsufficientStorage):
            with contextlib.suppress(Unavailable, InsufficientStorage):
                await self._note(claim, f"Waiting to go on: {error.detail}")
            raise error
        elif isinstance(error, PassFailed):
            await self._end(claim, "failed", str(error))
        elif not isinstance(error, _LeaseLost) and not await self._is_gone(claim):
            _log.error("pass_failed", pass_id=str(claim.pass_id), exc_info=error)
            detail = error.detail if isinstance(error, AppError) else "Something went wrong. Start the sync again."
            await self._end(claim, "failed", detail)

    async def _work(self, claim: _Claim) -> Counts:
        counts = msgspec.structs.replace(claim.checkpoint.counts)
        cursor = claim.checkpoint.cursor
        seen: set[str | None] = {cursor}
        while True:
            page = await claim.connector.list_page(cursor, PAGE_SIZE)
            await self._take_page(claim, page, counts)
            cursor = page.next_cursor
            if cursor is None:
                break
            if cursor in seen:
                raise PassFailed("The listing of this source is incomplete. Nothing was deleted.")
            seen.add(cursor)
            checkpoint = msgspec.json.encode(Checkpoint(cursor=cursor, counts=counts))
            await self._save(claim, counts, checkpoint=checkpoint)
        await self._remove_missing(claim, counts)
        return counts

    async def _take_page(self, claim: _Claim, page: ListedPage, counts: Counts) -> None:
        """Observe a page whole, then index what changed, so that all of it shows as waiting at once."""
        waiting: list[tuple[UUID, str]] = []
        for listed in page.documents:
            observed = await self._indexer.observe(
                claim.workspace_id, claim.source_id, document_of(claim.connector.provider, listed), claim.started_at
            )
            counts.found += 1
            setattr(counts, observed.change, getattr(counts, observed.change) + 1)
            if observed.change != "unchanged":
                waiting.append((observed.document_id, listed.external_id))
        await self._save(claim, counts)
        failures_in_a_row = 0
        for document_id, external_id in waiting:
            outcome = await self._index(claim, document_id, external_id)
            if outcome is None and claim.connector.deletes_are_explicit:
                # Deleted by a person after it was listed: observing it has brought its row back.
                await self._indexer.delete(claim.workspace_id, document_id)
            failed = outcome is not None and outcome.state == "failed"
            counts.failed += failed
            await self._save(claim, counts, attempts=0)
            failures_in_a_row = failures_in_a_row + 1 if failed and outcome and outcome.retryable else 0
            if failures_in_a_row == _MAX_FAILURES_IN_A_ROW:
                raise PassFailed(
                    "Documents cannot be indexed now; the first in the list says why. Start the sync again."
                )

    async def _index(self, claim: _Claim, document_id: UUID, external_id: str) -> IndexOutcome | None:
        """Index the newest content of a document; None where the source has it no more.

        Content that is lost although the source names it fails the document, never the pass.
        """
        waits = iter(WAITS_BEFORE_RETRY)
        while True:
            try:
                content = await claim.connector.fetch(external_id)
            except NotFound:
                return await self._indexer.fail(claim.workspace_id, document_id, "original_gone", _ORIGINAL_GONE)
            if content is None:
                return None
            outcome = await self._indexer.index(
                claim.workspace_id,
                document_id,
                DocumentContent(data=content.data, name=content.name, edited_at=content.edited_at),
            )
            if outcome.state == "superseded":
                continue
            wait = next(waits, None) if outcome.retryable else None
            if wait is None:
                return outcome
            await asyncio.sleep(wait)

    async def _remove_missing(self, claim: _Claim, counts: Counts) -> None:
        """Delete what the listing left out, but only what the source itself confirms to be gone, one at a time."""
        missing = await self._indexer.stale(claim.workspace_id, claim.source_id, claim.started_at)
        doubted = len(missing) > _DOUBTED_SHARE * (counts.found + len(missing))
        if doubted and not claim.connector.deletes_are_explicit:
            raise PassFailed(
                f"{len(missing)} of {counts.found + len(missing)} documents are missing in the source. "
                "Nothing was deleted: check that the source is complete."
            )
        for document in missing:
            if await claim.connector.confirm_gone(document.external_id):
                await self._indexer.delete(claim.workspace_id, document.document_id)
                counts.deleted += 1
                await self._save(claim, counts)

    async def _save(self, claim: _Claim, counts: Counts, **values: object) -> None:
        async with self._database.transaction() as tx:
            passes = PassRepository(tx, claim.workspace_id)
            if not await passes.save(claim.pass_id, claim.owner, **msgspec.structs.asdict(counts), **values):
                raise _LeaseLost

    async def _end(self, claim: _Claim, state: str, message: str | None) -> None:
        async with self._database.transaction() as tx:
            with contextlib.suppress(NotFound):
                await SourceRepository(tx, claim.workspace_id).lock(claim.source_id)
                passes = PassRepository(tx, claim.workspace_id)
                if await passes.hold(claim.pass_id, claim.owner, self._lease_seconds) is None:
                    return
                started_at = claim.started_at if state.startswith("completed") else None
                await self._end_in(passes, claim.source_id, claim.pass_id, state, message, started_at)

    async def _end_in(
        self,
        passes: PassRepository,
        source_id: UUID,
        pass_id: UUID,
        state: str,
        message: str | None,
        started_at: datetime | None = None,
    ) -> None:
        """End the pass and begin the next one where it was asked for meanwhile; the source is locked."""
        await passes.end(pass_id, state, message)
        sources = SourceRepository(passes.tx, passes.workspace_id)
        source = await sources.read(source_id)
        if source.state != "paused":
            await sources.change(source_id, state="error" if state == "failed" else "active")
        if started_at is not None:
            # The start, never the end: the next pass must not skip what was edited during this one.
            await sources.change(source_id, last_synced_at=started_at)
        if source.sync_requested:
            await sources.change(source_id, sync_requested=False)
            await self._passes.request(passes.tx, passes.workspace_id, source_id)

    async def _note(self, claim: _Claim, message: str) -> None:
        async with self._database.transaction() as tx:
            await PassRepository(tx, claim.workspace_id).save(claim.pass_id, claim.owner, message=message)

    async def _release(self, claim: _Claim, *, interrupted: bool) -> None:
        """Give the lease back where the pass is not at its end, so that another worker need not wait for it.

        A claim that was interrupted from outside, by the worker's end or an outage, does not count as an attempt.
        """
        with contextlib.suppress(Unavailable, InsufficientStorage):
            async with self._database.transaction() as tx:
                await PassRepository(tx, claim.workspace_id).release(
                    claim.pass_id, claim.owner, counted=not interrupted
                )

    async def _is_gone(self, claim: _Claim) -> bool:
        async with self._database.transaction() as tx:
            return await PassRepository(tx, claim.workspace_id).find(claim.pass_id) is None


_ORIGINAL_GONE = "The original of this document is gone. Upload it again."
_GAVE_UP = f"This sync stopped {_MAX_CLAIMS} times before it was complete. Start it again."


def _checkpoint_of(stored: bytes | None) -> Checkpoint:
    if stored is None:
        return Checkpoint(cursor=None, counts=Counts())
    return msgspec.json.decode(stored, type=Checkpoint)


def _ending(counts: Counts) -> tuple[str, str | None]:
    if not counts.failed:
        return "completed", None
    documents = "1 document" if counts.failed == 1 else f"{counts.failed} documents"
    return "completed_with_errors", f"Completed with errors: {documents} could not be indexed."


async def _cancel(task: "asyncio.Task[object]") -> None:
    """Cancel the task and wait until it has ended, whatever it ends with."""
    task.cancel()
    await asyncio.wait({task})
