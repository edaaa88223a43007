"""What documents need from the packages above them; the container plugs their implementations."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from knowledgestack.db.engine import Transaction


@dataclass(frozen=True, slots=True)
class Original:
    """The bytes as they were uploaded; `size` in bytes."""

    name: str
    media_type: str
    size: int
    content: AsyncIterator[bytes]


class Originals(Protocol):
    """Reads and removes the originals behind a source's documents."""

    async def open(self, workspace_id: UUID, source_id: UUID, external_id: str) -> Original:
        """Raise `NotFound` where the source keeps no original of this document."""
        ...

    async def delete(self, tx: Transaction, workspace_id: UUID, source_id: UUID, external_id: str) -> None:
        """Remove the original, so that the next pass does not bring the document back; nothing to remove is fine."""
        ...


class Reindexing(Protocol):
    """Asks for one document to be read and indexed again."""

    async def enqueue(self, tx: Transaction, workspace_id: UUID, source_id: UUID, document_id: UUID) -> None:
        """Raise `Conflict` (`source_paused`) where the document's source rests."""
        ...


class OnIndexed(Protocol):
    """Called in the transaction that replaces a document's text and chunks."""

    async def __call__(self, tx: Transaction, workspace_id: UUID, document_id: UUID, content_hash: str) -> None: ...


async def nothing_on_indexed(tx: Transaction, workspace_id: UUID, document_id: UUID, content_hash: str) -> None:
    """The port's answer where nobody wants to know."""
