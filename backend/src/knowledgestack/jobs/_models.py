"""The one table of this package that is ours; the queue's own tables come from `schema.schema_statements`."""

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
