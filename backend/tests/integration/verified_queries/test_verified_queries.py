"""Verified queries as people keep them: saved through the fence, changed, tested, deleted, out of date."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from knowledgestack.core.identity import Actor
from knowledgestack.verified_queries.facts import VerifiedQueryFacts
from tests.support.catalogue import CatalogueWorld
from tests.support.connections import joined
from tests.support.data_chat import living_world
from tests.support.database import Databases

PATH = "/api/verified-queries"
BY_REGION = "SELECT r.nm, count(*) AS orders FROM ordh o JOIN region r USING (rgc) GROUP BY r.nm ORDER BY 2 DESC"


@pytest.fixture
async def world(database_url: str, databases: Databases, tmp_path: Path) -> AsyncGenerator[CatalogueWorld]:
    async with living_world(database_url, databases.server_url, tmp_path) as made:
        await made.read()
        yield made


def new(world: CatalogueWorld, **changed: Any) -> dict[str, Any]:
    values = {"question": "How many orders does each region have?", "sql": BY_REGION}
    return {"databaseConnectionId": str(world.connection_id), **values, **changed}


async def saved(world: CatalogueWorld, **changed: Any) -> dict[str, Any]:
    answer = await world.client.post(PATH, json=new(world, **changed))
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_what_runs_is_kept_with_the_tables_that_it_reads(world: CatalogueWorld) -> None:
    made = await saved(world, question="  How many orders\n does each region have? ", description=" All orders. ")
    assert (made["question"], made["description"]) == ("How many orders does each region have?", "All orders.")
    assert (made["state"], made["staleReason"], made["mayEdit"]) == ("current", None, True)
    assert (made["database"], sorted(made["tables"])) == ("Warehouse", ["public.ordh", "public.region"])
    assert (await world.client.get(f"{PATH}/{made['id']}")).json() == made
    origins = await world.rows("SELECT origin, outcome FROM database_statements WHERE sql = $1", BY_REGION)
    assert origins == [("verified_query", "answered")]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"sql": "DELETE FROM ordh"}, "sql_rejected"),
        ({"sql": "SELECT nothing FROM ordh"}, "sql_failed"),
        ({"question": "   "}, "invalid_request"),
        ({"question": "x" * 501}, "invalid_request"),
        ({"databaseConnectionId": str(uuid4())}, "not_found"),
    ],
)
async def test_what_does_not_run_is_not_kept(world: CatalogueWorld, changed: dict[str, Any], code: str) -> None:
    answer = await world.client.post(PATH, json=new(world, **changed))
    assert answer.json()["code"] == code, answer.text
    assert (await world.client.get(PATH)).json()["items"] == []


async def test_members_change_their_own_and_owners_all(world: CatalogueWorld) -> None:
    member = await joined(world.app, world.client, "omar@example.com", "member")
    viewer = await joined(world.app, world.client, "vera@example.com", "viewer")
    owners = await saved(world)
    own = (await member.post(PATH, json=new(world, question="Orders by region?"))).json()
    assert (await viewer.post(PATH, json=new(world))).json()["code"] == "forbidden"
    assert (await viewer.get(f"{PATH}/{own['id']}")).json()["mayEdit"] is False
    address = f"{PATH}/{owners['id']}"
    for refused in (await member.patch(address, json={"question": "Mine?"}), await member.delete(address)):
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    changed = await member.patch(f"{PATH}/{own['id']}", json={"sql": "SELECT count(*) FROM region"})
    assert changed.status_code == 200, changed.text
    assert (changed.json()["sql"], changed.json()["tables"]) == ("SELECT count(*) FROM region", ["public.region"])
    by_owner = await world.client.patch(f"{PATH}/{own['id']}", json={"description": "By the owner."})
    assert (by_owner.json()["description"], by_owner.json()["question"]) == ("By the owner.", "Orders by region?")
    assert (await world.client.delete(f"{PATH}/{own['id']}")).json() == {"status": "ok"}
    assert [item["id"] for item in (await member.get(PATH)).json()["items"]] == [owners["id"]]


async def test_changed_sql_has_to_run(world: CatalogueWorld) -> None:
    made = await saved(world)
    refused = await world.client.patch(f"{PATH}/{made['id']}", json={"sql": "DROP TABLE ordh"})
    assert refused.json()["code"] == "sql_rejected"
    assert (await world.client.get(f"{PATH}/{made['id']}")).json() == made


async def test_a_test_runs_the_query_and_shows_its_rows(world: CatalogueWorld) -> None:
    made = await saved(world)
    tested = (await world.client.post(f"{PATH}/{made['id']}/test")).json()
    assert tested["result"]["rows"] == [["North", "40"], ["Skerries", "1"]]
    assert tested["message"].startswith("The query ran: 2 rows in ")
    assert tested["verifiedQuery"]["lastTestedAt"] > made["lastTestedAt"]


async def test_pages_and_search(world: CatalogueWorld) -> None:
    first = await saved(world)
    second = await saved(world, question="Which customers pay late?", sql="SELECT count(*) FROM ordh")
    page = (await world.client.get(PATH, params={"limit": 1})).json()
    assert [item["id"] for item in page["items"]] == [second["id"]]
    page = (await world.client.get(PATH, params={"limit": 1, "cursor": page["nextCursor"]})).json()
    assert ([item["id"] for item in page["items"]], page["nextCursor"]) == ([first["id"]], None)
    found = (await world.client.get(PATH, params={"q": "late customers"})).json()["items"]
    assert [item["id"] for item in found] == [second["id"]]
    other = {"databaseConnectionId": str(uuid4())}
    assert (await world.client.get(PATH, params=other)).json()["items"] == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("ALTER TABLE region DROP COLUMN nm CASCADE", "The column public.region.nm is gone."),
        ("ALTER TABLE ordh ALTER COLUMN rgc TYPE integer", "was smallint and is integer."),
        ("DROP TABLE region CASCADE", "The table public.region is gone."),
    ],
)
async def test_a_query_whose_columns_change_is_stale_until_it_runs_again(
    world: CatalogueWorld, change: str, reason: str
) -> None:
    made = await saved(world)
    untouched = await saved(world, question="How many moves?", sql="SELECT count(q) FROM moves")
    await world.target.run(change)
    await world.read()
    stale = (await world.client.get(f"{PATH}/{made['id']}")).json()
    assert stale["state"] == "stale"
    assert reason in stale["staleReason"]
    assert (await world.client.get(f"{PATH}/{untouched['id']}")).json()["state"] == "current"
    tested = (await world.client.post(f"{PATH}/{made['id']}/test")).json()
    runs = tested["result"] is not None
    assert tested["verifiedQuery"]["state"] == ("current" if runs else "stale")
    assert runs == change.startswith("ALTER TABLE ordh")


async def test_a_new_column_makes_nothing_stale(world: CatalogueWorld) -> None:
    made = await saved(world)
    await world.target.run("ALTER TABLE ordh ADD COLUMN note text")
    await world.read()
    assert (await world.client.get(f"{PATH}/{made['id']}")).json()["state"] == "current"


async def test_they_go_with_their_connection(world: CatalogueWorld) -> None:
    made = await saved(world)
    await world.client.delete(world.path)
    assert (await world.client.get(f"{PATH}/{made['id']}")).status_code == 404


async def test_vectors_are_made_when_first_needed_and_again_for_a_changed_question(world: CatalogueWorld) -> None:
    made = await saved(world)
    facts = VerifiedQueryFacts(world.app.container.database, world.models)
    found = await facts.find(world.actor, "How many orders has each region?")
    assert [(str(one.verified_query.id), one.fits) for one in found] == [(made["id"], True)]
    assert await embedded(world) == [(True,)]
    await world.client.patch(f"{PATH}/{made['id']}", json={"question": "Who ate the cake?"})
    assert await embedded(world) == [(False,)]
    assert not (await facts.find(world.actor, "How many orders has each region?"))[0].fits


async def test_another_workspace_finds_nothing(world: CatalogueWorld) -> None:
    await saved(world)
    stranger = await world.app.sign_in("lena@example.com")
    workspace_id = await world.app.open_workspace(stranger, "Lena's")
    actor = Actor(
        user_id=world.actor.user_id,
        session_id=world.actor.session_id,
        instance_owner=False,
        workspace_id=type(world.actor.workspace_id)(workspace_id),
        role=world.actor.role,
    )
    facts = VerifiedQueryFacts(world.app.container.database, world.models)
    assert await facts.find(actor, "How many orders does each region have?") == []


async def embedded(world: CatalogueWorld) -> list[Any]:
    return [tuple(row) for row in await world.rows("SELECT embedding IS NOT NULL FROM verified_queries")]
