"""What retrieval takes and gives inside the application."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from knowledgestack.documents.contracts import TextRange
from knowledgestack.retrieval.contracts import DenseUse, MatchKind


class SearchQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked. Filters that are empty do not filter; `token_budget` is in tokens of cl100k_base.

    `limit` is the most hits that are returned, None for as many as the budget holds. `gated` false shows weak hits too.
    """

    text: str
    limit: int | None = None
    source_ids: Sequence[UUID] = ()
    document_ids: Sequence[UUID] = ()
    types: Sequence[str] = ()
    token_budget: int | None = None
    gated: bool = True


class SearchHit(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk that was found.

    `cosine` is None for a hit by words alone. `coverage` is the share, 0 to 1, of the question's term weight that the
    best sentence holds; `best_sentence` is where it lies in `text`, and `question_terms` what was looked for in it.
    """

    chunk_id: UUID
    document_id: UUID
    source_id: UUID
    title: str
    url: str | None
    provider: str
    type: str | None
    heading_path: tuple[str, ...]
    text: str
    kind: str
    range: TextRange
    token_count: int
    score: float
    cosine: float | None
    coverage: float
    best_sentence: TextRange
    question_terms: frozenset[str]
    match_kind: MatchKind
    author: str | None
    updated_at: datetime
    content_hash: str | None
    language: str


class NearestHeading(msgspec.Struct, frozen=True, kw_only=True):
    """Where the words of a refused question come closest."""

    document_id: UUID
    title: str
    heading: str
    author: str | None


class SearchOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """`rejected` says that nothing found is good enough; `nearest` then names up to three headings."""

    hits: tuple[SearchHit, ...]
    rejected: bool
    nearest: tuple[NearestHeading, ...]
    searched_sources: int
    dense: DenseUse
