"""Jobs that come round: one row for each says when it is due, so that however many workers run, one job is left."""

from dataclasses import dataclass

from sqlalchemy import text

from knowledgestack.db.engine import Transaction
from knowledgestack.jobs.port import Job, JobQueue, job_kind

LOOK_SECONDS = 5.0
"""How often each worker looks whether something is due."""

_DUE = """
    INSERT INTO job_schedules (kind, next_at) VALUES (:kind, now() + make_interval(secs => :seconds))
    ON CONFLICT (kind) DO UPDATE SET next_at = excluded.next_at WHERE job_schedules.next_at <= now()
    RETURNING kind
"""


@dataclass(frozen=True, slots=True)
class JobSchedule:
    """`job` is left every `seconds`, the first time as soon as a worker runs; never twice at once."""

    job: Job
    seconds: float


async def enqueue_due(tx: Transaction, queue: JobQueue, schedules: tuple[JobSchedule, ...]) -> None:
    """Leave the jobs whose time has come."""
    for schedule in schedules:
        kind = job_kind(type(schedule.job))
        due = await tx.execute(text(_DUE), {"kind": kind, "seconds": schedule.seconds})
        if due.scalar() is not None:
            await queue.enqueue(tx, schedule.job, key=f"schedule:{kind}")
