"""Jobs that come round are left once, whoever looks, and only when they are due."""

import asyncio
from typing import Any

import pytest
from sqlalchemy.exc import ProgrammingError

from knowledgestack.db.engine import Database, Transaction
from knowledgestack.jobs import runner
from knowledgestack.jobs.port import Job, JobQueue
from knowledgestack.jobs.queue import PgJobQueue
from knowledgestack.jobs.schedule import JobSchedule, enqueue_due
from tests.support.waiting import eventually


class Tidy(Job, frozen=True, tag="tidy"):
    """Something that is done from time to time."""


async def look(database: Database, *, seconds: float = 60) -> None:
    async with database.transaction() as tx:
        await enqueue_due(tx, PgJobQueue(), (JobSchedule(Tidy(), seconds),))


async def run(database: Database, statement: str) -> list[Any]:
    async with database.transaction() as tx:
        return list((await tx.exec_driver_sql(statement)).all())


async def waiting(database: Database) -> int:
    return len(await run(database, "SELECT 1 FROM pgqueuer WHERE entrypoint = 'tidy'"))


async def test_workers_that_look_at_once_leave_one_job(database_url: str) -> None:
    database = Database(database_url)
    await asyncio.gather(*(look(database) for _ in range(8)))
    assert await waiting(database) == 1
    await run(database, "DELETE FROM pgqueuer RETURNING 1")
    await asyncio.gather(*(look(database) for _ in range(8)))
    assert await waiting(database) == 0, "it is not due yet"
    await run(database, "UPDATE job_schedules SET next_at = now() RETURNING 1")
    await asyncio.gather(*(look(database) for _ in range(8)))
    assert await waiting(database) == 1
    await database.close()


async def test_a_job_that_still_waits_is_not_left_again(database_url: str) -> None:
    database = Database(database_url)
    await look(database)
    await run(database, "UPDATE job_schedules SET next_at = now() RETURNING 1")
    await look(database)
    assert await waiting(database) == 1
    await database.close()


async def test_a_look_that_fails_in_an_unforeseen_way_is_not_the_last(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[None] = []

    async def fail_first(tx: Transaction, queue: JobQueue, schedules: tuple[JobSchedule, ...]) -> None:
        looks.append(None)
        if len(looks) == 1:
            raise ProgrammingError("", None, Exception("the table is being changed"))
        await enqueue_due(tx, queue, schedules)

    monkeypatch.setattr(runner, "enqueue_due", fail_first)
    monkeypatch.setattr(runner, "LOOK_SECONDS", 0.01)
    database = Database(database_url)
    stop = asyncio.Event()
    working = asyncio.create_task(runner.JobRunner(database, (), (JobSchedule(Tidy(), 60),)).run(stop))
    try:
        assert await eventually(lambda: waiting(database), seconds=10) == 1
    finally:
        stop.set()
        await working
        await database.close()
