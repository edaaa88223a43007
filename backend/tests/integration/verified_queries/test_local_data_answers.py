"""What is answered without a model where databases are connected: verified queries, documents, a useful no."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from knowledgestack.core.identity import Role
from knowledgestack.models.local import LocalAnswerer
from knowledgestack.verified_queries.contracts import NewVerifiedQuery
from tests.support.catalogue import CatalogueWorld
from tests.support.data_chat import SHIPPING, data_process, living_world, new_chat
from tests.support.database import Databases
from tests.support.knowledge import FakeEmbedding

QUESTION = "How many orders does each region have?"
SQL = "SELECT r.nm AS region, count(*) AS order_count FROM ordh o JOIN region r USING (rgc) GROUP BY 1 ORDER BY 2 DESC"


@pytest.fixture
async def world(database_url: str, databases: Databases, tmp_path: Path) -> AsyncGenerator[CatalogueWorld]:
    async with living_world(database_url, databases.server_url, tmp_path) as made:
        await made.read()
        await made.write("orders.md", SHIPPING)
        yield made


async def save(world: CatalogueWorld, **changed: Any) -> None:
    values = {"question": QUESTION, "sql": SQL, "description": "All orders since 1994."} | changed
    service = world.app.container.verified_query_service
    await service.save(world.actor, NewVerifiedQuery(database_connection_id=world.connection_id, **values))


async def ask(world: CatalogueWorld, question: str, actor: Any = None) -> Any:
    async with data_process(world, LocalAnswerer(FakeEmbedding())) as process:
        who = actor or world.actor
        chat_id = await new_chat(world, process)
        await process.ask(who, chat_id, question)
        return (await process.chats.read_chat(who, chat_id)).turns[-1]


async def test_a_verified_query_answers_with_its_cells_and_names_itself(world: CatalogueWorld) -> None:
    await save(world)
    turn = await ask(world, "How many orders has each region?")
    assert [step.tool for step in turn.steps] == ["find_verified_queries", "run_verified_query"]
    assert turn.answer.startswith("**North** — order count: 40 [Q1] (first of 2 rows).")
    assert f"verified query “{QUESTION}” on *Warehouse*. All orders since 1994." in turn.answer
    (result,) = turn.query_results
    assert (result.mark, result.title, result.rows) == ("Q1", QUESTION, [["North", "40"], ["Skerries", "1"]])
    assert [figure for figure in turn.figures if figure.kind == "unsupported"] == []
    assert turn.not_found is None


async def test_italian_words_find_an_english_query(world: CatalogueWorld) -> None:
    await save(world)
    for model in world.models.models.values():
        model.languages = frozenset({"en"})
    turn = await ask(world, "Quanti ordini ha ogni regione?")
    assert turn.answer.startswith("**North** — order count: 40 [Q1] (prima di 2 righe).")
    assert "query verificata" in turn.answer


async def test_a_question_about_a_meaning_runs_no_statement(world: CatalogueWorld) -> None:
    await save(world)
    turn = await ask(world, "What does the status letter S mean for orders?")
    assert [step.tool for step in turn.steps] == ["search_document_chunks"]
    assert "S is shipped" in turn.answer
    assert turn.query_results == []


async def test_another_number_or_direction_is_not_answered_by_a_query_that_is_alike(world: CatalogueWorld) -> None:
    await save(world, question="Which region has the most orders?")
    for question in ("Which region has the fewest orders?", "Which region has the most orders since 2024?"):
        turn = await ask(world, question)
        assert turn.query_results == [], question


async def test_an_answer_from_a_query_leads_to_those_beside_it(world: CatalogueWorld) -> None:
    await save(world)
    other = "Which region has the most orders?"
    await save(world, question=other)
    turn = await ask(world, QUESTION)
    assert len(turn.query_results) == 1
    assert turn.follow_ups == [other]


async def test_a_useful_no_names_tables_notes_and_the_nearest_question(world: CatalogueWorld) -> None:
    await save(world)
    turn = await ask(world, "How many orders were returned by customers in Skerries?")
    tools = [step.tool for step in turn.steps]
    assert tools[:2] == ["find_verified_queries", "search_document_chunks"]
    assert turn.query_results == []
    assert tools[2:] == ["describe_tables"]
    assert "No verified query answers this from the data" in turn.answer
    assert "The tables of *Warehouse* that come nearest:" in turn.answer
    assert "- `ordh.st` — The column st is the status letter: A is open, S is shipped. [1]" in turn.answer
    assert turn.follow_ups[0] == QUESTION
    assert len(turn.citations) == 1


async def test_a_query_that_went_stale_is_not_run(world: CatalogueWorld) -> None:
    await save(world)
    await world.target.run("ALTER TABLE region DROP COLUMN nm CASCADE")
    await world.read()
    turn = await ask(world, QUESTION)
    assert turn.query_results == []
    assert "run_verified_query" not in [step.tool for step in turn.steps]


async def test_a_viewer_is_answered_too(world: CatalogueWorld) -> None:
    await save(world)
    viewer = type(world.actor)(
        user_id=world.actor.user_id,
        session_id=world.actor.session_id,
        instance_owner=False,
        workspace_id=world.actor.workspace_id,
        role=Role.VIEWER,
    )
    turn = await ask(world, QUESTION, viewer)
    assert len(turn.query_results) == 1
