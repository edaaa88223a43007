"""A run: one turn being answered. It belongs to the process, not to the request that asked for it."""

import asyncio
import time
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

import msgspec
import structlog

from knowledgestack.agent.budget import Budget
from knowledgestack.agent.loop import Compacted, StepEnded, StepStarted
from knowledgestack.agent.session import ToolSession
from knowledgestack.chat._closing import StopCause, close_run, closing_of
from knowledgestack.chat._repeated import outside_of
from knowledgestack.chat._repository import RunRepository
from knowledgestack.chat._task import RunServices, TurnTask
from knowledgestack.chat.contracts import Figure
from knowledgestack.chat.figures import check_figures
from knowledgestack.chat.frames import FrameLog
from knowledgestack.chat.questions import follow_up_questions
from knowledgestack.chat.support import check_answer
from knowledgestack.chat.text import storable
from knowledgestack.chat.titles import model_title
from knowledgestack.chat.transcript import Transcript
from knowledgestack.core.errors import AppError
from knowledgestack.models.local import LocalAnswerer

_log = structlog.get_logger(__name__)

_CANCEL_SECONDS = 2.0
_FOLLOW_UPS = 3
# A reader that has just asked needs a moment to open its stream, also where nobody has to wait for a lost one.
_LEAST_PATIENCE_SECONDS = 1.0


class TurnRun:
    """Answers one turn. `log` has its frames; `on_step` is called when a step begins or ends."""

    def __init__(self, services: RunServices, task: TurnTask, on_step: Callable[[], None]) -> None:
        self.task = task
        self._services = services
        self._on_step = on_step
        self._session = ToolSession(task.actor, task.question, task.scope)
        self._transcript = Transcript(
            self._session, source_count=task.reach.source_count, quotes_only=task.model.id == LocalAnswerer.id
        )
        self._transcript.start(task.started)
        self._stop = asyncio.Event()
        self._cause: StopCause | None = None

    @property
    def log(self) -> FrameLog:
        return self._transcript.log

    def stop(self, cause: StopCause) -> None:
        """Cancel the model call and the tool that runs; the stream ends within two seconds."""
        self._cause = self._cause or cause
        self._stop.set()

    def show_title(self, title: str) -> None:
        self._transcript.show_title(title)

    def unsaved(self) -> dict[str, Any]:
        """The columns of the turn's row that have changed since the last call."""
        return self._transcript.unsaved()

    def save_failed(self) -> None:
        self._transcript.mark_unsaved()

    def end_if_orphaned(self, *, watched: bool) -> None:
        """Stop when nobody has listened for too long; `watched` says that another process passes the turn on."""
        if watched or self.log.followers:
            self.log.left_at = time.monotonic()
        elif time.monotonic() - self.log.left_at > max(self._services.orphan_seconds, _LEAST_PATIENCE_SECONDS):
            self.stop("orphaned")

    async def execute(self) -> None:
        """Answer, store the end, close the stream. Never raises for what the model or a tool did."""
        budget = Budget(self._services.limits)
        answering = asyncio.create_task(self._answer(budget))
        stopping = asyncio.create_task(self._stop.wait())
        await asyncio.wait({answering, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if not answering.done():
            answering.cancel()
            await asyncio.wait({answering}, timeout=_CANCEL_SECONDS)
        closing = closing_of(answering, self._cause, self._transcript)
        await close_run(self._services.database, self.task, self._transcript, closing, budget)

    async def _answer(self, budget: Budget) -> None:
        task = self.task
        events = self._services.agent.run(
            task.model,
            task.history,
            # The local answerer judges each sentence itself, more finely than the search judges passages.
            self._services.registry_for(
                msgspec.structs.replace(
                    task.reach,
                    gated=task.model.id != LocalAnswerer.id,
                    chat_id=task.chat_id,
                    turn_id=task.started.turn_id,
                )
            ),
            self._session,
            budget,
            instructions=task.instructions,
            summary=task.summary,
        )
        async with aclosing(events):
            async for event in events:
                self._transcript.take(event)
                if isinstance(event, StepStarted | StepEnded):
                    self._on_step()
                if isinstance(event, Compacted):
                    await self._store_compaction(event)
        self._transcript.close_text()
        if self._transcript.ended is not None:
            await self._add_to_the_answer()

    async def _add_to_the_answer(self) -> None:
        """What stands beside an answer. Where any of it fails the answer is still whole."""
        transcript = self._transcript
        try:
            transcript.show_figures(await asyncio.to_thread(self._checked))
            transcript.follow_ups = await self._follow_ups()
            if self._wants_model_title():
                await self._name_chat()
        except Exception:  # noqa: BLE001 (whatever fails here, the answer was written whole)
            _log.exception("answer_without_extras", turn_id=str(self.task.started.turn_id))

    def _checked(self) -> list[Figure]:
        """Sentences against their passages, figures against the results, in the order of the answer."""
        transcript = self._transcript
        sentences = check_answer(transcript.answer, transcript.citations)
        words = "\n".join([self.task.question, *transcript.given])
        figures = check_figures(transcript.answer, transcript.query_results, transcript.citations, words)
        figures = outside_of(transcript.given, transcript.answer, figures)
        return sorted([*sentences, *figures], key=lambda figure: figure.start)

    def _wants_model_title(self) -> bool:
        ended = self._transcript.ended
        answered = ended is not None and ended.reason == "answered"
        return answered and self.task.wants_title and self.task.model.id != LocalAnswerer.id

    async def _follow_ups(self) -> list[str]:
        """The nearest verified questions, then what the cited documents also hold."""
        transcript = self._transcript
        near = transcript.nearest_questions[:_FOLLOW_UPS]
        citations = transcript.cited()
        if not citations:
            return near
        documents = list(dict.fromkeys(citation.document_id for citation in citations))
        headings = await self._services.documents.headings(self.task.actor.workspace_id, documents)
        seen = {(citation.document_id, tuple(citation.heading_path)) for citation in citations}
        others = [heading for heading in headings if (heading.document_id, heading.path) not in seen]
        asked = follow_up_questions(others, self.task.language, asked=self.task.question, limit=_FOLLOW_UPS)
        return [*near, *asked][:_FOLLOW_UPS]

    async def _name_chat(self) -> None:
        title, spent = await model_title(self.task.model, self.task.question, self._transcript.answer)
        async with self._services.database.transaction() as tx:
            runs = RunRepository(tx, self.task.actor.workspace_id)
            named = bool(title) and await runs.save_title(self.task.chat_id, title, "model")
            if spent is not None:
                await runs.add_usage(
                    user_id=self.task.actor.user_id,
                    turn_id=self.task.started.turn_id,
                    purpose="title",
                    model=spent.model,
                    provider=self.task.model.provider,
                    input_tokens=spent.input_tokens,
                    output_tokens=spent.output_tokens,
                )
        if named:
            self._transcript.show_title(title)

    async def _store_compaction(self, compacted: Compacted) -> None:
        """Keep the summary for later questions. Where that fails, the next one summarises anew."""
        if not 0 < compacted.turn_count <= len(self.task.earlier):
            return
        try:
            async with self._services.database.transaction() as tx:
                await RunRepository(tx, self.task.actor.workspace_id).save_compaction(
                    self.task.chat_id,
                    storable(compacted.summary),
                    self.task.compacted_turn_count + compacted.turn_count,
                    self.task.earlier[compacted.turn_count - 1],
                )
        except AppError as error:
            _log.warning("compaction_not_stored", turn_id=str(self.task.started.turn_id), code=error.code)
