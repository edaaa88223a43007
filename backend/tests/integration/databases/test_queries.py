import csv
import io
import zipfile
from typing import Any

import httpx
import pytest

from tests.support.app import RunningApp
from tests.support.connections import PATH, joined, owner, registered
from tests.support.target import TargetDatabase

FORMULAS = "SELECT * FROM (VALUES (1, '=1+1'), (-2, '-3'), (3, '@SUM(A1)'), (4, ''), (5, NULL)) AS t(n, text)"


async def queried(client: httpx.AsyncClient, connection_id: str, sql: str, **more: Any) -> httpx.Response:
    return await client.post(f"{PATH}/{connection_id}/queries", json={"sql": sql, **more})


async def log(client: httpx.AsyncClient, connection_id: str) -> list[dict[str, Any]]:
    return (await client.get(f"{PATH}/{connection_id}/queries")).json()["items"]


async def test_a_query_answers_with_rows_and_a_receipt_and_is_kept(app: RunningApp, target: TargetDatabase) -> None:
    client = await owner(app)
    made = await registered(client, target)
    answer = await queried(client, made["id"], "SELECT id, name FROM customers WHERE id < 3 ORDER BY id;")
    assert answer.status_code == 200, answer.text
    result = answer.json()
    assert result["columns"] == [{"name": "id", "type": "integer"}, {"name": "name", "type": "text"}]
    assert result["rows"] == [["1", "Customer 1"], ["2", "Customer 2"]]
    assert (result["rowCount"], result["truncated"], result["truncatedReason"]) == (2, False, None)
    receipt = result["receipt"]
    assert (receipt["database"], receipt["role"], receipt["tables"]) == (
        "Warehouse",
        target.reader,
        ["public.customers"],
    )
    (line,) = await log(client, made["id"])
    assert line["id"] == receipt["statementId"]
    assert (line["outcome"], line["rowCount"], line["origin"], line["tables"], line["database"]) == (
        "answered",
        2,
        "person",
        ["public.customers"],
        "Warehouse",
    )
    assert line["sql"].startswith("SELECT id, name")
    assert line["durationMs"] >= 0


@pytest.mark.parametrize(
    ("sql", "code", "outcome"),
    [
        ("DELETE FROM customers", "sql_rejected", "rejected"),
        ("SELECT 1; SELECT 2", "sql_rejected", "rejected"),
        ("SELECT 'a\0b'", "sql_rejected", "rejected"),
        ("SELECT '" + "x" * 70_000 + "'", "sql_rejected", "rejected"),
        ("SELECT nothing FROM customers", "sql_failed", "failed"),
        ("SELECT 1 / (id - id) FROM customers", "sql_failed", "failed"),
    ],
)
async def test_what_is_refused_or_fails_is_a_problem_and_is_kept_too(
    app: RunningApp, target: TargetDatabase, sql: str, code: str, outcome: str
) -> None:
    client = await owner(app)
    made = await registered(client, target)
    answer = await queried(client, made["id"], sql)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    (line,) = await log(client, made["id"])
    assert (line["outcome"], line["detail"]) == (outcome, answer.json()["detail"])
    assert line["tables"] == (["customers"] if outcome == "failed" else [])
    assert (await queried(client, made["id"], "SELECT 1")).status_code == 200


async def test_a_database_that_went_away_is_503_and_a_state_until_it_is_back(
    app: RunningApp, target: TargetDatabase
) -> None:
    client = await owner(app)
    made = await registered(client, target)
    await target.run(f"ALTER ROLE {target.reader} NOLOGIN")
    answer = await queried(client, made["id"], "SELECT 1")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert target.host not in answer.json()["detail"]
    assert (await client.get(f"{PATH}/{made['id']}")).json()["state"] == "unreachable"
    await target.run(f"ALTER ROLE {target.reader} LOGIN")
    assert (await queried(client, made["id"], "SELECT 1")).status_code == 200
    assert (await client.get(f"{PATH}/{made['id']}")).json()["state"] == "reachable"
    assert [line["outcome"] for line in await log(client, made["id"])] == ["answered", "failed"]


async def test_a_role_that_became_a_superuser_runs_nothing(app: RunningApp, target: TargetDatabase) -> None:
    client = await owner(app)
    made = await registered(client, target)
    await target.run(f"ALTER ROLE {target.reader} SUPERUSER")
    answer = await queried(client, made["id"], "SELECT 1")
    assert (answer.status_code, answer.json()["code"]) == (422, "role_refused")


async def test_a_cut_result_is_ordered_in_the_database(app: RunningApp, target: TargetDatabase) -> None:
    client = await owner(app)
    made = await registered(client, target)
    sql = "SELECT n FROM generate_series(1, 5000) AS n"
    order = {"column": 0, "descending": True}
    result = (await queried(client, made["id"], sql, orderBy=order)).json()
    assert (result["rows"][0], result["rowCount"], result["truncatedReason"]) == (["5000"], 1000, "rows")


async def test_people_see_their_own_statements_and_an_owner_everybodys(app: RunningApp, target: TargetDatabase) -> None:
    lena = await owner(app)
    made = await registered(lena, target)
    omar = await joined(app, lena, "omar@example.com", "member")
    vera = await joined(app, lena, "vera@example.com", "viewer")
    await queried(lena, made["id"], "SELECT 'lena'")
    await queried(omar, made["id"], "SELECT 'omar'")
    assert (await queried(vera, made["id"], "SELECT 'vera'")).status_code == 403
    assert (await vera.get("/api/database-statements")).status_code == 403
    assert [line["sql"] for line in await log(lena, made["id"])] == ["SELECT 'omar'", "SELECT 'lena'"]
    assert [line["sql"] for line in await log(omar, made["id"])] == ["SELECT 'omar'"]
    lena_id = (await lena.get("/api/auth/session")).json()["user"]["id"]
    hers = (await lena.get("/api/database-statements", params={"userId": lena_id})).json()["items"]
    assert [line["sql"] for line in hers] == ["SELECT 'lena'"]
    assert (await omar.get("/api/database-statements", params={"userId": lena_id})).json()["items"] == []


async def test_the_log_is_read_page_by_page_and_by_outcome_and_outlives_its_connection(
    app: RunningApp, target: TargetDatabase
) -> None:
    client = await owner(app)
    made = await registered(client, target)
    for number in range(3):
        await queried(client, made["id"], f"SELECT {number}")
    await queried(client, made["id"], "DROP TABLE customers")
    await client.delete(f"{PATH}/{made['id']}")
    seen: list[str] = []
    cursor: str | None = None
    while True:
        params = {"limit": "2", **({"cursor": cursor} if cursor else {})}
        page = (await client.get("/api/database-statements", params=params)).json()
        seen += [line["sql"] for line in page["items"]]
        assert {(line["databaseConnectionId"], line["database"]) for line in page["items"]} == {(None, "Warehouse")}
        cursor = page["nextCursor"]
        if cursor is None:
            break
    assert seen == ["DROP TABLE customers", "SELECT 2", "SELECT 1", "SELECT 0"]
    rejected = (await client.get("/api/database-statements", params={"outcome": "rejected"})).json()["items"]
    assert [line["sql"] for line in rejected] == ["DROP TABLE customers"]


async def test_a_line_whose_process_died_is_closed(app: RunningApp, target: TargetDatabase) -> None:
    client = await owner(app)
    made = await registered(client, target)
    await queried(client, made["id"], "SELECT 1")
    async with app.container.database.transaction() as tx:
        await tx.exec_driver_sql(
            "UPDATE database_statements SET outcome = 'running', lease_until = now() - '1 s'::interval"
        )
    (line,) = await log(client, made["id"])
    assert line["outcome"] == "cancelled"
    assert "process" in line["detail"]


async def exported(client: httpx.AsyncClient, connection_id: str, sql: str, kind: str, **more: Any) -> httpx.Response:
    return await client.post(f"{PATH}/{connection_id}/queries/export", json={"sql": sql, "format": kind, **more})


async def test_csv_keeps_null_and_empty_apart_and_runs_no_formula(app: RunningApp, target: TargetDatabase) -> None:
    client = await owner(app)
    made = await registered(client, target, name="Shop: north/south")
    answer = await exported(client, made["id"], FORMULAS, "csv")
    assert answer.status_code == 200, answer.text
    assert answer.text == "n,text\r\n1,'=1+1\r\n-2,-3\r\n3,'@SUM(A1)\r\n4,\"\"\r\n5,\r\n"
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.headers["content-disposition"].startswith("attachment; filename*=UTF-8''Shop-north-south-")
    assert answer.headers["x-content-type-options"] == "nosniff"
    (line,) = await log(client, made["id"])
    assert (line["origin"], line["outcome"], line["rowCount"]) == ("export", "answered", 5)


async def test_a_csv_that_was_cut_says_so_in_its_last_line(app: RunningApp, target: TargetDatabase) -> None:
    client = await owner(app)
    made = await registered(client, target)
    answer = await exported(client, made["id"], "SELECT n FROM generate_series(1, 100001) AS n", "csv")
    rows = list(csv.reader(io.StringIO(answer.text)))
    assert (len(rows), rows[-2]) == (100_002, ["100000"])
    assert rows[-1][0].startswith("This file ends here because it holds 100,000 rows")


async def test_a_workbook_holds_numbers_as_numbers_and_everything_else_as_text(
    app: RunningApp, target: TargetDatabase
) -> None:
    client = await owner(app)
    made = await registered(client, target)
    answer = await exported(client, made["id"], FORMULAS, "xlsx", orderBy={"column": 0})
    assert answer.status_code == 200, answer.text
    with zipfile.ZipFile(io.BytesIO(answer.content)) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
        about = book.read("xl/worksheets/sheet2.xml").decode()
    assert "<f>" not in sheet
    assert "<v>-2</v>" in sheet
    assert "<t>=1+1</t>" in sheet
    assert "Warehouse" in about
    assert "VALUES" in about


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize(
    ("sql", "code"),
    [("DELETE FROM customers", "sql_rejected"), ("SELECT 1 / (id - id) FROM customers", "sql_failed")],
)
async def test_an_export_that_cannot_begin_is_a_problem(
    app: RunningApp, target: TargetDatabase, kind: str, sql: str, code: str
) -> None:
    client = await owner(app)
    made = await registered(client, target)
    answer = await exported(client, made["id"], sql, kind)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert (await queried(client, made["id"], "SELECT 1")).status_code == 200
