"""Chunking with exact token counts and heading paths, in megabytes per CPU second, beside two known splitters.

Everybody splits the same texts, one after the other in each round, so that the ratios hold on a busy machine too.
"""

import json
import statistics
import time
from pathlib import Path
from typing import Any

from bench.competitors import install_competitors, run_competitor
from bench.corpus import corpus_sha256, load_corpus
from knowledgestack.core.errors import AppError
from knowledgestack.documents.chunking import create_chunks
from knowledgestack.documents.parsers import ParsedDocument, parse
from knowledgestack.lexicon.tokens import count_tokens

RESULT = Path(__file__).parent / "results" / "chunking.json"
ROUNDS = 3
GOAL = 3.0
GOAL_RATIOS = {"langchain": 1.0, "llama_index": 2.0}


def main() -> None:
    files = load_corpus()
    documents = [document for file in files if (document := _parse(file.name, file.data)) is not None]
    texts = [document.text for document in documents]
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    reason = install_competitors()
    names = [] if reason else list(GOAL_RATIOS)
    rounds = [
        {"knowledgestack": _measure(documents)} | {name: run_competitor(name, texts) for name in names}
        for _ in range(ROUNDS)
    ]
    speeds = {name: [megabytes / run[name]["cpu_seconds"] for run in rounds] for name in rounds[0]}
    own = statistics.median(speeds["knowledgestack"])
    ratios = {name: round(own / statistics.median(speeds[name]), 2) for name in names}
    result = {
        "corpus_sha256": corpus_sha256(files),
        "megabytes": round(megabytes, 2),
        "documents": len(documents),
        "megabytes_per_cpu_second": {name: _spread(values) for name, values in speeds.items()},
        "chunks": {name: run["chunks"] for name, run in rounds[0].items()},
        "names": {name: run["name"] for name, run in rounds[0].items()},
        "ratios": ratios,
        "competitors": reason or "measured in the same run",
        "goal": GOAL,
        "goal_ratios": GOAL_RATIOS,
        "met": own >= GOAL and all(ratios[name] >= GOAL_RATIOS[name] for name in names),
    }
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(f"chunking: {round(own, 2)} MB per CPU second, goal {GOAL}; ratios {ratios or reason}")


def _parse(name: str, data: bytes) -> ParsedDocument | None:
    try:
        return parse(name, data)
    except AppError:
        return None


def _measure(documents: list[ParsedDocument]) -> dict[str, Any]:
    count_tokens("The encoder is loaded before the clock starts.")
    cpu, wall = time.process_time(), time.perf_counter()
    chunks = sum(len(create_chunks(document)) for document in documents)
    times = {"cpu_seconds": time.process_time() - cpu, "wall_seconds": time.perf_counter() - wall}
    return {"name": "knowledgestack create_chunks", "chunks": chunks, **times}


def _spread(values: list[float]) -> dict[str, float]:
    return {
        "median": round(statistics.median(values), 2),
        "min": round(min(values), 2),
        "max": round(max(values), 2),
    }


if __name__ == "__main__":
    main()
