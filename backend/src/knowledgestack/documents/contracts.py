"""The wire shapes of documents and their chunks. Ranges count Unicode code points of the document's stored text."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from knowledgestack.core.contract import Contract

DocumentState = Literal["queued", "reading", "indexing", "ready", "failed", "needs_ocr"]


class TextRange(Contract):
    """The code points [start, end) of a document's stored text."""

    start: int
    end: int


class DocumentFailure(Contract):
    """Why the document is not searchable: a stable word and a sentence for a person."""

    code: str
    detail: str


class Document(Contract):
    """A document of a source. `name` is what the source calls it, `title` what it calls itself."""

    id: UUID
    source_id: UUID
    name: str
    title: str
    url: str | None
    type: str | None
    state: DocumentState
    failure: DocumentFailure | None
    updated_at: datetime
    last_indexed_at: datetime | None
    chunk_count: int
    language: str | None
    author: str | None
    notes: list[str]


class DocumentPage(Contract):
    items: list[Document]
    next_cursor: str | None


class ChunkRange(Contract):
    """Where a chunk lies in the document's text."""

    chunk_id: UUID
    chunk_index: int
    start: int
    end: int


class DocumentText(Contract):
    """The whole stored text and the ranges of its chunks in reading order."""

    text: str
    ranges: list[ChunkRange]


class DocumentChunk(Contract):
    """One chunk as it is searched; `text` may repeat a table's header that lies outside `range`."""

    id: UUID
    chunk_index: int
    heading_path: list[str]
    text: str
    kind: str
    range: TextRange
    token_count: int


class DocumentChunkPage(Contract):
    items: list[DocumentChunk]
    next_cursor: str | None
