"""Questions that differ only in what nobody hears, changes during a run, and what makes a query stale."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from knowledgestack.core.errors import Conflict, NotFound
from knowledgestack.databases.contracts import QueryResult
from knowledgestack.models.embedding import EmbeddingUnavailable
from knowledgestack.verified_queries.contracts import NewVerifiedQuery, VerifiedQuery, VerifiedQueryChange
from knowledgestack.verified_queries.facts import VerifiedQueryFacts
from knowledgestack.verified_queries.service import VerifiedQueryService
from tests.support.catalogue import CatalogueWorld
from tests.support.data_chat import living_world
from tests.support.database import Databases

QUESTION = "What's the number of each region's orders?"
TYPOGRAPHIC = "what\u2019s the number  of each region\u2019s orders"
SQL = "SELECT r.nm, count(*) AS orders FROM ordh o JOIN region r USING (rgc) GROUP BY r.nm"


@pytest.fixture
async def world(database_url: str, databases: Databases, tmp_path: Path) -> AsyncGenerator[CatalogueWorld]:
    async with living_world(database_url, databases.server_url, tmp_path) as made:
        await made.read()
        yield made


class Meanwhile:
    """Runs the statement, then lets somebody else act before the answer comes."""

    def __init__(self, world: CatalogueWorld, act: Any) -> None:
        self._queries = world.app.container.query_service
        self._act = act

    async def run(self, *arguments: Any, **named: Any) -> QueryResult:
        result = await self._queries.run(*arguments, **named)
        await self._act()
        return result


def with_meanwhile(world: CatalogueWorld, act: Any) -> VerifiedQueryService:
    database = world.app.container.database
    return VerifiedQueryService(database, Meanwhile(world, act), VerifiedQueryFacts(database, world.models))


async def save(world: CatalogueWorld, question: str = QUESTION, sql: str = SQL) -> VerifiedQuery:
    new = NewVerifiedQuery(database_connection_id=world.connection_id, question=question, sql=sql)
    return await world.app.container.verified_query_service.save(world.actor, new)


async def test_the_same_question_is_saved_once_and_the_refusal_names_the_first(world: CatalogueWorld) -> None:
    await save(world)
    body = {"databaseConnectionId": str(world.connection_id), "question": TYPOGRAPHIC, "sql": SQL}
    refused = await world.client.post("/api/verified-queries", json=body)
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert QUESTION in refused.json()["detail"]
    other = await save(world, "How many regions?", "SELECT count(*) FROM region")
    address = f"/api/verified-queries/{other.id}"
    assert (await world.client.patch(address, json={"question": TYPOGRAPHIC})).status_code == 409
    assert (await world.client.patch(address, json={"question": "how many REGIONS"})).status_code == 200


async def test_of_two_with_the_same_question_the_newest_current_one_answers(world: CatalogueWorld) -> None:
    older = await save(world)
    newer = await save(world, "How many orders are there?")
    async with world.app.container.database.transaction() as tx:
        await tx.exec_driver_sql("UPDATE verified_queries SET question = $1 WHERE id = $2", (TYPOGRAPHIC, newer.id))
    facts = VerifiedQueryFacts(world.app.container.database, world.models)
    found = await facts.find(world.actor, QUESTION)
    assert [(one.verified_query.id, one.fits) for one in found] == [(newer.id, True), (older.id, False)]
    async with world.app.container.database.transaction() as tx:
        await tx.exec_driver_sql(
            "UPDATE verified_queries SET state = 'stale', stale_reason = 'x' WHERE id = $1", (newer.id,)
        )
    found = await facts.find(world.actor, QUESTION)
    assert [(one.verified_query.id, one.fits) for one in found] == [(older.id, True), (newer.id, False)]


async def test_a_test_says_nothing_of_sql_that_was_changed_while_it_ran(world: CatalogueWorld) -> None:
    made = await save(world)

    async def change() -> None:
        await world.client.patch(f"/api/verified-queries/{made.id}", json={"sql": "SELECT count(*) FROM region"})

    with pytest.raises(Conflict):
        await with_meanwhile(world, change).test(world.actor, made.id)
    kept = await world.app.container.verified_query_service.read(world.actor, made.id)
    assert (kept.sql, kept.tables) == ("SELECT count(*) FROM region", ["public.region"])


async def test_a_change_does_not_undo_one_that_was_made_while_it_ran(world: CatalogueWorld) -> None:
    made = await save(world)

    async def change() -> None:
        await world.client.patch(f"/api/verified-queries/{made.id}", json={"sql": "SELECT count(*) FROM region"})

    with pytest.raises(Conflict):
        await with_meanwhile(world, change).change(
            world.actor, made.id, VerifiedQueryChange(sql="SELECT count(*) FROM ordh")
        )
    kept = await world.app.container.verified_query_service.read(world.actor, made.id)
    assert kept.sql == "SELECT count(*) FROM region"


async def test_a_query_that_was_deleted_while_it_ran_is_not_found(world: CatalogueWorld) -> None:
    made = await save(world)

    async def delete() -> None:
        await world.client.delete(f"/api/verified-queries/{made.id}")

    with pytest.raises(NotFound):
        await with_meanwhile(world, delete).test(world.actor, made.id)


async def test_what_fails_on_the_data_does_not_make_a_query_stale(world: CatalogueWorld) -> None:
    made = await save(world, sql="SELECT 100 / (q - 77) FROM moves")
    await world.target.run("INSERT INTO moves (d, q) VALUES ('2026-02-01', 77)")
    tested = await world.app.container.verified_query_service.test(world.actor, made.id)
    assert "Division by zero" in tested.message
    assert (tested.result, tested.verified_query.state) == (None, "current")


async def test_many_questions_are_embedded_in_calls_of_which_each_is_kept(world: CatalogueWorld) -> None:
    made = await save(world)
    async with world.app.container.database.transaction() as tx:
        await tx.exec_driver_sql(
            "INSERT INTO verified_queries (id, workspace_id, database_connection_id, question, description, sql,"
            " tables, used) SELECT gen_random_uuid(), workspace_id, database_connection_id,"
            " 'Which is number ' || n || '?', '',"
            " sql, tables, used FROM verified_queries, generate_series(1, 150) n WHERE id = $1",
            (made.id,),
        )
    (model,) = world.models.models.values()
    sizes: list[int] = []
    embed = model.embed

    async def second_call_fails(texts: Any) -> Any:
        sizes.append(len(texts))
        if len(sizes) == 2:
            raise EmbeddingUnavailable("busy")
        return await embed(texts)

    model.embed = second_call_fails
    facts = VerifiedQueryFacts(world.app.container.database, world.models)
    await facts.find(world.actor, QUESTION)
    assert max(sizes) <= 65
    assert await world.rows("SELECT count(*) FROM verified_queries WHERE embedding IS NOT NULL") == [(64,)]
    await facts.find(world.actor, QUESTION)
    assert await world.rows("SELECT count(*) FROM verified_queries WHERE embedding IS NULL") == [(0,)]
