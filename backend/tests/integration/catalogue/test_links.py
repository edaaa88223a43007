"""What documents say of tables and columns, what people decide about it, and finding values by the documents' words."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from knowledgestack.catalogue import _link_repository
from knowledgestack.catalogue import facts as facts_module
from knowledgestack.catalogue._link_repository import LinkRepository
from knowledgestack.catalogue._values import Match, ValueColumn
from knowledgestack.jobs.runner import JobRunner
from tests.support.catalogue import CatalogueWorld
from tests.support.knowledge import add_document
from tests.support.waiting import eventually

PAGE = """# Reading the ERP

## Order heads

Table `ORDH`, owned by sales. The column `st` holds one letter.

| Suffix | Unit |
| --- | --- |
| `_m` | minor units, such as cents |

## Regions

| Code | Region | Reported as |
| --- | --- | --- |
| 41 | Skerries | Islands |
| 42 | Long Isle | Islands |

The code stands in `region.rgc`. `TCHM.hm_tel` is the private number of a technician.
"""


async def test_a_document_that_is_indexed_explains_tables_with_its_own_words(world: CatalogueWorld) -> None:
    await world.read()
    document_id = await world.write("erp.md", PAGE)
    order = await world.get("/tables/public/ordh")
    assert order["notes"][0]["quote"] == "Table ORDH, owned by sales."
    note = next(column for column in order["columns"] if column["name"] == "net_m")["notes"][0]
    assert note["quote"] == "Suffix: _m · Unit: minor units, such as cents"
    assert (note["documentId"], note["title"], note["state"]) == (str(document_id), "Reading the ERP", "proposed")
    assert note["headingPath"] == ["Reading the ERP", "Order heads"]
    text = (await world.client.get(f"/api/documents/{document_id}/text")).json()["text"]
    start, end = note["range"]["start"], note["range"]["end"]
    assert text[start:end] == "| `_m` | minor units, such as cents |"
    chunk = (await world.client.get(f"/api/documents/{document_id}/chunks")).json()["items"][0]
    assert note["chunkId"] == chunk["id"]
    found = (await world.get("/tables", q="cents"))["items"]
    assert found[0]["name"] == "ordh"


async def test_indexing_and_a_new_table_leave_the_work_to_the_worker(world: CatalogueWorld) -> None:
    container = world.app.container
    stop = asyncio.Event()
    runner = JobRunner(container.database, container.job_handlers(), container.job_schedules())
    working = asyncio.create_task(runner.run(stop))
    try:
        await eventually(lambda: _is_current(world))
        await _index(world, "claims.md", "The table `claims` holds warranty claims, one row for each.\n")

        async def linked() -> Any:
            return (await world.get("/document-links"))["items"]

        assert await linked() == []
        await world.target.run("CREATE TABLE claims (id int)")
        await world.rows("UPDATE catalogues SET next_check_at = now() RETURNING 1")
        await world.rows("UPDATE job_schedules SET next_at = now() RETURNING 1")
        links = await eventually(linked)
        assert (links[0]["table"], links[0]["note"]["quote"]) == (
            "claims",
            "The table claims holds warranty claims, one row for each.",
        )
        await _index(world, "region.md", "The table `region` lists our regions.\n")

        async def both() -> Any:
            return len(await linked()) == 2

        await eventually(both)
    finally:
        stop.set()
        await working


async def test_a_refused_link_is_not_proposed_again_and_a_confirmed_one_follows_its_words(
    world: CatalogueWorld,
) -> None:
    await world.read()
    await world.write("erp.md", PAGE)
    by_thing = {(link["table"], link["column"]): link for link in (await world.get("/document-links"))["items"]}
    refused, confirmed = by_thing["ordh", "net_m"], by_thing["ordh", None]
    await _decide(world, refused["id"], state="refused")
    kept = await _decide(world, confirmed["id"], state="confirmed")
    assert (kept["id"], kept["note"]["state"]) == (confirmed["id"], "confirmed")
    await world.write("erp.md", "# New beginning\n\nOne more line.\n\n" + PAGE.replace("# Reading the ERP", ""))
    order = await world.get("/tables/public/ordh")
    assert next(column for column in order["columns"] if column["name"] == "net_m")["notes"] == []
    assert [link["id"] for link in (await world.get("/document-links", state="refused"))["items"]] == [refused["id"]]
    note = order["notes"][0]
    assert (note["linkId"], note["state"], note["quote"]) == (
        confirmed["id"],
        "confirmed",
        "Table ORDH, owned by sales.",
    )
    assert note["range"]["start"] > confirmed["note"]["range"]["start"]
    await world.write("erp.md", "Nothing of this is said any more.")
    assert (await world.get("/document-links"))["items"] == []
    await world.write("erp.md", PAGE)
    states = {
        (link["table"], link["column"]): link["note"]["state"] for link in (await world.get("/document-links"))["items"]
    }
    assert (states["ordh", None], states["ordh", "net_m"]) == ("confirmed", "refused")


async def test_a_link_is_moved_to_where_it_belongs_and_stays_there(world: CatalogueWorld) -> None:
    await world.read()
    await world.write("erp.md", PAGE)
    link = next(link for link in (await world.get("/document-links"))["items"] if link["column"] == "net_m")
    moved = await _decide(world, link["id"], state="confirmed", table="region", column="nm")
    assert (moved["table"], moved["column"], moved["note"]["state"]) == ("region", "nm", "confirmed")
    await world.write("erp.md", PAGE + "\nOne more line.\n")
    states = {
        (link["table"], link["column"]): link["note"]["state"] for link in (await world.get("/document-links"))["items"]
    }
    assert (states["region", "nm"], states["ordh", "net_m"]) == ("confirmed", "refused")


async def test_only_the_best_notes_of_a_thing_are_read(world: CatalogueWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.read()
    for number in range(3):
        await world.write(f"{number}.md", f"The table `ordh` holds orders of kind {number}, one row for each.\n")
    links = (await world.get("/document-links"))["items"]
    await _decide(world, links[2]["id"], state="confirmed")
    monkeypatch.setattr(_link_repository, "MOST_NOTES", 2)
    async with world.app.container.database.transaction() as tx:
        rows = await LinkRepository(tx, world.actor.workspace_id).notes(world.connection_id, [("public", "ordh")])
    assert [str(row.id) for row in rows] == [links[2]["id"], links[0]["id"]]


async def test_many_people_decide_at_once(world: CatalogueWorld) -> None:
    await world.read()
    await world.write("erp.md", PAGE)
    links = (await world.get("/document-links"))["items"]
    moves = [_decide(world, links[0]["id"], state="confirmed", table="region", column="nm") for _ in range(14)]
    assert {(moved["table"], moved["column"]) for moved in await asyncio.gather(*moves)} == {("region", "nm")}


async def test_a_link_cannot_be_moved_to_nowhere(world: CatalogueWorld) -> None:
    await world.read()
    await world.write("erp.md", PAGE)
    link = (await world.get("/document-links"))["items"][0]
    for body, path in (
        ({"state": "confirmed", "table": "none"}, "table"),
        ({"state": "confirmed", "table": "ordh", "column": "none"}, "column"),
        ({"state": "refused", "table": "ordh"}, "table"),
    ):
        answer = await world.client.patch(f"/api/document-links/{link['id']}", json=body)
        assert (answer.status_code, answer.json()["errors"][0]["path"]) == (400, path)


async def test_a_link_of_another_workspace_is_unknown(world: CatalogueWorld) -> None:
    await world.read()
    await world.write("erp.md", PAGE)
    link = (await world.get("/document-links"))["items"][0]
    stranger = await world.app.sign_in("stranger@example.com")
    await world.app.open_workspace(stranger, "Elsewhere")
    answer = await stranger.patch(f"/api/document-links/{link['id']}", json={"state": "refused"})
    assert answer.status_code == 404


async def test_notes_go_with_their_document(world: CatalogueWorld) -> None:
    await world.read()
    document_id = await world.write("erp.md", PAGE)
    await world.indexer.delete(world.actor.workspace_id, document_id)
    assert (await world.get("/document-links"))["items"] == []


async def test_nothing_that_documents_say_of_a_denied_column_is_shown(world: CatalogueWorld) -> None:
    await world.read()
    await world.write("erp.md", PAGE)
    assert any(link["column"] == "hm_tel" for link in (await world.get("/document-links"))["items"])
    denied = {"deniedColumns": ["public.tchm.hm_tel"]}
    assert (await world.client.patch(world.path, json=denied)).status_code == 200
    column = (await world.get("/tables/public/tchm"))["columns"][2]
    assert (column["name"], column["denied"], column["notes"]) == ("hm_tel", True, [])
    assert all(link["column"] != "hm_tel" for link in (await world.get("/document-links"))["items"])


async def test_links_come_in_pages(world: CatalogueWorld) -> None:
    await world.read()
    await world.write("erp.md", PAGE)
    every = [link["id"] for link in (await world.get("/document-links"))["items"]]
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page = await world.get("/document-links", limit=2, **({"cursor": cursor} if cursor else {}))
        seen += [link["id"] for link in page["items"]]
        cursor = page["nextCursor"]
        if cursor is None:
            break
    assert seen == every
    assert len(every) > 3


async def test_values_are_found_exactly_by_case_by_likeness_and_by_the_documents(world: CatalogueWorld) -> None:
    await world.read()
    await world.write("erp.md", PAGE)

    async def found(word: str, **where: Any) -> list[tuple[str, str, str, str]]:
        facts = world.app.container.catalogue_facts
        values = await facts.find_values(world.actor, world.connection_id, word, **where)
        return [(value.table, value.column, value.value, value.match) for value in values]

    assert ("public.region", "nm", "Skerries", "exact") in await found("Skerries")
    assert ("public.region", "nm", "Skerries", "case") in await found("skerries")
    assert ("public.region", "nm", "Skerries", "similar") in await found("Skeries")
    assert ("public.ordh", "rank", "gold", "exact") in await found("gold")
    assert ("public.ordh", "st", "Shipped", "case") in await found("shipped", table="ordh", column="st")
    islands = await found("Islands")
    assert ("public.region", "rgc", "41", "alias") in islands
    assert ("public.region", "rgc", "42", "alias") in islands
    assert await found("") == []


async def test_values_are_compared_beside_the_event_loop(
    world: CatalogueWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.read()
    threads: list[int] = []
    compare = facts_module.matches_in

    def watched(word: str, columns: Sequence[ValueColumn]) -> Iterator[tuple[ValueColumn, Match]]:
        threads.append(threading.get_ident())
        return compare(word, columns)

    monkeypatch.setattr(facts_module, "matches_in", watched)
    assert await world.app.container.catalogue_facts.find_values(world.actor, world.connection_id, "Skerries")
    assert threads
    assert threading.get_ident() not in threads


async def test_values_that_may_not_be_read_are_not_found(world: CatalogueWorld) -> None:
    await world.read()
    facts = world.app.container.catalogue_facts
    assert await facts.find_values(world.actor, world.connection_id, "555-0100") == []
    denied = {"deniedColumns": ["public.region.nm"]}
    assert (await world.client.patch(world.path, json=denied)).status_code == 200
    assert await facts.find_values(world.actor, world.connection_id, "Skerries") == []


async def _decide(world: CatalogueWorld, link_id: str, **body: str) -> Any:
    answer = await world.client.patch(f"/api/document-links/{link_id}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def _is_current(world: CatalogueWorld) -> bool:
    return (await world.get("/catalogue"))["state"] == "current"


async def _index(world: CatalogueWorld, name: str, text: str) -> None:
    """Index without doing the job that is left for the worker."""
    await add_document(world.indexer, world.actor.workspace_id, world.source_id, name, text)


async def test_values_are_read_through_the_fence(world: CatalogueWorld) -> None:
    loud = (
        " LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN IF current_setting('application_name') = 'knowledgestack' THEN"
        " RAISE EXCEPTION 'loud'; END IF; RETURN '0'; END $$"
    )
    await world.target.run(
        f"CREATE FUNCTION loud() RETURNS text{loud}",
        "CREATE TABLE notes (body text)",
        "CREATE INDEX ON notes ((body || loud()))",
        "CREATE TYPE text_thing AS (a text)",
        f"CREATE FUNCTION spoken(t text_thing) RETURNS text{loud}",
        "CREATE CAST (text_thing AS text) WITH FUNCTION spoken(text_thing)",
        "CREATE TABLE things (t text_thing)",
        "INSERT INTO notes VALUES ('Skerries')",
        "INSERT INTO things VALUES (ROW('Skerries'))",
        f"GRANT SELECT ON notes, things TO {world.target.reader}",
    )
    await world.read()
    facts = world.app.container.catalogue_facts
    found = await facts.find_values(world.actor, world.connection_id, "Skerries")
    assert {value.table for value in found} == {"public.region"}
