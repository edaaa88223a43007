"""Jobs that come round are left once, whoever looks, and only when they are due."""

import asyncio
from typing import Any

from knowledgestack.db.engine import Database
from knowledgestack.jobs.port import Job
from knowledgestack.jobs.queue import PgJobQueue
from knowledgestack.jobs.schedule import JobSchedule, enqueue_due


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
