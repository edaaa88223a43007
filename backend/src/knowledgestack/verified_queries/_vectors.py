"""Vectors of questions under the workspace's embedding model, made when they are first needed."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector

from knowledgestack.core.errors import AppError, NotFound
from knowledgestack.db.engine import Database
from knowledgestack.lexicon.language import UNDETERMINED, detect
from knowledgestack.models.embedding import EmbeddingModel, EmbeddingRefused, EmbeddingUnavailable
from knowledgestack.verified_queries._fit import ComparedQuery, english_of
from knowledgestack.verified_queries._repository import Candidate, VerifiedQueryRepository
from knowledgestack.verified_queries.ports import EmbeddingModels

Vector = NDArray[np.float32]

_SECONDS = 5.0
# As many as a slow server embeds in that time; what was made before it is over is kept.
_QUESTIONS_A_CALL = 64
# The language of fewer words is a guess.
_SURE_WORDS = 8


class QuestionVectors:
    """Compares questions with verified ones; without a model that answers, words alone decide."""

    def __init__(self, database: Database, models: EmbeddingModels) -> None:
        self._database = database
        self._models = models

    async def compare(
        self, workspace_id: UUID, question: str, candidates: Sequence[Candidate]
    ) -> tuple[Vector | None, list[ComparedQuery]]:
        """The question's vector and what it is compared with, in the order of `candidates`."""
        model = await self._model(workspace_id)
        if model is None or not candidates or not _is_spoken(model, question):
            return None, [ComparedQuery(one.question, one.description, None) for one in candidates]
        missing = [one for one in candidates if one.model_id != model.id or one.embedding is None]
        made: list[Vector] = []
        try:
            async with asyncio.timeout(_SECONDS):
                texts = [_spoken(model, text) for text in (question, *_questions(missing))]
                await _embed(model, texts, made)
        except (TimeoutError, EmbeddingUnavailable, EmbeddingRefused):
            await self._keep(workspace_id, model.id, missing, made[1:])
            return None, [ComparedQuery(one.question, one.description, None) for one in candidates]
        await self._keep(workspace_id, model.id, missing, made[1:])
        vectors = {one.id: vector for one, vector in zip(missing, made[1:], strict=True)}
        for one in candidates:
            if one.embedding is not None and one.id not in vectors:
                vectors[one.id] = np.asarray(one.embedding.to_numpy(), dtype=np.float32)
        return made[0], [ComparedQuery(one.question, one.description, vectors[one.id]) for one in candidates]

    async def _model(self, workspace_id: UUID) -> EmbeddingModel | None:
        async with self._database.transaction() as tx:
            active = await VerifiedQueryRepository(tx, workspace_id).active_model()
        try:
            return await self._models.embedding_model(active or await self._models.default_embedding_model_id())
        except NotFound:
            return None

    async def _keep(
        self, workspace_id: UUID, model_id: UUID, candidates: Sequence[Candidate], vectors: Sequence[Vector]
    ) -> None:
        """Keep the vectors of the first candidates, as many as there are."""
        made = [(one.id, one.question, HalfVector(vector)) for one, vector in zip(candidates, vectors, strict=False)]
        if not made:
            return
        try:
            async with self._database.transaction() as tx:
                await VerifiedQueryRepository(tx, workspace_id).keep_vectors(model_id, made)
        except AppError:
            # They are made again the next time.
            return


async def _embed(model: EmbeddingModel, texts: Sequence[str], made: list[Vector]) -> None:
    """Append the texts' vectors to `made`, those of a call at a time: the question's and some of the missing."""
    for start in range(0, len(texts), _QUESTIONS_A_CALL + 1):
        made.extend(await model.embed(list(texts[start : start + _QUESTIONS_A_CALL + 1])))


def _questions(candidates: Sequence[Candidate]) -> list[str]:
    return [one.question for one in candidates]


def _spoken(model: EmbeddingModel, text: str) -> str:
    """The text in a language of the model, as far as we can give it one."""
    return text if model.languages is None or "it" in model.languages else english_of(text)


def _is_spoken(model: EmbeddingModel, question: str) -> bool:
    if model.languages is None or len(question.split()) < _SURE_WORDS:
        return True
    return detect(question) in {*model.languages, "it", UNDETERMINED}
