"""The results of a chat's turns, as many of them as one answer carries."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec
import sqlalchemy as sa

from knowledgestack.chat._repository import ChatRepository
from knowledgestack.chat.contracts import QueryRows

MOST_BYTES = 5_000_000
"""Of rows, as JSON, in one answer on a chat: all that the last turn can hold, and some more."""

_BATCH_BYTES = 500_000
_EMPTY_BYTES = 16


def has_results(row: sa.RowMapping) -> bool:
    """Whether a turn has read a result, by what its column takes."""
    return row["results_size"] > _EMPTY_BYTES


async def all_results(chats: ChatRepository, chat_id: UUID, row: sa.RowMapping) -> list[QueryRows]:
    """The results of one turn, whole."""
    if not has_results(row):
        return []
    return _rows_of((await chats.results(chat_id, [row["id"]])).get(row["id"]))


async def newest_results(
    chats: ChatRepository, chat_id: UUID, newest_first: Sequence[sa.RowMapping]
) -> dict[UUID, list[QueryRows]]:
    """The results of each turn. Those beyond the newest `MOST_BYTES` say all but their rows, which are `left_out`."""
    found: dict[UUID, list[QueryRows]] = {row["id"]: [] for row in newest_first}
    waiting = [row for row in newest_first if has_results(row)]
    room = MOST_BYTES
    while waiting and room > 0:
        # What is packed small may be large, so no more is read at once than an answer can well hold.
        batch = _batch(waiting)
        waiting = waiting[len(batch) :]
        stored = await chats.results(chat_id, batch)
        for turn_id in batch:
            found[turn_id], room = _within(_rows_of(stored.get(turn_id)), room)
    if waiting:
        bare = await chats.results_without_rows(chat_id, [row["id"] for row in waiting])
        found |= {turn_id: list(map(_left_out, _rows_of(results))) for turn_id, results in bare.items()}
    return found


def _batch(waiting: Sequence[sa.RowMapping]) -> list[UUID]:
    """The next turns whose results take half a megabyte where they are stored; one at least."""
    taken: list[UUID] = []
    size = 0
    for row in waiting:
        size += row["results_size"]
        if taken and size > _BATCH_BYTES:
            break
        taken.append(row["id"])
    return taken


def _within(results: list[QueryRows], room: int) -> tuple[list[QueryRows], int]:
    """The results with the rows of the newest that fit, and the room that is left: 0 once one did not fit."""
    kept: list[QueryRows] = []
    for result in reversed(results):
        size = len(msgspec.json.encode(result.rows)) if room else 0
        room = room - size if size <= room else 0
        kept.append(result if room else _left_out(result))
    return kept[::-1], room


def _left_out(result: QueryRows) -> QueryRows:
    if result.row_count == 0:
        return result
    return msgspec.structs.replace(result, rows=[], truncated=True, truncated_reason="left_out")


def _rows_of(stored: list[dict[str, Any]] | None) -> list[QueryRows]:
    return msgspec.convert(stored or [], list[QueryRows])
