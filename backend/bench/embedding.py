"""Embedding with the local model: the share of its time that is spent inside onnxruntime, and chunks a second."""

import json
import statistics
import time
from pathlib import Path
from typing import Self

import onnxruntime

from bench.corpus import corpus_sha256, load_corpus
from knowledgestack.core.ids import new_id
from knowledgestack.documents.chunking import create_chunks
from knowledgestack.documents.parsers import parse
from knowledgestack.models.local_embedding import LocalMiniLM

RESULT = Path(__file__).parent / "results" / "embedding.json"
ROUNDS = 3
CHUNKS = 96
GOAL = 0.9


class _Clock:
    """Counts the seconds that the calling thread waits for the model."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._run = onnxruntime.InferenceSession.run

    def __enter__(self) -> Self:
        run, clock = self._run, self

        def timed(session: onnxruntime.InferenceSession, *arguments: object) -> object:
            began = time.perf_counter()
            try:
                return run(session, *arguments)
            finally:
                clock.seconds += time.perf_counter() - began

        onnxruntime.InferenceSession.run = timed
        return self

    def __exit__(self, *_: object) -> None:
        onnxruntime.InferenceSession.run = self._run


def main() -> None:
    files = load_corpus()
    texts: list[str] = []
    for file in files:
        texts.extend(chunk.text for chunk in create_chunks(parse(file.name, file.data)))
        if len(texts) >= CHUNKS * 4:
            break
    texts = texts[:: len(texts) // CHUNKS][:CHUNKS]
    model = LocalMiniLM(new_id())
    model.embed_blocking(texts[:2])
    shares: list[float] = []
    speeds: list[float] = []
    for _ in range(ROUNDS):
        with _Clock() as clock:
            cpu, wall = time.process_time(), time.perf_counter()
            model.embed_blocking(texts)
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        shares.append(clock.seconds / wall)
        speeds.append(len(texts) / cpu)
    result = {
        "corpus_sha256": corpus_sha256(files),
        "chunks": len(texts),
        "characters": sum(map(len, texts)),
        "share_in_onnxruntime": {"median": round(statistics.median(shares), 4), "min": round(min(shares), 4)},
        "chunks_per_cpu_second": round(statistics.median(speeds), 2),
        "goal": GOAL,
        "met": statistics.median(shares) >= GOAL,
    }
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(f"embedding: {result['share_in_onnxruntime']} of the time in onnxruntime, goal {GOAL}")


if __name__ == "__main__":
    main()
