"""Measures of a ranking, as the BEIR collections are scored with them."""

import math
from collections.abc import Mapping, Sequence


def ndcg(ranking: Sequence[str], relevant: Mapping[str, float], depth: int) -> float:
    """Normalised discounted cumulative gain of the first `depth` ids, 0 to 1; linear gain, as trec_eval has it."""
    gained = sum(
        relevant.get(document_id, 0.0) / math.log2(rank + 2) for rank, document_id in enumerate(ranking[:depth])
    )
    best = sum(
        grade / math.log2(rank + 2) for rank, grade in enumerate(sorted(relevant.values(), reverse=True)[:depth])
    )
    return gained / best if best > 0 else 0.0


def recall(ranking: Sequence[str], relevant: Mapping[str, float], depth: int) -> float:
    """The share of the relevant ids among the first `depth`, 0 to 1."""
    wanted = {document_id for document_id, grade in relevant.items() if grade > 0}
    return len(wanted.intersection(ranking[:depth])) / len(wanted) if wanted else 0.0
