"""The names of a database as they can be met in a text."""

import re
from collections import defaultdict
from collections.abc import Iterable

from knowledgestack.catalogue.schema import Thing

_MOST_WORDS = 50_000
_CAMEL = re.compile(r"[a-z][A-Z]")


class Names:
    """Finds tables and columns by name, whatever the case. `tables` is every table with its columns."""

    def __init__(self, tables: Iterable[tuple[str, str, Iterable[str]]]) -> None:
        self._tables: defaultdict[str, list[Thing]] = defaultdict(list)
        self._columns: defaultdict[str, list[Thing]] = defaultdict(list)
        self._phrases: defaultdict[str, list[Thing]] = defaultdict(list)
        self._suffixes: defaultdict[str, list[Thing]] = defaultdict(list)
        self._of_table: dict[tuple[str, str], dict[str, Thing]] = {}
        self._known: dict[str, bool] = {}
        for schema, table, columns in tables:
            thing = Thing(schema, table)
            self._tables[table.casefold()].append(thing)
            own = self._of_table.setdefault((schema, table), {})
            for column in columns:
                self._add_column(Thing(schema, table, column), own)

    def _add_column(self, thing: Thing, own: dict[str, Thing]) -> None:
        name = (thing.column or "").casefold()
        own[name] = thing
        self._columns[name].append(thing)
        words = name.split("_")
        if len(words) > 1:
            self._suffixes["_" + words[-1]].append(thing)
            if all(len(word) > 2 for word in words):
                self._phrases[" ".join(words)].append(thing)

    def __bool__(self) -> bool:
        return bool(self._tables)

    def tables(self, name: str) -> list[Thing]:
        return self._tables.get(name.casefold(), [])

    def columns(self, name: str) -> list[Thing]:
        """Columns of this name in any table."""
        return self._columns.get(name.casefold(), [])

    def column_of(self, table: Thing, name: str) -> Thing | None:
        return self._of_table.get((table.schema, table.table), {}).get(name.casefold())

    def with_suffix(self, suffix: str) -> list[Thing]:
        """Columns whose name ends in `_suffix`; `suffix` begins with the underscore."""
        return self._suffixes.get(suffix.casefold(), [])

    def by_phrase(self, phrase: str) -> list[Thing]:
        """Columns that a term of several words names: "rental rate" is `rental_rate`."""
        return self._phrases.get(" ".join(phrase.casefold().split()), [])

    def is_known(self, word: str) -> bool:
        """Whether the word, the last part of a dotted one or a suffix names something here."""
        known = self._known.get(word)
        if known is None:
            folded = word.casefold()
            last = folded.rpartition(".")[2]
            known = last in self._tables or last in self._columns or folded in self._suffixes
            if len(self._known) < _MOST_WORDS:
                self._known[word] = known
        return known


def is_distinctive(word: str) -> bool:
    """Whether a word outside of code can hardly be anything but a name: `ord_hdr`, `ORDH`, `OrderLine`, `t1_amt`."""
    if "_" in word.strip("_"):
        return True
    if len(word) < 4:
        return False
    if word.isupper() and word.isalpha():
        return True
    return bool(_CAMEL.search(word)) or (any(map(str.isdigit, word)) and any(map(str.isalpha, word)))
