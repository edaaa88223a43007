"""Fault 17: an embedding server that answers wrongly never gets a vector stored, and one bad text fails alone."""

from collections.abc import AsyncGenerator, Callable, Generator
from uuid import UUID

import numpy as np
import pytest

from knowledgestack.lexicon.tokens import count_tokens
from knowledgestack.models import openai_embedding
from knowledgestack.models._retries import RetryPolicy
from knowledgestack.models.embedding import EmbeddingRefused, EmbeddingUnavailable
from knowledgestack.models.openai_embedding import OpenAIEmbedding, measure_dimensions
from knowledgestack.models.server_model import open_client
from tests.support.fake_model import FakeModel, Json, fake_model

KEY = "sk-canary-4f9d8b7a"
FAST = RetryPolicy(first_seconds=0.01, longest_seconds=0.1)
TEXTS = ["one", "two", "three"]


@pytest.fixture(scope="module")
def server() -> Generator[FakeModel]:
    with fake_model() as running:
        yield running


@pytest.fixture
def fake(server: FakeModel) -> FakeModel:
    server.reset()
    return server


@pytest.fixture
async def model(fake: FakeModel) -> AsyncGenerator[OpenAIEmbedding]:
    client = open_client(fake.base_url, KEY, silence_seconds=2)
    yield OpenAIEmbedding(UUID(int=1), "fake-embed", "compatible", fake.dimensions, client, FAST)
    await client.close()


def answer_of(fake: FakeModel, body: Json) -> list[Json]:
    data: list[Json] = fake.embed(body)[1]["data"]
    return data


def unit(fake: FakeModel, text: str) -> np.ndarray:
    vector = np.asarray(fake.vector(text), dtype=np.float32)
    return vector / np.linalg.norm(vector)


async def test_vectors_come_in_input_order_with_unit_length(fake: FakeModel, model: OpenAIEmbedding) -> None:
    fake.embedding = lambda body: (200, {"data": answer_of(fake, body)[::-1], "model": "m", "object": "list"})
    vectors = await model.embed(TEXTS)
    assert vectors.dtype == np.float32
    assert np.allclose(vectors, [unit(fake, text) for text in TEXTS], atol=1e-6)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert (await model.embed([])).shape == (0, 8)


Spoil = Callable[[list[Json]], list[Json] | None]


def changed(position: int, **fields: object) -> Spoil:
    return lambda data: [*data[:position], {**data[position], **fields}, *data[position + 1 :]]


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda data: data[:-1], id="fewer"),
        pytest.param(lambda data: [*data, {**data[0], "index": 3}], id="more"),
        pytest.param(lambda _: [], id="none"),
        pytest.param(lambda _: None, id="no list"),
        pytest.param(changed(1, index=0), id="an index twice"),
        pytest.param(changed(1, index=9), id="an index of nothing"),
        pytest.param(changed(1, index=None), id="no index"),
        pytest.param(changed(1, embedding=[0.5] * 7), id="a dimension short"),
        pytest.param(lambda data: [{**item, "embedding": [0.5] * 9} for item in data], id="another dimension"),
        pytest.param(changed(2, embedding=[float("nan")] * 8), id="NaN"),
        pytest.param(changed(2, embedding=[float("inf")] * 8), id="infinity"),
        pytest.param(changed(2, embedding=[1e39] * 8), id="beyond float32"),
        pytest.param(changed(2, embedding=[0.0] * 8), id="zero"),
        pytest.param(changed(2, embedding=["a"] * 8), id="words"),
        pytest.param(changed(2, embedding=None), id="null"),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
async def test_an_answer_that_does_not_fit_is_refused_whole(
    fake: FakeModel, model: OpenAIEmbedding, spoil: Spoil
) -> None:
    fake.embedding = lambda body: (200, {"data": spoil(answer_of(fake, body)), "model": "m", "object": "list"})
    with pytest.raises(EmbeddingRefused) as refused:
        await model.embed(TEXTS)
    assert refused.value.vectors is None
    assert refused.value.positions == ()


async def test_one_refused_text_fails_alone(fake: FakeModel, model: OpenAIEmbedding) -> None:
    texts = [f"text {number}" for number in range(20)]

    def refuse_one(body: Json) -> tuple[int, Json]:
        if "text 13" in body["input"]:
            return 400, {"error": {"message": f"input too long, key {KEY}", "code": "invalid"}}
        return fake.embed(body)

    fake.embedding = refuse_one
    with pytest.raises(EmbeddingRefused) as refused:
        await model.embed(texts)
    assert refused.value.positions == (13,)
    assert refused.value.vectors is not None
    others = [number for number in range(20) if number != 13]
    assert np.allclose(refused.value.vectors[others], [unit(fake, texts[number]) for number in others], atol=1e-6)
    assert not refused.value.vectors[13].any()
    assert len(fake.received) <= 11
    assert KEY not in refused.value.detail


async def test_a_server_that_refuses_everything_is_not_asked_for_every_text(
    fake: FakeModel, model: OpenAIEmbedding
) -> None:
    fake.embedding = lambda _: (400, {"error": {"message": "no such parameter"}})
    with pytest.raises(EmbeddingRefused) as refused:
        await model.embed([f"text {number}" for number in range(500)])
    assert refused.value.vectors is None
    assert len(fake.received) <= 12


async def test_an_unknown_model_is_refused_at_once(fake: FakeModel, model: OpenAIEmbedding) -> None:
    fake.embedding = lambda _: (404, {"error": {"message": "no such model"}})
    with pytest.raises(EmbeddingRefused, match="does not know"):
        await model.embed(TEXTS)
    assert len(fake.received) == 1


@pytest.mark.parametrize(("status", "tries"), [(429, 3), (500, 3), (503, 3), (401, 1)])
async def test_a_server_that_does_not_answer_now_is_unavailable(
    fake: FakeModel, model: OpenAIEmbedding, status: int, tries: int
) -> None:
    fake.embedding = lambda _: (status, {"error": {"message": f"busy {KEY}"}})
    with pytest.raises(EmbeddingUnavailable) as failed:
        await model.embed(TEXTS)
    assert len(fake.received) == tries
    assert KEY not in failed.value.detail


async def test_a_busy_server_is_asked_again(fake: FakeModel, model: OpenAIEmbedding) -> None:
    answers = iter([(429, {"error": {"message": "busy"}})])
    fake.embedding = lambda body: next(answers, None) or fake.embed(body)
    assert (await model.embed(TEXTS)).shape == (3, 8)
    assert len(fake.received) == 2


async def test_batches_stay_within_both_limits(
    fake: FakeModel, model: OpenAIEmbedding, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai_embedding, "MAX_BATCH_INPUTS", 7)
    monkeypatch.setattr(openai_embedding, "MAX_BATCH_TOKENS", 40)
    texts = [f"number {number} " * (1 + number % 5) for number in range(40)] + ["long " * 100]
    vectors = await model.embed(texts)
    assert np.allclose(vectors, [unit(fake, text) for text in texts], atol=1e-6)
    batches = [received.body["input"] for received in fake.received]
    assert [text for batch in batches for text in batch] == texts
    assert all(len(batch) <= 7 for batch in batches)
    assert all(len(batch) == 1 or sum(map(count_tokens, batch)) <= 40 for batch in batches)


def test_the_limits_are_below_those_of_the_vendor() -> None:
    assert openai_embedding.MAX_BATCH_INPUTS < 2_048
    assert openai_embedding.MAX_BATCH_TOKENS < 300_000


async def test_the_dimensions_of_an_unknown_model_are_asked(fake: FakeModel, model: OpenAIEmbedding) -> None:
    fake.dimensions = 12
    assert await measure_dimensions(model.client, "fake-embed") == 12
    fake.embedding = lambda _: (200, {"data": []})
    with pytest.raises(EmbeddingRefused):
        await measure_dimensions(model.client, "fake-embed")


async def test_only_the_vendor_is_told_how_many_dimensions(fake: FakeModel, model: OpenAIEmbedding) -> None:
    fake.dimensions = 256
    shortened = OpenAIEmbedding(UUID(int=2), "text-embedding-3-small", "openai", 256, model.client, FAST)
    await shortened.embed(["a"])
    fake.dimensions = 8
    await model.embed(["a"])
    assert fake.received[0].body["dimensions"] == 256
    assert "dimensions" not in fake.received[1].body
