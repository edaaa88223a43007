"""Embedding at OpenAI or any compatible server. No vector leaves here unchecked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import msgspec
import numpy as np
from openai import AsyncOpenAI

from knowledgestack.lexicon.tokens import count_many
from knowledgestack.models._retries import DEFAULT_RETRIES, RetryPolicy, call_with_retries
from knowledgestack.models.chat import ModelFailed
from knowledgestack.models.embedding import EmbeddingRefused, EmbeddingUnavailable, Vectors

# Below OpenAI's limits of 2,048 inputs and 300,000 tokens a request: other servers count tokens in their own way.
MAX_BATCH_INPUTS = 2_000
MAX_BATCH_TOKENS = 280_000
# Refusals without one success: the server refuses the call itself, not single texts.
_HOPELESS_REFUSALS = 12
_SPLITTABLE = {"model_refused", "model_context_overflow"}
_UNUSABLE = {"model_malformed", "model_unknown"}

# The vendor's own sizes. The floors are cautious and not measured here: a floor that is too low leaves the decision to
# term coverage, one that is too high hides true answers.
KNOWN_DIMENSIONS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}
_COSINE_FLOORS = {"text-embedding-3-small": 0.2, "text-embedding-3-large": 0.2, "text-embedding-ada-002": 0.72}
_DEFAULT_COSINE_FLOOR = 0.3


@dataclass(frozen=True, slots=True)
class OpenAIEmbedding:
    """An `EmbeddingModel` at a server. A batch that is refused is halved until the one bad text stands alone."""

    id: UUID
    name: str
    provider: str
    dimensions: int
    client: AsyncOpenAI = field(repr=False)
    retries: RetryPolicy = DEFAULT_RETRIES

    @property
    def languages(self) -> frozenset[str] | None:
        return None

    @property
    def cosine_floor(self) -> float:
        return _COSINE_FLOORS.get(self.name, _DEFAULT_COSINE_FLOOR)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimensions); see the protocol for order, length and errors."""
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        pending = list(_batches(texts))[::-1]
        refused: list[int] = []
        refusals = served = 0
        while pending:
            positions = pending.pop()
            try:
                vectors[positions] = await self._embed_batch([texts[position] for position in positions])
                served += 1
            except _BatchRefused as error:
                refusals += 1
                if not served and refusals >= _HOPELESS_REFUSALS:
                    raise EmbeddingRefused(error.detail) from None
                middle = len(positions) // 2
                refused += positions if middle == 0 else []
                pending += [half for half in (positions[middle:], positions[:middle]) if middle]
        if refused:
            raise EmbeddingRefused(_refusal(len(refused)), positions=tuple(sorted(refused)), vectors=vectors)
        return vectors

    async def _embed_batch(self, texts: list[str]) -> Vectors:
        wishes = {"dimensions": self.dimensions} if self._shortened() else {}
        body = {"model": self.name, "input": texts, "encoding_format": "float", **wishes}

        async def attempt() -> EmbeddingAnswer:
            return await _post(self.client, body)

        try:
            answer = await call_with_retries(attempt, self.retries, self.client.api_key)
        except ModelFailed as error:
            failure = error
        else:
            return checked_vectors(answer, len(texts), self.dimensions)
        if failure.code in _SPLITTABLE:
            raise _BatchRefused(failure.detail)
        if failure.code in _UNUSABLE:
            raise EmbeddingRefused(failure.detail)
        raise EmbeddingUnavailable(failure.detail)

    def _shortened(self) -> bool:
        """Only the vendor's own models take a wish for fewer dimensions."""
        return self.provider == "openai" and KNOWN_DIMENSIONS.get(self.name, self.dimensions) != self.dimensions


class _BatchRefused(Exception):
    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class _Vector(msgspec.Struct):
    index: int
    embedding: list[float]


class EmbeddingAnswer(msgspec.Struct):
    """What a server answered, in whatever order."""

    data: list[_Vector]


def checked_vectors(answer: EmbeddingAnswer, count: int, dimensions: int) -> Vectors:
    """Unit vectors in input order; raise `EmbeddingRefused` unless the answer has exactly one for each input."""
    placed = {item.index: item.embedding for item in answer.data}
    if len(answer.data) != count or set(placed) != set(range(count)):
        raise EmbeddingRefused(f"The embedding server answered {len(answer.data)} vectors for {count} texts.")
    if any(len(vector) != dimensions for vector in placed.values()):
        raise EmbeddingRefused(f"The embedding server answered vectors that do not have {dimensions} dimensions.")
    with np.errstate(over="ignore"):
        vectors = np.asarray([placed[index] for index in range(count)], dtype=np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths == 0).any():
        raise EmbeddingRefused("The embedding server answered vectors with values that are not numbers.")
    return vectors / lengths


def _batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """Positions of the texts of each request, within both limits, in input order."""
    batch: list[int] = []
    tokens = 0
    for position, count in enumerate(count_many(texts)):
        if batch and (len(batch) >= MAX_BATCH_INPUTS or tokens + count > MAX_BATCH_TOKENS):
            yield batch
            batch, tokens = [], 0
        batch.append(position)
        tokens += count
    if batch:
        yield batch


def _refusal(count: int) -> str:
    return f"The embedding server refused {count} text{'s' if count > 1 else ''}."


async def measure_dimensions(client: AsyncOpenAI, name: str) -> int:
    """Ask the server how many dimensions its vectors have; raise `EmbeddingUnavailable` or `EmbeddingRefused`."""

    async def attempt() -> EmbeddingAnswer:
        return await _post(client, {"model": name, "input": ["dimensions"], "encoding_format": "float"})

    try:
        answer = await call_with_retries(attempt, DEFAULT_RETRIES, client.api_key)
    except ModelFailed as error:
        failure = error
    else:
        if len(answer.data) == 1:
            return len(answer.data[0].embedding)
        raise EmbeddingRefused(f"The embedding server answered {len(answer.data)} vectors for one text.")
    if failure.code in _SPLITTABLE | _UNUSABLE:
        raise EmbeddingRefused(failure.detail)
    raise EmbeddingUnavailable(failure.detail)


async def _post(client: AsyncOpenAI, body: dict[str, Any]) -> EmbeddingAnswer:
    """Plain JSON: the client's typed answer visits every number in Python."""
    return msgspec.convert(await client.post("/embeddings", body=body, cast_to=object), EmbeddingAnswer)
