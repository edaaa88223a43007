"""What people say of tables and columns, sample rows, and finding tables among many."""

from typing import Any

import pytest
from sqlalchemy import event

from tests.support.catalogue import CatalogueWorld


async def test_a_description_is_kept_shown_searched_and_outlives_a_new_reading(world: CatalogueWorld) -> None:
    await world.read()
    said = {"description": "  Every order that was accepted ", "synonyms": ["sales", " bookings  2026 ", "sales"]}
    changed = await world.client.patch(f"{world.path}/tables/public/ordh/description", json=said)
    assert changed.status_code == 200, changed.text
    assert changed.json()["description"] == "Every order that was accepted"
    assert changed.json()["synonyms"] == ["sales", "bookings 2026"]
    column = await world.client.patch(
        f"{world.path}/tables/public/ordh/columns/net_m/description", json={"description": "In cents"}
    )
    assert next(own for own in column.json()["columns"] if own["name"] == "net_m")["description"] == "In cents"
    assert [table["name"] for table in (await world.get("/tables", q="bookings"))["items"]] == ["ordh"]
    await world.target.run("ALTER TABLE ordh ADD COLUMN memo text")
    await world.read()
    order = await world.get("/tables/public/ordh")
    assert (order["description"], order["synonyms"]) == ("Every order that was accepted", ["sales", "bookings 2026"])
    left = await world.client.patch(f"{world.path}/tables/public/ordh/description", json={"description": None})
    assert (left.json()["description"], left.json()["synonyms"]) == (None, ["sales", "bookings 2026"])
    summary = next(table for table in (await world.get("/tables"))["items"] if table["name"] == "ordh")
    assert summary["summary"] == "Heads of orders"


async def test_descriptions_travel_as_a_file(world: CatalogueWorld) -> None:
    await world.read()
    items: list[dict[str, Any]] = [
        {"schema": "public", "table": "ordh", "column": None, "description": "Orders", "synonyms": ["sales"]},
        {"schema": "public", "table": "ordh", "column": "st", "description": "Letter", "synonyms": []},
        {"schema": "public", "table": "nothing", "column": None, "description": "Lost", "synonyms": []},
        {"schema": "public", "table": "ordh", "column": "gone", "description": "Lost", "synonyms": []},
    ]
    imported = await world.client.put(f"{world.path}/descriptions", json={"items": items})
    assert imported.json() == {"applied": 2, "unknown": ["public.nothing", "public.ordh.gone"]}
    assert (await world.get("/descriptions"))["items"] == items[:2]


@pytest.mark.parametrize(
    ("body", "path"),
    [({"description": "x" * 2_001}, "description"), ({"synonyms": ["x" * 101]}, "synonyms")],
)
async def test_what_is_too_long_is_refused(world: CatalogueWorld, body: dict[str, object], path: str) -> None:
    await world.read()
    answer = await world.client.patch(f"{world.path}/tables/public/ordh/description", json=body)
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["path"] == path


async def test_things_that_do_not_exist_are_not_described(world: CatalogueWorld) -> None:
    await world.read()
    for address in ("/tables/public/none/description", "/tables/public/ordh/columns/none/description"):
        answer = await world.client.patch(f"{world.path}{address}", json={"description": "Lost"})
        assert answer.status_code == 404


async def test_sample_rows_leave_out_what_was_not_granted_and_what_is_denied(world: CatalogueWorld) -> None:
    await world.read()
    sample = await world.get("/tables/public/tchm/sample")
    assert [column["name"] for column in sample["columns"]] == ["tno", "nm"]
    assert sample["rows"] == [["1", "Ada"]]
    assert sample["withheld"] == ["hm_tel"]
    denied = {"deniedColumns": ["public.ordh.net_m"]}
    assert (await world.client.patch(world.path, json=denied)).status_code == 200
    sample = await world.get("/tables/public/ordh/sample")
    assert len(sample["rows"]) == 5
    assert [column["name"] for column in sample["columns"]] == ["ono", "rgc", "st", "rank"]
    assert sample["withheld"] == ["net_m"]


async def test_samples_show_any_value_as_text_and_null_as_null(world: CatalogueWorld) -> None:
    columns = ", ".join(f"c{number} int" for number in range(300))
    await world.target.run(
        'CREATE TABLE "Odd ""Table""" (a text, b bytea, c jsonb, d numeric[], e timestamptz, "weird col" text)',
        """INSERT INTO "Odd ""Table\""" VALUES ('', NULL, '{"k": [1]}', '{1.50,NULL}', 'infinity', repeat('x', 500))""",
        f"CREATE TABLE wide ({columns})",
        "INSERT INTO wide DEFAULT VALUES",
        f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {world.target.reader}",
    )
    await world.read()
    facts = world.app.container.catalogue_facts
    named = await facts.sample(world.actor, world.connection_id, 'public.Odd "Table"')
    assert named.rows[0][0] == ""
    answer = await world.client.get(f"{world.path}/tables/public/Odd%20%22Table%22/sample")
    assert answer.json()["rows"] == [["", None, '{"k": [1]}', "{1.50,NULL}", "infinity", "x" * 200]]
    assert (await world.get("/tables/public/wide/sample"))["rows"] == [[None] * 300]


async def test_a_sample_that_the_database_refuses_is_a_problem_in_words(world: CatalogueWorld) -> None:
    await world.target.run(
        "CREATE VIEW broken AS SELECT 1 / (ono - ono) AS x FROM ordh",
        f"GRANT SELECT ON broken TO {world.target.reader}",
    )
    await world.read()
    answer = await world.client.get(f"{world.path}/tables/public/broken/sample")
    assert (answer.status_code, answer.json()["code"]) == (422, "sql_failed")
    assert "division by zero" in answer.json()["detail"].casefold()


async def test_tables_are_found_among_many_by_what_they_hold(world: CatalogueWorld) -> None:
    await world.target.run(
        *(f"CREATE TABLE filler_{number} (id int, label text)" for number in range(150)),
        "CREATE TABLE warranty_claim (claim_id int, customer_name text)",
        "COMMENT ON TABLE filler_77 IS 'Temperatures of greenhouses'",
    )
    await world.read()
    facts = world.app.container.catalogue_facts

    async def found(words: str) -> list[str]:
        return [table.name for table in await facts.search_tables(world.actor, world.connection_id, words, 3)]

    assert (await found("Which warranty claims are open?"))[0] == "warranty_claim"
    assert (await found("greenhouse temperature"))[0] == "filler_77"
    assert (await found("names of customers"))[0] in {"customers", "warranty_claim"}
    assert await found("xylophone") == []
    assert await facts.closest(world.actor, world.connection_id, "waranty_claims") == ["warranty_claim"]
    assert (await facts.closest(world.actor, world.connection_id, "public.ordr"))[:1] == ["ordh"]
    page = await world.get("/tables", limit=100)
    rest = await world.get("/tables", limit=100, cursor=page["nextCursor"])
    assert len(page["items"]) == 100
    assert len({table["name"] for table in page["items"] + rest["items"]}) == 158
    assert rest["nextCursor"] is None


async def test_a_file_of_many_descriptions_is_taken_in_few_statements(world: CatalogueWorld) -> None:
    await world.read()
    lines = [
        {
            "schema": "public",
            "table": "ordh",
            "column": None,
            "description": f"Words {number}",
            "synonyms": ["sales", "orders"],
        }
        for number in range(2_000)
    ]
    emptied: dict[str, Any] = {
        "schema": "public",
        "table": "region",
        "column": None,
        "description": None,
        "synonyms": [],
    }
    engine = world.app.container.database.engine.sync_engine
    statements: list[str] = []

    def note(*happened: Any) -> None:
        statements.append(happened[2])

    event.listen(engine, "before_cursor_execute", note)
    try:
        answer = await world.client.put(f"{world.path}/descriptions", json={"items": [*lines, emptied]})
    finally:
        event.remove(engine, "before_cursor_execute", note)
    assert answer.json() == {"applied": 2_001, "unknown": []}
    assert len(statements) < 40
    order = await world.get("/tables/public/ordh")
    assert (order["description"], order["synonyms"]) == ("Words 1999", ["sales", "orders"])


async def test_tools_get_whole_tables_by_name(world: CatalogueWorld) -> None:
    await world.read()
    facts = world.app.container.catalogue_facts
    tables = await facts.describe(world.actor, world.connection_id, ["ORDH", "none", '"Back Office".ledger', "ordh"])
    assert [(table.schema, table.name) for table in tables] == [("public", "ordh"), ("Back Office", "ledger")]


async def test_a_sample_passes_the_fence_like_a_statement_of_ones_own(world: CatalogueWorld) -> None:
    await world.target.run(
        "CREATE FUNCTION hidden() RETURNS integer LANGUAGE plpgsql AS"
        " $$ BEGIN PERFORM pg_catalog.pg_advisory_lock(7); RETURN 1; END $$",
        "CREATE VIEW trap AS SELECT hidden() AS x",
        f"GRANT SELECT ON trap TO {world.target.reader}",
    )
    await world.read()
    answer = await world.client.get(f"{world.path}/tables/public/trap/sample")
    assert (answer.status_code, answer.json()["code"]) == (422, "sql_rejected")
