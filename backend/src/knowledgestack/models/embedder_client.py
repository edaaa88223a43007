"""The bundled embedding model as processes without it see it: a worker embeds for them."""

from collections.abc import Sequence
from uuid import UUID

import httpx
import numpy as np

from knowledgestack.models.embedder_protocol import EMBED_PATH, MAX_TEXTS
from knowledgestack.models.embedding import EmbeddingUnavailable, Vectors
from knowledgestack.models.local_model import LOCAL_COSINE_FLOOR, LOCAL_DIMENSIONS, LOCAL_LANGUAGES, LOCAL_MODEL_NAME

_BYTES = 4


class RemoteEmbedder:
    """Asks the worker at `address` (host:port); `EmbeddingUnavailable` where none answers within `timeout` seconds."""

    name = LOCAL_MODEL_NAME
    provider = "local"
    dimensions = LOCAL_DIMENSIONS
    languages: frozenset[str] | None = LOCAL_LANGUAGES
    cosine_floor = LOCAL_COSINE_FLOOR

    def __init__(self, model_id: UUID, address: str, token: str, *, timeout: float = 2.0) -> None:
        self.id = model_id
        self._url = f"http://{address}{EMBED_PATH}"
        self._headers = {"Authorization": f"Bearer {token}"}
        self._timeout = timeout

    async def embed(self, texts: Sequence[str]) -> Vectors:
        async with httpx.AsyncClient(timeout=self._timeout, headers=self._headers, trust_env=False) as client:
            starts = range(0, len(texts), MAX_TEXTS)
            parts = [await self._embed(client, texts[start : start + MAX_TEXTS]) for start in starts]
        return np.concatenate(parts) if parts else np.zeros((0, LOCAL_DIMENSIONS), dtype=np.float32)

    async def _embed(self, client: httpx.AsyncClient, texts: Sequence[str]) -> Vectors:
        try:
            answer = await client.post(self._url, json=list(texts))
            answer.raise_for_status()
        except httpx.HTTPError as error:
            raise EmbeddingUnavailable("The worker that embeds does not answer.") from error
        if len(answer.content) != len(texts) * LOCAL_DIMENSIONS * _BYTES:
            raise EmbeddingUnavailable("The worker that embeds gave an answer of the wrong size.")
        vectors = np.frombuffer(answer.content, dtype="<f4").reshape(len(texts), LOCAL_DIMENSIONS)
        return vectors.astype(np.float32)
