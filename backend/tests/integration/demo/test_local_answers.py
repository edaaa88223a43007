"""The demo's twelve questions without a model, in both languages, with the bundled embedding."""

import re
from pathlib import Path

from knowledgestack.demo.database.questions import DemoQuestion, read_checked_questions, read_demo_questions
from knowledgestack.models.local_embedding import LocalMiniLM
from tests.support.demo_workspace import ask, demo_workspace
from tests.support.fake_model import fake_model
from tests.support.frames import Frames, text_of


def faults(known: DemoQuestion, frames: Frames) -> list[str]:
    """What is wrong with an answer, in words."""
    text = text_of(frames)
    tools = {frame["tool"] for frame in frames if frame["type"] == "step"}
    rows = [frame for frame in frames if frame["type"] == "rows"]
    figures = [one for frame in frames if frame["type"] == "figures" for one in frame["figures"]]
    found = [
        f"leaves “{text[one['start'] : one['end']]}” unsupported" for one in figures if one["kind"] == "unsupported"
    ]
    if frames[-1]["type"] != "done":
        return [*found, f"ended with {frames[-1]}"]
    if known.needs == "refusal" and known.query is not None:
        offered = [one.question for one in read_checked_questions() if one.query == known.query]
        found += [f"does not offer “{question}”" for question in offered if question not in frames[-1]["followUps"]]
    if known.query is None or known.needs == "refusal":
        return [*found, *(["runs a statement"] if rows or "run_verified_query" in tools else [])]
    if len(rows) != 1 or not rows[0]["rows"]:
        return [*found, f"shows {len(rows)} results"]
    first = [cell for cell in rows[0]["rows"][0] if cell is not None]
    found += [f"does not tell “{cell}”" for cell in first[:6] if not is_told(cell, text)]
    if rows[0]["title"] not in text or "[Q1]" not in text:
        found.append("does not name its query")
    if "search_document_chunks" in tools:
        found.append("searches pages for show")
    return found


def is_told(cell: str, text: str) -> bool:
    """Whether the text has the cell, a number in the separators of either language."""
    plain = re.sub(r"(?<=[0-9]),(?=[0-9]{3})", "", text)
    italian = re.sub(r"(?<=[0-9])\.(?=[0-9]{3})", "", text)
    italian = re.sub(r"(?<=[0-9]),(?=[0-9])", ".", italian)
    return cell in text or cell in plain or cell in italian


async def test_seven_are_answered_from_verified_queries_and_no_other_runs_one(
    database_url: str, tmp_path: Path
) -> None:
    with fake_model() as model:
        async with demo_workspace(database_url, tmp_path, model, LocalMiniLM) as client:
            wrong = {
                question: found
                for known in read_demo_questions()
                for question in (known.question, known.question_it)
                if (found := faults(known, await ask(client, question, modelId="local")))
            }
    assert not wrong, "\n".join(f"{question}: {found}" for question, found in wrong.items())
