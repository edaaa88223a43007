"""The way out opens the operator's own address, and nothing that nobody runs a server on."""

import asyncio
import ipaddress
import socket
from collections.abc import Generator
from typing import Any

import httpcore2
import httpx2
import pytest

from knowledgestack.core.config import load_settings
from knowledgestack.core.crypto import encode_key
from knowledgestack.core.errors import AddressRefused, InvalidRequest
from knowledgestack.http.outbound import (
    HostPort,
    check_address,
    is_private_host,
    is_refused,
    operator_client,
    own_places,
    parse_http_address,
)

REFUSED = [
    "169.254.169.254",
    "169.254.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "fe80::1",
    "fd00:ec2::254",
    "ff02::1",
    "::ffff:169.254.169.254",
    "::169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::",
]
ALLOWED = ["127.0.0.1", "::1", "10.1.2.3", "192.168.0.4", "172.16.0.9", "8.8.8.8", "2606:4700::1111", "fd12::1"]


class Names:
    """A name server that a test writes, and the sockets that were opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.answers: list[list[str]] = []
        self.opened: list[tuple[str, int]] = []
        self.refusing: set[str] = set()
        monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", self._resolve)
        monkeypatch.setattr(httpcore2.AnyIOBackend, "connect_tcp", self._connect)

    async def _resolve(self, host: str, port: int, **_: Any) -> list[tuple[Any, ...]]:
        if not self.answers:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        answers = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in answers]

    async def _connect(self, host: str, port: int, *_: object) -> httpcore2.AsyncNetworkStream:
        self.opened.append((host, port))
        if host in self.refusing:
            raise httpcore2.ConnectError("closed")
        body = b"HTTP/1.1 307 Elsewhere\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 2\r\n\r\nok"
        return httpcore2.AsyncMockStream([body])


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Generator[Names]:
    # uvloop resolves in C: the test runs on asyncio's own loop.
    return Names(monkeypatch)


@pytest.mark.parametrize("address", REFUSED)
async def test_refused_addresses_open_no_socket_in_any_notation(address: str, names: Names) -> None:
    assert is_refused(ipaddress.ip_address(address))
    names.answers = [[address]]
    with pytest.raises(AddressRefused):
        await check_address("http://models.example.com/v1")
    async with operator_client("http://models.example.com/v1", read_seconds=1) as client:
        with pytest.raises(AddressRefused):
            await client.get("http://models.example.com/v1/models")
    assert names.opened == []


@pytest.mark.parametrize("own", ["127.0.0.1", "localhost", "0.0.0.0", "::1"])
@pytest.mark.parametrize("answer", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
async def test_places_of_the_application_are_refused_under_every_name(own: str, answer: str) -> None:
    places = frozenset({HostPort(own, 8600)})
    host = f"[{answer}]" if ":" in answer else answer
    with pytest.raises(AddressRefused, match="this application itself"):
        await check_address(f"http://{host}:8600/v1", places)
    async with operator_client(f"http://{host}:8600/v1", read_seconds=1, own=places) as client:
        with pytest.raises(AddressRefused, match="this application itself"):
            await client.get(f"http://{host}:8600/v1/models")
    assert await check_address(f"http://{host}:8601/v1", places) == HostPort(answer, 8601)


def test_the_places_of_the_application_come_from_its_settings() -> None:
    settings = load_settings(
        {
            "DATABASE_URL": "postgresql://me:secret@db.example.com/wiki",
            "TOKEN_ENCRYPTION_KEY": encode_key(b"k" * 32),
            "KS_DATA_DIR": "/nowhere",
            "KS_PORT": "8600",
            "KS_EMBEDDER_ADDRESS": "worker:8700",
        }
    )
    assert own_places(settings) == {
        HostPort("127.0.0.1", 8600),
        HostPort("worker", 8700),
        HostPort("db.example.com", 5432),
    }


@pytest.mark.parametrize("address", ALLOWED)
def test_an_operator_may_run_a_model_anywhere_else(address: str) -> None:
    assert not is_refused(ipaddress.ip_address(address))


async def test_one_refused_answer_refuses_the_name(names: Names) -> None:
    names.answers = [["8.8.8.8", "169.254.169.254"]]
    async with operator_client("http://models.example.com", read_seconds=1) as client:
        with pytest.raises(AddressRefused):
            await client.get("http://models.example.com/")
    assert names.opened == []


async def test_the_socket_opens_to_the_answer_that_was_checked(names: Names) -> None:
    names.answers = [["8.8.8.8"], ["169.254.169.254"]]
    async with operator_client("http://models.example.com", read_seconds=1) as client:
        answer = await client.get("http://models.example.com/")
    assert names.opened == [("8.8.8.8", 80)]
    assert answer.status_code == 307


async def test_the_next_address_is_tried_where_one_is_closed(names: Names) -> None:
    names.answers = [["10.0.0.1", "10.0.0.2"]]
    names.refusing = {"10.0.0.1"}
    async with operator_client("http://models.example.com", read_seconds=1) as client:
        await client.get("http://models.example.com/")
    assert names.opened == [("10.0.0.1", 80), ("10.0.0.2", 80)]


async def test_a_name_that_does_not_resolve_is_a_connection_error(names: Names) -> None:
    async with operator_client("http://models.example.com", read_seconds=1) as client:
        with pytest.raises(httpx2.ConnectError):
            await client.get("http://models.example.com/")


@pytest.mark.parametrize(
    "other", ["http://other.example.com/", "http://models.example.com:81/", "https://models.example.com/"]
)
async def test_an_address_opens_only_its_own_host_and_port(other: str, names: Names) -> None:
    names.answers = [["8.8.8.8"]]
    async with operator_client("http://models.example.com", read_seconds=1) as client:
        with pytest.raises(AddressRefused):
            await client.get(other)
    assert names.opened == []


async def test_an_endless_answer_is_cut(names: Names) -> None:
    names.answers = [["8.8.8.8"]]
    async with operator_client("http://models.example.com", read_seconds=1, max_response_bytes=1) as client:
        with pytest.raises(httpx2.ReadError):
            await client.get("http://models.example.com/")


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("https://api.openai.com/v1", HostPort("api.openai.com", 443)),
        ("http://localhost:11434", HostPort("localhost", 11434)),
        ("http://[::1]:8000/v1/", HostPort("::1", 8000)),
        ("HTTPS://Models.Example.com", HostPort("models.example.com", 443)),
    ],
)
def test_addresses_are_taken_apart(address: str, place: HostPort) -> None:
    assert parse_http_address(address) == place


@pytest.mark.parametrize(
    "address",
    [
        "",
        "models.example.com",
        "ftp://models.example.com",
        "file:///etc/passwd",
        "http://",
        "http://user:secret@models.example.com",
        "http://models.example.com/v1?key=secret",
        "http://models.example.com/v1#part",
        "http://models.example.com:0",
        "http://models.example.com:99999",
        "http://models.example.com:port",
        "http://models.example.com/a b",
        "http://models.example.com/\r\nHost: x",
        "http://[::1",
    ],
)
def test_other_addresses_are_refused_without_repeating_them(address: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse_http_address(address)
    assert "secret" not in refused.value.detail


@pytest.mark.parametrize(
    ("host", "private"),
    [
        ("localhost", True),
        ("ollama", True),
        ("models.internal", True),
        ("127.0.0.1", True),
        ("::ffff:10.0.0.1", True),
        ("::1", True),
        ("192.168.1.2", True),
        ("8.8.8.8", False),
        ("api.openai.com", False),
    ],
)
def test_what_stays_in_the_house(host: str, private: bool) -> None:
    assert is_private_host(host) is private
