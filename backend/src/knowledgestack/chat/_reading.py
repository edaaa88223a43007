"""Rows of the chat as the wire shows them."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec
import sqlalchemy as sa

from knowledgestack.agent.context import MAX_TOKENS, MAX_TURNS
from knowledgestack.chat.contracts import (
    Chat,
    ContextUsage,
    DoneFrame,
    ErrorFrame,
    Figure,
    NotFoundAnswer,
    QueryRows,
    SnapshotFrame,
    SnapshotTurn,
    Turn,
    TurnScope,
    TurnStep,
    TurnUsage,
)
from knowledgestack.chat.transcript import answer_of
from knowledgestack.retrieval.contracts import Citation

_AS_STORED = (
    "id",
    "turn_index",
    "parent_turn_id",
    "question",
    "model_id",
    "state",
    "parts",
    "follow_ups",
    "reason",
    "error_code",
    "error_message",
    "model_used",
    "provider_used",
    "feedback",
    "created_at",
)
NO_USAGE = TurnUsage(input_tokens=0, output_tokens=0, model_calls=0)


def chat_of(row: sa.RowMapping) -> Chat:
    return Chat(id=row["id"], title=row["title"], created_at=row["created_at"], updated_at=row["updated_at"])


def turn_of(
    row: sa.RowMapping, versions: list[UUID], current_hashes: Mapping[UUID, str | None], results: list[QueryRows]
) -> Turn:
    """A turn; `current_hashes` has the content hash of each cited document that still exists."""
    return Turn(**_told(row, versions, current_hashes), query_results=results)


def snapshot_of(
    row: sa.RowMapping,
    versions: list[UUID],
    current_hashes: Mapping[UUID, str | None],
    results: list[QueryRows] | msgspec.UnsetType,
) -> SnapshotFrame:
    """The turn so far. The closing frame of an ended turn has the last seq, so the snapshot has the one before."""
    turn = SnapshotTurn(**_told(row, versions, current_hashes), query_results=results)
    return SnapshotFrame(seq=row["last_seq"] if row["state"] == "running" else max(row["last_seq"] - 1, 0), turn=turn)


def _told(row: sa.RowMapping, versions: list[UUID], current_hashes: Mapping[UUID, str | None]) -> dict[str, Any]:
    """The fields of a turn beside its results."""
    steps = msgspec.convert(row["steps"], list[TurnStep])
    citations = msgspec.convert(row["citations"], list[Citation])
    told = {name: row[name] for name in _AS_STORED}
    return told | {
        "versions": versions,
        "scope": msgspec.convert(row["scope"], TurnScope | None),
        "steps": steps,
        "citations": [_with_state(citation, row["content_hashes"], current_hashes) for citation in citations],
        "answer": answer_of(row["parts"], steps),
        "figures": msgspec.convert(row["figures"], list[Figure]),
        "not_found": msgspec.convert(row["not_found"], NotFoundAnswer | None),
        "usage": usage_of(row),
    }


def usage_of(row: sa.RowMapping) -> TurnUsage:
    return NO_USAGE if row["usage"] is None else msgspec.convert(row["usage"], TurnUsage)


def context_of(row: sa.RowMapping | None) -> ContextUsage:
    """How full the context was when this turn was asked; empty for a chat without turns."""
    if row is not None and row["context"] is not None:
        return msgspec.convert(row["context"], ContextUsage)
    return ContextUsage(turn_count=0, max_turn_count=MAX_TURNS, token_count=0, max_token_count=MAX_TOKENS, fraction=0.0)


def cited_documents(rows: Mapping[UUID, sa.RowMapping]) -> set[UUID]:
    return {UUID(citation["documentId"]) for row in rows.values() for citation in row["citations"]}


def closing_frame_of(row: sa.RowMapping, turn: SnapshotTurn) -> DoneFrame | ErrorFrame:
    """The frame that ended the stream of a turn that no longer runs."""
    seq = max(row["last_seq"], 1)
    if turn.state == "failed":
        return ErrorFrame(seq=seq, code=turn.error_code or "internal_error", message=turn.error_message or "")
    return DoneFrame(
        seq=seq,
        reason=turn.reason or "answered",
        model_used=turn.model_used or turn.model_id,
        provider_used=turn.provider_used or "",
        usage=turn.usage,
        not_found=turn.not_found,
        follow_ups=turn.follow_ups,
    )


def _with_state(citation: Citation, quoted: Mapping[str, str], current_hashes: Mapping[UUID, str | None]) -> Citation:
    if citation.document_id not in current_hashes:
        return msgspec.structs.replace(citation, document_state="removed")
    was = quoted.get(str(citation.document_id))
    changed = was is not None and was != current_hashes[citation.document_id]
    return msgspec.structs.replace(citation, document_state="changed" if changed else "current")
