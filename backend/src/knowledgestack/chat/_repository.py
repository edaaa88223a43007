"""Statements on chats, turns and what was spent on them."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from knowledgestack.chat._models import ChatRow, TokenUsageRow, TurnFeedbackRow, TurnRow
from knowledgestack.core.identity import Actor
from knowledgestack.core.ids import new_id
from knowledgestack.db.engine import Transaction
from knowledgestack.db.repository import InstanceRepository, WorkspaceRepository

LEASE_SECONDS = 15
WATCHED_SECONDS = 4

_LEASE = sa.func.now() + timedelta(seconds=LEASE_SECONDS)
# Results are large: whoever needs them reads them by themselves. The size is the stored one, which costs no unpacking.
_TURN_COLUMNS = (
    *(column for column in TurnRow.__table__.c if column.name != "query_results"),
    sa.func.pg_column_size(TurnRow.query_results).label("results_size"),
)
_CHAT_COLUMNS = (ChatRow.id, ChatRow.title, ChatRow.created_at, ChatRow.updated_at)


_TOLD_TURNS = """
SELECT id, question, parts, steps,
  jsonb_path_query_array(query_results, '$[last - 2 to last].database') AS databases,
  jsonb_path_query_array(query_results, '$[last - 2 to last].sql') AS statements
FROM turns WHERE workspace_id = :workspace_id AND chat_id = :chat_id AND user_id = :user_id AND id = ANY(:turn_ids)
"""
_WITHOUT_ROWS = """
SELECT id, (
  SELECT jsonb_agg(result - 'rows' || '{"rows": []}' ORDER BY place)
  FROM jsonb_array_elements(query_results) WITH ORDINALITY AS results(result, place)
) AS results
FROM turns WHERE workspace_id = :workspace_id AND chat_id = :chat_id AND user_id = :user_id AND id = ANY(:turn_ids)
"""


class ChatRepository(WorkspaceRepository):
    """One person's chats in one workspace: whatever is not theirs does not exist here."""

    def __init__(self, tx: Transaction, actor: Actor) -> None:
        super().__init__(tx, actor.workspace_id)
        self.user_id = actor.user_id

    async def list_chats(self, after: tuple[Any, ...] | None, limit: int) -> Sequence[sa.RowMapping]:
        """Newest first; `after` is (updated_at, id) of the last chat seen."""
        query = self.select(ChatRow, *_CHAT_COLUMNS).where(ChatRow.user_id == self.user_id)
        if after is not None:
            query = query.where(sa.tuple_(ChatRow.updated_at, ChatRow.id) < sa.tuple_(*after))
        query = query.order_by(ChatRow.updated_at.desc(), ChatRow.id.desc()).limit(limit)
        return (await self.tx.execute(query)).mappings().all()

    async def add_chat(self, chat_id: UUID, title: str | None) -> None:
        await self.insert(
            ChatRow, id=chat_id, user_id=self.user_id, title=title, title_origin=None if title is None else "person"
        )

    async def find_chat(self, chat_id: UUID, *, lock: bool = False) -> sa.RowMapping | None:
        query = self.select(ChatRow).where(ChatRow.id == chat_id, ChatRow.user_id == self.user_id)
        return (await self.tx.execute(query.with_for_update() if lock else query)).mappings().one_or_none()

    async def change_chat(self, chat_id: UUID, **values: Any) -> None:
        await self.tx.execute(self.update(ChatRow).where(ChatRow.id == chat_id).values(**values))

    async def show_asked(self, chat_id: UUID, turn_id: UUID, **values: Any) -> None:
        """Show the path that ends in a turn just asked, and put the chat first in the list."""
        await self.change_chat(chat_id, shown_turn_id=turn_id, updated_at=sa.func.clock_timestamp(), **values)

    async def delete_chat(self, chat_id: UUID) -> bool:
        statement = self.delete(ChatRow).where(ChatRow.id == chat_id, ChatRow.user_id == self.user_id)
        return (await self.tx.execute(statement)).rowcount > 0

    async def workspace_name(self) -> str:
        return (await self.run_sql("SELECT name FROM workspaces WHERE id = :workspace_id")).scalar_one()

    async def turn_nodes(self, chat_id: UUID) -> list[tuple[UUID, UUID | None]]:
        """Every turn of the chat with the one it follows."""
        query = self.select(TurnRow, TurnRow.id, TurnRow.parent_turn_id).where(TurnRow.chat_id == chat_id)
        return [(row.id, row.parent_turn_id) for row in await self.tx.execute(query)]

    async def turns(self, chat_id: UUID, turn_ids: Sequence[UUID]) -> dict[UUID, sa.RowMapping]:
        query = self._turns(chat_id).where(TurnRow.id.in_(turn_ids))
        return {row["id"]: row for row in (await self.tx.execute(query)).mappings()}

    async def has_turn(self, chat_id: UUID, turn_id: UUID) -> bool:
        query = self.select(TurnRow, TurnRow.id).where(
            TurnRow.id == turn_id, TurnRow.chat_id == chat_id, TurnRow.user_id == self.user_id
        )
        return await self.tx.scalar(query) is not None

    async def told_turns(self, chat_id: UUID, turn_ids: Sequence[UUID]) -> dict[UUID, sa.Row[Any]]:
        """What a model is told of earlier turns, with the names and texts of their last statements."""
        rows = await self.run_sql(_TOLD_TURNS, chat_id=chat_id, user_id=self.user_id, turn_ids=list(turn_ids))
        return {row.id: row for row in rows}

    async def results(self, chat_id: UUID, turn_ids: Sequence[UUID]) -> dict[UUID, list[dict[str, Any]]]:
        """The results of these turns, whole."""
        query = self.select(TurnRow, TurnRow.id, TurnRow.query_results).where(
            TurnRow.chat_id == chat_id, TurnRow.user_id == self.user_id, TurnRow.id.in_(turn_ids)
        )
        return {row.id: row.query_results for row in await self.tx.execute(query)}

    async def results_without_rows(self, chat_id: UUID, turn_ids: Sequence[UUID]) -> dict[UUID, list[dict[str, Any]]]:
        """All that is known of the results of these turns but their rows, which are empty."""
        rows = await self.run_sql(_WITHOUT_ROWS, chat_id=chat_id, user_id=self.user_id, turn_ids=list(turn_ids))
        return {row.id: row.results for row in rows}

    async def find_turn(self, chat_id: UUID, turn_id: UUID) -> sa.RowMapping | None:
        query = self._turns(chat_id).where(TurnRow.id == turn_id)
        return (await self.tx.execute(query)).mappings().one_or_none()

    async def find_by_key(self, chat_id: UUID, idempotency_key: str) -> UUID | None:
        query = self.select(TurnRow, TurnRow.id).where(
            TurnRow.chat_id == chat_id, TurnRow.idempotency_key == idempotency_key
        )
        return await self.tx.scalar(query)

    async def is_running(self, chat_id: UUID) -> bool:
        query = self.select(TurnRow, TurnRow.id).where(TurnRow.chat_id == chat_id, TurnRow.state == "running")
        return await self.tx.scalar(query) is not None

    async def add_turn(self, **values: Any) -> None:
        await self.insert(TurnRow, user_id=self.user_id, state="running", lease_expires_at=_LEASE, **values)

    async def request_stop(self, chat_id: UUID, turn_id: UUID) -> None:
        await self.tx.execute(self._running(chat_id, turn_id).values(stop_requested=True))

    async def mark_watched(self, chat_id: UUID, turn_id: UUID) -> None:
        await self.tx.execute(self._running(chat_id, turn_id).values(watched_at=sa.func.now()))

    async def save_feedback(self, turn_id: UUID, rating: str, reason: str | None) -> None:
        values = {"rating": rating, "reason": reason}
        statement = insert(TurnFeedbackRow).values(
            id=new_id(), workspace_id=self.workspace_id, turn_id=turn_id, user_id=self.user_id, **values
        )
        await self.tx.execute(
            statement.on_conflict_do_update(index_elements=["workspace_id", "turn_id", "user_id"], set_=values)
        )

    def _turns(self, chat_id: UUID) -> sa.Select[Any]:
        feedback = (
            self.select(TurnFeedbackRow, TurnFeedbackRow.rating)
            .where(TurnFeedbackRow.turn_id == TurnRow.id, TurnFeedbackRow.user_id == self.user_id)
            .scalar_subquery()
        )
        return self.select(TurnRow, *_TURN_COLUMNS, feedback.label("feedback")).where(
            TurnRow.chat_id == chat_id, TurnRow.user_id == self.user_id
        )

    def _running(self, chat_id: UUID, turn_id: UUID) -> sa.Update:
        return self.update(TurnRow).where(
            TurnRow.id == turn_id,
            TurnRow.chat_id == chat_id,
            TurnRow.user_id == self.user_id,
            TurnRow.state == "running",
        )


class RunRepository(WorkspaceRepository):
    """What a run writes about itself."""

    async def finish(self, turn_id: UUID, **values: Any) -> bool:
        """Close the turn and free its lease; False when it is no longer this run's to close."""
        statement = (
            self.update(TurnRow)
            .where(TurnRow.id == turn_id, TurnRow.state == "running")
            .values(lease_expires_at=None, finished_at=sa.func.now(), **values)
        )
        return (await self.tx.execute(statement)).rowcount > 0

    async def find_end(self, turn_id: UUID) -> sa.RowMapping | None:
        """How the row says that the turn has ended; None when the row is gone."""
        columns = (TurnRow.state, TurnRow.reason, TurnRow.error_code, TurnRow.error_message)
        query = self.select(TurnRow, *columns).where(TurnRow.id == turn_id)
        return (await self.tx.execute(query)).mappings().one_or_none()

    async def is_counted(self, turn_id: UUID, purpose: str) -> bool:
        """Whether what the turn spent for this purpose is stored already."""
        query = self.select(TokenUsageRow, TokenUsageRow.id).where(
            TokenUsageRow.turn_id == turn_id, TokenUsageRow.purpose == purpose
        )
        return (await self.tx.execute(query.limit(1))).first() is not None

    async def add_usage(self, **values: Any) -> None:
        await self.insert(TokenUsageRow, id=new_id(), **values)

    async def save_compaction(self, chat_id: UUID, summary: str, turn_count: int, turn_id: UUID) -> None:
        await self.tx.execute(
            self.update(ChatRow)
            .where(ChatRow.id == chat_id)
            .values(summary=summary, compacted_turn_count=turn_count, compacted_turn_id=turn_id)
        )

    async def save_title(self, chat_id: UUID, title: str, origin: str) -> bool:
        """False when a person has named the chat: their title stays."""
        statement = (
            self.update(ChatRow)
            .where(ChatRow.id == chat_id, ChatRow.title_origin.is_distinct_from("person"))
            .values(title=title, title_origin=origin)
        )
        return (await self.tx.execute(statement)).rowcount > 0


_SAVE_RUNS = """
UPDATE turns SET
  parts = coalesce(saved.parts, turns.parts),
  steps = coalesce(saved.steps, turns.steps),
  citations = coalesce(saved.citations, turns.citations),
  content_hashes = coalesce(saved.content_hashes, turns.content_hashes),
  query_results = coalesce(saved.query_results, turns.query_results || saved.new_results, turns.query_results),
  figures = coalesce(saved.figures, turns.figures),
  context = coalesce(saved.context, turns.context),
  last_seq = coalesce(saved.last_seq, turns.last_seq),
  lease_expires_at = now() + make_interval(secs => :lease_seconds)
FROM jsonb_to_recordset(CAST(:runs AS jsonb)) AS saved(
  id uuid, workspace_id uuid, parts jsonb, steps jsonb, citations jsonb, content_hashes jsonb,
  query_results jsonb, new_results jsonb, figures jsonb, context jsonb, last_seq integer
)
WHERE turns.workspace_id = saved.workspace_id AND turns.id = saved.id AND turns.state = 'running'
RETURNING turns.id, turns.stop_requested,
  coalesce(turns.watched_at > now() - make_interval(secs => :watched_seconds), false) AS watched
"""


class ProcessRepository(InstanceRepository):
    """What one process does for all runs at once, each named by its workspace and id."""

    async def save_runs(self, runs: list[dict[str, Any]]) -> dict[UUID, tuple[bool, bool]]:
        """Store what changed and renew the leases; turn id → (stop asked for, watched from another process).

        A run that is missing from the answer has lost its row: it was deleted, or another process has failed it.
        """
        parameters = {
            "runs": msgspec.json.encode(runs).decode(),
            "lease_seconds": LEASE_SECONDS,
            "watched_seconds": WATCHED_SECONDS,
        }
        rows = await self.tx.execute(sa.text(_SAVE_RUNS), parameters)
        return {row.id: (row.stop_requested, row.watched) for row in rows}

    async def fail_stale(self, code: str, message: str, *, but: Collection[UUID]) -> list[UUID]:
        """Fail the turns whose lease ran out: the process that answered them is gone. `but` are those known alive."""
        statement = (
            sa.update(TurnRow)
            .where(TurnRow.state == "running", TurnRow.lease_expires_at < sa.func.now(), TurnRow.id.not_in(but))
            .values(
                state="failed",
                error_code=code,
                error_message=message,
                lease_expires_at=None,
                finished_at=sa.func.now(),
                last_seq=TurnRow.last_seq + 1,
            )
            .returning(TurnRow.id)
        )
        return list((await self.tx.scalars(statement)).all())
