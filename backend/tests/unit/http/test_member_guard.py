"""Hosts that members name: what is closed to them in every notation, and what an operator opens."""

import asyncio
import ipaddress
import socket
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.core.allow_list import parse_allow_entry
from knowledgestack.core.errors import AddressRefused
from knowledgestack.http.outbound import HostPort, HostUnknown, MemberGuard

SERVER, LOCAL = MemberGuard((), private_hosts=False), MemberGuard((), private_hosts=True)
LOOPBACK = [
    "127.0.0.1",
    "127.9.9.9",
    "localhost",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.1",
    "①②⑦.0.0.1",
    "::1",
]
WRAPPED_LOOPBACK = ["::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"]
PRIVATE = ["10.0.0.5", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fd12::1", "::ffff:10.0.0.5", "64:ff9b::a00:5"]
SPECIAL = ["100.64.0.1", "198.18.0.1", "192.0.2.1", "203.0.113.9", "240.0.0.1", "fec0::1", "2001:db8::1", "2001::1"]
NEVER = [
    "169.254.169.254",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "0.0.0.0",
    "0",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "fe80::1",
    "fd00:ec2::254",
    "::ffff:a9fe:a9fe",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::",
]
PUBLIC = ["8.8.8.8", "2606:4700::1111", "64:ff9b::808:808"]


async def opened(guard: MemberGuard, host: str, port: int = 5432) -> list[str]:
    return [str(address) for address in await guard.addresses(HostPort(host, port))]


def guard(*allowed: str, private_hosts: bool = False) -> MemberGuard:
    return MemberGuard(tuple(map(parse_allow_entry, allowed)), private_hosts=private_hosts)


@pytest.mark.parametrize("host", [*LOOPBACK, *WRAPPED_LOOPBACK, *PRIVATE, *SPECIAL, *NEVER])
async def test_a_server_closes_everything_that_is_not_public(host: str) -> None:
    with pytest.raises(AddressRefused) as refused:
        await opened(SERVER, host)
    assert host not in refused.value.detail or len(host) < 3


@pytest.mark.parametrize("host", [*LOOPBACK, *WRAPPED_LOOPBACK, *PRIVATE, *PUBLIC])
async def test_the_local_profile_opens_loopback_and_private_networks(host: str) -> None:
    assert await opened(LOCAL, host)


@pytest.mark.parametrize("host", [*SPECIAL, *NEVER])
async def test_the_local_profile_closes_the_rest(host: str) -> None:
    with pytest.raises(AddressRefused):
        await opened(LOCAL, host)


@pytest.mark.parametrize("host", PUBLIC)
async def test_public_addresses_are_open(host: str) -> None:
    assert await opened(SERVER, host) == [str(ipaddress.ip_address(host))]


@pytest.mark.parametrize("host", NEVER)
async def test_what_nobody_may_open_is_closed_whatever_is_listed(host: str) -> None:
    with pytest.raises(AddressRefused):
        await opened(guard("0.0.0.0/0", "::/0", "169.254.169.254", private_hosts=True), host)


async def test_an_entry_opens_itself_and_nothing_else() -> None:
    network = guard("10.0.0.0/24")
    assert await opened(network, "10.0.0.5") == ["10.0.0.5"]
    for closed in ("10.0.1.5", "127.0.0.1", "169.254.169.254"):
        with pytest.raises(AddressRefused):
            await opened(network, closed)
    ported = guard("127.0.0.1:5432", "[::1]:6000")
    assert await opened(ported, "127.0.0.1") == ["127.0.0.1"]
    assert await opened(ported, "::1", 6000) == ["::1"]
    for host, port in (("127.0.0.1", 5433), ("::1", 5432), ("127.0.0.2", 5432)):
        with pytest.raises(AddressRefused):
            await opened(ported, host, port)


class Names:
    """A name server that a test writes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> None:
        self.answers = list(answers)
        monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", self._resolve)

    async def _resolve(self, host: str, port: int, **_: Any) -> list[tuple[Any, ...]]:
        if not self.answers:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in self.answers.pop(0)]


async def test_one_closed_answer_closes_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    Names(monkeypatch, ["8.8.8.8", "10.0.0.5"])
    with pytest.raises(AddressRefused):
        await opened(SERVER, "db.example.com")


async def test_a_listed_name_opens_where_it_leads_and_a_neighbour_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    Names(monkeypatch, ["10.0.0.5"], ["10.0.0.5"], ["169.254.169.254"])
    listed = guard("DB.internal.example")
    assert await opened(listed, "db.internal.example") == ["10.0.0.5"]
    with pytest.raises(AddressRefused):
        await opened(listed, "other.internal.example")
    with pytest.raises(AddressRefused):
        await opened(listed, "db.internal.example")


async def test_a_name_that_does_not_resolve_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    Names(monkeypatch)
    with pytest.raises(HostUnknown):
        await opened(SERVER, "nobody.example.com")


@pytest.mark.parametrize(
    "entry", ["", "a b", "host:", "host:0", "host:99999", "10.0.0.5/24", "http://x", "1.2.3", "*.x"]
)
def test_an_entry_that_cannot_be_read_is_refused(entry: str) -> None:
    with pytest.raises(ValueError):
        parse_allow_entry(entry)


@given(st.ip_addresses(v=4))
def test_a_wrapped_address_is_judged_as_the_one_that_it_carries(address: ipaddress.IPv4Address) -> None:
    """Mapped, NAT64 and 6to4 forms of an address open exactly where it does itself."""
    wrapped = [
        ipaddress.IPv6Address(f"::ffff:{address}"),
        ipaddress.IPv6Address(int(ipaddress.IPv6Address("64:ff9b::")) | int(address)),
        ipaddress.IPv6Address(0x2002 << 112 | int(address) << 80),
    ]
    place = HostPort("host", 5432)
    for each in (SERVER, LOCAL):
        assert {each._is_open(place, one) for one in wrapped} == {each._is_open(place, address)}
