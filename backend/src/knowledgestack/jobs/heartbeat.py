"""Who works: one row for each live worker, every time of it the database's."""

from uuid import UUID

from sqlalchemy import text

from knowledgestack.db.engine import Transaction

BEAT_SECONDS = 5.0
SEEN_LATELY_SECONDS = 30


async def beat(tx: Transaction, worker_id: UUID) -> None:
    """Say that the worker lives, and forget those that died long ago."""
    await tx.execute(
        text(
            "INSERT INTO worker_heartbeats (worker_id) VALUES (:worker_id)"
            " ON CONFLICT (worker_id) DO UPDATE SET seen_at = now()"
        ),
        {"worker_id": worker_id},
    )
    await tx.execute(text("DELETE FROM worker_heartbeats WHERE seen_at < now() - interval '1 day'"))


async def leave(tx: Transaction, worker_id: UUID) -> None:
    """Say that the worker ends."""
    await tx.execute(text("DELETE FROM worker_heartbeats WHERE worker_id = :worker_id"), {"worker_id": worker_id})


async def worker_seen_lately(tx: Transaction) -> bool:
    """True where a worker said within the last `SEEN_LATELY_SECONDS` that it lives."""
    seen = await tx.execute(
        text("SELECT EXISTS (SELECT 1 FROM worker_heartbeats WHERE seen_at > now() - make_interval(secs => :seconds))"),
        {"seconds": SEEN_LATELY_SECONDS},
    )
    return bool(seen.scalar_one())
