"""How well a verified query fits a question: its meaning, its words, and what the question names.

A query that fits is run and its figures are told as the answer, so what differs in a period, a number, a name or a
direction does not fit, however alike the words are. How often this is right stands in `docs/verified-queries.md`.
"""

import re
from collections.abc import Container, Sequence
from functools import cache, lru_cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from knowledgestack.lexicon.italian import english_words
from knowledgestack.lexicon.language import detect
from knowledgestack.lexicon.questions import may_ask_for_figures
from knowledgestack.lexicon.terms import content_terms

FITS_FROM = 0.65
_LEAST_COSINE = 0.45
_LEAST_LEAD = 0.08
# Without a model the words have to carry all: nearly each of the question's, and most of the query's.
_WORDS_COVERED_FROM = 0.8
_WORDS_RECALLED_FROM = 0.6

# Without one, first and second, which are mostly no numbers.
_NUMBER_WORDS = {
    word: str(number)
    for words in (
        "two three four five six seven eight nine ten eleven twelve",
        "- third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    )
    for number, word in enumerate(words.split(), start=2)
}
_GROUP = re.compile(r"\b(?:by|per|each|every)\s+(?!number\b)(\w+)(?:\s+(\w+))?")
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
# Without May, which is mostly none.
_MONTH = re.compile(r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b")
_PERIOD = re.compile(r"\b(?:last|this|past|previous|current)\s+(?:\w+\s+){0,3}?(day|week|month|quarter|year)s?\b")
_UNIT = re.compile(r"\b(day|week|month|quarter|year)s?\b")
_HIGH = re.compile(r"\b(?:most|highest|largest|biggest|greatest|maximum|top|best)\b")
_LOW = re.compile(r"\b(?:fewest|least|lowest|smallest|minimum|bottom|worst|scarcest|lacks?)\b")
_UP = re.compile(r"\b(?:rise|rises|rose|risen|increas\w+|grow|grew|grown|growth|gain\w*)\b")
_DOWN = re.compile(r"\b(?:fall|falls|fell|fallen|decreas\w+|drop\w*|declin\w+|shr[aiu]nk\w*|reduc\w+)\b")
# A capital within the sentence; codes such as FY27 count as numbers.
_NAME = re.compile(r"(?<=[\w,;:)'\u2019]\s)[A-Z\u00c0-\u00de][^\W\d_]{2,}(?![\w])")


# Words that ask, order, count and compare. Every other word names a subject, which the query's text has to have.
_ASKING_WORDS = """
    add all amount arrive ask base become big biggest bottom break bring calculate change come compare complete count
    current develop differ difference divide do due entire every fall far few fewer fewest figure find first
    get give go gone great group grow growth happen have high highest increase keep kept know large largest last least
    less list look lot low lowest make many maximum meet met minimum month more most much need now number often over
    overall past per place present quarter quick rank ranked result right rise rose run scarce scarcest share short
    show small smallest sort split spread status sum table tell time today together top total trend turn under up
    use want week whole worst year yet break down out best
"""
_SAME_WORDS = {
    "client": "customer", "engineer": "technician", "turnover": "revenue", "vendor": "supplier", "spend": "cost",
    "expensive": "cost", "pricey": "cost", "earn": "revenue", "unit": "machine", "spare": "part", "office": "hub",
    "limescale": "descaling",
}  # fmt: skip


class ComparedQuery(msgspec.Struct, frozen=True):
    """The text of a verified query as it is compared; vectors are unit length, None where there are none."""

    question: str
    description: str
    vector: NDArray[np.float32] | None


class Fit(msgspec.Struct, frozen=True):
    """`score` is about 0 to 1.3, comparable within one question; `fits` says that the query answers it."""

    score: float
    fits: bool


# The texts of a workspace's queries are the same for every question.
@lru_cache(maxsize=8_192)
def english_of(text: str) -> str:
    """The words of an Italian text in English, any other text as it is."""
    return english_words(text) if detect(text) == "it" else text


def fit_all(
    question: str, vector: NDArray[np.float32] | None, known: Sequence[ComparedQuery], repeats: Container[int] = ()
) -> list[Fit]:
    """Compare the question with each; at most one fits. `vector` is the question's, None without a model.

    `repeats` are places in `known` of queries that ask what another one asks: they have a score and never fit.
    """
    english = english_of(question)
    found = [_score(english, vector, one) for one in known]
    order = sorted((at for at in range(len(known)) if at not in repeats), key=lambda index: -found[index][0])
    chosen = -1
    if order and may_ask_for_figures(question):
        first = order[0]
        lead = found[first][0] - (found[order[1]][0] if len(order) > 1 else 0.0)
        alike = len(order) > 1 and lead < _LEAST_LEAD
        if found[first][1] and not alike and _names_nothing_else(question, english, known[first]):
            chosen = first
    return [Fit(score, index == chosen) for index, (score, _) in enumerate(found)]


def _score(english: str, vector: NDArray[np.float32] | None, known: ComparedQuery) -> tuple[float, bool]:
    asked = _terms(english)
    said = _terms(english_of(known.question))
    around = said | _terms(english_of(known.description))
    covered = len(asked & around) / max(1, len(asked))
    recalled = len(asked & said) / max(1, len(said))
    if vector is None or known.vector is None:
        return 0.65 * covered + 0.35 * recalled, covered >= _WORDS_COVERED_FROM and recalled >= _WORDS_RECALLED_FROM
    cosine = float(vector @ known.vector)
    score = 0.8 * cosine + 0.3 * covered + 0.2 * recalled
    return score, score >= FITS_FROM and cosine >= _LEAST_COSINE


@lru_cache(maxsize=8_192)
def _terms(text: str) -> frozenset[str]:
    return frozenset(content_terms(text, "en"))


def _names_nothing_else(question: str, english: str, known: ComparedQuery) -> bool:
    """Whether the numbers, periods, groups and names asked for stand in the query's text, and no direction differs."""
    asked = english.casefold()
    title = english_of(known.question).casefold()
    text = f"{title} {english_of(known.description)}".casefold()
    if not _numbers(asked) <= _numbers(text) or not _periods(asked) <= _periods(text).union(_UNIT.findall(text)):
        return False
    if _opposed(_HIGH, _LOW, asked, title) or _opposed(_UP, _DOWN, asked, title):
        return False
    words = _terms(text)
    if not all(_speaks_of(term, words) for term in _terms(asked)):
        return False
    groups = [_terms(" ".join(group)) for group in _GROUP.findall(asked)]
    if any(group.isdisjoint(words) for group in groups if group):
        return False
    return all((_terms(name) | _terms(english_words(name))) & words for name in _NAME.findall(question))


def _speaks_of(term: str, words: frozenset[str]) -> bool:
    """Whether a term is no subject, or one that the words name."""
    if term in words or term in _asking() or term[0].isdigit() or term in _number_terms():
        return True
    return not words.isdisjoint(_same().get(term, ()))


@cache
def _asking() -> frozenset[str]:
    return _terms(_ASKING_WORDS)


@cache
def _number_terms() -> frozenset[str]:
    return _terms(" ".join(_NUMBER_WORDS))


@cache
def _same() -> dict[str, frozenset[str]]:
    return {term: _terms(other) for word, other in _SAME_WORDS.items() for term in _terms(word)}


def _numbers(text: str) -> frozenset[str]:
    words = {_NUMBER_WORDS[word] for word in re.findall(r"[a-z]+", text) if word in _NUMBER_WORDS}
    return frozenset(words.union(_NUMBER.findall(text)))


def _periods(text: str) -> frozenset[str]:
    """The months that are named, and the units of what is called last, this or next."""
    return frozenset(_MONTH.findall(text)) | frozenset(_PERIOD.findall(text))


def _opposed(one: re.Pattern[str], other: re.Pattern[str], asked: str, said: str) -> bool:
    """Whether the one speaks only of what is the contrary of all that the other speaks of."""
    asks = (one.search(asked) is not None, other.search(asked) is not None)
    says = (one.search(said) is not None, other.search(said) is not None)
    return asks in ((True, False), (False, True)) and says == (asks[1], asks[0])
