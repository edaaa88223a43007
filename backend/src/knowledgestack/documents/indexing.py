"""Observing, indexing and removing documents: the domain half of a sync pass."""

from datetime import datetime
from typing import Literal
from uuid import UUID

import msgspec

from knowledgestack.db.engine import Transaction


class ListedDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document as its source lists it. `content_hash` is the SHA-256 in hex of the bytes that `index` will be given."""

    external_id: str
    title: str
    url: str | None = None
    type: str | None = None
    author: str | None = None
    author_id: UUID | None = None
    provider: str = "upload"
    edited_at: datetime | None = None
    content_hash: str | None = None


class Observed(msgspec.Struct, frozen=True, kw_only=True):
    document_id: UUID
    change: Literal["new", "changed", "unchanged"]


class DocumentContent(msgspec.Struct, frozen=True, kw_only=True):
    """The bytes of a document. `name` carries the extension by which a parser is chosen."""

    data: bytes
    name: str
    edited_at: datetime | None = None


class IndexOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """How indexing ended.

    `superseded`: newer content was observed meanwhile, nothing was written, the document waits for its next turn.
    `failed`: the row says why; `retryable` is true where the same bytes may succeed later (a provider that is down).
    `gone`: the document was deleted meanwhile.
    """

    state: Literal["ready", "needs_ocr", "failed", "superseded", "gone"]
    chunk_count: int = 0
    failure_code: str | None = None
    retryable: bool = False


class StaleDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document that a pass did not meet: a candidate to ask the provider about, never yet one to delete."""

    document_id: UUID
    external_id: str


class DocumentIndexer:
    async def observe(
        self,
        workspace_id: UUID,
        source_id: UUID,
        listed: ListedDocument,
        seen_at: datetime,
        *,
        tx: Transaction | None = None,
    ) -> Observed:
        """Record that a pass that began at `seen_at` saw this document; within `tx` where one is given."""
        raise NotImplementedError

    async def index(self, workspace_id: UUID, document_id: UUID, content: DocumentContent) -> IndexOutcome:
        raise NotImplementedError

    async def stale(self, workspace_id: UUID, source_id: UUID, before: datetime) -> list[StaleDocument]:
        raise NotImplementedError

    async def delete(self, workspace_id: UUID, document_id: UUID) -> None:
        raise NotImplementedError
