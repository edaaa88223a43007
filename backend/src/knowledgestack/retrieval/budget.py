"""How many of the hits an answer sees."""

from collections.abc import Sequence

from knowledgestack.retrieval.hits import SearchHit

DEFAULT_TOKEN_BUDGET = 4_000
# The nearest six are given whatever they score; beyond them a hit needs this share of the best score.
FLOOR = 6
RELEVANT_SHARE = 0.5


def within_budget(hits: Sequence[SearchHit], token_budget: int) -> list[SearchHit]:
    """The first hits whose tokens fit; a hit that does not fit is passed over for smaller ones. Never none of some."""
    kept: list[SearchHit] = []
    left = token_budget
    for hit in hits:
        if len(kept) >= FLOOR and hit.score < hits[0].score * RELEVANT_SHARE:
            break
        if kept and hit.token_count > left:
            continue
        kept.append(hit)
        left -= hit.token_count
    return kept
