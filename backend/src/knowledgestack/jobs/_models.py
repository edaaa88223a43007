"""The tables of this package that are ours; the queue's own come from `schema.schema_statements`."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import func
from sqlalchemy.orm import Mapped, mapped_column

from knowledgestack.db.base import PlainTable, Timestamp


class WorkerHeartbeat(PlainTable):
    """One row for each live worker process; readiness asks whether any was seen lately."""

    __tablename__ = "worker_heartbeats"

    worker_id: Mapped[UUID] = mapped_column(primary_key=True)
    started_at: Mapped[datetime] = mapped_column(Timestamp, server_default=func.now())
    seen_at: Mapped[datetime] = mapped_column(Timestamp, server_default=func.now())


class JobScheduleRow(PlainTable):
    """When a job that comes round is due next; whichever worker sees it first leaves the job."""

    __tablename__ = "job_schedules"

    kind: Mapped[str] = mapped_column(primary_key=True)
    next_at: Mapped[datetime] = mapped_column(Timestamp)
