"""Which address a socket opens to, and what is told where it does not open."""

import asyncio
import socket
import ssl
from typing import Any
from uuid import UUID

import asyncpg
import msgspec
import pytest

from knowledgestack.core.allow_list import IPAddress
from knowledgestack.core.crypto import KeyRing
from knowledgestack.core.errors import AddressRefused, Unavailable
from knowledgestack.core.ids import new_id
from knowledgestack.databases.connecting import DatabaseOpener
from knowledgestack.databases.targets import Target, password_place
from knowledgestack.http.outbound import HostPort, MemberGuard

KEYS = KeyRing(b"k" * 32)


class NobodysDatabase:
    async def refuse_address(self, place: HostPort, addresses: list[IPAddress], database: str) -> None:
        """It is not the application's own."""

    async def refuse_session(self, connection: Any) -> None:
        """It is not the application's own."""


class Session:
    def terminate(self) -> None:
        """There is nothing to drop."""

    async def fetchval(self, _: str) -> None:
        """The role is not a privileged one."""


class Network:
    """A name server and a server of databases that a test writes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.answers: list[list[str]] = []
        self.failures: dict[str, Exception] = {}
        self.opened: list[str] = []
        self.passwords: set[str] = set()
        monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", self._resolve)
        monkeypatch.setattr(asyncpg, "connect", self._connect)

    async def _resolve(self, host: str, port: int, **_: Any) -> list[tuple[Any, ...]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in self.answers.pop(0)]

    async def _connect(self, *, host: str, password: str, **_: Any) -> Session:
        self.opened.append(host)
        self.passwords.add(password)
        if host in self.failures:
            raise self.failures[host]
        return Session()


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    return Network(monkeypatch)


def target() -> Target:
    workspace_id, connection_id = new_id(), UUID(int=7)
    return Target(
        workspace_id=workspace_id,
        connection_id=connection_id,
        revision=1,
        name="Warehouse",
        host="db.example.com",
        port=5432,
        database="shop",
        username="reader",
        sealed_password=KEYS.seal("secret", password_place(workspace_id, connection_id)),
        tls="off",
        ca_certificate=None,
        denied_columns=frozenset(),
    )


async def opened(where: Target | None = None) -> Any:
    own: Any = NobodysDatabase()
    guard = MemberGuard((), private_hosts=False)
    opener = DatabaseOpener(KEYS, guard, own, allow_privileged_roles=False)
    return await opener.open(where or target(), {})


async def test_the_socket_opens_to_the_address_that_was_checked(network: Network) -> None:
    network.answers = [["8.8.8.8"], ["169.254.169.254"]]
    await opened()
    assert network.opened == ["8.8.8.8"]
    with pytest.raises(AddressRefused):
        await opened()
    assert network.opened == ["8.8.8.8"]


@pytest.mark.parametrize("closed", ["127.0.0.1", "10.0.0.5", "169.254.169.254", "::ffff:127.0.0.1", "64:ff9b::a00:1"])
async def test_a_name_with_one_closed_address_opens_no_socket_and_no_password(network: Network, closed: str) -> None:
    network.answers = [["8.8.8.8", closed]]
    with pytest.raises(AddressRefused):
        await opened()
    assert (network.opened, network.passwords) == ([], set())


async def test_the_next_address_is_tried_where_one_does_not_answer(network: Network) -> None:
    network.answers = [["8.8.8.8", "8.8.4.4"]]
    network.failures = {"8.8.8.8": ConnectionRefusedError()}
    await opened()
    assert network.opened == ["8.8.8.8", "8.8.4.4"]


async def test_a_wrong_password_is_not_tried_elsewhere(network: Network) -> None:
    network.answers = [["8.8.8.8", "8.8.4.4"]]
    network.failures = {"8.8.8.8": asyncpg.InvalidPasswordError("no")}
    with pytest.raises(Unavailable, match="password was not accepted"):
        await opened()
    assert network.opened == ["8.8.8.8"]


async def test_silence_a_closed_port_and_a_stranger_sound_the_same(network: Network) -> None:
    told: set[str] = set()
    strangers = [
        ConnectionRefusedError(111, "Connect call failed ('8.8.8.8', 5432)"),
        TimeoutError(),
        OSError(113, "No route to host"),
        ConnectionError('PostgreSQL server at "8.8.8.8:5432" rejected SSL upgrade'),
        asyncpg.ProtocolViolationError("SSH-2.0-OpenSSH_9.6"),
        asyncpg.InterfaceError("unexpected message"),
        ssl.SSLError("wrong version number"),
        ConnectionResetError(),
    ]
    for stranger in strangers:
        network.answers, network.failures = [["8.8.8.8"]], {"8.8.8.8": stranger}
        with pytest.raises(Unavailable) as failed:
            await opened()
        told.add(failed.value.detail)
    assert len(told) == 1
    assert "8.8.8.8" not in told.pop()


async def test_a_password_of_another_row_is_never_sent(network: Network) -> None:
    network.answers = [["8.8.8.8"]]
    with pytest.raises(Unavailable, match="Give the password again"):
        await opened(msgspec.structs.replace(target(), connection_id=UUID(int=8)))
    assert network.passwords == set()
