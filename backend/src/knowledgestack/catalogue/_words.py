"""The words of a unit that may be names, and what stands around them."""

import re
from collections.abc import Sequence

import msgspec

from knowledgestack.catalogue._names import Names
from knowledgestack.catalogue._units import Unit, after_mark, cells_of
from knowledgestack.lexicon.sentences import Span

_WORD = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*){0,2}")
_CODE = re.compile(r"(`+)(?P<code>[^`\n]+)\1")
_BOLD = re.compile(r"\*\*(?P<bold>[^*\n]+)\*\*")
_ITEM_LEAD = re.compile(r"(?:\*\*|`)+[\w.$]+(?:\*\*|`|:)+|[\w.$]+(?=\s?[:\u2013\u2014=]\s)")
_PROSE = re.compile(r"\b[^\W\d_]{2,}\b")
_MOST_CODE_WORDS = 3
_LEAST_PROSE = 2

TABLE_CUE = re.compile(r"(?i)\W*(?:table|tables|view|views|tabella|tabelle|tabellen|tabla|tablas)\W*")
COLUMN_CUE = re.compile(
    r"(?i)\W*(?:columns?|fields?|attributes?|colonn[ae]s?|camp[oi]s?|spalten?|feld|felder|champs?|columnas?)\W*"
)
_SUFFIX_CUE = re.compile(r"(?i)(?:suffix(?:es)?|suffiss[oi]|endung(?:en)?|sufijos?)\W*$")
_TABLE_HEAD = re.compile(r"(?i)\b(?:tables?|views?|tabell[ae]|tabellen|tablas?)\b")
_COLUMN_HEAD = re.compile(
    r"(?i)\b(?:columns?|fields?|attributes?|colonn[ae]s?|camp[oi]s?|spalten?|felder|champs?|columnas?)\b"
)
_EXPLAINED_AFTER = re.compile(
    r"(?i)\s*(?:(?:table|view|column|field)\b\W{0,3})?(?:[:=\u2013\u2014-]\s|\((?!see)"
    r"|(?:is|are|was|means?|looks?|names?|points?|holds?|contains?|lists?|records?|stands?|stores?|says?|has|have|shows?|gives?|indicates?"
    r"|identif(?:y|ies)|the|a|an|its|their|è|sono|contiene|indica|significa|ist|sind|enthält|bedeutet|est|sont|contient)\b)"
)
_EXPLAINED_BEFORE = re.compile(
    r"(?i)\b(?:stands?|lies|kept|stored|recorded|held|found|is|are|steht|stehen|sta|stanno|si trova)\b[^.;:]{0,30}"
    r"\b(?:in|on|as|by|nel|nella|auf)(?:\s+(?:the|der|die|das|la|il))?(?:\s+[^\W\d_]+)?[\s`*(\"']*$"
)
_RELATES = re.compile(r"(?i)\b(?:refers?|referred|references?|referenced|joined|linked|related)\b[^.;:]*$")
_CONDITION = re.compile(r"(?i)\b(?:if|when|where|unless|only|se|quando|wenn|falls)[\s`*(]*$")


class Word(msgspec.Struct, frozen=True, gc=False):
    """A possible name at [start, end) of its unit. `leads`: it stands where the explained name stands, in a row's
    first cell or at the beginning of an item. `head` is the head of its cell's column where it fills the cell."""

    text: str
    start: int
    end: int
    code: bool
    leads: bool
    head: str

    @property
    def names_table(self) -> bool:
        return bool(_TABLE_HEAD.search(self.head))

    @property
    def names_column(self) -> bool:
        return bool(_COLUMN_HEAD.search(self.head))


def words_of(unit: Unit, source: str, header: str, names: Names) -> list[Word]:
    """The words of a unit that name something; `header` is the header row of a row's table, else empty."""
    matches = [match for match in _WORD.finditer(source) if names.is_known(match.group())]
    if not matches:
        return []
    codes = [match.span("code") for match in _CODE.finditer(source) if _is_code(match.group("code"))]
    bolds = [match.span("bold") for match in _BOLD.finditer(source)] if unit.kind == "item" else []
    cells = cells_of(source) if unit.kind == "row" else []
    heads = [header[cell.start : cell.end].strip("`* ") for cell in cells_of(header)] if header else []
    lead_end = lead_of(unit, source, cells)
    found: list[Word] = []
    for match in matches:
        start, end = match.span()
        head = ""
        for cell, name in zip(cells, heads, strict=False):
            if cell.start <= start and end <= cell.end:
                head = name if _fills(source, cell) else ""
        found.append(
            Word(
                match.group(),
                start,
                end,
                any(left <= start < right for left, right in codes),
                start < lead_end or any(left == start and end == right for left, right in bolds),
                head,
            )
        )
    return found


def lead_of(unit: Unit, source: str, cells: list[Span]) -> int:
    """Where the place of the explained name ends; 0 where there is no such place."""
    if unit.kind == "row":
        return cells[0].end if cells else 0
    if unit.kind == "item":
        begin = after_mark(source)
        match = _ITEM_LEAD.match(source, begin)
        return match.end() if match else 0
    return 0


def is_cued(cue: re.Pattern[str], source: str, word: Word) -> bool:
    """Whether the word before or after says what this one is."""
    after = re.match(r"[`*\s\"']*\w+", source[word.end :])
    before = re.search(r"\w+[`*\s\"']*$", source[: word.start])
    return bool((after and cue.fullmatch(after.group())) or (before and cue.fullmatch(before.group())))


def is_called_suffix(source: str, word: Word) -> bool:
    return bool(_SUFFIX_CUE.search(source[: word.start].rstrip("`* ")))


def speaks_of_columns(source: str) -> bool:
    return bool(_COLUMN_HEAD.search(source))


def bonus_of(source: str, word: Word) -> float:
    """How much more the place looks like an explanation of the word than like a mere mention of it."""
    if word.leads:
        return 0.1
    if _CONDITION.search(source[: word.start]):
        return -0.05
    after = _EXPLAINED_AFTER.match(source[word.end :].lstrip("`* "))
    before = _EXPLAINED_BEFORE.search(source[max(0, word.start - 70) : word.start])
    return 0.08 if before else 0.05 if after else 0.0


def is_only_related(source: str, word: Word) -> bool:
    """Whether the word is named as what something else refers to, which its foreign keys tell already."""
    return not word.leads and bool(_RELATES.search(source[: word.start]))


def says_little(source: str, words: Sequence[Word]) -> bool:
    """Whether a unit has hardly a word besides the names in it; `words` are those that are names."""
    prose = len(_PROSE.findall(_CODE.sub(" ", source)))
    return prose - sum(not word.code for word in words) < _LEAST_PROSE


def _is_code(span: str) -> bool:
    """A sentence in code marks is emphasis."""
    return sum(word.isalpha() for word in span.split()) <= _MOST_CODE_WORDS


def _fills(source: str, cell: Span) -> bool:
    """Whether a cell holds names alone: one, or several with commas."""
    return bool(
        re.fullmatch(r"[\w.$]+(?:[\s,;/]+[\w.$]+)*", source[cell.start : cell.end].replace("`", "").replace("*", ""))
    ) and ("," in source[cell.start : cell.end] or " " not in source[cell.start : cell.end].strip("`* "))
