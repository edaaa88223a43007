"""Sentences of a text as exact ranges. Rules, not a model: the same text always gives the same ranges."""

import re
from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range [start, end) of code points."""

    start: int
    end: int


# Words that end in a full stop inside a sentence, without the stop, casefolded.
_ABBREVIATIONS = {
    "en": "mr mrs ms dr prof sr jr st vs etc e.g i.e inc ltd co corp no nos approx dept est fig figs vol pp p ch sec "
    "ref a.m p.m u.s jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun art al",
    "it": "sig sigg sig.ra dott dott.ssa prof ing avv geom rag ecc es p.es pag pagg art artt n nn fig cap vol s.p.a "
    "s.r.l tel ca cfr ss gen feb mar apr mag giu lug ago set ott nov dic",
    "de": "z.b bzw d.h u.a u.ä usw etc ca nr dr prof hr fr str abs art bd s vgl evtl ggf inkl exkl max min mio mrd tel "
    "jan feb mär apr jun jul aug sep okt nov dez z.t i.d.r o.ä v.a sog",
    "fr": "m mm mme mlle dr pr st ste etc p.ex ex env cf art fig vol p pp n no tél av janv févr avr juil sept oct nov "
    "déc",
    "es": "sr sra sres srta dr dra d dña ud uds etc p.ej ej pág págs art núm n fig cap vol aprox tel ene feb mar abr "
    "jun jul ago sep sept oct nov dic",
}
_ANY = frozenset(" ".join(_ABBREVIATIONS.values()).split())
_BY_LANGUAGE = {language: frozenset(words.split()) for language, words in _ABBREVIATIONS.items()}

_CLOSERS = "\"'\u2019\u201d\u00bb)\\]*_"
_BREAK = re.compile(
    # A terminator with what closes after it, then space; full-width ones need no space.
    rf"(?P<stop>[.!?\u2026]+[{_CLOSERS}]*)(?=\s|\Z)"
    rf"|(?P<wide>[\u3002\uff01\uff1f\u0964\u061f\u06d4]+[{_CLOSERS}\u300d\u300f]*)"
    # An empty line, or a line that begins a list item, a heading, a table row, a quote or a fence.
    r"|(?P<line>\n(?=[ \t]*(?:\n|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\||>|```|~~~)))"
    # The end of a heading or a table row.
    r"|(?P<row>(?:(?<=^)|(?<=\n))(?:#{1,6}[ \t]|\|)[^\n]*\n)"
)
_LAST_WORD = re.compile(r"[^\s(\[\"'\u201c\u201e\u00ab*_]+\Z")
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t>]*\d{1,9}\Z")


def split_sentences(text: str, language: str) -> list[Span]:
    """Ranges of the sentences of `text` in reading order, without the white space around them.

    `language` (ISO 639-1) chooses the abbreviations; one that is not known uses all of them. Markdown lines that
    stand alone (list items, headings, table rows) are sentences of their own; a wrapped line is not an end.
    """
    abbreviations = _BY_LANGUAGE.get(language, _ANY)
    spans: list[Span] = []
    start = 0
    for match in _BREAK.finditer(text):
        if match.lastgroup == "stop" and not _ends_sentence(text, start, match, abbreviations):
            continue
        _append(spans, text, start, match.end())
        start = match.end()
    _append(spans, text, start, len(text))
    return spans


def _append(spans: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        offset = start + len(piece) - len(piece.lstrip())
        spans.append(Span(offset, offset + len(stripped)))


def _ends_sentence(text: str, start: int, match: re.Match[str], abbreviations: frozenset[str]) -> bool:
    if match.group()[0] != "." or match.group().startswith(".."):
        return True
    # Only the few characters before the stop decide, so a huge sentence costs no more than a short one.
    before = text[max(start, match.start() - 40) : match.start()]
    if _LIST_NUMBER.search(before):
        return False
    word = _LAST_WORD.search(before)
    if word is None:
        return True
    last = word.group().casefold()
    following = text[match.end() : match.end() + 40].lstrip()
    if last in abbreviations:
        # "etc." and "p.m." may close a sentence: a capital after them says so, but a name follows "Dr." too.
        return last in {"etc", "ecc", "usw", "a.m", "p.m"} and following[:1].isupper()
    if len(last) == 1 and last.isalpha():
        return not following[:1].isupper() or following == ""
    return not following[:1].islower()
