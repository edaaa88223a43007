"""What the operator opens in the outbound guard: names, addresses and networks, each with or without a port."""

import ipaddress
import re

import msgspec

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
IPNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network

_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")


class AllowEntry(msgspec.Struct, frozen=True):
    """One entry. It holds a host name or a network (an address is a network of one); a port of None is every port."""

    name: str | None
    network: IPNetwork | None
    port: int | None

    def opens(self, host: str, port: int, address: IPAddress) -> bool:
        """Whether it opens this address of this host at this port; it opens only itself."""
        if self.port not in {None, port}:
            return False
        if self.network is None:
            return self.name == host
        return address.version == self.network.version and address in self.network


def parse_allow_entry(text: str) -> AllowEntry:
    """Read `host`, `host:port`, `[address]:port` or a network such as `10.0.0.0/24`; raise ValueError for others."""
    network = _network(text)
    if network is not None:
        return AllowEntry(None, network, None)
    host, _, raw_port = text.rpartition(":")
    if not host:
        host, raw_port = text, ""
    elif not raw_port.isascii() or not raw_port.isdigit() or not 1 <= int(raw_port) <= 65535:
        raise ValueError("the port has to be a number from 1 to 65535")
    port = int(raw_port) if raw_port else None
    network = _network(host.removeprefix("[").removesuffix("]"))
    if network is not None:
        return AllowEntry(None, network, port)
    name = host.lower().removesuffix(".")
    if not _NAME.fullmatch(name) or name.replace(".", "").isdigit():
        raise ValueError("not a host name, an address or a network")
    return AllowEntry(name, None, port)


def _network(text: str) -> IPNetwork | None:
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        return None
