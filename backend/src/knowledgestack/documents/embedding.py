"""Vectors for chunks, one refused text never costing the others theirs."""

from collections.abc import Sequence

import numpy as np
from pgvector import HalfVector

from knowledgestack.models.embedding import EmbeddingModel, EmbeddingRefused, Vectors

# Texts a call: enough for a model to sort by length, few enough that a large document stays within memory.
_GROUP = 256


async def embed_each(model: EmbeddingModel, texts: Sequence[str]) -> list[HalfVector | None]:
    """A vector for each text in input order, None for a text that the model refuses.

    Raises `EmbeddingUnavailable`, and `EmbeddingRefused` where the model's whole answer cannot be used.
    """
    made: list[HalfVector | None] = []
    for start in range(0, len(texts), _GROUP):
        made += await _embed_group(model, texts[start : start + _GROUP])
    return made


async def _embed_group(model: EmbeddingModel, texts: Sequence[str]) -> list[HalfVector | None]:
    try:
        vectors = await model.embed(texts)
        refused: frozenset[int] = frozenset()
    except EmbeddingRefused as error:
        if error.vectors is None or not error.positions:
            raise
        vectors, refused = error.vectors, frozenset(error.positions)
    _check(model, texts, vectors)
    return [None if index in refused else HalfVector(row) for index, row in enumerate(vectors)]


def _check(model: EmbeddingModel, texts: Sequence[str], vectors: Vectors) -> None:
    if vectors.shape != (len(texts), model.dimensions) or not np.isfinite(vectors).all():
        raise EmbeddingRefused(
            f"The embedding model {model.name} answered with vectors that do not fit its {model.dimensions} dimensions."
        )
