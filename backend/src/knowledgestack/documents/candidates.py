"""The statements of retrieval: the dense leg, the lexical leg, and what is told of the chunks they find.

Each reads the rows of one workspace only, and costs what that workspace holds.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from pgvector import HalfVector

from knowledgestack.db.repository import WorkspaceRepository

# A document read by these filters; an array that is null filters nothing.
_FILTER = """
    d.workspace_id = :workspace_id
    AND (CAST(:source_ids AS uuid[]) IS NULL OR d.source_id = ANY(CAST(:source_ids AS uuid[])))
    AND (CAST(:document_ids AS uuid[]) IS NULL OR d.id = ANY(CAST(:document_ids AS uuid[])))
    AND (CAST(:types AS text[]) IS NULL OR d.type = ANY(CAST(:types AS text[])))
    AND (CAST(:languages AS text[]) IS NULL OR d.language = ANY(CAST(:languages AS text[])))
"""

_SCOPE = """
    SELECT coalesce(d.language, 'und') AS language, sum(d.chunk_count) AS chunks,
           array_agg(DISTINCT d.source_id) AS source_ids,
           (SELECT embedding_model_id FROM workspace_embedding_sets
            WHERE workspace_id = :workspace_id AND active) AS model_id,
           (SELECT sum(chunk_count) FROM documents WHERE workspace_id = :workspace_id) AS workspace_chunks
    FROM documents d
    WHERE d.chunk_count > 0 AND {filter}
    GROUP BY coalesce(d.language, 'und')
"""

_OF_FILTERED_DOCUMENTS = """
    AND chunk_id IN (
        SELECT c.id FROM document_chunks c
        JOIN documents d ON d.id = c.document_id
        WHERE c.workspace_id = :workspace_id AND {filter})
"""

_DENSE = """
    WITH nearest AS MATERIALIZED (
        SELECT chunk_id, embedding <=> CAST(:vector AS halfvec) AS distance
        FROM chunk_vectors
        WHERE workspace_id = :workspace_id AND embedding_model_id = :model_id AND embedding IS NOT NULL {filter}
        ORDER BY distance, chunk_id
        LIMIT :limit)
    SELECT c.id, c.document_id, c.chunk_index, 1 - nearest.distance AS score
    FROM nearest
    JOIN document_chunks c ON c.workspace_id = :workspace_id AND c.id = nearest.chunk_id
    ORDER BY nearest.distance, c.document_id, c.chunk_index
"""

# The words of the question under every stemming that the workspace uses, joined by OR: a question in plain words has
# words that no passage holds, so AND would find nothing. Flag 1 divides the rank by 1 + log(length).
_LEXICAL = """
    WITH lexemes AS (
        SELECT DISTINCT word.lexeme
        FROM unnest(CAST(:configs AS text[])) AS config,
             unnest(to_tsvector(CAST(config AS regconfig), CAST(:text AS text))) AS word
    ), question AS (
        SELECT CAST(string_agg('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''', ' | ') AS tsquery)
               AS words
        FROM lexemes
    )
    SELECT c.id, c.document_id, c.chunk_index, ts_rank(c.search_vector, question.words, 1) AS score
    FROM question
    JOIN document_chunks c ON c.workspace_id = :workspace_id AND c.search_vector @@ question.words
    {filter}
    ORDER BY score DESC, c.document_id, c.chunk_index
    LIMIT :limit
"""

_DETAILS = """
    SELECT c.id AS chunk_id, c.document_id, c.chunk_index, d.source_id, d.title, d.url, d.provider, d.type,
           c.heading_path, c.text, c.kind, c.range_start, c.range_end, c.token_count, d.author,
           coalesce(d.edited_at, d.created_at) AS updated_at, d.indexed_hash AS content_hash, d.language
    FROM document_chunks c
    JOIN documents d ON d.workspace_id = :workspace_id AND d.id = c.document_id
    WHERE c.workspace_id = :workspace_id AND c.id = ANY(CAST(:chunk_ids AS uuid[]))
"""

# A term with a digit may be a code, which the parser of PostgreSQL takes apart: it counts where all parts stand.
_FREQUENCIES = """
    SELECT term, (
        SELECT count(*) FROM document_chunks c
        WHERE c.workspace_id = :workspace_id AND c.search_vector @@ CASE
            WHEN term ~ '[0-9]' THEN plainto_tsquery(CAST(:config AS regconfig), term)
            ELSE CAST('''' || replace(replace(term, '\\', '\\\\'), '''', '''''') || '''' AS tsquery) END
    ) AS frequency
    FROM unnest(CAST(:terms AS text[])) AS term
"""


class CandidateFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which documents are searched; what is None does not filter."""

    source_ids: list[UUID] | None = None
    document_ids: list[UUID] | None = None
    types: list[str] | None = None


class Candidate(msgspec.Struct, frozen=True):
    """A chunk found by one leg; `score` is a cosine or a rank, the higher the better."""

    chunk_id: UUID
    document_id: UUID
    chunk_index: int
    score: float


class ChunkDetails(msgspec.Struct, frozen=True, kw_only=True):
    """What is told of a chunk that was found."""

    chunk_id: UUID
    document_id: UUID
    chunk_index: int
    source_id: UUID
    title: str
    url: str | None
    provider: str
    type: str | None
    heading_path: list[str]
    text: str
    kind: str
    range_start: int
    range_end: int
    token_count: int
    author: str | None
    updated_at: datetime
    content_hash: str | None
    language: str | None


class SearchScope(msgspec.Struct, frozen=True, kw_only=True):
    """What is searched: its chunks by language, its sources, and the model of its vectors, if it has any.

    `workspace_chunks` counts all that the workspace holds, filtered out or not: what makes a word rare.
    """

    model_id: UUID | None
    chunks_by_language: dict[str, int]
    source_count: int
    workspace_chunks: int


class CandidateRepository(WorkspaceRepository):
    """Retrieval's statements on one workspace."""

    async def scope(self, filters: CandidateFilter) -> SearchScope:
        rows = await self.run_sql(_SCOPE.format(filter=_FILTER), **_filter_parameters(filters))
        found = list(rows)
        return SearchScope(
            model_id=found[0].model_id if found else None,
            chunks_by_language={row.language: int(row.chunks) for row in found},
            source_count=len({source_id for row in found for source_id in row.source_ids}),
            workspace_chunks=int(found[0].workspace_chunks) if found else 0,
        )

    async def dense(
        self, model_id: UUID, vector: HalfVector, filters: CandidateFilter, languages: list[str] | None, limit: int
    ) -> list[Candidate]:
        """The nearest chunks by cosine, in documents of `languages` where given; an exact scan of the workspace."""
        unfiltered = filters == CandidateFilter() and languages is None
        rows = await self.run_sql(
            _DENSE.format(filter="" if unfiltered else _OF_FILTERED_DOCUMENTS.format(filter=_FILTER)),
            model_id=model_id,
            vector=vector,
            limit=limit,
            **({} if unfiltered else _filter_parameters(filters, languages)),
        )
        return [Candidate(*row) for row in rows]

    async def lexical(self, text: str, configs: list[str], filters: CandidateFilter, limit: int) -> list[Candidate]:
        """The best chunks by their words, stemmed with each of the text search `configs`."""
        unfiltered = filters == CandidateFilter()
        join = "JOIN documents d ON d.id = c.document_id AND " + _FILTER
        rows = await self.run_sql(
            _LEXICAL.format(filter="" if unfiltered else join),
            text=text.replace("\0", " "),
            configs=configs,
            limit=limit,
            **({} if unfiltered else _filter_parameters(filters)),
        )
        return [Candidate(*row) for row in rows]

    async def details(self, chunk_ids: Sequence[UUID]) -> dict[UUID, ChunkDetails]:
        rows = await self.run_sql(_DETAILS, chunk_ids=list(chunk_ids))
        return {row["chunk_id"]: ChunkDetails(**row) for row in rows.mappings()}

    async def term_frequencies(self, config: str, terms: Sequence[str]) -> dict[str, int]:
        """In how many chunks of the workspace each stemmed term occurs."""
        rows = await self.run_sql(_FREQUENCIES, config=config, terms=list(terms))
        return {row.term: row.frequency for row in rows}


def _filter_parameters(filters: CandidateFilter, languages: list[str] | None = None) -> dict[str, object]:
    return {
        "source_ids": filters.source_ids,
        "document_ids": filters.document_ids,
        "types": filters.types,
        "languages": languages,
    }
