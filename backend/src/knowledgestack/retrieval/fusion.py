"""Joining the two legs into one order. A strategy is a pure function with a name."""

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

import msgspec

from knowledgestack.documents.candidates import Candidate

# The constant of Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion" (SIGIR 2009).
RRF_K = 60
# Weight of the dense leg. On the two English collections of the evaluation 0.5 is within noise of the best weight.
DENSE_WEIGHT = 0.5


class Fused(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk with its joint score and what each leg gave it; None where a leg did not find it."""

    chunk_id: UUID
    document_id: UUID
    chunk_index: int
    score: float
    dense: float | None
    lexical: float | None


FusionStrategy = Callable[[Sequence[Candidate], Sequence[Candidate]], list[Fused]]


def reciprocal_rank(dense: Sequence[Candidate], lexical: Sequence[Candidate]) -> list[Fused]:
    """Sum of 1 / (60 + rank + 1) over the legs, rank from zero: the first hit of one leg alone scores 1/61."""
    return _join(dense, lexical, _reciprocal_ranks(dense), _reciprocal_ranks(lexical))


def mixing(dense: Sequence[Candidate], lexical: Sequence[Candidate]) -> list[Fused]:
    """Half of each leg's score, scaled so that its list runs from 0 to 1; a leg that found nothing has no half."""
    if not dense or not lexical:
        return _join(dense, lexical, _scaled(dense, 1.0), _scaled(lexical, 1.0))
    return _join(dense, lexical, _scaled(dense, DENSE_WEIGHT), _scaled(lexical, 1.0 - DENSE_WEIGHT))


DEFAULT_FUSION = "mixing"
FUSION_STRATEGIES: Mapping[str, FusionStrategy] = {"mixing": mixing, "rrf": reciprocal_rank}


def _reciprocal_ranks(leg: Sequence[Candidate]) -> dict[UUID, float]:
    return {candidate.chunk_id: 1.0 / (RRF_K + rank + 1) for rank, candidate in enumerate(leg)}


def _scaled(leg: Sequence[Candidate], weight: float) -> dict[UUID, float]:
    if not leg:
        return {}
    low = min(candidate.score for candidate in leg)
    spread = max(candidate.score for candidate in leg) - low
    if spread <= 0.0:
        return {candidate.chunk_id: weight for candidate in leg}
    return {candidate.chunk_id: weight * (candidate.score - low) / spread for candidate in leg}


def _join(
    dense: Sequence[Candidate],
    lexical: Sequence[Candidate],
    dense_shares: Mapping[UUID, float],
    lexical_shares: Mapping[UUID, float],
) -> list[Fused]:
    """Best first; ties by document id, then by chunk index, so that the same question always gives the same order."""
    dense_scores = {candidate.chunk_id: candidate.score for candidate in dense}
    lexical_scores = {candidate.chunk_id: candidate.score for candidate in lexical}
    found = {candidate.chunk_id: candidate for candidate in (*dense, *lexical)}
    fused = [
        Fused(
            chunk_id=chunk_id,
            document_id=candidate.document_id,
            chunk_index=candidate.chunk_index,
            score=dense_shares.get(chunk_id, 0.0) + lexical_shares.get(chunk_id, 0.0),
            dense=dense_scores.get(chunk_id),
            lexical=lexical_scores.get(chunk_id),
        )
        for chunk_id, candidate in found.items()
    ]
    return sorted(fused, key=lambda item: (-item.score, item.document_id, item.chunk_index))
