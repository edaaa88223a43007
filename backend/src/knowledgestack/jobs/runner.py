"""The worker's loop: takes jobs off the queue, runs their handlers, survives a lost database, stops gracefully."""

import asyncio
import contextlib
from datetime import timedelta

import asyncpg
import msgspec
import structlog
from pgqueuer.core.qm import QueueManager
from pgqueuer.domain import models
from pgqueuer.domain.errors import RetryRequested
from pgqueuer.domain.types import Channel

from knowledgestack.core.errors import InsufficientStorage, Unavailable
from knowledgestack.core.ids import new_id
from knowledgestack.db.engine import Database
from knowledgestack.jobs._drivers import WorkerDriver
from knowledgestack.jobs.heartbeat import BEAT_SECONDS, beat, leave
from knowledgestack.jobs.port import JobHandler, RetryLater, job_kind
from knowledgestack.jobs.queue import PgJobQueue, forget_history, queue_queries
from knowledgestack.jobs.schedule import LOOK_SECONDS, JobSchedule, enqueue_due
from knowledgestack.jobs.schema import QUEUE_SETTINGS

_log = structlog.get_logger(__name__)

CONCURRENT_JOBS = 5
LEASE_SECONDS = 30.0
GRACE_SECONDS = 5.0
_RECONNECT_SECONDS = 1.0
FIRST_RETRY_SECONDS = 1.0
_LONGEST_RETRY_SECONDS = 60.0


class JobRunner:
    """Runs the handlers' jobs, `CONCURRENT_JOBS` at a time, and leaves those of the schedules when they are due.

    A job whose worker died is taken over once its heartbeat is `lease_seconds` old. After `stop` a handler has
    `grace_seconds` to end; then it is cancelled and its job waits for the next worker.
    """

    def __init__(
        self,
        database: Database,
        handlers: tuple[JobHandler, ...],
        schedules: tuple[JobSchedule, ...] = (),
        *,
        lease_seconds: float = LEASE_SECONDS,
        grace_seconds: float = GRACE_SECONDS,
    ) -> None:
        self._schedules = schedules
        self.worker_id = new_id()
        self._database = database
        self._handlers = {job_kind(handler.job_type): handler for handler in handlers}
        self._lease = timedelta(seconds=lease_seconds)
        self._grace = grace_seconds

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; a lost database is waited for."""
        beside = {asyncio.create_task(self._beat()), asyncio.create_task(self._leave_due_jobs())}
        try:
            while not stop.is_set():
                try:
                    await self._run_connected(stop)
                except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, Unavailable) as error:
                    _log.warning("queue_unreachable", error=type(error).__name__)
                await _sleep_unless(stop, _RECONNECT_SECONDS)
        finally:
            for task in beside:
                task.cancel()
            await asyncio.wait(beside)
            with contextlib.suppress(Unavailable):
                async with self._database.transaction() as tx:
                    await leave(tx, self.worker_id)

    async def _run_connected(self, stop: asyncio.Event) -> None:
        """One life of the queue's connections."""
        async with self._database.transaction() as tx:
            await forget_history(tx)
        lost = asyncio.Event()
        driver = WorkerDriver(self._database.dsn, lost.set)
        manager = QueueManager(queue_queries(driver), Channel(QUEUE_SETTINGS.channel))
        execution = _Execution(self._handlers)
        for kind in self._handlers:
            manager.entrypoint(kind, accepts_context=False)(execution.run)
        watch = asyncio.create_task(self._shut_down(stop, lost, manager, execution))
        try:
            await driver.open()
            await manager.run(
                dequeue_timeout=min(self._lease / 2, timedelta(seconds=5)),
                batch_size=2,
                max_concurrent_tasks=CONCURRENT_JOBS,
                heartbeat_timeout=self._lease,
            )
        finally:
            watch.cancel()
            await asyncio.wait({watch})
            await driver.close()

    async def _shut_down(
        self, stop: asyncio.Event, lost: asyncio.Event, manager: QueueManager, execution: "_Execution"
    ) -> None:
        """End the queue's loop when asked to, or when its connections are gone."""
        waits = {asyncio.create_task(stop.wait()), asyncio.create_task(lost.wait())}
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        manager.shutdown.set()
        if not lost.is_set():
            await asyncio.sleep(self._grace)
        execution.interrupted.set()

    async def _beat(self) -> None:
        while True:
            try:
                async with self._database.transaction() as tx:
                    await beat(tx, self.worker_id)
            except (Unavailable, InsufficientStorage) as error:
                _log.warning("heartbeat_failed", error=error.code)
            except Exception as error:  # noqa: BLE001 - a worker without a heartbeat counts as dead
                _log.error("heartbeat_failed", exc_info=error)
            await asyncio.sleep(BEAT_SECONDS)

    async def _leave_due_jobs(self) -> None:
        queue = PgJobQueue()
        while self._schedules:
            try:
                async with self._database.transaction() as tx:
                    await enqueue_due(tx, queue, self._schedules)
            except (Unavailable, InsufficientStorage) as error:
                _log.warning("schedule_failed", error=error.code)
            except Exception as error:  # noqa: BLE001 - nobody else would leave these jobs
                _log.error("schedule_failed", exc_info=error)
            await asyncio.sleep(LOOK_SECONDS)


class _Execution:
    """Runs one job and tells the queue what becomes of it."""

    def __init__(self, handlers: dict[str, JobHandler]) -> None:
        self._handlers = handlers
        self.interrupted = asyncio.Event()

    async def run(self, job: models.Job) -> None:
        handler = self._handlers[job.entrypoint]
        payload = msgspec.json.decode(job.payload or b"", type=handler.job_type)
        try:
            await self._until_interrupted(handler, payload)
        except RetryLater as wish:
            raise RetryRequested(timedelta(seconds=wish.seconds), str(wish)) from wish
        except (Unavailable, InsufficientStorage) as error:
            raise RetryRequested(_wait_before(job.attempts), error.detail) from error
        except Exception as error:
            if job.attempts + 1 >= handler.attempts:
                raise
            _log.warning("job_failed", kind=job.entrypoint, attempt=job.attempts + 1, exc_info=error)
            raise RetryRequested(_wait_before(job.attempts), type(error).__name__) from error

    async def _until_interrupted(self, handler: JobHandler, payload: object) -> None:
        work = asyncio.ensure_future(handler.run(payload))
        interruption = asyncio.create_task(self.interrupted.wait())
        try:
            await asyncio.wait({work, interruption}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                work.cancel()
                await asyncio.wait({work})
                raise RetryLater("the worker stops", seconds=0)
            await work
        finally:
            interruption.cancel()
            work.cancel()


def _wait_before(attempts: int) -> timedelta:
    return timedelta(seconds=min(FIRST_RETRY_SECONDS * 2**attempts, _LONGEST_RETRY_SECONDS))


async def _sleep_unless(stop: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)
