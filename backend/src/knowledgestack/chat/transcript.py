"""Turns the agent's events into frames and keeps what the turn's row stores of them."""

from typing import Any

import msgspec

from knowledgestack.agent.loop import (
    AgentEvent,
    AnswerDelta,
    Compacted,
    ContextMeasured,
    Ended,
    StepEnded,
    StepStarted,
    ToolEmitted,
)
from knowledgestack.agent.session import ToolSession
from knowledgestack.chat.contracts import (
    CitationsFrame,
    CompactionFrame,
    ContextFrame,
    ContextUsage,
    Figure,
    FiguresFrame,
    NearestMatch,
    NotFoundAnswer,
    QueryRows,
    RowsFrame,
    SearchedFor,
    StartedFrame,
    StepFrame,
    StepState,
    TitleFrame,
    TurnScope,
    TurnStep,
)
from knowledgestack.chat.frames import FrameLog
from knowledgestack.chat.marks import MarkFilter, find_marks
from knowledgestack.chat.text import storable
from knowledgestack.databases.results import RESULT_SERIES, ResultRead
from knowledgestack.retrieval.citing import CitedChunk, NothingFound
from knowledgestack.retrieval.contracts import Citation
from knowledgestack.verified_queries.events import NearestQuestions, VerifiedQueryRan

_NEAREST = 3


class Transcript:
    """The turn while it runs. Text passes the mark filter on its way to the log."""

    def __init__(self, session: ToolSession[TurnScope], *, source_count: int, quotes_only: bool) -> None:
        """`quotes_only` is true of an answerer whose every finding has a mark: without one it found nothing."""
        self.log = FrameLog()
        self.steps: dict[str, TurnStep] = {}
        self.citations: list[Citation] = []
        self.query_results: list[QueryRows] = []
        self.figures: list[Figure] = []
        self.follow_ups: list[str] = []
        self.nearest_questions: list[str] = []
        self.given: list[str] = []
        self.ended: Ended | None = None
        self._session = session
        self._source_count = source_count
        self._quotes_only = quotes_only
        self._content_hashes: dict[str, str] = {}
        self._nothing_found: list[NothingFound] = []
        self._context: ContextUsage | None = None
        self._saved_seq = -1
        self._beside_text_changed = True
        self._saved_results: int | None = 0
        self._step_id = ""
        self._part = 0
        self._marks = MarkFilter(self._is_known)

    def start(self, started: StartedFrame) -> None:
        self.log.add(
            StartedFrame,
            turn_id=started.turn_id,
            turn_index=started.turn_index,
            parent_turn_id=started.parent_turn_id,
            model_id=started.model_id,
        )

    def take(self, event: AgentEvent) -> None:
        """Show one event of the agent."""
        if isinstance(event, AnswerDelta):
            self._enter_part(event.part)
            self._show_text(self._marks.push(storable(event.text)))
            return
        self._show_new_citations()
        self._beside_text_changed = True
        match event:
            case StepStarted(step_id, tool, display_text, part):
                self._step_id = step_id
                self._enter_part(part + 1)
                self._show_step(step_id, tool, display_text, part, "running")
            case StepEnded(step_id, tool, display_text, part, state):
                self._show_step(step_id, tool, display_text, part, state)
            case ToolEmitted(payload):
                self._take_payload(payload)
            case Compacted(summary, turn_count):
                self.log.add(CompactionFrame, summary=storable(summary), turn_count=turn_count)
            case ContextMeasured(usage):
                self._context = msgspec.convert(usage, ContextUsage, from_attributes=True)
                self.log.add(ContextFrame, usage=self._context)
            case Ended():
                self.ended = event

    def _take_payload(self, payload: object) -> None:
        """What a tool says besides its text."""
        match payload:
            case NothingFound():
                self._nothing_found.append(payload)
            case ResultRead():
                self._show_rows(payload)
            case NearestQuestions(questions):
                self.nearest_questions = list(questions)
            case VerifiedQueryRan(question, description):
                self.given += [question, description]
            case _:
                pass

    def close_text(self) -> None:
        """Show what is still held back; nothing more will be written."""
        self._show_text(self._marks.finish())
        self.log.flush()

    def show_figures(self, figures: list[Figure]) -> None:
        self.figures = figures
        self._beside_text_changed = True
        if figures:
            self.log.add(FiguresFrame, figures=figures)

    def show_title(self, title: str) -> None:
        self.log.add(TitleFrame, title=title)

    @property
    def answer(self) -> str:
        return answer_of(self.log.parts, self.steps.values())

    @property
    def not_found(self) -> NotFoundAnswer | None:
        """What was searched in vain; None as soon as any search or statement found something that answers."""
        if self.query_results:
            return None
        if self.citations:
            return self._not_answered()
        if not self._nothing_found:
            return None
        return _not_found(
            [found.query for found in self._nothing_found],
            max(found.source_count for found in self._nothing_found),
            [
                NearestMatch(document_id=near.document_id, title=near.title, heading=near.heading, author=near.author)
                for found in self._nothing_found
                for near in found.nearest
            ],
        )

    def cited(self) -> list[Citation]:
        """The citations that the answer's marks point to; the others were read and not used."""
        labels = {label for _, _, labels in find_marks(self.answer) for label in labels}
        return [citation for citation in self.citations if str(citation.index) in labels]

    def _not_answered(self) -> NotFoundAnswer | None:
        if not self._quotes_only or self.ended is None or self.cited():
            return None
        nearest = [
            NearestMatch(
                document_id=citation.document_id,
                title=citation.title,
                heading=" › ".join(citation.heading_path) or citation.title,
                author=citation.author,
            )
            for citation in self.citations
        ]
        return _not_found([self._session.question], self._source_count, nearest)

    def row_values(self) -> dict[str, Any]:
        """What the turn's row holds of this, as JSON values; in step with `last_seq`."""
        return {**self._beside_results(), "query_results": msgspec.to_builtins(self.query_results)}

    def unsaved(self) -> dict[str, Any]:
        """The row's values that have changed since the last call; the text alone while only text is written.

        Results never change and may be large, so each is given once: in `new_results`, to be added to those stored.
        """
        if self.log.last_seq == self._saved_seq:
            return {}
        self._saved_seq = self.log.last_seq
        if not self._beside_text_changed:
            return {"parts": list(self.log.parts), "last_seq": self.log.last_seq}
        self._beside_text_changed = False
        saved, self._saved_results = self._saved_results, len(self.query_results)
        if saved is None:
            return self.row_values()
        if saved == len(self.query_results):
            return self._beside_results()
        return {**self._beside_results(), "new_results": msgspec.to_builtins(self.query_results[saved:])}

    def mark_unsaved(self) -> None:
        """Give everything again: what was given last may be stored or not, so `query_results` replaces what is."""
        self._saved_results = None
        self._saved_seq = -1
        self._beside_text_changed = True

    def _beside_results(self) -> dict[str, Any]:
        return {
            "parts": list(self.log.parts),
            "steps": msgspec.to_builtins(list(self.steps.values())),
            "citations": msgspec.to_builtins(self.citations),
            "content_hashes": dict(self._content_hashes),
            "figures": msgspec.to_builtins(self.figures),
            "follow_ups": list(self.follow_ups),
            "not_found": msgspec.to_builtins(self.not_found),
            "context": msgspec.to_builtins(self._context),
            "last_seq": self.log.last_seq,
        }

    def _is_known(self, label: str) -> bool:
        if label.startswith(RESULT_SERIES):
            return any(label == rows.mark for rows in self.query_results)
        return label.isdecimal() and 1 <= int(label) <= len(self.citations)

    def _enter_part(self, part: int) -> None:
        if part != self._part:
            self._show_text(self._marks.finish())
            self._part = part
            self._marks = MarkFilter(self._is_known)

    def _show_text(self, text: str) -> None:
        if text:
            self.log.add_text(self._part, text)

    def _show_step(self, step_id: str, tool: str, display_text: str, part: int, state: StepState) -> None:
        step = TurnStep(
            step_id=step_id, tool=storable(tool), display_text=storable(display_text), state=state, part=part
        )
        self.steps[step_id] = step
        self.log.add(StepFrame, step_id=step_id, tool=step.tool, display_text=step.display_text, state=state, part=part)

    def _show_rows(self, read: ResultRead) -> None:
        result = read.result
        rows = QueryRows(
            mark=read.mark,
            step_id=self._step_id,
            title=None if read.title is None else storable(read.title),
            database_connection_id=read.database_connection_id,
            database=read.database,
            sql=storable(read.sql),
            columns=result.columns,
            rows=result.rows,
            row_count=result.row_count,
            truncated=result.truncated,
            truncated_reason=result.truncated_reason,
            duration_ms=result.duration_ms,
            receipt=result.receipt,
        )
        self.query_results.append(rows)
        self.log.add(RowsFrame, **msgspec.structs.asdict(rows))

    def _show_new_citations(self) -> None:
        new: list[Citation] = []
        for cited in self._session.citations[len(self.citations) :]:
            assert isinstance(cited, CitedChunk)
            new.append(cited.citation)
            if cited.content_hash is not None:
                self._content_hashes[str(cited.citation.document_id)] = cited.content_hash
        if new:
            self.citations += new
            self._beside_text_changed = True
            self.log.add(CitationsFrame, citations=new)


def _not_found(queries: list[str], source_count: int, nearest: list[NearestMatch]) -> NotFoundAnswer:
    different = {(near.document_id, near.heading): near for near in nearest}
    return NotFoundAnswer(
        searched=SearchedFor(queries=list(dict.fromkeys(queries)), source_count=source_count),
        nearest=list(different.values())[:_NEAREST],
    )


def answer_of(parts: list[str], steps: Any) -> str:
    """The last part, unless a step has claimed it."""
    claimed = {step.part for step in steps}
    return parts[-1] if parts and len(parts) - 1 not in claimed else ""
