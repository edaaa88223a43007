"""Finds tables by words: their names, what people call them, their columns, and what is said of them."""

import bisect
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from knowledgestack.catalogue._repository import Described
from knowledgestack.catalogue.schema import TableFacts, Thing

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
_NAME, _SYNONYM, _TEXT, _QUOTE, _COLUMN, _COLUMN_TEXT = 6.0, 5.0, 3.0, 2.0, 2.0, 1.0
_PREFIX_SHARE = 0.5
_LEAST_PREFIX = 3
_INFIX = 4.0


class TableSearch:
    """An index over the tables of one database, by weighted words."""

    def __init__(
        self, tables: Sequence[TableFacts], said: Mapping[Thing, Described], quotes: Mapping[Thing, str]
    ) -> None:
        self._tables = tables
        self._postings: defaultdict[str, dict[int, float]] = defaultdict(dict)
        for number, table in enumerate(tables):
            for weight, words in _weighted(table, said, quotes):
                for word in words:
                    posting = self._postings[word]
                    posting[number] = max(posting.get(number, 0.0), weight)
        self._vocabulary = sorted(self._postings)

    def find(self, query: str) -> list[TableFacts]:
        """Best first; only tables that have something in common with the query."""
        scores: defaultdict[int, float] = defaultdict(float)
        for word in dict.fromkeys(_words(query)):
            for number, weight in self._matches(word).items():
                scores[number] += weight
        folded = query.strip().casefold()
        for number, table in enumerate(self._tables):
            if folded and folded in f"{table.schema}.{table.name}".casefold():
                scores[number] += _INFIX * (3 if table.name.casefold() == folded else 1)
        ranked = sorted(scores.items(), key=lambda item: (-item[1], self._tables[item[0]].key))
        return [self._tables[number] for number, _ in ranked]

    def _matches(self, word: str) -> dict[int, float]:
        """Tables that have the word, or a longer one that begins with it; a word of few tables counts more."""
        found: dict[int, float] = {}
        for known in self._words_from(word):
            posting = self._postings[known]
            rarity = math.log(1 + len(self._tables) / len(posting))
            share = 1.0 if known == word else _PREFIX_SHARE
            for number, weight in posting.items():
                found[number] = max(found.get(number, 0.0), weight * share * rarity)
        return found

    def _words_from(self, word: str) -> Iterator[str]:
        """The word itself, and those that begin with it unless it is too short to say anything."""
        for known in self._vocabulary[bisect.bisect_left(self._vocabulary, word) :]:
            if known != word and (len(word) < _LEAST_PREFIX or not known.startswith(word)):
                return
            yield known


def _weighted(
    table: TableFacts, said: Mapping[Thing, Described], quotes: Mapping[Thing, str]
) -> Iterator[tuple[float, list[str]]]:
    own = Thing(table.schema, table.name)
    yield _NAME, [*_words(table.name), table.name.casefold()]
    yield _TEXT, _words(table.comment or "")
    yield _QUOTE, _words(quotes.get(own, ""))
    if own in said:
        yield _SYNONYM, _words(" ".join(said[own].synonyms))
        yield _TEXT, _words(said[own].description or "")
    for column in table.columns:
        thing = Thing(table.schema, table.name, column.name)
        yield _COLUMN, [*_words(column.name), column.name.casefold()]
        yield _COLUMN_TEXT, _words(f"{column.comment or ''} {quotes.get(thing, '')}")
        if thing in said:
            yield _COLUMN, _words(" ".join(said[thing].synonyms))
            yield _COLUMN_TEXT, _words(said[thing].description or "")


def _words(text: str) -> list[str]:
    return [_singular(word.casefold()) for word in _WORD.findall(text)]


def _singular(word: str) -> str:
    """English plurals meet their singular; other words stay as they are."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
