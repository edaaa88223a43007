"""Keeps catalogues in step with their databases: often a look at a fingerprint, a whole reading when it differs."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import structlog

from knowledgestack.catalogue._changes import STRUCTURAL, changes_between
from knowledgestack.catalogue._reading import MOST_TABLES, read_fingerprint, read_snapshot
from knowledgestack.catalogue._repository import CatalogueRepository, EveryCatalogue
from knowledgestack.catalogue.ports import OnCatalogueChanged, ReadOnlySessions, Targets
from knowledgestack.catalogue.schema import Snapshot, names_hash
from knowledgestack.core.errors import AppError, NotFound
from knowledgestack.databases.targets import Target
from knowledgestack.db.engine import Database, Transaction
from knowledgestack.jobs.port import Job, JobQueue, RetryLater

_log = structlog.get_logger(__name__)

CHECK_SECONDS = 60.0
"""How often each database is looked at."""

_FULL_AFTER = timedelta(hours=6)
_CHECKS_AT_ONCE = 8
_MOST_CHECKS = 500
_CHECK_TIMEOUT_SECONDS = 15.0
_MOST_ATTEMPTS = 3
_MOST_CHANGES = 1_000
_NO_ANSWER = "The database did not answer. The next look tries again."


class ReadCatalogue(Job, frozen=True, tag="read_catalogue"):
    """Read everything that one database holds."""

    workspace_id: UUID
    connection_id: UUID


class CheckCatalogues(Job, frozen=True, tag="check_catalogues"):
    """Look whether any database has changed."""


class RelinkDatabase(Job, frozen=True, tag="relink_database"):
    """Find the names of one database in every document of its workspace; `after` is the last document done."""

    workspace_id: UUID
    connection_id: UUID
    after: UUID | None = None


async def nothing_on_changed(tx: Transaction, workspace_id: UUID, connection_id: UUID) -> None:
    """The port's answer where nobody wants to know."""


class CatalogueReader:
    """Reads catalogues. Never raises for a database that cannot be reached: that is a state of its catalogue."""

    def __init__(
        self,
        database: Database,
        targets: Targets,
        sessions: ReadOnlySessions,
        queue: JobQueue,
        on_changed: OnCatalogueChanged = nothing_on_changed,
    ) -> None:
        self._database = database
        self._targets = targets
        self._sessions = sessions
        self._queue = queue
        self._on_changed = on_changed

    async def request(self, tx: Transaction, workspace_id: UUID, connection_id: UUID) -> None:
        """Have the catalogue read once `tx` commits: for a connection that was made or changed, or when asked."""
        await CatalogueRepository(tx, workspace_id).request(connection_id)
        await self._enqueue(tx, workspace_id, connection_id)

    async def read(self, workspace_id: UUID, connection_id: UUID) -> None:
        """Store a snapshot with what changed. Raises `RetryLater` where the connection was changed meanwhile."""
        async with self._database.transaction() as tx:
            attempts = await CatalogueRepository(tx, workspace_id).begin(connection_id)
        if attempts is None:
            return
        if attempts > _MOST_ATTEMPTS:
            # The count stays until somebody asks again: what stops its worker is not begun by the next look.
            message = f"Reading this database was cut short {_MOST_ATTEMPTS} times."
            await self._fail(workspace_id, connection_id, message, attempts=attempts)
            return
        try:
            target = await self._targets.load(workspace_id, connection_id)
            async with self._sessions.read_only(target) as session:
                snapshot = await read_snapshot(session)
        except NotFound:
            return
        except AppError as error:
            await self._fail(workspace_id, connection_id, error.detail)
            return
        except (asyncpg.InterfaceError, OSError, TimeoutError) as error:
            _log.warning("catalogue_unread", connection_id=str(connection_id), error=type(error).__name__)
            await self._fail(workspace_id, connection_id, _NO_ANSWER)
            return
        await self._store(target, snapshot)

    async def check_all(self) -> None:
        """Look at every database that is due and have those read that differ, or were read long ago.

        Raises the first error that nobody foresaw, after every database had its turn.
        """
        async with self._database.transaction() as tx:
            due = await EveryCatalogue(tx).due(_MOST_CHECKS)
        at_once = asyncio.Semaphore(_CHECKS_AT_ONCE)

        async def check(row: Any) -> None:
            async with at_once:
                await self._check(row)

        outcomes = await asyncio.gather(*(check(row) for row in due), return_exceptions=True)
        for outcome in outcomes:
            if outcome is not None:
                raise outcome

    async def _check(self, row: Any) -> None:
        try:
            target = await self._targets.load(row.workspace_id, row.connection_id)
            async with asyncio.timeout(_CHECK_TIMEOUT_SECONDS), self._sessions.read_only(target) as session:
                fingerprint = await read_fingerprint(session)
        except NotFound:
            return
        except (AppError, asyncpg.InterfaceError, OSError, TimeoutError) as error:
            message = error.detail if isinstance(error, AppError) else _NO_ANSWER
            async with self._database.transaction() as tx:
                catalogues = CatalogueRepository(tx, row.workspace_id)
                await catalogues.unreachable(row.connection_id, message, seconds=CHECK_SECONDS)
            return
        old = row.taken_at is None or datetime.now(UTC) - row.taken_at > _FULL_AFTER
        async with self._database.transaction() as tx:
            # A little early, so that the next round of the schedule finds it due.
            await CatalogueRepository(tx, row.workspace_id).checked(row.connection_id, seconds=CHECK_SECONDS - 5)
            if old or row.state != "current" or fingerprint != row.fingerprint:
                await self._enqueue(tx, row.workspace_id, row.connection_id)

    async def _store(self, target: Target, snapshot: Snapshot) -> None:
        workspace_id, connection_id = target.workspace_id, target.connection_id
        current = await self._targets.load(workspace_id, connection_id)
        if current.revision != target.revision:
            raise RetryLater("the connection was changed while its catalogue was read", seconds=0)
        message = None if snapshot.complete else f"Only the first {MOST_TABLES:,} tables are kept."
        async with self._database.transaction() as tx:
            catalogues = CatalogueRepository(tx, workspace_id)
            row = await catalogues.lock(connection_id)
            if row is None:
                return
            changes = []
            if row.taken_at is not None:
                changes = changes_between(await catalogues.tables(connection_id), snapshot.tables)
            await catalogues.store(connection_id, snapshot, message)
            if changes:
                await catalogues.add_changes(connection_id, changes[:_MOST_CHANGES])
            if row.taken_at is None or any(change.kind in STRUCTURAL for change in changes):
                await self._on_changed(tx, workspace_id, connection_id)
            if row.names_hash != names_hash(snapshot.tables):
                await self._queue.enqueue(tx, RelinkDatabase(workspace_id=workspace_id, connection_id=connection_id))
        _log.info("catalogue_read", connection_id=str(connection_id), tables=len(snapshot.tables), changes=len(changes))

    async def _fail(self, workspace_id: UUID, connection_id: UUID, message: str, *, attempts: int = 0) -> None:
        """What was read before stays, and the next looks try again."""
        async with self._database.transaction() as tx:
            catalogues = CatalogueRepository(tx, workspace_id)
            await catalogues.change(connection_id, state="failed", attempts=attempts)
            await catalogues.unreachable(connection_id, message, seconds=CHECK_SECONDS)

    async def _enqueue(self, tx: Transaction, workspace_id: UUID, connection_id: UUID) -> None:
        job = ReadCatalogue(workspace_id=workspace_id, connection_id=connection_id)
        await self._queue.enqueue(tx, job, key=f"read_catalogue:{connection_id}")
