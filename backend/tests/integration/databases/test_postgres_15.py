"""An older server is connected, looked at and asked like the newest one."""

import pytest

from tests.support.app import RunningApp
from tests.support.connections import PATH, owner, register, registered
from tests.support.sql_target import POSTGRES_15, postgres_15
from tests.support.target import target_database

pytestmark = pytest.mark.skipif(not POSTGRES_15.exists(), reason="the programs of PostgreSQL 15 are not here")


async def test_roles_are_audited_and_statements_run(app: RunningApp) -> None:
    client = await owner(app)
    with postgres_15() as server_url:
        async with target_database(server_url) as target:
            reader = await registered(client, target)
            assert (reader["serverVersion"].split(".")[0], reader["audit"]["verdict"]) == ("15", "read_only")
            assert reader["audit"]["findings"] == []
            answer = await client.post(f"{PATH}/{reader['id']}/queries", json={"sql": "SELECT count(*) FROM customers"})
            assert answer.json()["rows"] == [["50"]]
            writer = await registered(client, target, name="Writer", username=target.writer)
            assert [finding["code"] for finding in writer["audit"]["findings"]] == ["write_grants"]
            username, password = target.superuser
            refused = await register(client, target, name="Root", username=username, password=password)
            assert (refused["success"], refused["audit"]["verdict"]) == (False, "privileged")
