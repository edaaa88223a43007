"""The answerer of an installation without a model: it quotes the documents, runs verified queries, and says
plainly when neither answers."""

import json
import re
from collections.abc import AsyncIterator, Sequence

from knowledgestack.core.ids import new_id
from knowledgestack.lexicon.language import detect
from knowledgestack.models._local_data import compose_result, data_half
from knowledgestack.models._local_lines import not_found
from knowledgestack.models._local_passages import SearchReply
from knowledgestack.models._local_question import Question, read_question
from knowledgestack.models._local_scoring import Ranking, rank_units
from knowledgestack.models._local_shapes import compose
from knowledgestack.models._local_turn import SEARCH_TOOL, LocalTurn, calls_without_answer, next_calls
from knowledgestack.models._local_units import Unit, cut_units
from knowledgestack.models._local_words import frame_words
from knowledgestack.models.chat import (
    Completed,
    FinishReason,
    Message,
    ModelEvent,
    ModelRequest,
    TextDelta,
    ToolCall,
    UserMessage,
)
from knowledgestack.models.embedding import EmbeddingModel

__all__ = ["SEARCH_TOOL", "LocalAnswerer"]

_MOST_PASSAGES = 10
_PIECE = re.compile(r"\S+\s*|\s+")
_PIECES_PER_DELTA = 4


class LocalAnswerer:
    """A `ChatModel` that is none: it works through tools and the text of their results alone.

    It quotes documents and runs verified queries; SQL it never writes. `embedder` compares sentences with the
    question; without one, or where it does not answer, words decide.
    """

    id = "local"
    label = "Quotes from your documents"
    provider = "local"
    local = True
    context_window = None

    def __init__(self, embedder: EmbeddingModel | None = None) -> None:
        self._embedder = embedder

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Ask for a verified query or a search first; once the results are there, answer from them."""
        question = read_question(_questions(request.messages))
        turn = LocalTurn.of(request)
        ranking, calls = None, next_calls(question, turn)
        if not calls:
            ranking = await self._rank(question, turn.searches)
            calls = [] if _is_sure(ranking) else calls_without_answer(question, turn)
        if calls:
            for name, arguments in calls:
                yield ToolCall(id=f"call_{new_id().hex}", name=name, arguments=json.dumps(arguments))
            yield _completed("tool_calls")
            return
        for delta in _deltas(_answer(question, turn, ranking)):
            yield TextDelta(delta)
        yield _completed("stop")

    async def _rank(self, question: Question, replies: Sequence[SearchReply]) -> Ranking | None:
        """What may be quoted, best first; None where nothing was found or searched."""
        units, language = _units(replies)
        return await rank_units(question, units, language, self._embedder) if units else None


def _answer(question: Question, turn: LocalTurn, ranking: Ranking | None) -> str:
    """From the result of a verified query, else from the documents, else a no with what comes near."""
    if turn.result is not None:
        return compose_result(question, turn.result)
    words = frame_words(question.language)
    if not turn.called:
        return words.no_search
    told = f"{turn.failure(question)}\n\n" if turn.ran else ""
    if ranking is not None and _is_sure(ranking):
        return told + compose(question, ranking)
    if not turn.searches:
        return told + words.search_failed
    half = data_half(question, turn.verified, turn.notes) if turn.verified is not None and not turn.ran else ""
    return told + not_found(question, turn.searches) + half


def _is_sure(ranking: Ranking | None) -> bool:
    return ranking is not None and ranking.confidence > 0


def _questions(messages: Sequence[Message]) -> list[str]:
    return [message.text for message in messages if isinstance(message, UserMessage)] or [""]


def _units(replies: Sequence[SearchReply]) -> tuple[list[Unit], str]:
    """What the replies hold to quote, each passage once, and the language of the passages."""
    passages = {passage.number: passage for reply in replies for passage in reply.passages[:_MOST_PASSAGES]}
    language = detect("\n".join(passage.text for passage in passages.values()))
    return [unit for passage in passages.values() for unit in cut_units(passage, language)], language


def _deltas(text: str) -> list[str]:
    pieces = _PIECE.findall(text)
    return ["".join(pieces[index : index + _PIECES_PER_DELTA]) for index in range(0, len(pieces), _PIECES_PER_DELTA)]


def _completed(finish_reason: FinishReason) -> Completed:
    return Completed(input_tokens=0, output_tokens=0, model=LocalAnswerer.id, finish_reason=finish_reason)
