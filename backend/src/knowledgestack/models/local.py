"""The answerer of an installation without a model: it quotes the documents, and says plainly when they are silent."""

import json
import re
from collections.abc import AsyncIterator, Sequence

from knowledgestack.core.ids import new_id
from knowledgestack.lexicon.language import detect
from knowledgestack.models._local_lines import not_found
from knowledgestack.models._local_passages import SearchReply, parse_reply
from knowledgestack.models._local_question import Question, read_question
from knowledgestack.models._local_scoring import Ranking, rank_units
from knowledgestack.models._local_shapes import compose
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
    ToolResult,
    UserMessage,
)
from knowledgestack.models.embedding import EmbeddingModel

SEARCH_TOOL = "search_document_chunks"

_MOST_PASSAGES = 10
_PIECE = re.compile(r"\S+\s*|\s+")
_PIECES_PER_DELTA = 4


class LocalAnswerer:
    """A `ChatModel` that is none: it works through the search tool and the text of its results alone.

    `embedder` compares sentences with the question; without one, or where it does not answer, words decide.
    """

    id = "local"
    label = "Quotes from your documents"
    provider = "local"
    local = True
    context_window = None

    def __init__(self, embedder: EmbeddingModel | None = None) -> None:
        self._embedder = embedder

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Ask for a search first; once its results are there, answer from them."""
        question = read_question(_questions(request.messages))
        results = _results(request.messages)
        if not results and any(tool.name == SEARCH_TOOL for tool in request.tools):
            for query in question.queries():
                yield ToolCall(id=f"call_{new_id().hex}", name=SEARCH_TOOL, arguments=json.dumps({"query": query}))
            yield _completed("tool_calls")
            return
        for delta in _deltas(await self._answer(question, results)):
            yield TextDelta(delta)
        yield _completed("stop")

    async def _answer(self, question: Question, results: Sequence[str]) -> str:
        words = frame_words(question.language)
        if not results:
            return words.no_search
        replies = [reply for reply in map(parse_reply, results) if reply is not None]
        if not replies:
            return words.search_failed
        ranking = await self._rank(question, replies)
        if ranking is not None and ranking.confidence > 0:
            return compose(question, ranking)
        return not_found(question, replies)

    async def _rank(self, question: Question, replies: Sequence[SearchReply]) -> Ranking | None:
        """What may be quoted, best first; None where the search found nothing."""
        units, language = _units(replies)
        return await rank_units(question, units, language, self._embedder) if units else None


def _questions(messages: Sequence[Message]) -> list[str]:
    return [message.text for message in messages if isinstance(message, UserMessage)] or [""]


def _results(messages: Sequence[Message]) -> list[str]:
    """The results of this turn's calls: those after the last question."""
    results: list[str] = []
    for message in reversed(messages):
        if isinstance(message, UserMessage):
            break
        if isinstance(message, ToolResult):
            results.append(message.text)
    return results[::-1]


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
