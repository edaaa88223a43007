"""How well a unit answers: its cosine, the weight of the question's words in it, and the rank of its passage.

The weights were fitted on XQuAD in English and German (share of questions whose three best sentences hold the gold
span) and those of the gate on the same questions with and without their article; `bench/answers.py` measures both.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence

import msgspec
import numpy as np

from knowledgestack.lexicon.terms import content_terms
from knowledgestack.models._local_passages import Passage
from knowledgestack.models._local_question import Question, Wording, grams
from knowledgestack.models._local_units import Unit
from knowledgestack.models.embedding import EmbeddingModel, EmbeddingRefused, EmbeddingUnavailable

# Only the best by words are embedded, so that an answer stays within 300 ms; a cosine lifts few from further down.
_MOST_EMBEDDED = 20
_HEADING_SHARE = 0.5
_STALE_COST = 0.6
_KEY_BONUS = 0.2
_RANGE_BONUS = 0.7

# Whole numbers, with or without separators of thousands.
_WHOLE = r"\d{1,3}(?:[,. \u00a0]\d{3})+|\d{1,9}"
_NUMBER = re.compile(rf"(?<![\w.,-])(?:{_WHOLE})(?![\w-]|[.,]\d)")
_RANGE = re.compile(
    rf"(?:(?P<low>{_WHOLE})\s*(?:to|-|\u2013|a|bis)|(?P<word>up to|fino a|bis zu))\s*(?P<high>{_WHOLE})", re.IGNORECASE
)
_STALE = re.compile(
    r"\b(?:old remark|remark of|note of|note for people with old|superseded|no longer (?:valid|in force)|out of date"
    r"|until the end of FY\d\d|obsolete|deprecated|sostituit[oa]|superat[oa]|non più valid[oaie]|obsolet[oaie])\b",
    re.IGNORECASE,
)
_COMING = re.compile(
    r"\b(?:next|forecasts?|expected|planned|prossim[oaie]|previst[oaie]|prevision[ei])\b", re.IGNORECASE
)
_STALE_HEADING = re.compile(
    r"\b(?:superseded|obsolete|deprecated|until FY\d\d|sostituit[oa]|obsolet[oaie])\b", re.IGNORECASE
)


class Scored(msgspec.Struct, frozen=True, eq=False):
    """A unit with its figures. `cosine` is None where no model speaks both languages.

    `in_range` says that a number of the question lies in the range which is the row's key.
    `own` is the share of the question's words in the unit itself, `titled` in the titles above it, `coverage` in both.
    """

    unit: Unit
    score: float
    cosine: float | None
    coverage: float
    own: float
    titled: float
    grams: float
    stale: bool
    in_range: bool


class Ranking(msgspec.Struct, frozen=True):
    """`units` are best first, in `language`; `terms` are the question's.

    `confidence` is log odds, above 0 where the question is answered.
    """

    units: tuple[Scored, ...]
    confidence: float
    dense: bool
    language: str
    terms: frozenset[str]


async def rank_units(
    question: Question, units: Sequence[Unit], language: str, embedder: EmbeddingModel | None
) -> Ranking:
    """Rank what may be quoted. `language` is that of the passages."""
    wording = question.wording(language)
    measures = _Measures(wording, units, language)
    by_words = sorted(units, key=lambda unit: -measures.by_words(unit))
    cosines = await _cosines(wording, by_words[:_MOST_EMBEDDED], language, embedder)
    scored = [measures.score(unit, cosines.get(id(unit)), question, dense=bool(cosines)) for unit in units]
    scored.sort(key=lambda one: -one.score)
    dense = bool(cosines)
    return Ranking(tuple(scored), _confidence(scored, question, wording, dense=dense), dense, language, wording.terms)


async def _cosines(
    wording: Wording, units: Sequence[Unit], language: str, embedder: EmbeddingModel | None
) -> dict[int, float]:
    """Cosines by the identity of the unit; empty where the model does not speak, or does not answer."""
    if embedder is None or not units or not wording.text:
        return {}
    spoken = embedder.languages
    if spoken is not None and not {language, wording.language} <= spoken:
        return {}
    try:
        vectors = await embedder.embed([wording.text, *(_in_context(unit) for unit in units)])
    except (EmbeddingUnavailable, EmbeddingRefused):
        return {}
    found = np.asarray(vectors[1:] @ vectors[0], dtype=np.float64)
    return {id(unit): float(cosine) for unit, cosine in zip(units, found, strict=True)}


def _in_context(unit: Unit) -> str:
    heading = unit.group.heading or unit.group.passage.title
    return f"{heading}: {unit.plain}" if heading else unit.plain


class _Measures:
    """Shares of the question's weight in each unit; a word weighs more the fewer units hold it."""

    def __init__(self, wording: Wording, units: Sequence[Unit], language: str) -> None:
        self._wording = wording
        headings = {unit.group: _surroundings(unit) for unit in units}
        self._own = {id(unit): frozenset(content_terms(unit.plain, language)) & wording.terms for unit in units}
        around = {
            heading: frozenset(content_terms(heading, language)) & wording.terms for heading in set(headings.values())
        }
        self._around = {id(unit): around[headings[unit.group]] for unit in units}
        self._grams = {id(unit): grams(unit.plain) & wording.grams for unit in units}
        heading_grams = {heading: grams(heading) & wording.grams for heading in around}
        self._grams_around = {id(unit): heading_grams[headings[unit.group]] for unit in units}
        self._idf = _weights(wording.terms, [self._own[id(unit)] for unit in units])
        self._gram_idf = _weights(wording.grams, [self._grams[id(unit)] for unit in units])
        self._language = language
        self._numbers = [_integer(text) for text in _NUMBER.findall(wording.text)]

    def by_words(self, unit: Unit) -> float:
        passage = unit.group.passage
        return self._coverage(unit) + self._gram_coverage(unit) + 0.4 * passage.coverage

    def score(self, unit: Unit, cosine: float | None, question: Question, *, dense: bool) -> Scored:
        passage = unit.group.passage
        stale = is_stale(unit)
        own = self._share(self._own[id(unit)])
        coverage, gram_coverage = self._coverage(unit), self._gram_coverage(unit)
        score = 0.3 * coverage + 0.8 * gram_coverage + 0.4 * passage.coverage + 0.15 / (1 + 0.25 * (passage.number - 1))
        if dense:
            score += (cosine or 0.0) + 0.3 * (passage.cosine or 0.0)
        in_range = self._is_in_range(unit)
        score += _KEY_BONUS * self._is_keyed(unit) + _RANGE_BONUS * in_range
        if stale and not question.past:
            score -= _STALE_COST
        return Scored(
            unit, score, cosine, coverage, own, self._share(self._around[id(unit)]), gram_coverage, stale, in_range
        )

    def _is_keyed(self, unit: Unit) -> bool:
        """Whether the question names the row by its first cell, or the definition by its term."""
        key = unit.cells[0] if unit.cells else _defined_term(unit)
        terms = content_terms(key, self._language) if key else []
        return bool(terms) and len(terms) <= 4 and self._wording.terms.issuperset(terms)

    def _is_in_range(self, unit: Unit) -> bool:
        """Whether a number of the question lies in the range that is the row's first cell ("1,201 to 2,000")."""
        match = _RANGE.search(unit.cells[0]) if unit.cells else None
        if match is None:
            return False
        low, high = _integer(match["low"]), _integer(match["high"])
        if match["word"]:
            low = 0
        return any(low <= number <= high for number in self._numbers)

    def _coverage(self, unit: Unit) -> float:
        own = self._own[id(unit)]
        return self._share(own) + _HEADING_SHARE * self._share(self._around[id(unit)] - own)

    def _share(self, terms: Collection[str]) -> float:
        total = sum(self._idf.values())
        return sum(self._idf[term] for term in terms) / total if total else 0.0

    def _gram_coverage(self, unit: Unit) -> float:
        total = sum(self._gram_idf.values())
        own = self._grams[id(unit)]
        around = self._grams_around[id(unit)] - own
        found = sum(self._gram_idf[gram] for gram in own) + _HEADING_SHARE * sum(
            self._gram_idf[gram] for gram in around
        )
        return found / total if total else 0.0


def _integer(text: str | None) -> int:
    return int(re.sub(r"\D", "", text)) if text else 0


def is_stale(unit: Unit) -> bool:
    """Whether the text itself says that it is out of date."""
    passage = unit.group.passage
    return (
        _STALE_HEADING.search(f"{passage.title} {passage.heading} {unit.group.heading}") is not None
        or _STALE.search(unit.plain) is not None
    )


def _surroundings(unit: Unit) -> str:
    passage = unit.group.passage
    return f"{passage.title} {passage.heading} {unit.group.heading}"


def _defined_term(unit: Unit) -> str:
    match = re.match(r"\s*(?:\*\*|`)(?P<term>[^*`]{1,80}?)[:.]?(?:\*\*|`)", unit.shown)
    return match["term"] if match else ""


def _weights(wanted: Collection[str], holdings: Sequence[frozenset[str]]) -> dict[str, float]:
    """Inverse document frequencies over the units; what none of them holds weighs most."""
    counts = Counter(one for holding in holdings for one in holding)
    total = len(holdings)
    return {one: math.log(1 + (total - counts[one] + 0.5) / (counts[one] + 0.5)) for one in wanted}


def _confidence(scored: Sequence[Scored], question: Question, wording: Wording, *, dense: bool) -> float:
    if not scored or (question.future and not _COMING.search(scored[0].unit.plain)):
        return -math.inf
    passages = {one.unit.group.passage for one in scored}
    coverage = max(passage.coverage for passage in passages)
    unit_grams = max(one.grams for one in scored)
    passage_grams = _best_passage_grams(passages, wording)
    if not dense:
        return 7.1 * coverage + 3.0 * unit_grams + 12.7 * passage_grams - 4.75
    cosine = max((passage.cosine for passage in passages if passage.cosine is not None), default=0.0)
    unit_cosine = max(one.cosine or 0.0 for one in scored)
    return 19.7 * unit_cosine + 7.4 * unit_grams + 4.4 * cosine + 6.1 * coverage + 10.8 * passage_grams - 17.2


def _best_passage_grams(passages: Collection[Passage], wording: Wording) -> float:
    """The largest share of the question's character runs that one passage holds."""
    holdings = [grams(f"{one.title} {one.heading} {one.text}") & wording.grams for one in passages]
    weights = _weights(wording.grams, holdings)
    total = sum(weights.values())
    return max(sum(weights[gram] for gram in holding) for holding in holdings) / total if total else 0.0
