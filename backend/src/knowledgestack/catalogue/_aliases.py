"""Finds the codes that documents give for a word: "Islands" is 41 and 42, "Larkspur" is LKS."""

import re
from collections.abc import Iterator, Sequence
from uuid import UUID

import msgspec

from knowledgestack.catalogue._quotes import plain, quote_of
from knowledgestack.catalogue._similarity import similarity
from knowledgestack.catalogue._units import Unit, cells_of, units_of

_CODE = re.compile(r"`(?P<marked>[^`\s]{1,16})`|(?<![\w.,-])(?P<bare>\d{1,6}|[A-Z][A-Z0-9_-]{0,7})(?![\w-])")
_NEAR_CHARACTERS = 30
_LEAST_ALIKE = 0.6
_MOST_CELL = 16


class Alias(msgspec.Struct, frozen=True, gc=False):
    """A code and the words by which a document gives it; `in_cell` where it fills a cell of a table."""

    code: str
    document_id: UUID
    title: str
    quote: str
    in_cell: bool


class Passage(msgspec.Struct, frozen=True, gc=False):
    """A chunk that holds the word."""

    document_id: UUID
    title: str
    text: str


def aliases_of(word: str, passages: Sequence[Passage]) -> Iterator[Alias]:
    """Codes in the same table row as the word, or close to it in a sentence."""
    for passage in passages:
        for unit in units_of(passage.text, "en"):
            source = passage.text[unit.start : unit.end]
            if unit.kind != "heading" and word.casefold() in source.casefold():
                quote = quote_of(passage.text, unit)
                for code, in_cell in dict.fromkeys(_codes(word, unit, source)):
                    if code.casefold() != word.casefold():
                        yield Alias(code, passage.document_id, passage.title, quote, in_cell)


def _codes(word: str, unit: Unit, source: str) -> Iterator[tuple[str, bool]]:
    if unit.kind == "row":
        cells = [plain(source[cell.start : cell.end]) for cell in cells_of(source)]
        meant = [cell for cell in cells if _means(cell, word)]
        if meant:
            for cell in cells:
                if cell and cell not in meant and len(cell) <= _MOST_CELL and " " not in cell:
                    yield cell, True
            for cell in cells:
                for match in _CODE.finditer(cell):
                    if len(match.group()) > 1:
                        yield match.group("marked") or match.group("bare"), False
        return
    place = source.casefold().find(word.casefold())
    near = source[max(0, place - _NEAR_CHARACTERS) : place + len(word) + _NEAR_CHARACTERS]
    for match in _CODE.finditer(near):
        yield match.group("marked") or match.group("bare"), False


def _means(cell: str, word: str) -> bool:
    """Whether a cell is the word, or begins with it: "Larkspur (bean to cup)"."""
    folded, other = cell.casefold(), word.casefold()
    return folded == other or folded.startswith(other) or similarity(folded, other) >= _LEAST_ALIKE
