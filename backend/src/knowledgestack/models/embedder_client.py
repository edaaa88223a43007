"""The local model as the API sees it: a question to the worker that holds it."""

import asyncio
from collections.abc import Sequence
from http import HTTPStatus
from uuid import UUID

import httpx
import msgspec
import numpy as np

from knowledgestack.models._minilm import (
    MINILM_COSINE_FLOOR,
    MINILM_DIMENSIONS,
    MINILM_LANGUAGES,
    MINILM_NAME,
    MINILM_PROVIDER,
)
from knowledgestack.models.embedder_server import DIMENSIONS_HEADER, EMBED_PATH, ROWS_HEADER, EmbedRequest
from knowledgestack.models.embedding import EmbeddingUnavailable, Vectors

# A search waits this long for its vector and then goes on by words.
QUERY_TIMEOUT_SECONDS = 2.0
# A pasted document is a legal question; its first pages say what it is about and can be embedded within the timeout.
_MOST_CHARACTERS = 8_000
_UNIT_TOLERANCE = 1e-3


class RemoteEmbedder:
    """Asks the embedder at `address` ("host:port", or an http address) with its bearer token."""

    name = MINILM_NAME
    provider = MINILM_PROVIDER
    dimensions = MINILM_DIMENSIONS
    languages: frozenset[str] | None = MINILM_LANGUAGES
    cosine_floor = MINILM_COSINE_FLOOR

    def __init__(
        self,
        id: UUID,  # noqa: A002
        address: str,
        token: str,
        *,
        timeout: float = QUERY_TIMEOUT_SECONDS,
    ) -> None:
        self.id = id
        self._timeout = timeout
        self._url = (address if "://" in address else f"http://{address}").rstrip("/") + EMBED_PATH
        # The environment's proxies are for the outside; the worker is ours.
        self._client = httpx.AsyncClient(headers={"authorization": f"Bearer {token}"}, timeout=timeout, trust_env=False)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), 384), unit length, in input order; of a text its first 8,000 characters count.

        Raises `EmbeddingUnavailable` where the worker does not answer within the timeout or answers nonsense.
        """
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        body = msgspec.json.encode(EmbedRequest(texts=[text[:_MOST_CHARACTERS] for text in texts]))
        try:
            async with asyncio.timeout(self._timeout):
                response = await self._client.post(self._url, content=body)
        except (httpx.HTTPError, TimeoutError) as error:
            raise EmbeddingUnavailable("The worker that embeds questions does not answer.") from error
        if response.status_code != HTTPStatus.OK:
            raise EmbeddingUnavailable(f"The worker that embeds questions answered {response.status_code}.")
        return self._read(response, len(texts))

    def _read(self, response: httpx.Response, rows: int) -> Vectors:
        shape = (response.headers.get(ROWS_HEADER), response.headers.get(DIMENSIONS_HEADER))
        if shape != (str(rows), str(self.dimensions)) or len(response.content) != rows * self.dimensions * 4:
            raise EmbeddingUnavailable("The worker's embedding has another shape than was asked for.")
        vectors = np.frombuffer(response.content, dtype="<f4").astype(np.float32).reshape(rows, self.dimensions)
        if not np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=_UNIT_TOLERANCE):
            raise EmbeddingUnavailable("The worker's embedding is not a unit vector.")
        return vectors

    async def close(self) -> None:
        """Close the connections to the worker."""
        await self._client.aclose()
