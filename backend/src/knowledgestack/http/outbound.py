"""The only way out: HTTP to addresses that the operator or the instance owner set, sockets to those of members.

An operator's address opens exactly its own host and port. A member's opens only what is public, or what the operator
allows by name, address or network. A name is resolved once for each connection, every answer is
checked, and the socket opens to a checked address, so that a second answer of the name server is never used.
"""

import asyncio
import contextlib
import ipaddress
import socket
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

import httpcore2
import httpx2

from knowledgestack.core.allow_list import AllowEntry, IPAddress, IPNetwork
from knowledgestack.core.config import Settings
from knowledgestack.core.errors import AddressRefused, InvalidRequest

MAX_RESPONSE_BYTES = 256 * 1024 * 1024
CONNECT_SECONDS = 10.0
_DEFAULT_PORTS = {"http": 80, "https": 443}
_BOM = b"\xef\xbb\xbf"

# Never a server anybody runs: link-local and metadata services, unspecified, multicast, broadcast.
_REFUSED_NETWORKS = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8",
        "169.254.0.0/16",
        "100.100.100.200/32",
        "168.63.129.16/32",
        "192.0.0.192/32",
        "224.0.0.0/4",
        "255.255.255.255/32",
        "::/128",
        "fe80::/10",
        "fd00:ec2::254/128",
        "ff00::/8",
    )
)
# Hosts of this machine and of private networks.
_PRIVATE_NETWORKS = tuple(
    ipaddress.ip_network(network)
    for network in ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7")
)
# Carriers' networks, benchmarks, documentation, tunnels, what is reserved: nobody outside an allow-list means them.
_SPECIAL_NETWORKS = tuple(
    ipaddress.ip_network(network)
    for network in (
        "100.64.0.0/10",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "240.0.0.0/4",
        "64:ff9b:1::/48",
        "100::/64",
        "2001::/23",
        "2001:db8::/32",
        "3fff::/20",
        "5f00::/16",
        "fec0::/10",
    )
)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_LOOPBACK_6 = ipaddress.IPv6Address("::1")


@dataclass(frozen=True, slots=True)
class HostPort:
    """The one place that an operator's address opens."""

    host: str
    port: int


def parse_http_address(address: str) -> HostPort:
    """Return host and port of an http or https address; raise `InvalidRequest` for anything else.

    User info, query and fragment are refused: a key belongs in its own field, where it is never shown.
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    clean = address.isprintable() and not any(character.isspace() for character in address)
    if parts.scheme not in _DEFAULT_PORTS or not host or not clean or port == 0:
        raise InvalidRequest("The address has to begin with http:// or https:// and name a host.")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise InvalidRequest("The address may hold a host, a port and a path, and nothing else.")
    return HostPort(host, port or _DEFAULT_PORTS[parts.scheme])


def is_refused(address: IPAddress) -> bool:
    """True for an address that nobody may open, in whatever notation it is wrapped."""
    return _is_in(_unwrapped(address), _REFUSED_NETWORKS)


def _is_in(forms: Iterable[IPAddress], networks: Iterable[IPNetwork]) -> bool:
    return any(form in network for form in forms for network in networks if form.version == network.version)


def is_private_host(host: str) -> bool:
    """True for a name or address of this machine or its private network; a name outside is never looked up here."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith((".local", ".internal", ".localhost"))
    inner = _unwrapped(address)[-1]
    return inner.is_loopback or inner.is_private


def own_places(settings: Settings) -> frozenset[HostPort]:
    """Where this application, its embedder and its database listen: nobody's models are there."""
    database = _place(settings.database_url, 5432)
    return own_listeners(settings) if database is None else own_listeners(settings) | {database}


def own_listeners(settings: Settings) -> frozenset[HostPort]:
    """Where this application and its embedder listen."""
    addresses = (f"//127.0.0.1:{settings.port}", f"//{settings.embedder_address}")
    return frozenset(place for address in addresses if (place := _place(address, 80)))


def _place(url: str, default_port: int) -> HostPort | None:
    with contextlib.suppress(ValueError):
        parts = urlsplit(url)
        if parts.hostname:
            return HostPort(parts.hostname, parts.port or default_port)
    return None


async def resolve(place: HostPort, own: frozenset[HostPort] = frozenset()) -> list[IPAddress]:
    """Every address of the host, checked; raise `AddressRefused` when one of them is refused, OSError when none is.

    `own` are places that are refused under every name and notation of their host.
    """
    addresses = await _look_up(place)
    if any(is_refused(address) for address in addresses):
        raise AddressRefused("This address is never opened: it is a link-local, metadata or multicast address.")
    for other in own:
        if other.port == place.port and await is_same_host(other.host, place.host, addresses):
            raise AddressRefused("This address belongs to this application itself. Give the address of a model server.")
    return list(dict.fromkeys(addresses))


async def _look_up(place: HostPort) -> list[IPAddress]:
    loop = asyncio.get_running_loop()
    answers = await loop.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    return [ipaddress.ip_address(str(answer[4][0]).partition("%")[0]) for answer in answers]


async def is_same_host(own_host: str, host: str, addresses: list[IPAddress]) -> bool:
    """Whether the host or one of its addresses is `own_host` in any notation."""
    if own_host == host:
        return True
    try:
        own_addresses = await _look_up(HostPort(own_host, 0))
    except OSError:
        return False
    forms = {_machine(address) for address in addresses}
    return any(_machine(address) in forms for address in own_addresses)


def _machine(address: IPAddress) -> IPAddress:
    """The address in one notation; every address of this machine's loopback is the same."""
    inner = _unwrapped(address)[-1]
    return _LOOPBACK_6 if inner.is_loopback or inner.is_unspecified else inner


class HostUnknown(AddressRefused):
    """The name server knows no address of the host; no socket opens."""


class MemberGuard:
    """Judges the hosts that members name. `private_hosts` opens loopback and private networks to them."""

    def __init__(self, allowed: tuple[AllowEntry, ...], *, private_hosts: bool) -> None:
        self._allowed = allowed
        self._closed = _SPECIAL_NETWORKS if private_hosts else (*_PRIVATE_NETWORKS, *_SPECIAL_NETWORKS)

    async def addresses(self, place: HostPort) -> list[IPAddress]:
        """Every address of the host, all of them checked; only these may be opened.

        Raises `HostUnknown` where the name does not resolve, `AddressRefused` where one of its addresses is closed.
        """
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                found = await _look_up(place)
        except (OSError, UnicodeError, ValueError) as error:
            raise HostUnknown("The host name is not known. Check how it is written.") from error
        if any(is_refused(address) for address in found):
            raise AddressRefused("This host is never opened: it leads to a link-local, metadata or multicast address.")
        if not all(self._is_open(place, address) for address in found):
            raise AddressRefused(
                "This host leads into a private network, which is closed. The operator of this installation can open "
                "it with KS_OUTBOUND_ALLOW."
            )
        return list(dict.fromkeys(found))

    def _is_open(self, place: HostPort, address: IPAddress) -> bool:
        forms = _unwrapped(address)
        if not _is_in(forms, self._closed):
            return True
        return any(entry.opens(place.host, place.port, form) for entry in self._allowed for form in forms)


async def check_address(address: str, own: frozenset[HostPort] = frozenset()) -> HostPort:
    """Check an address where it enters; raise `InvalidRequest` or `AddressRefused`.

    A name that does not resolve now passes: the connection says so in its own words, and checks again.
    """
    place = parse_http_address(address)
    try:
        await resolve(place, own)
    except OSError:
        return place
    return place


def operator_client(
    address: str,
    *,
    read_seconds: float,
    max_response_bytes: int = MAX_RESPONSE_BYTES,
    own: frozenset[HostPort] = frozenset(),
) -> httpx2.AsyncClient:
    """A client that opens the host and port of this address and no other, and follows no redirect.

    `read_seconds` is the longest silence of an answer.
    """
    transport = _GuardedTransport(parse_http_address(address), max_response_bytes, own)
    return httpx2.AsyncClient(
        transport=transport,
        timeout=httpx2.Timeout(read_seconds, connect=CONNECT_SECONDS),
        follow_redirects=False,
        trust_env=False,
    )


def _unwrapped(address: IPAddress) -> list[IPAddress]:
    """The address and, last, the IPv4 address that an IPv6 notation carries (mapped, compatible, NAT64, 6to4)."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    inner = address.ipv4_mapped or address.sixtofour
    if inner is None and address in _NAT64:
        inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if inner is None and 0 < int(address) < 1 << 32 and address != _LOOPBACK_6:
        inner = ipaddress.IPv4Address(int(address))
    return [address] if inner is None else [address, inner]


class _GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Opens sockets to checked addresses of one place."""

    def __init__(self, place: HostPort, own: frozenset[HostPort]) -> None:
        self._place = place
        self._own = own
        self._inner = cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (the signature is httpcore's)
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        if HostPort(host.lower(), port) != self._place:
            raise AddressRefused("The model's address opens only its own host and port.")
        try:
            async with asyncio.timeout(timeout):
                addresses = await resolve(self._place, self._own)
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout("the name server does not answer") from error
        except OSError as error:
            raise httpcore2.ConnectError("the name does not resolve") from error
        for address in addresses[:-1]:
            try:
                return await self._inner.connect_tcp(str(address), port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return await self._inner.connect_tcp(str(addresses[-1]), port, timeout, local_address, socket_options)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 (the signature is httpcore's)
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        raise AddressRefused("Unix sockets are not opened.")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class _GuardedTransport(httpx2.AsyncHTTPTransport):
    """httpx2's transport over a pool whose sockets are guarded and whose answers are capped."""

    def __init__(self, place: HostPort, max_response_bytes: int, own: frozenset[HostPort]) -> None:
        context = httpx2.create_ssl_context(trust_env=False)
        super().__init__(verify=context, trust_env=False)
        self._max_response_bytes = max_response_bytes
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=context,
            max_connections=1_000,
            max_keepalive_connections=20,
            keepalive_expiry=30.0,
            network_backend=_GuardedBackend(place, own),
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await super().handle_async_request(request)
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _CappedStream(response.stream, self._max_response_bytes)
        return response


class _CappedStream(httpx2.AsyncByteStream):
    """An answer without its byte order mark, cut with an error when it grows past the cap."""

    def __init__(self, inner: httpx2.AsyncByteStream, max_bytes: int) -> None:
        self._inner = inner
        self._max_bytes = max_bytes

    async def __aiter__(self) -> AsyncIterator[bytes]:
        received = 0
        async for chunk in self._inner:
            yield chunk.removeprefix(_BOM) if received == 0 else chunk
            received += len(chunk)
            if received > self._max_bytes:
                raise httpx2.ReadError("the answer is larger than what is read")

    async def aclose(self) -> None:
        await self._inner.aclose()
