"""What a connector has to do. It reads no environment and no database: all it needs is handed to it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

import msgspec


class ListedDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document as a listing shows it.

    `external_id` names it within its source for ever; `content_hash` is the SHA-256 of its bytes in hex where the
    listing knows it; `edited_at` is the provider's edit time; `author_id` names a person of this installation.
    """

    external_id: str
    title: str
    url: str | None = None
    type: str | None = None
    author: str | None = None
    author_id: UUID | None = None
    edited_at: datetime | None = None
    content_hash: str | None = None


class DocumentContent(msgspec.Struct, frozen=True, kw_only=True):
    """The bytes of a document; `name` ends with the extension that says how to read them."""

    data: bytes
    name: str
    edited_at: datetime | None = None
    content_hash: str | None = None


class ListedPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of a listing; a `next_cursor` of None ends it."""

    documents: Sequence[ListedDocument]
    next_cursor: str | None


class Connector(Protocol):
    """Reads one source.

    Raises `Unavailable` while the source does not answer. Calls are made one after the other, never in parallel.
    """

    @property
    def provider(self) -> str: ...

    @property
    def deletes_are_explicit(self) -> bool:
        """True where a document is missing only after a person deleted it; else many missing ones are doubted."""
        ...

    async def list_page(self, cursor: str | None, limit: int) -> ListedPage:
        """At most `limit` documents after `cursor` (None: from the start), in a stable order."""
        ...

    async def fetch(self, external_id: str) -> DocumentContent | None:
        """The document's present bytes; None where it is gone."""
        ...

    async def confirm_gone(self, external_id: str) -> bool:
        """True only where the source itself says that the document does not exist."""
        ...
