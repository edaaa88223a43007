"""What the catalogue needs from other packages; the container plugs their implementations."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol
from uuid import UUID

import asyncpg

from knowledgestack.databases.runner import Answer, Caps
from knowledgestack.databases.targets import Target
from knowledgestack.db.engine import Transaction


class Targets(Protocol):
    """Where connections lead."""

    async def load(self, workspace_id: UUID, connection_id: UUID) -> Target:
        """Raise `NotFound` for a connection that is unknown or of another workspace."""
        ...


class ReadOnlySessions(Protocol):
    """Sessions on a target for statements of our own, always rolled back."""

    def read_only(self, target: Target) -> AbstractAsyncContextManager["asyncpg.Connection[asyncpg.Record]"]:
        """Raise `Unavailable`, `AddressRefused`, and `SqlFailed` and `SqlTimeout` for what is asked in it."""
        ...


class FencedStatements(Protocol):
    """Statements that pass the fence like those that people write."""

    async def run(self, target: Target, sql: str, *, caps: Caps | None = None) -> Answer:
        """Raise `SqlRejected`, `SqlFailed`, `SqlTimeout`, `Unavailable` and `AddressRefused`."""
        ...


class TargetStatements(ReadOnlySessions, FencedStatements, Protocol):
    """Both ways to a target."""


class OnCatalogueChanged(Protocol):
    """Called in the transaction that stores a catalogue whose tables, columns or keys have changed."""

    async def __call__(self, tx: Transaction, workspace_id: UUID, connection_id: UUID) -> None: ...
