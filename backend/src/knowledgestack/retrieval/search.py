"""Search as the product does it: both legs at once, one fusion, one gate, one token budget."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

import msgspec
from pgvector import HalfVector

from knowledgestack.core.errors import NotFound
from knowledgestack.core.identity import Actor, Permission, require
from knowledgestack.db.engine import Database
from knowledgestack.documents.candidates import (
    Candidate,
    CandidateFilter,
    CandidateRepository,
    ChunkDetails,
    SearchScope,
)
from knowledgestack.documents.contracts import TextRange
from knowledgestack.documents.indexing import EmbeddingModels
from knowledgestack.lexicon.language import UNDETERMINED, detect
from knowledgestack.lexicon.terms import content_terms, text_search_config
from knowledgestack.models.embedding import EmbeddingModel, EmbeddingRefused, EmbeddingUnavailable
from knowledgestack.retrieval.budget import DEFAULT_TOKEN_BUDGET, within_budget
from knowledgestack.retrieval.contracts import DenseUse, MatchKind
from knowledgestack.retrieval.coverage import best_sentence, inverse_frequencies
from knowledgestack.retrieval.fusion import DEFAULT_FUSION, FUSION_STRATEGIES, Fused
from knowledgestack.retrieval.gate import accepts
from knowledgestack.retrieval.hits import NearestHeading, SearchHit, SearchOutcome, SearchQuery

__all__ = ["NearestHeading", "Ranking", "Retrieval", "SearchHit", "SearchOutcome", "SearchQuery"]

# Candidates of each leg that fusion sees.
LEG_LIMIT = 100
# Hits that are read and judged where no limit is asked for: more than any token budget of chunks holds.
_JUDGED = 24
_QUERY_CHARACTERS = 4_000
_EMBEDDER_SECONDS = 2.0
_NEAREST = 3
# A term past these adds nothing to the judgement of a question that is a page of text.
_WEIGHED_TERMS = 64
# PostgreSQL refuses words of 2 kB, and nobody looks for one.
_TERM_CHARACTERS = 200
# Below this many words the detected language of a question counts only where documents are written in it.
_SURE_WORDS = 6


class Ranking(msgspec.Struct, frozen=True, kw_only=True):
    """What the legs found and the order that fusion makes of it, before anything is read or judged."""

    dense: list[Candidate]
    lexical: list[Candidate]
    fused: list[Fused]
    scope: SearchScope
    use: DenseUse
    cosine_floor: float | None


class Retrieval:
    """Finds the passages of the actor's workspace that bear on a question."""

    def __init__(self, database: Database, models: EmbeddingModels, *, fusion: str = DEFAULT_FUSION) -> None:
        self._database = database
        self._models = models
        self._fuse = FUSION_STRATEGIES[fusion]

    async def search(self, actor: Actor, query: SearchQuery) -> SearchOutcome:
        """Find, judge and cut to the budget. Where the embedder does not answer, words decide and `dense` says so."""
        require(actor, Permission.READ_DOCUMENTS)
        ranking = await self.rank(actor.workspace_id, query)
        judged = await self._judge(actor.workspace_id, query, ranking)
        rejected = not judged or (query.gated and not accepts(judged, ranking.cosine_floor))
        hits = [] if rejected else judged
        if query.limit is None or query.token_budget is not None:
            hits = within_budget(hits, query.token_budget or DEFAULT_TOKEN_BUDGET)
        return SearchOutcome(
            hits=tuple(hits[: query.limit]),
            rejected=rejected,
            nearest=_nearest_headings(judged) if rejected else (),
            searched_sources=ranking.scope.source_count,
            dense=ranking.use,
        )

    async def rank(self, workspace_id: UUID, query: SearchQuery) -> Ranking:
        """Run both legs at once and fuse them."""
        text = query.text[:_QUERY_CHARACTERS]
        filters = _filters(query)
        async with self._database.transaction() as tx:
            scope = await CandidateRepository(tx, workspace_id).scope(filters)
        configs = sorted({text_search_config(language) for language in scope.chunks_by_language})
        (dense, use, floor), lexical = await asyncio.gather(
            self._find_by_meaning(workspace_id, text, filters, scope),
            self._find_by_words(workspace_id, text, configs, filters),
        )
        return Ranking(
            dense=dense, lexical=lexical, fused=self._fuse(dense, lexical), scope=scope, use=use, cosine_floor=floor
        )

    async def _find_by_meaning(
        self, workspace_id: UUID, text: str, filters: CandidateFilter, scope: SearchScope
    ) -> tuple[list[Candidate], DenseUse, float | None]:
        if scope.model_id is None:
            return [], "none", None
        try:
            model = await self._models.embedding_model(scope.model_id)
        except NotFound:
            return [], "none", None
        spoken = [language for language in scope.chunks_by_language if _speaks(model, language)]
        if not spoken or not _speaks(model, _question_language(text, scope)):
            return [], "language", None
        try:
            async with asyncio.timeout(_EMBEDDER_SECONDS):
                vectors = await model.embed([text])
        except (TimeoutError, EmbeddingUnavailable, EmbeddingRefused):
            return [], "unavailable", None
        languages = None if len(spoken) == len(scope.chunks_by_language) else spoken
        async with self._database.transaction() as tx:
            found = await CandidateRepository(tx, workspace_id).dense(
                scope.model_id, HalfVector(vectors[0]), filters, languages, LEG_LIMIT
            )
        return found, "used", model.cosine_floor

    async def _find_by_words(
        self, workspace_id: UUID, text: str, configs: list[str], filters: CandidateFilter
    ) -> list[Candidate]:
        async with self._database.transaction() as tx:
            return await CandidateRepository(tx, workspace_id).lexical(text, configs, filters, LEG_LIMIT)

    async def _judge(self, workspace_id: UUID, query: SearchQuery, ranking: Ranking) -> list[SearchHit]:
        """Read the best hits and measure how much of the question each holds."""
        chosen = ranking.fused[: query.limit if query.limit is not None else _JUDGED]
        text = query.text[:_QUERY_CHARACTERS]
        async with self._database.transaction() as tx:
            candidates = CandidateRepository(tx, workspace_id)
            details = await candidates.details([fused.chunk_id for fused in chosen])
            weights: dict[str, dict[str, float]] = {}
            for language in {chunk.language or UNDETERMINED for chunk in details.values()}:
                terms = _weighed_terms(text, language)
                frequencies = await candidates.term_frequencies(text_search_config(language), terms)
                weights[language] = inverse_frequencies(frequencies, ranking.scope.workspace_chunks)
        # A chunk replaced since the legs ran is no longer there, and is left out.
        return [
            _hit(fused, details[fused.chunk_id], weights[details[fused.chunk_id].language or UNDETERMINED])
            for fused in chosen
            if fused.chunk_id in details
        ]


def _filters(query: SearchQuery) -> CandidateFilter:
    return CandidateFilter(
        source_ids=list(query.source_ids) or None,
        document_ids=list(query.document_ids) or None,
        types=list(query.types) or None,
    )


def _speaks(model: EmbeddingModel, language: str) -> bool:
    return model.languages is None or language == UNDETERMINED or language in model.languages


def _question_language(text: str, scope: SearchScope) -> str:
    """The question's language; a few words are too little to tell one that no document is written in."""
    language = detect(text)
    if language in scope.chunks_by_language or len(text.split()) >= _SURE_WORDS:
        return language
    return UNDETERMINED


def _weighed_terms(text: str, language: str) -> list[str]:
    terms = dict.fromkeys(term for term in content_terms(text, language) if len(term) <= _TERM_CHARACTERS)
    return list(terms)[:_WEIGHED_TERMS]


def _hit(fused: Fused, chunk: ChunkDetails, weights: dict[str, float]) -> SearchHit:
    language = chunk.language or UNDETERMINED
    question = frozenset(weights)
    best = best_sentence(chunk.text, language, (chunk.title, *chunk.heading_path), question, weights)
    return SearchHit(
        chunk_id=chunk.chunk_id,
        document_id=chunk.document_id,
        source_id=chunk.source_id,
        title=chunk.title,
        url=chunk.url,
        provider=chunk.provider,
        type=chunk.type,
        heading_path=tuple(chunk.heading_path),
        text=chunk.text,
        kind=chunk.kind,
        range=TextRange(start=chunk.range_start, end=chunk.range_end),
        token_count=chunk.token_count,
        score=fused.score,
        cosine=fused.dense,
        coverage=best.coverage,
        best_sentence=TextRange(start=best.span.start, end=best.span.end),
        question_terms=question,
        match_kind=_match_kind(fused),
        author=chunk.author,
        updated_at=chunk.updated_at,
        content_hash=chunk.content_hash,
        language=language,
    )


def _match_kind(fused: Fused) -> MatchKind:
    if fused.dense is not None and fused.lexical is not None:
        return "both"
    return "dense" if fused.dense is not None else "lexical"


def _nearest_headings(hits: Sequence[SearchHit]) -> tuple[NearestHeading, ...]:
    headings: dict[tuple[UUID, str], NearestHeading] = {}
    for hit in hits:
        heading = " › ".join(hit.heading_path) or hit.title
        nearest = NearestHeading(document_id=hit.document_id, title=hit.title, heading=heading, author=hit.author)
        headings.setdefault((hit.document_id, heading), nearest)
    return tuple(headings.values())[:_NEAREST]
