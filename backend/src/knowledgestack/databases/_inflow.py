"""A bound on what one trip to a server may bring in. Rows are cut by the server, but the text of an error may be as
long as a value, and a hostile server may send what it likes: then the socket is dropped."""

from __future__ import annotations

import asyncio
from typing import Any

import asyncpg

TRIP_BYTES = 32_000_000


class Inflow(asyncio.Protocol):
    """Stands between the socket and asyncpg's protocol and counts."""

    def __init__(self, transport: asyncio.Transport, protocol: Any) -> None:
        self._transport = transport
        self._protocol = protocol
        self._received: float = 0
        self.exceeded = False
        self.ease()

    @classmethod
    def of(cls, connection: asyncpg.Connection[Any]) -> Inflow:
        # asyncpg has no hook for this; both attributes are those of its own pool and tests.
        transport: Any = connection._transport  # noqa: SLF001  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType]
        protocol: Any = connection._protocol  # noqa: SLF001  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType]
        inflow = cls(transport, protocol)
        transport.set_protocol(inflow)
        return inflow

    def trip(self) -> None:
        """A trip for somebody's statement begins."""
        self._received = 0

    def ease(self) -> None:
        """What follows are statements of our own, which bound themselves."""
        self._received = float("-inf")

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        if self._received > TRIP_BYTES:
            self.exceeded = True
            self._transport.abort()
            return
        self._protocol.data_received(data)

    def eof_received(self) -> bool | None:
        return self._protocol.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._protocol.connection_lost(exc)

    def pause_writing(self) -> None:
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        self._protocol.resume_writing()
