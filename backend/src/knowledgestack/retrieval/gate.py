"""Whether what was found answers the question at all: better a plain no than a passage that only looks near."""

from collections.abc import Sequence
from typing import Protocol

# Chosen on every second question of XQuAD in English with the bundled model, each asked twice: of all documents, and of
# all but its article. A cosine alone that keeps 95 % of the answerable questions lets 22 % of the others through,
# coverage alone 13 %, and cosine + 0.7 x coverage of the best of three hits 2.4 %.
COVERAGE_WEIGHT = 0.7
COVERAGE_AT_FLOOR = 0.55
# Words alone: in English 95 % of the answerable questions reach it and 14 % of those whose article was removed, in
# German, without a model that speaks it, 80 % and 8 %.
LEXICAL_COVERAGE = 0.4
# Hits that are asked: more of them give a wrong one more chances than the right one.
JUDGED_HITS = 3


class Evidence(Protocol):
    """What the gate looks at; `cosine` is None for a hit by words alone."""

    @property
    def cosine(self) -> float | None: ...
    @property
    def coverage(self) -> float: ...


def accepts(hits: Sequence[Evidence], cosine_floor: float | None) -> bool:
    """Whether one of the first hits is good enough.

    `cosine_floor` belongs to the embedding model; None where words alone decide.
    """
    return any(evidence_score(hit, cosine_floor) >= 0.0 for hit in hits[:JUDGED_HITS])


def evidence_score(hit: Evidence, cosine_floor: float | None) -> float:
    """Zero and above passes: cosine and coverage together, or coverage alone for a hit by words."""
    if hit.cosine is None or cosine_floor is None:
        return hit.coverage - LEXICAL_COVERAGE
    return (hit.cosine - cosine_floor) + COVERAGE_WEIGHT * (hit.coverage - COVERAGE_AT_FLOOR)
