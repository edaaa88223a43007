"""Finds the codes that documents give for a word: "Islands" is 41 and 42, "Larkspur" is LKS."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec

from knowledgestack.catalogue._quotes import plain, quote_of
from knowledgestack.catalogue._similarity import similarity
from knowledgestack.catalogue._units import Unit, cells_of, units_of
from knowledgestack.catalogue.schema import Thing
from knowledgestack.lexicon.terms import content_terms

_CODE = re.compile(r"`(?P<marked>[^`\s]{1,16})`|(?<![\w.,-])(?P<bare>\d{1,6}|[A-Z][A-Z0-9_-]{0,7})(?![\w-])")
_NEAR_CHARACTERS = 30
_LEAST_ALIKE = 0.6
_MOST_CELL = 16
_UNSHARED = 0.55


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


class Explained(NamedTuple):
    """A thing and the words by which a document explains it."""

    document_id: UUID
    thing: Thing
    quote: str


class Explanations:
    """How well a code that a document gives fits a column: by what the same documents say of that column."""

    def __init__(self, explained: Sequence[Explained]) -> None:
        self._documents: defaultdict[Thing, set[UUID]] = defaultdict(set)
        self._words: defaultdict[Thing, set[str]] = defaultdict(set)
        for document_id, thing, quote in explained:
            self._documents[thing].add(document_id)
            self._words[thing].update(content_terms(quote, "en"))

    def score(self, alias: Alias, column: Thing) -> float:
        """From 0 to 1, 0 for a column that has nothing to do with it: a document that explains the column, and words
        that its explanation shares with the row that gives the code."""
        table = Thing(column.schema, column.table)
        direct = alias.document_id in self._documents[column]
        if not direct and alias.document_id not in self._documents[table]:
            return 0.0
        told = self._words[column] or self._words[table]
        shared = len(told & set(content_terms(alias.quote, "en")) - {alias.code.casefold()})
        if not shared:
            return _UNSHARED if direct else 0.0
        return (0.72 if direct else 0.6) + 0.03 * min(shared, 5) + (0.05 if alias.in_cell else 0.0)


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
    end = place + len(word)
    near = [
        (min(abs(place - match.end()), abs(match.start() - end)), match)
        for match in _CODE.finditer(source)
        if match.end() <= place or match.start() >= end
    ]
    nearest = min((distance for distance, _ in near), default=0)
    for distance, match in near:
        if distance <= min(nearest + 2, _NEAR_CHARACTERS):
            yield match.group("marked") or match.group("bare"), False


def _means(cell: str, word: str) -> bool:
    """Whether a cell is the word, or begins with it: "Larkspur (bean to cup)"."""
    folded, other = cell.casefold(), word.casefold()
    return folded == other or folded.startswith(other) or similarity(folded, other) >= _LEAST_ALIKE
