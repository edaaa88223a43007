"""What the local answerer has asked for in a turn, what came back, and what it asks for next.

A question that may ask for figures is first compared with the verified queries: one that fits is run and answers
alone. Every other question goes to the documents, and where they are silent the tables that may hold the answer are
looked at for the no.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from knowledgestack.lexicon.questions import may_ask_for_figures
from knowledgestack.models._local_data import failed_line
from knowledgestack.models._local_data_reply import (
    ResultReply,
    TableNote,
    VerifiedReply,
    parse_notes,
    parse_result,
    parse_verified,
)
from knowledgestack.models._local_passages import SearchReply, parse_reply
from knowledgestack.models._local_question import Question
from knowledgestack.models.chat import AssistantMessage, Message, ModelRequest, ToolCall, ToolResult, UserMessage

SEARCH_TOOL = "search_document_chunks"
FIND_TOOL = "find_verified_queries"
RUN_TOOL = "run_verified_query"
DESCRIBE_TOOL = "describe_tables"

_MOST_QUESTION_CHARACTERS = 2_000

Call = tuple[str, dict[str, Any]]


class LocalTurn(msgspec.Struct, frozen=True, kw_only=True):
    """The calls of this turn with the texts of their results, in order, and the tools that there are."""

    tools: frozenset[str]
    answers: tuple[tuple[ToolCall, str], ...]

    @classmethod
    def of(cls, request: ModelRequest) -> "LocalTurn":
        return cls(tools=frozenset(tool.name for tool in request.tools), answers=tuple(_answers(request.messages)))

    @property
    def called(self) -> frozenset[str]:
        return frozenset(call.name for call, _ in self.answers)

    @property
    def searches(self) -> tuple[SearchReply, ...]:
        replies = map(parse_reply, self._texts(SEARCH_TOOL))
        return tuple(reply for reply in replies if reply is not None)

    @property
    def verified(self) -> VerifiedReply | None:
        return next((reply for reply in map(parse_verified, self._texts(FIND_TOOL)) if reply is not None), None)

    @property
    def ran(self) -> bool:
        return RUN_TOOL in self.called

    @property
    def result(self) -> ResultReply | None:
        return next((reply for reply in map(parse_result, self._texts(RUN_TOOL)) if reply is not None), None)

    @property
    def notes(self) -> tuple[TableNote, ...]:
        return tuple(note for text in self._texts(DESCRIBE_TOOL) for note in parse_notes(text))

    def failure(self, question: Question) -> str:
        """Why the query that fits could not be run."""
        reply = self.verified
        fitting = None if reply is None else reply.fitting
        reason = next(iter(self._texts(RUN_TOOL)), "").removeprefix(f"{RUN_TOOL} failed: ")
        return failed_line(question, "" if fitting is None else fitting.question, reason)

    def _texts(self, tool: str) -> Iterator[str]:
        return (text for call, text in self.answers if call.name == tool)


def next_calls(question: Question, turn: LocalTurn) -> list[Call]:
    """What to ask for before anything can be said; empty where all that is needed is there."""
    if turn.result is not None:
        return []
    if not turn.answers and FIND_TOOL in turn.tools and may_ask_for_figures(question.asked):
        return [_find(question)]
    fitting = None if turn.verified is None else turn.verified.fitting
    if fitting is not None and not turn.ran and RUN_TOOL in turn.tools:
        return [(RUN_TOOL, {"id": fitting.id})]
    if SEARCH_TOOL in turn.tools and SEARCH_TOOL not in turn.called:
        return [(SEARCH_TOOL, {"query": query}) for query in question.queries()]
    return []


def calls_without_answer(question: Question, turn: LocalTurn) -> list[Call]:
    """What to look at for a useful no, once the documents are silent."""
    if turn.result is not None or turn.ran:
        return []
    if FIND_TOOL not in turn.called:
        # What is to come stands in no table, but what was may be of use.
        return [_find(question)] if question.future and FIND_TOOL in turn.tools else []
    if DESCRIBE_TOOL not in turn.tools or DESCRIBE_TOOL in turn.called or turn.verified is None:
        return []
    tables: dict[str, list[str]] = {}
    for table in turn.verified.tables:
        tables.setdefault(table.database, []).append(table.name)
    return [(DESCRIBE_TOOL, {"database": database, "tables": names}) for database, names in tables.items()][:1]


def _find(question: Question) -> Call:
    return FIND_TOOL, {"question": question.text[:_MOST_QUESTION_CHARACTERS]}


def _answers(messages: Sequence[Message]) -> Iterator[tuple[ToolCall, str]]:
    """This turn's calls, those after the last question, with what came back."""
    last = max((index for index, message in enumerate(messages) if isinstance(message, UserMessage)), default=-1)
    calls: dict[str, ToolCall] = {}
    for message in messages[last + 1 :]:
        if isinstance(message, AssistantMessage):
            calls |= {call.id: call for call in message.tool_calls}
        if isinstance(message, ToolResult) and message.call_id in calls:
            yield calls[message.call_id], message.text
