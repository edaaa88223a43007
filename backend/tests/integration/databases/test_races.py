"""What happens to connections and their log when several people act at once, or when their workspace goes."""

import asyncio

import pytest

from tests.support.app import RunningApp
from tests.support.connections import PATH, owner, register, registered
from tests.support.target import TargetDatabase


async def test_one_name_registered_at_once_is_one_connection(app: RunningApp, target: TargetDatabase) -> None:
    client = await owner(app)
    saved = await asyncio.gather(*(register(client, target) for _ in range(4)))
    assert {one["databaseConnection"]["id"] for one in saved} == {saved[0]["databaseConnection"]["id"]}
    (kept,) = (await client.get(PATH)).json()["items"]
    tested = (await client.post(f"{PATH}/{kept['id']}/test")).json()
    assert tested["databaseConnection"]["state"] == "reachable"


async def test_changes_at_once_are_all_kept_or_told(app: RunningApp, target: TargetDatabase) -> None:
    client = await owner(app)
    made = await registered(client, target)
    path = f"{PATH}/{made['id']}"
    answers = await asyncio.gather(*(client.patch(path, json={"description": f"No. {n}"}) for n in range(6)))
    assert {answer.status_code for answer in answers} <= {200, 409}
    kept = [answer.json()["databaseConnection"]["description"] for answer in answers if answer.status_code == 200]
    assert (await client.get(path)).json()["description"] in kept


async def test_a_statement_on_a_connection_that_changes_meanwhile_ends_well(
    app: RunningApp, target: TargetDatabase
) -> None:
    client = await owner(app)
    made = await registered(client, target)
    path = f"{PATH}/{made['id']}"
    sql = "SELECT count(*) FROM customers AS a, customers AS b, customers AS c"
    running = [asyncio.create_task(client.post(f"{path}/queries", json={"sql": sql})) for _ in range(6)]
    changed = await client.patch(path, json={"username": target.writer})
    assert changed.json()["success"]
    assert [(await one).status_code for one in running] == [200] * 6
    answer = await client.post(f"{path}/queries", json={"sql": "SELECT current_user"})
    assert answer.json()["receipt"]["role"] == target.writer


async def test_a_workspace_that_goes_takes_its_connections_and_its_log_along(
    app: RunningApp, target: TargetDatabase
) -> None:
    client = await owner(app)
    made = await registered(client, target)
    await client.post(f"{PATH}/{made['id']}/queries", json={"sql": "SELECT 1"})
    async with app.container.database.transaction() as tx:
        await tx.exec_driver_sql("DELETE FROM workspaces")
        for table in ("database_connections", "database_statements"):
            assert (await tx.exec_driver_sql(f"SELECT count(*) FROM {table}")).scalar_one() == 0


@pytest.mark.parametrize("sql", ['"SELECT \\ud800"', '"\\u0000"', '"  "', '"SELECT \\ufffe"'])
async def test_text_that_nobody_can_store_is_refused_in_words(
    app: RunningApp, target: TargetDatabase, sql: str
) -> None:
    client = await owner(app)
    made = await registered(client, target)
    answer = await client.post(
        f"{PATH}/{made['id']}/queries",
        content=f'{{"sql": {sql}}}',
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code in {400, 422}, answer.text
    assert answer.json()["detail"]
