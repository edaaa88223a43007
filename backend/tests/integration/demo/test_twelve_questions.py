"""The demo's twelve questions, asked over the API and answered by a scripted model with the product's own tools."""

from pathlib import Path

import httpx

from knowledgestack.demo.database.questions import DemoQuestion, read_demo_questions, read_sql
from tests.support.demo_model import answer_demo, page_title
from tests.support.demo_workspace import ask, demo_workspace
from tests.support.fake_model import fake_model, say
from tests.support.frames import Frames, text_of


def faults(known: DemoQuestion, frames: Frames) -> list[str]:
    """What is wrong with an answer, in words."""
    text = text_of(frames)
    found = [f"does not say “{fact}”" for fact in [*known.facts, known.assumption] if fact not in text]
    if frames[-1]["type"] != "done":
        found.append(f"ended with {frames[-1]}")
    cited = {one["title"] for frame in frames if frame["type"] == "citations" for one in frame["citations"]}
    found += [f"does not cite {page}" for page in known.pages if page_title(page) not in cited]
    rows = [frame for frame in frames if frame["type"] == "rows"]
    tools = {frame["tool"] for frame in frames if frame["type"] == "step"}
    if known.query is None and rows:
        found.append("shows a result")
    if known.query is not None and (len(rows) != 1 or "[Q1]" not in text or not rows[0]["rows"]):
        found.append(f"shows {len(rows)} results")
    if known.needs == "documents" and "execute_sql" in tools:
        found.append("runs SQL")
    if known.needs == "database" and (cited or "search_document_chunks" in tools):
        found.append("searches pages for show")
    figures = [one for frame in frames if frame["type"] == "figures" for one in frame["figures"]]
    unsupported = [text[one["start"] : one["end"]] for one in figures if one["kind"] == "unsupported"]
    if known.query is not None and not [one for one in figures if one["kind"] in ("cell", "derived")]:
        found.append("links no figure to a cell")
    return [*found, *(f"leaves “{one}” unsupported" for one in unsupported)]


async def test_the_twelve_questions_are_answered_from_pages_and_rows(database_url: str, tmp_path: Path) -> None:
    with fake_model() as model:
        model.otherwise = lambda body: answer_demo(body) or say("A title")
        async with demo_workspace(database_url, tmp_path, model) as client:
            wrong = {
                question: found
                for known in read_demo_questions()
                for question in (known.question, known.question_it)
                if (found := faults(known, await ask(client, question)))
            }
            assert not wrong, "\n".join(f"{question}: {found}" for question, found in wrong.items())
            await check_refusals(client)


async def check_refusals(client: httpx.AsyncClient) -> None:
    """What question 12 tried in vain is in the log, with the words that the model read."""
    log = (await client.get("/api/database-statements", params={"limit": 100})).json()["items"]
    by_sql = {line["sql"]: line for line in log}
    assert by_sql["SELECT nm, hm_tel FROM tchm"]["outcome"] == "failed"
    assert by_sql["DELETE FROM cusm WHERE tst = 'Y'"]["outcome"] == "rejected"
    assert by_sql[read_sql("returns-by-region.gold")]["outcome"] == "answered"
