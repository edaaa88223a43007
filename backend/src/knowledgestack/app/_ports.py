"""TCP ports of this machine."""

import socket


def free_port(first: int = 0) -> int:
    """The first free TCP port of 127.0.0.1 from `first` on; any free one when `first` is 0."""
    if first:
        for port in range(first, min(first + 200, 65536)):
            if port_is_free(port):
                return port
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def port_is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
