"""Checks each sentence of an answer against the passages that it cites, without a model.

A sentence is refused for a number, a code or a negation that its passages do not have, or when they share too few
of its words; it is confirmed when they hold most of them. In between nothing is said. The rules and thresholds are
our own; how often they are right stands in `docs/sentence-check.md`.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from knowledgestack.chat.contracts import Figure
from knowledgestack.chat.marks import find_marks
from knowledgestack.databases.results import RESULT_SERIES
from knowledgestack.lexicon.language import UNDETERMINED, detect
from knowledgestack.lexicon.sentences import split_sentences
from knowledgestack.lexicon.terms import content_terms
from knowledgestack.retrieval.contracts import Citation

Verdict = Literal["supported", "unsupported"]

_CONFIRMED_FROM = 0.6
_REFUSED_BELOW = 0.4
_SAME_STATEMENT_FROM = 0.5
_LEAST_TERMS = 2

_LIST_MARK = re.compile(r"\s*(?:[-*+>#|]+|[0-9]{1,3}[.)])\s+")
_CODE = re.compile(r"\b(?=[\w-]*[0-9])(?=[\w-]*[^\W\d_])\w+(?:-\w+)*\b")
_NUMBER = re.compile(r"(?<![\w.,])[0-9]+(?:[.,'\u2019\u00a0\u202f][0-9]+)*(?![\w])")
_SUFFIXED = re.compile(r"(?P<number>[0-9]+)(?:st|nd|rd|th|h|min|km|kg|mm|cm|m|s|d|[a-z]|-[^\W\d_]+)\Z", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[,;:()\n]|[.!?][*_\"'\u201d\u2019]*\s|\b(?:and|but|except|unless|because|however|although|e|ma|tranne|salvo|perché)\b"
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|nobody|none|nothing|neither|nor|without|cannot|forbidden|prohibited|void|\w+n['\u2019]t"
    r"|non|nessun[oa']?|mai|niente|nulla|senza|vietat[oaie]|proibit[oaie])\b",
    re.IGNORECASE,
)
_NUMBER_WORDS = {
    word: str(number)
    for words in (
        "two three four five six seven eight nine ten eleven twelve",
        "due tre quattro cinque sei sette otto nove dieci undici dodici",
        "second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
        "secondo terzo quarto quinto sesto settimo ottavo nono decimo undicesimo dodicesimo",
    )
    for number, word in enumerate(words.split(), start=2)
}


def check_answer(answer: str, citations: Sequence[Citation]) -> list[Figure]:
    """The verdicts on the answer's sentences that have marks; ranges are code points of the answer."""
    marks = find_marks(answer)
    text = answer
    for start, end, _ in marks:
        # Blanks of the same length keep every other code point in its place.
        text = text[:start] + " " * (end - start) + text[end:]
    figures: list[Figure] = []
    language = detect(text) if marks else UNDETERMINED
    for start, end, refs in marked_sentences(text, marks, language):
        if any(ref.startswith(RESULT_SERIES) for ref in refs):
            # What a result has is no passage's to carry: its figures are checked one by one.
            continue
        passages = _passages(refs, citations)
        verdict = check_sentence(text[start:end], passages, language) if passages else None
        if verdict is not None:
            kind = "passage" if verdict == "supported" else "unsupported"
            figures.append(Figure(start=start, end=end, kind=kind, refs=refs, formula=None))
    return figures


def check_sentence(sentence: str, passages: Sequence[str], language: str) -> Verdict | None:
    """Whether the passages carry the sentence; None where words alone do not tell."""
    sentence = _LIST_MARK.sub("", sentence, count=1)
    passage = "\n".join(passages)
    if not _codes(sentence) <= _codes(passage) or not _has_numbers_of(sentence, passage):
        return "unsupported"
    if _speaks_another_language(passage, language):
        return "supported" if _numbers(sentence) else None
    terms = set(_terms(sentence, language))
    if len(terms) < _LEAST_TERMS:
        return None
    shared = len(terms.intersection(_terms(passage, language))) / len(terms)
    if shared < _REFUSED_BELOW or _is_turned_round(sentence, passage, language):
        return "unsupported"
    return "supported" if shared >= _CONFIRMED_FROM else None


def marked_sentences(
    text: str, marks: Sequence[tuple[int, int, tuple[str, ...]]], language: str
) -> list[tuple[int, int, list[str]]]:
    """Sentences with the labels set in or right behind them."""
    found: list[tuple[int, int, list[str]]] = []
    position = 0
    for line in text.split("\n"):
        spans = split_sentences(line, language)
        for index, span in enumerate(spans):
            start = position + span.start
            following = spans[index + 1].start if index + 1 < len(spans) else len(line)
            refs = [label for at, _, labels in marks if start <= at < position + following for label in labels]
            if refs:
                found.append((start, position + span.end, list(dict.fromkeys(refs))))
        position += len(line) + 1
    return found


def _passages(refs: Sequence[str], citations: Sequence[Citation]) -> list[str]:
    """What the marks point to, with the title it stands under and what else was read of the same documents."""
    cited = {citations[int(ref) - 1].document_id for ref in refs if _points_to(ref, citations)}
    return [
        "\n".join((citation.title, *citation.heading_path, citation.text))
        for citation in citations
        if citation.document_id in cited
    ]


def _points_to(ref: str, citations: Sequence[Citation]) -> bool:
    return ref.isdecimal() and 1 <= int(ref) <= len(citations)


@lru_cache(maxsize=256)
def _terms(text: str, language: str) -> tuple[str, ...]:
    """The words of a text; its numbers are compared apart."""
    return tuple(term for term in content_terms(text, language) if not term[0].isdigit() and term not in _NUMBER_WORDS)


def _speaks_another_language(passage: str, language: str) -> bool:
    return UNDETERMINED not in (language, own := detect(passage)) and own != language


def _codes(text: str) -> set[str]:
    """Words of letters and digits, such as SL-0726; units and endings written onto a number are not."""
    return {match[0].casefold() for match in _CODE.finditer(text) if not _SUFFIXED.match(match[0])}


def _numbers(text: str) -> list[set[str]]:
    """The numbers of a text, each as the set of its readings: 1,500 may be 1500 or 1.5."""
    readings = [_readings(match[0]) for match in _NUMBER.finditer(_CODE.sub(_only_number, text))]
    words = re.findall(r"[^\W\d_]+", text.casefold())
    return readings + [{_NUMBER_WORDS[word]} for word in words if word in _NUMBER_WORDS]


def _only_number(code: re.Match[str]) -> str:
    """What a word of letters and digits counts for among the numbers: 24-month for 24, SL-0726 for none."""
    suffixed = _SUFFIXED.match(code[0])
    return suffixed["number"] if suffixed else " "


def _readings(written: str) -> set[str]:
    groups = re.split(r"[.,'\u2019\u00a0\u202f]", written)
    readings = {_plain("".join(groups), "")} if all(len(group) == 3 for group in groups[1:]) else set[str]()
    if len(groups) > 1:
        readings.add(_plain("".join(groups[:-1]), groups[-1]))
    return readings


def _plain(whole: str, fraction: str) -> str:
    fraction = fraction.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{fraction}" if fraction else "")


def _has_numbers_of(sentence: str, passage: str) -> bool:
    there = {reading for readings in _numbers(passage) for reading in readings}
    return all(readings & there for readings in _numbers(sentence))


def _is_turned_round(sentence: str, passage: str, language: str) -> bool:
    """Whether a clause says no where the passage's clause on the same thing says yes, or the other way round."""
    said = [(set(_terms(clause, language)), _is_denial(clause)) for clause in _CLAUSE.split(passage)]
    for clause in _CLAUSE.split(sentence):
        terms = set(_terms(clause, language))
        if len(terms) < _LEAST_TERMS:
            continue
        shared, denied = max(((len(terms & other) / len(terms), no) for other, no in said), key=lambda match: match[0])
        if shared >= _SAME_STATEMENT_FROM and denied != _is_denial(clause):
            return True
    return False


def _is_denial(clause: str) -> bool:
    """Two negations make a statement: what is not void holds."""
    return len(_NEGATION.findall(clause)) % 2 == 1
