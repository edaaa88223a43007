"""The narrow port of the job queue. What stands behind it is the business of this package alone.

A job is enqueued in the transaction that made it necessary, so that it exists exactly when its reason does.
A job may be delivered more than once: handlers are idempotent and take a claim on the row they work on.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from knowledgestack.db.engine import Transaction


class Job(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The payload of a job. A subclass names its kind: `class SyncSource(Job, frozen=True, tag="sync_source")`."""


class JobQueue(Protocol):
    """Where work is left for the worker."""

    async def enqueue(self, tx: Transaction, job: Job, *, key: str | None = None, delay_seconds: float = 0) -> None:
        """Leave `job` for the worker; it becomes visible when `tx` commits.

        Where a job with the same `key` waits or runs already, nothing is added.
        """
        ...


@dataclass(frozen=True, slots=True)
class JobHandler:
    """What the worker does with jobs of one type.

    `run` raises `RetryLater` to be called again; any other error is logged and tried again with growing waits,
    at most `attempts` times in all, after which the job is dropped.
    """

    job_type: type[Job]
    run: Callable[[Any], Awaitable[None]]
    attempts: int = 5


class RetryLater(Exception):
    """Raised by a handler that cannot go on now; it is called again after `seconds`, as often as it asks."""

    def __init__(self, reason: str, *, seconds: float) -> None:
        super().__init__(reason)
        self.seconds = seconds


def job_kind(job_type: type[Job]) -> str:
    """The name of a kind of job in the queue; raise TypeError for a Struct without a tag of its own."""
    tag = job_type.__struct_config__.tag
    if not isinstance(tag, str):
        raise TypeError(f"{job_type.__name__} names no tag")
    return tag
