"""What the operator's settings open: hosts of the server profile, roles that may do more than read."""

from pathlib import Path

import pytest

from tests.support.app import ORIGIN, running_app
from tests.support.connections import PATH, owner, register
from tests.support.database import Databases
from tests.support.target import target_database


@pytest.mark.parametrize(("allowed", "status"), [("", 422), ("10.0.0.0/8", 422), ("127.0.0.0/8", 200)])
async def test_a_server_opens_private_hosts_only_where_the_operator_lists_them(
    database_url: str, tmp_path: Path, databases: Databases, allowed: str, status: int
) -> None:
    environ = {
        "KS_PROFILE": "server",
        "WEB_APP_URL": ORIGIN,
        "KS_OBJECT_STORE_URL": tmp_path.as_uri(),
        "KS_OUTBOUND_ALLOW": allowed,
    }
    async with (
        running_app(database_url, tmp_path, **environ) as app,
        target_database(databases.server_url) as target,
    ):
        client = await owner(app)
        answer = await client.post(PATH, json=target.registration(host="127.0.0.1"))
        assert answer.status_code == status, answer.text
        assert answer.json().get("success", False) == (status == 200)


async def test_the_operator_may_let_privileged_roles_in_and_the_warning_stays(
    database_url: str, tmp_path: Path, databases: Databases
) -> None:
    async with (
        running_app(database_url, tmp_path, KS_SQL_ALLOW_PRIVILEGED_ROLES="true") as app,
        target_database(databases.server_url) as target,
    ):
        client = await owner(app)
        username, password = target.superuser
        saved = await register(client, target, username=username, password=password)
        assert saved["success"]
        assert saved["databaseConnection"]["audit"]["verdict"] == "privileged"
        path = f"{PATH}/{saved['databaseConnection']['id']}"
        assert (await client.post(f"{path}/queries", json={"sql": "SELECT 1"})).json()["rows"] == [["1"]]
        tested = (await client.post(f"{path}/test")).json()
        assert (tested["databaseConnection"]["state"], tested["audit"]["verdict"]) == ("reachable", "privileged")
