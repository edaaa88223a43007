"""The protocol of embedding models."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from knowledgestack.core.errors import AppError

Vectors = NDArray[np.float32]


class EmbeddingModel(Protocol):
    """A model that turns texts into vectors. Vectors of two models are never compared."""

    @property
    def id(self) -> UUID:
        """The row in `embedding_models`."""
        ...

    @property
    def name(self) -> str: ...
    @property
    def provider(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    @property
    def languages(self) -> frozenset[str] | None:
        """ISO 639-1 codes the model was trained for; None for all."""
        ...

    @property
    def cosine_floor(self) -> float:
        """A cosine below this says that a text does not concern the question. Each model has its own."""
        ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return shape (len(texts), dimensions), unit length, in input order.

        Raises `EmbeddingUnavailable` when the model cannot be reached now, and `EmbeddingRefused` when some of the
        texts, or the answer of the model, cannot be used.
        """
        ...


class EmbeddingUnavailable(AppError):
    """The model does not answer now: the work is tried again, a search goes on by words."""

    status, code, title = 503, "embedding_unavailable", "The embedding model does not answer"


class EmbeddingRefused(AppError):
    """No trustworthy vector came back.

    `positions` are the texts at fault where the server refused single texts; `vectors` then has the vectors of all
    the others, with zero rows at those positions. Both are empty where the whole answer is unusable.
    """

    status, code, title = 422, "embedding_refused", "The embedding model refused the text"

    def __init__(self, detail: str, *, positions: tuple[int, ...] = (), vectors: Vectors | None = None) -> None:
        super().__init__(detail)
        self.positions = positions
        self.vectors = vectors
