"""The queue of `port.JobQueue`, kept in PostgreSQL by PgQueuer."""

from datetime import timedelta

import msgspec
from pgqueuer.adapters.persistence import qb
from pgqueuer.adapters.persistence.queries import Queries
from pgqueuer.ports.driver import Driver

from knowledgestack.db.engine import Transaction
from knowledgestack.jobs._drivers import TransactionDriver
from knowledgestack.jobs.port import Job, job_kind
from knowledgestack.jobs.schema import QUEUE_SETTINGS


def queue_queries(driver: Driver) -> Queries:
    """PgQueuer's statements over `driver`, with names that no environment variable can change."""
    return Queries(
        driver,
        qbe=qb.QueryBuilderEnvironment(QUEUE_SETTINGS),
        qbq=qb.QueryQueueBuilder(QUEUE_SETTINGS),
        qbs=qb.QuerySchedulerBuilder(QUEUE_SETTINGS),
    )


class PgJobQueue:
    """Adds jobs inside the caller's transaction."""

    async def enqueue(self, tx: Transaction, job: Job, *, key: str | None = None, delay_seconds: float = 0) -> None:
        await queue_queries(TransactionDriver(tx)).enqueue(
            job_kind(type(job)),
            msgspec.json.encode(job),
            execute_after=timedelta(seconds=delay_seconds),
            dedupe_key=key,
            on_conflict="skip",
        )


async def forget_history(tx: Transaction) -> None:
    """Delete what the queue remembers of jobs that ended more than a week ago."""
    for table in (QUEUE_SETTINGS.queue_table_log, QUEUE_SETTINGS.statistics_table):
        await tx.exec_driver_sql(f"DELETE FROM {table} WHERE created < now() - interval '7 days'")  # noqa: S608
