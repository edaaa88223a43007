"""The wire shapes of search and of citations, the one struct by which an answer points into a document."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from knowledgestack.core.contract import Contract
from knowledgestack.documents.contracts import TextRange

MatchKind = Literal["both", "dense", "lexical"]

# Whether meaning took part in a search: `unavailable` when the embedder did not answer in time, `language` when the
# model does not speak the question's language, `none` where the workspace has no vectors.
DenseUse = Literal["used", "unavailable", "language", "none"]


class Citation(Contract):
    """A passage that an answer quotes, stored with the turn so that it outlives the document.

    `similarity_score` is the cosine, null for a hit by words alone. `document_state` is told when the turn is read.
    """

    index: int
    chunk_id: UUID
    document_id: UUID
    title: str
    url: str | None
    provider: str
    heading_path: list[str]
    text: str
    similarity_score: float | None
    match_kind: MatchKind
    range: TextRange
    author: str | None
    updated_at: datetime | None
    document_state: Literal["current", "changed", "removed"] = "current"


class SearchItem(Contract):
    """One passage found. `highlights` are code points [start, end) of `snippet`; `range` is in the document's text."""

    chunk_id: UUID
    document_id: UUID
    source_id: UUID
    title: str
    url: str | None
    provider: str
    type: str | None
    heading_path: list[str]
    snippet: str
    match_kind: MatchKind
    score: float
    range: TextRange
    author: str | None
    updated_at: datetime
    highlights: list[TextRange]


class SearchResults(Contract):
    items: list[SearchItem]
    dense: DenseUse
