"""TLS to a database: what is checked in each mode, though the socket goes to the address that the guard checked."""

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvloop

from knowledgestack.core.crypto import KeyRing
from knowledgestack.core.errors import Unavailable
from knowledgestack.core.ids import new_id
from knowledgestack.databases.connecting import DatabaseOpener
from knowledgestack.databases.targets import Target, password_place
from knowledgestack.http.outbound import MemberGuard
from tests.support.app import RunningApp
from tests.support.connections import PATH, owner, register
from tests.support.target import TargetDatabase
from tests.support.tls_proxy import Authority, tls_proxy

AUTHORITY, STRANGER = Authority(), Authority("Somebody else")


class NobodysDatabase:
    async def refuse_address(self, *_: Any) -> None:
        """It is not the application's own."""

    async def refuse_session(self, _: Any) -> None:
        """It is not the application's own."""


async def speaks_tls(target: TargetDatabase, **changed: Any) -> bool:
    """Whether a connection opened with these settings is encrypted."""
    keys = KeyRing(b"k" * 32)
    own: Any = NobodysDatabase()
    opener = DatabaseOpener(keys, MemberGuard((), private_hosts=True), own, allow_privileged_roles=False)
    workspace_id, connection_id = new_id(), new_id()
    settings: dict[str, Any] = {"host": "localhost", "tls": "verify", "ca_certificate": AUTHORITY.pem, **changed}
    connection = await opener.open(
        Target(
            workspace_id=workspace_id,
            connection_id=connection_id,
            revision=1,
            name="Warehouse",
            database=target.database,
            username=target.reader,
            sealed_password=keys.seal(target.password, password_place(workspace_id, connection_id)),
            denied_columns=frozenset(),
            **settings,
        ),
        {"application_name": "test"},
    )
    try:
        assert await connection.fetchval("SELECT count(*) FROM customers") == 50
        return connection._transport.get_extra_info("ssl_object") is not None
    finally:
        await connection.close()


@pytest.fixture(params=["asyncio", "uvloop"])
def either_loop(request: pytest.FixtureRequest) -> Any:
    """Runs a coroutine on the loop of the tests' machine and on the one that the server uses."""
    factory = uvloop.new_event_loop if request.param == "uvloop" else asyncio.new_event_loop

    async def run(work: Any) -> Any:
        def inside() -> Any:
            with asyncio.Runner(loop_factory=factory) as runner:
                return runner.run(work)

        return await asyncio.to_thread(inside)

    return run


async def test_the_name_and_the_authority_are_checked(target: TargetDatabase, tmp_path: Path, either_loop: Any) -> None:
    with tls_proxy(target.host, target.port, AUTHORITY.context(tmp_path, ["localhost"])) as (port, door):
        assert await either_loop(speaks_tls(target, port=port))
        with pytest.raises(Unavailable, match="certificate"):
            await either_loop(speaks_tls(target, port=port, ca_certificate=STRANGER.pem))
        with pytest.raises(Unavailable, match="certificate"):
            await either_loop(speaks_tls(target, port=port, ca_certificate=None))
        with pytest.raises(Unavailable, match="certificate"):
            await either_loop(speaks_tls(target, port=port, host="127.0.0.1"))
        assert door.plain == 0


async def test_a_certificate_of_another_name_is_refused_and_taken_where_names_are_not_asked(
    target: TargetDatabase, tmp_path: Path, either_loop: Any
) -> None:
    with tls_proxy(target.host, target.port, AUTHORITY.context(tmp_path, ["db.example.com"])) as (port, door):
        with pytest.raises(Unavailable, match="certificate"):
            await either_loop(speaks_tls(target, port=port))
        assert await either_loop(speaks_tls(target, port=port, tls="require"))
        assert await either_loop(speaks_tls(target, port=port, tls="require", ca_certificate=None))
        with pytest.raises(Unavailable, match="certificate"):
            await either_loop(speaks_tls(target, port=port, tls="require", ca_certificate=STRANGER.pem))
        assert door.plain == 0


async def test_an_address_is_checked_against_the_certificate(
    target: TargetDatabase, tmp_path: Path, either_loop: Any
) -> None:
    with tls_proxy(target.host, target.port, AUTHORITY.context(tmp_path, ["127.0.0.1"])) as (port, _):
        assert await either_loop(speaks_tls(target, port=port, host="127.0.0.1"))


@pytest.mark.parametrize("tls", ["require", "verify"])
async def test_a_server_without_tls_never_gets_the_password(target: TargetDatabase, tls: str, either_loop: Any) -> None:
    with tls_proxy(target.host, target.port, None) as (port, door):
        with pytest.raises(Unavailable, match="did not answer"):
            await either_loop(speaks_tls(target, port=port, tls=tls))
        assert door.plain == 0
        assert not await either_loop(speaks_tls(target, port=port, tls="off"))


async def test_a_connection_keeps_its_authority(app: RunningApp, target: TargetDatabase, tmp_path: Path) -> None:
    client = await owner(app)
    with tls_proxy(target.host, target.port, AUTHORITY.context(tmp_path, ["localhost"])) as (port, _):
        body = {"host": "localhost", "port": port, "tls": "verify", "caCertificate": AUTHORITY.pem}
        made = (await register(client, target, **body))["databaseConnection"]
        assert (made["tls"], made["hasCaCertificate"]) == ("verify", True)
        answer = await client.post(f"{PATH}/{made['id']}/queries", json={"sql": "SELECT 1"})
        assert answer.json()["rows"] == [["1"]]
        weaker = await client.patch(f"{PATH}/{made['id']}", json={"tls": "off"})
        assert (weaker.status_code, weaker.json()["errors"][0]["path"]) == (400, "password")
        refused = await register(client, target, **body | {"caCertificate": STRANGER.pem})
        assert (refused["success"], "certificate" in refused["message"]) == (False, True)


async def test_the_own_database_is_refused_through_another_port(
    app: RunningApp, target: TargetDatabase, tmp_path: Path, database_url: str
) -> None:
    client = await owner(app)
    own = urlsplit(database_url)
    with tls_proxy(target.host, target.port, AUTHORITY.context(tmp_path, ["localhost"])) as (port, _):
        body = target.registration(
            host="localhost",
            port=port,
            tls="verify",
            caCertificate=AUTHORITY.pem,
            database=own.path.lstrip("/"),
            username=own.username,
            password=own.password,
        )
        answer = await client.post(PATH, json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "address_refused")
