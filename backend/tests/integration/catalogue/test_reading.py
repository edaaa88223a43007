"""What is read of a database, how it is kept current, and who may see it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import pytest

from knowledgestack.catalogue.reading import CatalogueReader
from knowledgestack.databases.targets import Target, TargetLoader
from knowledgestack.jobs.queue import PgJobQueue
from tests.support.catalogue import CatalogueWorld
from tests.support.connections import PATH, joined, registered


async def test_connecting_a_database_has_its_catalogue_read(world: CatalogueWorld) -> None:
    assert (await world.get("/catalogue"))["state"] == "reading"
    jobs = await world.rows("SELECT entrypoint FROM pgqueuer WHERE entrypoint = 'read_catalogue'")
    assert len(jobs) == 1
    await world.read()
    status = await world.get("/catalogue")
    assert (status["state"], status["message"], status["tableCount"]) == ("current", None, 7)
    assert status["takenAt"] is not None
    listed = (await world.client.get(PATH)).json()["items"][0]
    assert listed["holdings"]["tableCount"] == 7
    assert listed["holdings"]["rowEstimate"] >= 45


async def test_tables_come_with_columns_keys_comments_enums_partitions_and_rights(world: CatalogueWorld) -> None:
    await world.read()
    tables = {table["name"]: table for table in (await world.get("/tables"))["items"]}
    assert set(tables) == {"customers", "gold_orders", "ledger", "moves", "ordh", "region", "tchm"}
    assert (tables["moves"]["kind"], tables["gold_orders"]["kind"]) == ("partitioned_table", "view")
    assert (tables["ordh"]["rowEstimate"], tables["ordh"]["summary"]) == (41, "Heads of orders")
    order = await world.get("/tables/public/ordh")
    columns = {column["name"]: column for column in order["columns"]}
    assert order["primaryKey"] == ["ono"]
    assert order["uniqueKeys"] == [["ono", "st"]]
    assert order["foreignKeys"] == [
        {"columns": ["rgc"], "schema": "public", "table": "region", "referencedColumns": ["rgc"]}
    ]
    assert columns["rank"]["enumValues"] == ["new", "regular", "gold"]
    assert (columns["st"]["comment"], columns["st"]["default"], columns["st"]["nullable"]) == (
        "Status letter",
        "'A'::text",
        False,
    )
    region = await world.get("/tables/public/region")
    assert region["referencedBy"][0]["table"] == "ordh"
    assert (await world.get("/tables/public/moves"))["partitions"] == ["public.moves_2026"]
    technicians = await world.get("/tables/public/tchm")
    assert [(column["name"], column["readable"]) for column in technicians["columns"]] == [
        ("tno", True),
        ("nm", True),
        ("hm_tel", False),
    ]


async def test_a_change_is_noticed_by_the_cheap_look_and_reported_in_words(world: CatalogueWorld) -> None:
    await world.read()
    reader = world.app.container.catalogue_reader
    await _due(world)
    await reader.check_all()
    assert await _waiting(world) == 1, "what was read just now is not read again"
    await world.target.run(
        "ALTER TABLE ordh ADD COLUMN memo text",
        "ALTER TABLE ordh ALTER COLUMN net_m TYPE numeric(12,2)",
        "ALTER TABLE ordh DROP COLUMN st CASCADE",
        "CREATE TABLE extra (id int)",
        "DROP TABLE moves",
        "ALTER TYPE rank ADD VALUE 'lost'",
        "COMMENT ON TABLE region IS 'Regions'",
        f"REVOKE SELECT (nm) ON tchm FROM {world.target.reader}",
    )
    await world.rows("DELETE FROM pgqueuer RETURNING 1")
    await _due(world)
    await reader.check_all()
    assert await _waiting(world) == 1
    await world.read()
    changes = {
        (change["kind"], change["thing"]): change["detail"]
        for change in (await world.get("/catalogue/changes"))["items"]
    }
    assert changes["column_added", "public.ordh.memo"] == "Type text."
    assert changes["column_changed", "public.ordh.net_m"] == "Type bigint became numeric(12,2)."
    assert ("column_removed", "public.ordh.st") in changes
    assert ("keys_changed", "public.ordh") in changes
    assert ("table_added", "public.extra") in changes
    assert ("table_removed", "public.moves") in changes
    assert changes["column_changed", "public.ordh.rank"] == "Values: new lost."
    assert changes["column_changed", "public.tchm.nm"] == "The role may no longer read it."
    assert changes["comment_changed", "public.region"] == "Regions"


async def test_changes_come_in_pages_newest_first(world: CatalogueWorld) -> None:
    await world.read()
    await world.target.run("CREATE TABLE one (id int)", "CREATE TABLE two (id int)", "CREATE TABLE three (id int)")
    await world.read()
    first = await world.get("/catalogue/changes", limit=2)
    rest = await world.get("/catalogue/changes", limit=2, cursor=first["nextCursor"])
    assert rest["nextCursor"] is None
    things = [change["thing"] for change in first["items"] + rest["items"]]
    assert sorted(things) == ["public.one", "public.three", "public.two"]


async def test_what_only_counts_differently_is_no_change(world: CatalogueWorld) -> None:
    await world.read()
    await world.target.run("INSERT INTO region VALUES (90, 'Internal')", "VACUUM ANALYZE")
    await world.read()
    assert (await world.get("/catalogue/changes"))["items"] == []


async def test_a_database_that_is_gone_keeps_its_catalogue_and_says_why(world: CatalogueWorld) -> None:
    await world.read()
    container = world.app.container
    await container.statement_runner.forget(world.connection_id)
    await world.target.run(f"ALTER ROLE {world.target.reader} NOLOGIN")
    await _due(world)
    await container.catalogue_reader.check_all()
    status = await world.get("/catalogue")
    assert status["state"] == "current"
    assert status["message"]
    await world.read()
    assert (await world.get("/catalogue"))["state"] == "failed"
    assert len((await world.get("/tables"))["items"]) == 7
    later = await world.rows("SELECT next_check_at > now() + interval '90 seconds' FROM catalogues")
    assert later[0][0], "each look that fails waits longer"
    await world.target.run(f"ALTER ROLE {world.target.reader} LOGIN")
    await _due(world)
    await container.catalogue_reader.check_all()
    assert await _waiting(world) == 1
    await world.read()
    assert (await world.get("/catalogue"))["message"] is None


async def test_what_the_network_says_is_not_shown(world: CatalogueWorld) -> None:
    await world.read()
    database = world.app.container.database
    sessions = FailingSessions({world.connection_id: OSError("Connect call failed ('10.20.30.40', 5432)")})
    reader = CatalogueReader(database, TargetLoader(database), sessions, PgJobQueue())
    said = "The database did not answer. The next look tries again."
    await _due(world)
    await reader.check_all()
    assert (await world.get("/catalogue"))["message"] == said
    await reader.read(world.actor.workspace_id, world.connection_id)
    assert (await world.get("/catalogue"))["message"] == said


async def test_one_look_that_fails_unforeseen_leaves_the_others_their_turn(world: CatalogueWorld) -> None:
    await world.read()
    other = UUID((await registered(world.client, world.target, name="Other"))["id"])
    database = world.app.container.database
    sessions = FailingSessions({other: LookupError("unforeseen")}, wait_for=world.connection_id)
    reader = CatalogueReader(database, TargetLoader(database), sessions, PgJobQueue())
    await _due(world)
    with pytest.raises(LookupError):
        await reader.check_all()
    looked = await world.rows("SELECT check_failures FROM catalogues WHERE connection_id = $1", world.connection_id)
    assert looked[0][0] == 1


class FailingSessions:
    """Sessions that never open. The one named by `wait_for` fails only once another has failed."""

    def __init__(self, errors: dict[UUID, Exception], *, wait_for: UUID | None = None) -> None:
        self._errors = errors
        self._wait_for = wait_for
        self._failed = asyncio.Event()

    @asynccontextmanager
    async def read_only(self, target: Target) -> AsyncGenerator[Any]:
        if target.connection_id == self._wait_for:
            await self._failed.wait()
        self._failed.set()
        raise self._errors.get(target.connection_id, TimeoutError())
        yield


async def test_a_reading_that_stops_its_worker_is_given_up_after_three_times(world: CatalogueWorld) -> None:
    await world.rows("UPDATE catalogues SET attempts = 3 RETURNING 1")
    await world.read()
    status = await world.get("/catalogue")
    assert (status["state"], status["message"]) == ("failed", "Reading this database was cut short 3 times.")
    await world.read()
    assert (await world.get("/catalogue"))["state"] == "failed", "the next look does not begin it again"
    assert (await world.client.post(f"{world.path}/catalogue/refresh")).status_code == 202
    await world.read()
    assert (await world.get("/catalogue"))["state"] == "current"


async def test_completion_offers_readable_names_alone(world: CatalogueWorld) -> None:
    await world.read()
    completions = await world.get("/completion")
    assert completions["complete"]
    tables = {table["name"]: table["columns"] for table in completions["items"]}
    assert tables["tchm"] == ["tno", "nm"]
    assert tables["region"] == ["rgc", "nm"]


async def test_viewers_read_and_members_describe(world: CatalogueWorld) -> None:
    await world.read()
    viewer = await joined(world.app, world.client, "viewer@example.com", "viewer")
    member = await joined(world.app, world.client, "member@example.com", "member")
    said = {"description": "Orders"}
    nothing: dict[str, list[str]] = {"items": []}
    assert (await viewer.get(f"{world.path}/tables")).status_code == 200
    for method, address, body in (
        ("PATCH", "/tables/public/ordh/description", said),
        ("PUT", "/descriptions", nothing),
        ("POST", "/catalogue/refresh", None),
    ):
        assert (await viewer.request(method, f"{world.path}{address}", json=body)).status_code == 403
        assert (await member.request(method, f"{world.path}{address}", json=body)).status_code in {200, 202}


async def test_a_connection_of_another_workspace_has_no_catalogue(world: CatalogueWorld) -> None:
    await world.read()
    stranger = await world.app.sign_in("stranger@example.com")
    await world.app.open_workspace(stranger, "Elsewhere")
    for address in (
        "/tables",
        "/tables/public/ordh",
        "/tables/public/ordh/sample",
        "/descriptions",
        "/catalogue",
        "/catalogue/changes",
        "/completion",
        "/document-links",
    ):
        assert (await stranger.get(f"{world.path}{address}")).status_code == 404, address


async def _due(world: CatalogueWorld) -> None:
    await world.rows("UPDATE catalogues SET next_check_at = now() RETURNING 1")


async def _waiting(world: CatalogueWorld) -> int:
    return len(await world.rows("SELECT 1 FROM pgqueuer WHERE entrypoint = 'read_catalogue'"))
