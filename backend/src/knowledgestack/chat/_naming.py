"""Where a text names rows and columns of results in their own words, whatever its capitals, accents and emphasis."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from knowledgestack.chat._derivations import ResultCells

_WORD = re.compile(r"[^\W_]+")
_LETTER = re.compile(r"[^\W\d_]")
_DATE_LIKE = re.compile(r"[0-9]{1,4}[-./:][0-9]{1,2}")
_LONGEST_NAME = 200
_MOST_WORDS = 12
_SHORT = 3
_LEAST_PLURAL = 4
_EMPHASIS = "*|`"


class Mention(NamedTuple):
    """Words [start, end) of a text that are a text cell of `rows`, or a column's name where `rows` is empty."""

    start: int
    end: int
    mark: str
    column: int
    rows: tuple[int, ...]


class _Place(NamedTuple):
    name: str
    mark: str
    column: int
    rows: tuple[int, ...]


class Names:
    """The text cells and column names of results, by their words."""

    def __init__(self, results: Sequence[ResultCells]) -> None:
        cells: defaultdict[tuple[str, str, int], list[int]] = defaultdict(list)
        for result in results:
            columns = [column for column in range(len(result.names)) if column not in result.numeric]
            for row, values in enumerate(result.rows):
                for column in columns:
                    cell = values[column]
                    if cell and len(cell) <= _LONGEST_NAME:
                        cells[cell, result.mark, column].append(row)
            for column, name in enumerate(result.names):
                cells.setdefault((f"\0{name}", result.mark, column), [])
        self._places: defaultdict[tuple[str, ...], list[_Place]] = defaultdict(list)
        self._lengths: defaultdict[str, set[int]] = defaultdict(set)
        for (name, mark, column), rows in cells.items():
            words = tuple(_folded(word[0]) for word in _WORD.finditer(name))
            if words and len(words) <= _MOST_WORDS and _LETTER.search(name) and not _DATE_LIKE.match(name):
                self._places[words].append(_Place(name.strip("\0"), mark, column, tuple(rows)))
                self._lengths[words[0]].add(len(words))

    def find(self, text: str) -> list[Mention]:
        """The mentions in the order of the text; of names within one another the longest."""
        words = [(_folded(match[0]), match.start(), match.end()) for match in _WORD.finditer(text)]
        found: list[Mention] = []
        position = 0
        while position < len(words):
            length, places = self._longest([word for word, _, _ in words[position : position + _MOST_WORDS]])
            start, end = words[position][1], words[position + max(length, 1) - 1][2]
            mentions = [
                Mention(start, end, place.mark, place.column, place.rows)
                for place in places
                if not place.rows or _is_meant(place.name, text, start, end)
            ]
            found += mentions
            position += length if mentions else 1
        return found

    def _longest(self, words: Sequence[str]) -> tuple[int, list[_Place]]:
        """The places of the longest name that the words begin with, and how many words it has."""
        lengths = {length for form in _forms(words[0]) for length in self._lengths.get(form, ())}
        for length in sorted(lengths, reverse=True):
            if length <= len(words):
                for last in _forms(words[length - 1]):
                    places = self._places.get((*words[: length - 1], last))
                    if places:
                        return length, places
        return 0, []


def named_rows(mentions: Iterable[Mention]) -> dict[str, frozenset[int]]:
    """The rows of each result that mentions name; mentions of different columns narrow one another down."""
    by_column: defaultdict[str, defaultdict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for mention in mentions:
        if mention.rows:
            by_column[mention.mark][mention.column].update(mention.rows)
    named: dict[str, frozenset[int]] = {}
    for mark, columns in by_column.items():
        common = frozenset[int].intersection(*(frozenset(rows) for rows in columns.values()))
        named[mark] = common or frozenset(row for rows in columns.values() for row in rows)
    return named


def named_columns(mentions: Iterable[Mention]) -> set[tuple[str, int]]:
    return {(mention.mark, mention.column) for mention in mentions if not mention.rows}


def _forms(word: str) -> Iterator[str]:
    """The word, and the word without the s of a plural."""
    yield word
    if len(word) > _LEAST_PLURAL and word.endswith("s"):
        yield word[:-1]


def _folded(word: str) -> str:
    if word.isascii():
        return word.casefold()
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(character for character in plain if not unicodedata.combining(character))


def _is_meant(name: str, text: str, start: int, end: int) -> bool:
    """Whether a short name is more than a word of the language: IT is a country, `it` is not, and S needs emphasis."""
    if len(name) > _SHORT:
        return True
    before, after = text[:start].rstrip()[-1:], text[end:].lstrip()[:1]
    if before and after and before in _EMPHASIS and after in _EMPHASIS:
        return True
    return len(name) > 1 and text[start:end] == name and not name.islower()
