from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.support.app import RunningApp
from tests.support.connections import PATH, joined, owner, register, registered
from tests.support.target import TargetDatabase
from tests.support.tls_proxy import Authority

AUTHORITY = Authority().pem


async def connections(client: httpx.AsyncClient) -> list[dict[str, Any]]:
    return (await client.get(PATH)).json()["items"]


async def test_a_database_that_answers_is_stored_and_its_password_never_comes_back(
    app: RunningApp, target: TargetDatabase
) -> None:
    client = await owner(app)
    saved = await register(client, target, description="Orders and returns")
    made = saved["databaseConnection"]
    assert saved["success"]
    assert (made["state"], made["stateMessage"], made["username"]) == ("reachable", None, target.reader)
    assert made["latencyMs"] >= 0
    assert made["serverVersion"].split(".")[0].isdigit()
    assert saved["audit"] == made["audit"]
    assert (made["audit"]["verdict"], made["audit"]["writableTableCount"]) == ("read_only", 0)
    listed = await client.get(PATH)
    assert [item["id"] for item in listed.json()["items"]] == [made["id"]]
    assert (await client.get(f"{PATH}/{made['id']}")).json() == made
    assert target.password not in listed.text
    async with app.container.database.transaction() as tx:
        rows = await tx.exec_driver_sql("SELECT c::text FROM database_connections AS c")
        assert target.password not in rows.scalar_one()


@pytest.mark.parametrize(
    "wrong",
    [
        {"password": "not this one"},
        {"database": "nothing_of_this_name"},
        {"username": "nobody_of_this_name"},
        {"port": 9},
        {"tls": "verify"},
    ],
)
async def test_a_database_that_does_not_open_is_told_in_words_and_not_stored(
    app: RunningApp, target: TargetDatabase, wrong: dict[str, Any]
) -> None:
    client = await owner(app)
    saved = await register(client, target, **wrong)
    assert (saved["success"], saved["databaseConnection"]) == (False, None)
    for told in (target.host, str(target.port), "asyncpg", "Errno", "FATAL", target.password):
        assert told not in saved["message"]
    assert await connections(client) == []


async def test_registering_a_name_again_replaces_what_it_stands_for(app: RunningApp, target: TargetDatabase) -> None:
    client = await owner(app)
    first = await registered(client, target)
    second = await registered(client, target, username=target.writer, description="The same, as a writer")
    assert (second["id"], second["username"], second["description"]) == (
        first["id"],
        target.writer,
        "The same, as a writer",
    )
    assert len(await connections(client)) == 1
    assert (await client.post(f"{PATH}/{first['id']}/test")).json()["databaseConnection"]["state"] == "reachable"


async def test_a_role_that_may_write_is_named_with_the_script_of_one_that_may_not(
    app: RunningApp, target: TargetDatabase
) -> None:
    client = await owner(app)
    made = await registered(client, target, username=target.writer)
    audit = made["audit"]
    assert (audit["verdict"], audit["writableTableCount"], audit["role"]) == ("may_write", 2, target.writer)
    assert audit["writableTables"] == ['"Back Office".ledger', "public.customers"]
    assert [finding["code"] for finding in audit["findings"]] == ["write_grants"]

    script = audit["grantScript"].replace("knowledgestack_reader", f"{target.reader}_scripted")
    statements = [line for line in script.splitlines() if not line.startswith("--")]
    try:
        await target.run(*statements, f"ALTER ROLE {target.reader}_scripted PASSWORD 'scripted'")
        safe = await registered(client, target, name="Safe", username=f"{target.reader}_scripted", password="scripted")
        assert (safe["audit"]["verdict"], safe["audit"]["findings"]) == ("read_only", [])
    finally:
        await target.run(f"DROP OWNED BY {target.reader}_scripted", f"DROP ROLE {target.reader}_scripted")


async def test_a_superuser_is_refused_with_the_audit_and_nothing_is_stored(
    app: RunningApp, target: TargetDatabase
) -> None:
    client = await owner(app)
    username, password = target.superuser
    saved = await register(client, target, username=username, password=password)
    assert (saved["success"], saved["databaseConnection"]) == (False, None)
    assert saved["audit"]["verdict"] == "privileged"
    assert "superuser" in [finding["code"] for finding in saved["audit"]["findings"]]
    assert await connections(client) == []


@pytest.mark.parametrize("role", ["pg_read_server_files", "pg_write_server_files", "pg_execute_server_program"])
async def test_a_role_that_reaches_the_servers_files_is_refused(
    app: RunningApp, target: TargetDatabase, role: str
) -> None:
    client = await owner(app)
    await target.run(f"GRANT {role} TO {target.reader}")
    saved = await register(client, target)
    assert not saved["success"]
    assert role in [finding["code"] for finding in saved["audit"]["findings"]]


async def test_a_role_that_became_privileged_is_said_at_the_next_test(app: RunningApp, target: TargetDatabase) -> None:
    client = await owner(app)
    made = await registered(client, target)
    await target.run(f"ALTER ROLE {target.reader} SUPERUSER")
    tested = (await client.post(f"{PATH}/{made['id']}/test")).json()
    assert tested["databaseConnection"]["state"] == "unreachable"
    assert tested["audit"]["verdict"] == "privileged"
    assert "superuser" in tested["message"]


async def test_secrets_that_a_role_may_see_are_named(app: RunningApp, target: TargetDatabase) -> None:
    client = await owner(app)
    await target.run(f"GRANT SELECT ON pg_authid TO {target.reader}")
    findings = (await registered(client, target))["audit"]["findings"]
    assert [(finding["code"], "pg_authid" in finding["detail"]) for finding in findings] == [("visible_secrets", True)]


async def test_unreachable_is_a_state_that_a_test_finds_and_heals(app: RunningApp, target: TargetDatabase) -> None:
    client = await owner(app)
    made = await registered(client, target)
    await target.run(f"ALTER ROLE {target.reader} NOLOGIN")
    broken = (await client.post(f"{PATH}/{made['id']}/test")).json()
    seen = broken["databaseConnection"]
    assert (seen["state"], broken["message"], broken["audit"]) == ("unreachable", seen["stateMessage"], None)
    assert seen["lastReachedAt"] == made["lastReachedAt"] < seen["lastCheckedAt"]
    assert seen["audit"] == made["audit"]
    await target.run(f"ALTER ROLE {target.reader} LOGIN")
    healed = (await client.post(f"{PATH}/{made['id']}/test")).json()
    assert healed["databaseConnection"]["state"] == "reachable"
    assert healed["message"].startswith("The database answered in ")


async def test_a_change_is_opened_before_it_is_stored(app: RunningApp, target: TargetDatabase) -> None:
    client = await owner(app)
    made = await registered(client, target)
    path = f"{PATH}/{made['id']}"
    refused = (await client.patch(path, json={"database": "nothing_of_this_name"})).json()
    assert (refused["success"], refused["databaseConnection"]) == (False, None)
    assert (await client.get(path)).json() == made
    changed = (await client.patch(path, json={"username": target.writer, "description": "As a writer"})).json()
    assert changed["success"]
    assert changed["audit"]["verdict"] == "may_write"
    renamed = (await client.patch(path, json={"name": "Shop", "deniedColumns": ["public.customers.name"]})).json()
    assert renamed["databaseConnection"]["name"] == "Shop"
    assert renamed["databaseConnection"]["deniedColumns"] == ["public.customers.name"]


@pytest.mark.parametrize("change", [{"host": "localhost"}, {"port": 5433}, {"caCertificate": AUTHORITY}])
async def test_a_stored_password_is_sent_to_no_other_place(
    app: RunningApp, target: TargetDatabase, change: dict[str, Any]
) -> None:
    client = await owner(app)
    made = await registered(client, target)
    answer = await client.patch(f"{PATH}/{made['id']}", json=change)
    assert (answer.status_code, answer.json()["errors"][0]["path"]) == (400, "password")
    assert (await client.get(f"{PATH}/{made['id']}")).json() == made


async def test_the_name_of_another_connection_is_taken(app: RunningApp, target: TargetDatabase) -> None:
    client = await owner(app)
    made = await registered(client, target)
    await registered(client, target, name="Shop")
    answer = await client.patch(f"{PATH}/{made['id']}", json={"name": "Shop"})
    assert (answer.status_code, answer.json()["code"]) == (409, "name_taken")


async def test_a_deleted_connection_is_gone(app: RunningApp, target: TargetDatabase) -> None:
    client = await owner(app)
    made = await registered(client, target)
    assert (await client.delete(f"{PATH}/{made['id']}")).json() == {"status": "ok"}
    assert (await client.get(f"{PATH}/{made['id']}")).status_code == 404
    assert (await client.delete(f"{PATH}/{made['id']}")).status_code == 404


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "::1", "::ffff:127.0.0.1", "0.0.0.0"])
async def test_the_applications_own_database_is_refused_under_every_address(
    app: RunningApp, target: TargetDatabase, database_url: str, host: str
) -> None:
    client = await owner(app)
    own = urlsplit(database_url)
    body = target.registration(host=host, database=own.path.lstrip("/"), username=own.username, password=own.password)
    answer = await client.post(PATH, json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "address_refused")
    assert await connections(client) == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1"])
async def test_a_place_where_the_application_listens_is_no_database(
    app: RunningApp, target: TargetDatabase, host: str
) -> None:
    client = await owner(app)
    answer = await client.post(PATH, json=target.registration(host=host, port=8400))
    assert (answer.status_code, answer.json()["code"]) == (422, "address_refused")


@pytest.mark.parametrize("host", ["169.254.169.254", "fd00:ec2::254", "::ffff:a9fe:a9fe", "no-such-host.invalid"])
async def test_a_host_that_is_closed_to_everybody_is_a_problem(
    app: RunningApp, target: TargetDatabase, host: str
) -> None:
    client = await owner(app)
    answer = await client.post(PATH, json=target.registration(host=host))
    assert (answer.status_code, answer.json()["code"]) == (422, "address_refused")
    assert host not in answer.json()["detail"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", " "),
        ("name", "two\nlines"),
        ("host", "a/b"),
        ("host", "/var/run/postgresql"),
        ("host", "a,b"),
        ("host", "user@host"),
        ("host", "host:5432"),
        ("host", ""),
        ("port", 0),
        ("port", 65536),
        ("database", ""),
        ("username", "u" * 64),
        ("caCertificate", "not a certificate"),
    ],
)
async def test_a_wrong_field_is_named(app: RunningApp, target: TargetDatabase, field: str, value: Any) -> None:
    client = await owner(app)
    answer = await client.post(PATH, json=target.registration(**{field: value}))
    assert (answer.status_code, answer.json()["errors"][0]["path"]) == (400, field)


async def test_only_an_owner_of_the_workspace_registers_changes_tests_and_deletes(
    app: RunningApp, target: TargetDatabase
) -> None:
    lena = await owner(app)
    omar = await joined(app, lena, "omar@example.com", "member")
    made = await registered(lena, target)
    path = f"{PATH}/{made['id']}"
    assert (await omar.get(path)).json() == made
    assert (await omar.post(PATH, json=target.registration(name="Mine"))).status_code == 403
    assert (await omar.patch(path, json={"name": "Mine"})).status_code == 403
    assert (await omar.post(f"{path}/test")).status_code == 403
    assert (await omar.delete(path)).status_code == 403


async def test_a_sealed_password_opens_in_its_own_row_alone(app: RunningApp, target: TargetDatabase) -> None:
    client = await owner(app)
    made = await registered(client, target)
    other = await registered(client, target, name="Other")
    async with app.container.database.transaction() as tx:
        await tx.exec_driver_sql(
            "UPDATE database_connections AS a SET password = b.password "
            "FROM database_connections AS b WHERE a.id = $1 AND b.id = $2",
            (other["id"], made["id"]),
        )
    tested = (await client.post(f"{PATH}/{other['id']}/test")).json()
    assert tested["databaseConnection"]["state"] == "unreachable"
    assert "Give the password again" in tested["message"]
