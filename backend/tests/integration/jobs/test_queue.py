"""Jobs exist exactly when their transaction does, and are done although things fail."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import asyncpg
import pytest

from knowledgestack.core.errors import Unavailable
from knowledgestack.db.engine import Database
from knowledgestack.jobs.heartbeat import worker_seen_lately
from knowledgestack.jobs.port import Job, JobHandler, RetryLater
from knowledgestack.jobs.queue import PgJobQueue
from knowledgestack.jobs.runner import JobRunner
from tests.support.waiting import eventually


class Greet(Job, frozen=True, tag="greet"):
    name: str


@pytest.fixture
async def database(database_url: str) -> AsyncGenerator[Database]:
    database = Database(database_url)
    yield database
    await database.close()


@asynccontextmanager
async def worker(
    database: Database, run: Callable[[Greet], Awaitable[None]], *, attempts: int = 5, grace: float = 0.2
) -> AsyncGenerator[JobRunner]:
    stop = asyncio.Event()
    handlers = (JobHandler(Greet, run, attempts=attempts),)
    runner = JobRunner(database, handlers, lease_seconds=1, grace_seconds=grace)
    running = asyncio.create_task(runner.run(stop))
    try:
        yield runner
    finally:
        stop.set()
        await asyncio.wait_for(running, 10)


async def enqueue(database: Database, name: str, key: str | None = None, delay: float = 0) -> None:
    async with database.transaction() as tx:
        await PgJobQueue().enqueue(tx, Greet(name=name), key=key, delay_seconds=delay)


async def waiting_jobs(database: Database) -> int:
    async with database.transaction() as tx:
        return (await tx.exec_driver_sql("SELECT count(*) FROM pgqueuer")).scalar_one()


async def test_a_job_of_a_transaction_that_rolls_back_never_was(database: Database) -> None:
    async def change_of_mind() -> None:
        async with database.transaction() as tx:
            await PgJobQueue().enqueue(tx, Greet(name="nobody"))
            raise KeyError

    with pytest.raises(KeyError):
        await change_of_mind()
    assert await waiting_jobs(database) == 0


async def test_a_committed_job_is_run_once(database: Database) -> None:
    greeted: list[str] = []

    async def greet(job: Greet) -> None:
        greeted.append(job.name)

    async with worker(database, greet):
        await enqueue(database, "Ada")
        await eventually(lambda: _value(greeted))
        await eventually(lambda: _is_empty(database))
    assert greeted == ["Ada"]


async def test_a_key_is_in_the_queue_once(database: Database) -> None:
    await enqueue(database, "Ada", key="ada")
    await enqueue(database, "Ada again", key="ada")

    assert await waiting_jobs(database) == 1


async def test_a_handler_that_fails_is_called_again_until_its_attempts_are_used_up(database: Database) -> None:
    calls: list[str] = []

    async def fail(job: Greet) -> None:
        calls.append(job.name)
        raise ValueError(job.name)

    async with worker(database, fail, attempts=2):
        await enqueue(database, "Ada")
        await eventually(lambda: _is_empty(database))
    assert calls == ["Ada", "Ada"]


@pytest.mark.parametrize("wish", [RetryLater("later", seconds=0.05), Unavailable("The database does not answer.")])
async def test_a_handler_may_ask_to_be_called_later(database: Database, wish: Exception) -> None:
    calls: list[str] = []

    async def hesitate(job: Greet) -> None:
        calls.append(job.name)
        if len(calls) < 3:
            raise wish

    async with worker(database, hesitate, attempts=1):
        await enqueue(database, "Ada")
        await eventually(lambda: _value(len(calls) == 3))
        await eventually(lambda: _is_empty(database))


async def test_five_jobs_run_at_once_and_a_sixth_waits(database: Database) -> None:
    started: list[str] = []
    go_on = asyncio.Event()

    async def wait(job: Greet) -> None:
        started.append(job.name)
        await go_on.wait()

    async with worker(database, wait):
        for number in range(6):
            await enqueue(database, str(number))
        await eventually(lambda: _value(len(started) == 5))
        assert await waiting_jobs(database) == 6
        go_on.set()
        await eventually(lambda: _is_empty(database))
    assert len(started) == 6


async def test_a_delayed_job_waits(database: Database) -> None:
    greeted: list[str] = []

    async def greet(job: Greet) -> None:
        greeted.append(job.name)

    await enqueue(database, "later", delay=0.6)
    async with worker(database, greet):
        await enqueue(database, "now")
        await eventually(lambda: _value(len(greeted) == 2))
    assert greeted == ["now", "later"]


async def test_a_worker_that_stops_leaves_its_job_for_the_next(database: Database) -> None:
    started = asyncio.Event()
    done = asyncio.Event()

    async def never_end(job: Greet) -> None:
        started.set()
        await asyncio.Event().wait()

    async def end(job: Greet) -> None:
        done.set()

    async with worker(database, never_end):
        await enqueue(database, "Ada")
        await asyncio.wait_for(started.wait(), 10)
    assert await waiting_jobs(database) == 1
    async with worker(database, end):
        await asyncio.wait_for(done.wait(), 10)


async def test_a_worker_goes_on_after_the_database_cut_its_connections(database: Database) -> None:
    greeted: list[str] = []

    async def greet(job: Greet) -> None:
        greeted.append(job.name)

    async with worker(database, greet):
        await enqueue(database, "before")
        await eventually(lambda: _value(greeted))
        await cut_connections(database)
        await enqueue(database, "after")
        await eventually(lambda: _value(len(greeted) == 2))
    assert greeted == ["before", "after"]


async def test_readiness_sees_a_worker_only_while_it_lives(database: Database) -> None:
    async def greet(job: Greet) -> None: ...

    async with worker(database, greet):
        await eventually(lambda: _seen(database))
    assert not await _seen(database)


async def cut_connections(database: Database) -> None:
    connection = await asyncpg.connect(database.dsn)
    await connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await connection.close()


async def _value(value: object) -> object:
    return value


async def _is_empty(database: Database) -> bool:
    return await waiting_jobs(database) == 0


async def _seen(database: Database) -> bool:
    async with database.transaction() as tx:
        return await worker_seen_lately(tx)
