"""The table of docs/benchmarks.md, made from the JSON of the last runs and from nothing else."""

import json
from pathlib import Path
from typing import Any, NamedTuple

RESULTS = Path(__file__).parent / "results"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"

_HEAD = """# Benchmarks

Made by `make bench` from `backend/bench/results/*.json`; do not edit. Every figure is the median of its runs on one
machine with two cores; what else ran there at that moment shows in the load averages of the JSON files, so compare
ratios within a run rather than figures of different days. The corpus is the Markdown of installed packages, taken
twice with renumbered headings; its SHA-256 stands in the results.

| what | measured | goal | met |
| --- | --- | --- | --- |
"""


class Row(NamedTuple):
    """One line: what, the figure as text, the goal as text, and whether it is met (None: stated without a goal)."""

    what: str
    measured: str
    goal: str
    met: bool | None


def write_report() -> None:
    rows = [*_chunking(), *_embedding(), *_ingestion(), *_streams(), *_api(), *_answers(), *_sql_fence(), *_catalogue()]
    verdicts = {True: "yes", False: "**no**", None: ""}
    lines = [f"| {row.what} | {row.measured} | {row.goal} | {verdicts[row.met]} |" for row in rows]
    PAGE.write_text(_HEAD + "\n".join(lines) + "\n")


def _read(name: str) -> dict[str, Any]:
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else {}


def _chunking() -> list[Row]:
    result = _read("chunking")
    if not result:
        return []
    speeds = {name: figures["median"] for name, figures in result["megabytes_per_cpu_second"].items()}
    ours = speeds["knowledgestack"]
    rows = [Row("chunking, exact token counts, MB per CPU second", f"{ours:.2f}", "at least 3", ours >= 3)]
    for other, factor in (("langchain", 1.0), ("llama_index", 2.0)):
        if other in speeds:
            ratio = ours / speeds[other]
            name = f"the same beside {result['names'][other]} ({speeds[other]:.2f})"
            rows.append(Row(name, f"{ratio:.2f} times", f"at least {factor:g} times", ratio >= factor))
    return rows


def _embedding() -> list[Row]:
    result = _read("embedding")
    if not result:
        return []
    share = result["share_in_onnxruntime"]
    if isinstance(share, dict):
        share = share["median"]
    return [Row("local embedding, share of the time inside onnxruntime", f"{share:.1%}", "at least 90%", share >= 0.9)]


def _ingestion() -> list[Row]:
    result = _read("ingestion")
    if not result:
        return []
    speed, goal = result["megabytes_per_cpu_second"]["median"], result["goal"]
    what = "ingestion with a free embedder, parse to searchable rows, MB per CPU second"
    return [Row(what, f"{speed:.2f}", f"at least {goal:g}", speed >= goal)]


def _streams() -> list[Row]:
    result = _read("streams")
    if not result:
        return []
    names = {
        "cpu_microseconds_per_frame": "streams: CPU of one frame, µs",
        "gap_p99_milliseconds": f"streams: p99 gap between frames, {result['streams']} at once, ms",
        "kilobytes_per_stream": "streams: memory of one open stream, KB",
        "first_frame_milliseconds": "streams: first frame after the POST, ms",
    }
    without_goal = {
        "whole_turns_cpu_microseconds_per_frame": "whole turns: CPU of one frame, µs",
        "whole_turns_gap_p99_milliseconds": f"whole turns: p99 gap between frames, {result['streams']} at once, ms",
    }
    figures = result["figures"]
    rows = [_below(names[name], figures[name], goal) for name, goal in result["goals"].items()]
    return rows + [Row(what, f"{figures[name]:g}", "", None) for name, what in without_goal.items() if name in figures]


def _api() -> list[Row]:
    result = _read("api")
    if not result:
        return []
    names = {
        "session_route_cpu_microseconds": "guarded session route: CPU of one request, µs",
        "api_megabytes": "API at rest, MB",
        "stack_megabytes": "whole installation with the local model, MB",
    }
    return [_below(names[name], result["figures"][name], goal) for name, goal in result["goals"].items()]


def _answers() -> list[Row]:
    result = _read("answers")
    rows: list[Row] = []
    handbook = result.get("handbook")
    if handbook:
        asked = handbook["questions"]
        for key, what in (("fact_present", "fact in the answer"), ("right_page_first", "right page cited first")):
            count = handbook[key]
            rows.append(
                Row(f"answers without a model, handbook: {what}", f"{count} of {asked}", "at least 54", count >= 54)
            )
        refused, unanswerable = handbook["unanswerable_refused"], handbook["unanswerable"]
        rows.append(
            Row(
                "answers without a model, handbook: unanswerable ones refused",
                f"{refused} of {unanswerable}",
                "all",
                refused == unanswerable,
            )
        )
        median = handbook["median_milliseconds"]
        rows.append(_below("answers without a model, handbook: a whole answer, ms", median, 300))
    for key, language, span, false in (("xquad_en", "English", 0.92, 0.04), ("xquad_de", "German", 0.85, 0.20)):
        if key in result:
            name = f"answers without a model, XQuAD {language} ({result[key]['questions']} questions)"
            held, wrong = result[key]["span_in_answer"], result[key]["false_answers_at_95_kept"]
            rows.append(Row(f"{name}: answer holds the gold span", f"{held:.1%}", f"at least {span:.0%}", held >= span))
            rows.append(_below(f"{name}: false answers at 95 % kept", wrong, false))
    return rows


def _catalogue() -> list[Row]:
    result = _read("catalogue")
    if not result:
        return []
    size = f"{result['tables']} tables"
    links = result["links"]
    return [
        _below(f"catalogue of {size}, read whole and stored, ms", result["read_milliseconds"]["median"], 2_000),
        Row(f"catalogue of {size}: the look each minute, ms", f"{result['look_milliseconds']['median']:g}", "", None),
        Row(f"catalogue of {size}: a search, ms", f"{result['search_milliseconds']['median']:g}", "", None),
        Row("links of the handbook to tables: precision", f"{links['precision']:.1%}", "", None),
        Row("links of the handbook to tables: recall", f"{links['recall']:.1%}", "", None),
        Row("finding links, MB per CPU second", f"{links['megabytes_per_cpu_second']:g}", "", None),
    ]


def _sql_fence() -> list[Row]:
    result = _read("sql_fence")
    if not result:
        return []
    names = {
        "new_text_cpu_milliseconds": "SQL fence: our CPU of a text never seen, ms",
        "known_report_times_bare": "SQL fence, a report known: CPU of both sides beside bare asyncpg, times",
        "known_lookup_times_bare": "SQL fence, one row by its key, known: CPU of both sides beside bare asyncpg, times",
        "thousand_rows_cpu_milliseconds": "SQL fence: our CPU of 1,000 rows of 20 columns to JSON, ms",
        "ten_million_rows_milliseconds": "SQL fence: SELECT * of ten million rows, first 1,000, ms",
        "ten_million_rows_megabytes_grown": "SQL fence: growth of memory over these, MB",
    }
    return [_below(names[name], result["figures"][name], goal) for name, goal in result["goals"].items()]


def _below(what: str, figure: float, goal: float) -> Row:
    return Row(what, f"{figure:g}", f"at most {goal:g}", figure <= goal)


if __name__ == "__main__":
    write_report()
