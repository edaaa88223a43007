"""Writes docs/measurements.md from the JSON files in bench/results."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_RESULTS = Path(__file__).parent / "results"
_PAGE = Path(__file__).parents[2] / "docs" / "measurements.md"
_INTRODUCTION = """# Measurements

Written by `make bench` from `backend/bench/results/`; what each figure means stands at the head of the module that
measures it. CPU figures move with the machine and with what else runs on it; ratios are taken in one run.

| what | measured | goal | |
| --- | --- | --- | --- |
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """One row: where the number lies, and from which side it has to meet the goal."""

    label: str
    file: str
    path: str
    goal: float
    at_most: bool = False

    def row(self) -> str | None:
        """The row of the table; None where it was not measured."""
        value = _read(self.file, self.path)
        if value is None:
            return None
        met = value <= self.goal if self.at_most else value >= self.goal
        side = "at most" if self.at_most else "at least"
        return f"| {self.label} | {value:g} | {side} {self.goal:g} | {'met' if met else 'missed'} |"


_OWN_CHUNKING = "megabytes_per_cpu_second.knowledgestack.median"
FIGURES = (
    Figure("chunking with exact token counts, MB per CPU second", "chunking", _OWN_CHUNKING, 3),
    Figure("… against langchain's Markdown splitter with tiktoken", "chunking", "ratios.langchain", 1),
    Figure("… against llama-index's SentenceSplitter", "chunking", "ratios.llama_index", 2),
    Figure("share of embedding time inside onnxruntime", "embedding", "share_in_onnxruntime.median", 0.9),
    Figure("ingestion with a free embedder, MB per CPU second", "ingestion", "megabytes_per_cpu_second.median", 1),
    Figure("first frame after the question, ms", "streams", "figures.first_frame_milliseconds", 50, at_most=True),
    Figure("CPU for one frame, µs", "streams", "figures.cpu_microseconds_per_frame", 40, at_most=True),
    Figure(
        "p99 gap between frames, all streams open, ms", "streams", "figures.gap_p99_milliseconds", 100, at_most=True
    ),
    Figure("memory of an open stream, KB", "streams", "figures.kilobytes_per_stream", 50, at_most=True),
    Figure("CPU of the guarded session route, µs", "api", "figures.session_route_cpu_microseconds", 450, at_most=True),
    Figure("API at rest, MB", "api", "figures.api_megabytes", 250, at_most=True),
    Figure("whole installation at rest, MB", "api", "figures.stack_megabytes", 1200, at_most=True),
    Figure("handbook: answers of 60 that hold the fact", "answers", "handbook.fact_present", 54),
    Figure("handbook: answers of 60 that cite the right page first", "answers", "handbook.right_page_first", 54),
    Figure("handbook: unanswerable questions of 10 refused", "answers", "handbook.unanswerable_refused", 10),
    Figure(
        "handbook: a whole answer without a model, ms", "answers", "handbook.median_milliseconds", 300, at_most=True
    ),
)


def write_report() -> None:
    rows = [row for figure in FIGURES if (row := figure.row())]
    _PAGE.write_text(_INTRODUCTION + "\n".join(rows) + "\n", encoding="utf-8")


def _read(file: str, path: str) -> float | None:
    source = _RESULTS / f"{file}.json"
    if not source.exists():
        return None
    value: Any = json.loads(source.read_text(encoding="utf-8"))
    for name in path.split("."):
        value = None if value is None else value.get(name)
    return value


if __name__ == "__main__":
    write_report()
