"""A question as the local answerer reads it: its words, its kind, and what it leaves to the turn before."""

import re
from collections.abc import Sequence
from enum import StrEnum

import msgspec

from knowledgestack.lexicon.italian import english_words
from knowledgestack.lexicon.language import UNDETERMINED, detect
from knowledgestack.lexicon.terms import content_terms

_GRAM = 4
_MOST_CHARACTERS = 2_000
_SHORT_FOLLOW_UP_TERMS = 3

_HOW_TO = re.compile(
    r"\s*(?:how (?:do|can|should|could|would|must) (?:i|we|you|one|somebody|someone)\b|how to\b|how (?:is|are|does)\b"
    r"|what (?:are )?the steps\b|what (?:do|should|must) (?:i|we) do\b"
    r"|come (?:faccio|facciamo|posso|possiamo|devo|dobbiamo|si|viene|vengono|chiedo|ottengo|correggo|trovo|richiedo)\b"
    r"|cosa (?:devo|dobbiamo) fare\b|che cosa (?:devo|dobbiamo) fare\b|wie (?:kann|muss|soll|mache|geht)\b)",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"(?:difference|differences|differenza|differenze|unterschied)\s+(?:between|tra|fra|zwischen)\s+(?P<a>.+?)\s+"
    r"(?:and|e|ed|und)\s+(?P<b>.+?)\s*[?.!]*\Z"
    r"|\A\s*(?:compare|confronta|vergleiche)\s+(?P<c>.+?)\s+(?:and|with|e|con|und|mit)\s+(?P<d>.+?)\s*[?.!]*\Z"
    r"|\A\s*(?P<e>.+?)\s+(?:vs\.?|versus)\s+(?P<f>.+?)\s*[?.!]*\Z",
    re.IGNORECASE | re.DOTALL,
)
_POLICY = re.compile(
    r"\s*(?:may|can|could|must|should|am|are|is|do|does|who (?:may|can|must|is allowed|approves|decides)|how long"
    r"|how much|posso|possiamo|può|possono|si può|si possono|devo|dobbiamo|chi (?:può|deve|approva|decide)|quanto|è)\b",
    re.IGNORECASE,
)
_ELLIPTIC = re.compile(
    r"\s*(?:and|or|but|what about|how about|and what about|only|also|e|ed|o|ma|invece|anche|solo|und|oder)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    # "Is it allowed to …" points at nothing.
    r"(?<!\bis )(?<!\bwas )\bit\b|\b(?:its|that|those|these|they|them|this|ones?|quello|quella|quelli|quelle|questo"
    r"|questa|lo stesso|la stessa)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:old|older|former|formerly|previous|previously|earlier|superseded|before|until|used to|history|in the past"
    r"|vecchi[oaie]?|precedent[ei]|prima del(?:la|l)?|in passato|una volta|versions?"
    r"|versioni?|FY\d\d|20[01]\d|202[0-5])\b",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\bwill\b.*\b(?:next|tomorrow|20\d\d)\b|\b(?:forecast|predict)\w*|\b(?:sarà|saranno|prevision[ei]|prevedi)\b"
    r"|\bprossim[oaie]\b",
    re.IGNORECASE | re.DOTALL,
)


class Kind(StrEnum):
    HOW_TO = "how_to"
    DIFFERENCE = "difference"
    POLICY = "policy"
    OTHER = "other"


class Wording(msgspec.Struct, frozen=True):
    """The question in the language of some documents: what is embedded and what is looked for in their words."""

    text: str
    language: str
    terms: frozenset[str]
    grams: frozenset[str]


class Question(msgspec.Struct, frozen=True):
    """`asked` is as typed; `text` has the words of the turn before in front where the question leans on it.

    `sides` are the two things to compare; `past` says that an older state of affairs is asked for, `future` that
    something still to come is.
    """

    asked: str
    text: str
    language: str
    kind: Kind
    sides: tuple[str, str] | None
    past: bool
    future: bool

    def wording(self, language: str) -> Wording:
        """The question for documents in `language` (ISO 639-1); of a comparison only what is compared counts."""
        text = self.text if self.sides is None else " ".join(self.sides)
        if self.language == "it" and language != "it":
            return _wording(english_words(text), "en")
        return _wording(text, language if self.language == UNDETERMINED else self.language)

    def queries(self) -> tuple[str, ...]:
        """What to search for: the question, and its English words where the documents may be English."""
        if self.language != "it":
            return (self.text,)
        return (self.text, english_words(self.text))


def read_question(turns: Sequence[str]) -> Question:
    """Read the last of `turns`, the person's questions in order of asking."""
    asked = turns[-1].strip()
    text = _with_context([turn.strip()[:_MOST_CHARACTERS] for turn in turns])
    sides = _sides(asked)
    kind = Kind.DIFFERENCE if sides else _kind(text if _leans_back(asked) else asked)
    return Question(
        asked=asked,
        text=text,
        language=detect(text),
        kind=kind,
        sides=sides,
        past=_PAST.search(text) is not None,
        future=_FUTURE.search(asked) is not None,
    )


def grams(text: str) -> frozenset[str]:
    """The runs of four characters in `text`, which find what an unknown language inflects or compounds."""
    plain = " ".join(text.casefold().split())
    return frozenset(plain[index : index + _GRAM] for index in range(max(1, len(plain) - _GRAM + 1)))


def _wording(text: str, language: str) -> Wording:
    return Wording(text, language, frozenset(content_terms(text, language)), grams(text))


def _with_context(turns: Sequence[str]) -> str:
    """The last question, with the nearest one before it that stands alone put in front where it leans back."""
    text = turns[-1]
    if not _leans_back(text):
        return text
    for earlier in reversed(turns[:-1]):
        text = f"{earlier} {text}"
        if not _leans_back(earlier):
            break
    return text


def _leans_back(text: str) -> bool:
    if _ELLIPTIC.match(text):
        return True
    terms = content_terms(text, detect(text))
    return not terms or (len(terms) <= _SHORT_FOLLOW_UP_TERMS and _POINTS_BACK.search(text) is not None)


def _kind(text: str) -> Kind:
    if _HOW_TO.match(text):
        return Kind.HOW_TO
    return Kind.POLICY if _POLICY.match(text) else Kind.OTHER


def _sides(text: str) -> tuple[str, str] | None:
    match = _DIFFERENCE.search(text)
    if match is None:
        return None
    groups = match.groupdict()
    for first, second in (("a", "b"), ("c", "d"), ("e", "f")):
        if groups[first]:
            return groups[first], groups[second]
    return None
