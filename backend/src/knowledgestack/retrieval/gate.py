"""Whether what was found answers the question at all: better a plain no than a passage that only looks near."""

from collections.abc import Iterable
from typing import Protocol

# See docs of the evaluation: chosen on XQuAD with the article of each question removed.
COVERAGE_AT_FLOOR = 0.5
COVERAGE_WEIGHT = 0.5
LEXICAL_COVERAGE = 0.6


class Evidence(Protocol):
    """What the gate looks at; `cosine` is None for a hit by words alone."""

    @property
    def cosine(self) -> float | None: ...
    @property
    def coverage(self) -> float: ...


def accepts(hits: Iterable[Evidence], cosine_floor: float | None) -> bool:
    """Whether one hit is good enough. `cosine_floor` belongs to the embedding model, None where words alone decide."""
    return any(evidence_score(hit, cosine_floor) >= 0.0 for hit in hits)


def evidence_score(hit: Evidence, cosine_floor: float | None) -> float:
    """Zero and above passes: cosine and coverage together, or coverage alone for a hit by words."""
    if hit.cosine is None or cosine_floor is None:
        return hit.coverage - LEXICAL_COVERAGE
    return (hit.cosine - cosine_floor) + COVERAGE_WEIGHT * (hit.coverage - COVERAGE_AT_FLOOR)
