"""The wire of the chat: chats, turns, and the frames of an answer's stream."""

from datetime import datetime
from typing import Literal
from uuid import UUID

import msgspec

from knowledgestack.core.contract import Contract
from knowledgestack.databases.contracts import QueryColumn, QueryReceipt, TruncatedReason
from knowledgestack.retrieval.contracts import Citation

TurnState = Literal["running", "done", "stopped", "failed"]
StepState = Literal["running", "done", "failed"]
FigureKind = Literal["cell", "derived", "passage", "unsupported"]
Rating = Literal["up", "down"]
EndReason = Literal[
    "answered",
    "stopped",
    "model_call_limit",
    "wall_clock",
    "token_budget",
    "loop_detected",
    "unknown_tool_breaker",
    "context_overflow",
]

TITLE_MAX = 200
QUESTION_MAX = 1_000_000
FEEDBACK_REASON_MAX = 2_000


class Chat(Contract):
    """`title` is null until the first question gives it one."""

    id: UUID
    title: str | None
    created_at: datetime
    updated_at: datetime


class ChatPage(Contract):
    items: list[Chat]
    next_cursor: str | None


class NewChat(Contract):
    title: str | None = None


class ChatChange(Contract):
    title: str | msgspec.UnsetType = msgspec.UNSET


class TurnScope(Contract):
    """What a question may look at; an empty list or a list left out means everything of that kind.

    A question that names sources or documents and no database looks at no database.
    """

    source_ids: list[UUID] = []
    document_ids: list[UUID] = []
    database_connection_ids: list[UUID] = []


class NewTurn(Contract):
    """A question. `parent_turn_id`: left out, the last turn of the shown path; null, a version of the first turn."""

    question: str
    model_id: str | None = None
    scope: TurnScope | None = None
    parent_turn_id: UUID | msgspec.UnsetType | None = msgspec.UNSET


class TurnStep(Contract):
    """A tool step. The text of `part` was written before it and belongs to it, not to the answer."""

    step_id: str
    tool: str
    display_text: str
    state: StepState
    part: int


class Figure(Contract):
    """A stretch of the answer that was checked; `start` and `end` count code points of the answer.

    `passage`: the citations named in `refs` carry the sentence. `cell`: a number of a result, `refs` names the cell
    as mark:row:column counted from 0, such as `Q1:0:2`. `derived`: `formula` is the arithmetic over the cells or
    results in `refs`. `unsupported`: nothing carries it; `formula` is null.
    """

    start: int
    end: int
    kind: FigureKind
    refs: list[str]
    formula: str | None


class TurnUsage(Contract):
    """Tokens of all model calls of a turn; 0 where the model's server does not count."""

    input_tokens: int
    output_tokens: int
    model_calls: int


class ContextUsage(Contract):
    """How full the model's memory of the chat is; `fraction` is the larger of the two shares."""

    turn_count: int
    max_turn_count: int
    token_count: int
    max_token_count: int
    fraction: float


class SearchedFor(Contract):
    queries: list[str]
    source_count: int


class NearestMatch(Contract):
    document_id: UUID
    title: str
    heading: str
    author: str | None


class NotFoundAnswer(Contract):
    """What was searched in vain, and the headings that came nearest."""

    searched: SearchedFor
    nearest: list[NearestMatch]


class QueryRows(Contract):
    """A result that a step read from a database; every value is text, null is NULL. `title` names it in words.

    `row_count` counts the rows that were read, also where they are `left_out` here because the chat holds many: then
    `rows` is empty, and who runs the statement again sees them.
    """

    mark: str
    step_id: str
    title: str | None
    database_connection_id: UUID
    database: str
    sql: str
    columns: list[QueryColumn]
    rows: list[list[str | None]]
    row_count: int
    truncated: bool
    truncated_reason: TruncatedReason | Literal["left_out"] | None
    duration_ms: int
    receipt: QueryReceipt


class TurnFields(Contract):
    """A question with all that was done and said about it.

    `turn_index` counts from zero along the shown path. `versions` are the turns at this position, oldest first.
    `parts` are the numbered texts as they were streamed; those that a step names belong to it, the last one is
    the answer. `answer` keeps the partial text of a turn that was stopped or failed.
    """

    id: UUID
    turn_index: int
    parent_turn_id: UUID | None
    versions: list[UUID]
    question: str
    scope: TurnScope | None
    model_id: str
    state: TurnState
    parts: list[str]
    steps: list[TurnStep]
    citations: list[Citation]
    answer: str
    figures: list[Figure]
    follow_ups: list[str]
    not_found: NotFoundAnswer | None
    reason: EndReason | None
    error_code: str | None
    error_message: str | None
    model_used: str | None
    provider_used: str | None
    usage: TurnUsage
    feedback: Rating | None
    created_at: datetime


class Turn(TurnFields):
    """A turn with the results that its steps read."""

    query_results: list[QueryRows]


class SnapshotTurn(TurnFields):
    """A turn as a stream shows it; `query_results` is left out where they are those of the snapshot before."""

    query_results: list[QueryRows] | msgspec.UnsetType = msgspec.UNSET


class ChatDetail(Contract):
    """A chat with the turns of its shown path. Rows beyond the newest 5 MB of all results are `left_out`."""

    chat: Chat
    turns: list[Turn]
    usage: ContextUsage


class ShownPath(Contract):
    turn_id: UUID


class NewTurnFeedback(Contract):
    rating: Rating
    reason: str | None = None


class Suggestion(Contract):
    question: str
    document_id: UUID
    heading: str


class SuggestionList(Contract):
    items: list[Suggestion]


class Frame(Contract, tag_field="type"):
    """One event of a stream. `seq` rises by one from 0 within a turn."""

    seq: int


class StartedFrame(Frame, tag="started"):
    turn_id: UUID
    turn_index: int
    parent_turn_id: UUID | None
    model_id: str


class StepFrame(Frame, tag="step"):
    """A tool step began or ended; the text of `part` now belongs to it."""

    step_id: str
    tool: str
    display_text: str
    state: StepState
    part: int


class CitationsFrame(Frame, tag="citations"):
    """Citations that are new since the last such frame."""

    citations: list[Citation]


class RowsFrame(QueryRows, tag_field="type", tag="rows"):
    """A result that a step has read, whole as it is shown: a frame like the others, with the fields of the result."""

    seq: int


class DeltaFrame(Frame, tag="delta"):
    part: int
    text: str


class SnapshotFrame(Frame, tag="snapshot"):
    """The turn so far; `seq` is the last frame that it contains."""

    turn: SnapshotTurn


class CompactionFrame(Frame, tag="compaction"):
    """The first `turn_count` turns of the chat are remembered as `summary` from here on."""

    summary: str
    turn_count: int


class ContextFrame(Frame, tag="context"):
    usage: ContextUsage


class TitleFrame(Frame, tag="title"):
    title: str


class FiguresFrame(Frame, tag="figures"):
    figures: list[Figure]


class DoneFrame(Frame, tag="done"):
    """The answer is whole, or ended for the stated reason. `not_found` and `follow_ups` are those of the turn."""

    reason: EndReason
    model_used: str
    provider_used: str
    usage: TurnUsage
    not_found: NotFoundAnswer | None
    follow_ups: list[str]
    dlp_warning: bool = False


class ErrorFrame(Frame, tag="error"):
    """The answer failed; what was streamed so far stays in the turn."""

    code: str
    message: str


TurnFrame = (
    StartedFrame
    | StepFrame
    | CitationsFrame
    | RowsFrame
    | DeltaFrame
    | SnapshotFrame
    | CompactionFrame
    | ContextFrame
    | TitleFrame
    | FiguresFrame
    | DoneFrame
    | ErrorFrame
)
