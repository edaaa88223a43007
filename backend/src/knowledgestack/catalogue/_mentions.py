"""Finds what a document says of the tables and columns of a database, with a score for each find.

Precision comes before recall: a name counts where it can hardly be anything else (in code, in a table of names,
qualified by its table, spelled as no word is, or called a table or a column), and of all places in a document that
name a thing the one is kept that most looks like an explanation of it. Names that are ordinary words count only in a
document that shows by surer signs that it speaks of this database.
"""

import itertools
from collections.abc import Iterator, Sequence

import msgspec

from knowledgestack.catalogue._names import Names, is_distinctive
from knowledgestack.catalogue._quotes import first_cell, plain, quote_of, values_quote
from knowledgestack.catalogue._units import Unit, after_mark, cells_of, units_of
from knowledgestack.catalogue._words import (
    COLUMN_CUE,
    TABLE_CUE,
    Word,
    bonus_of,
    is_called_suffix,
    is_cued,
    is_only_related,
    lead_of,
    says_little,
    speaks_of_columns,
    words_of,
)
from knowledgestack.catalogue.schema import Thing

LEAST_SCORE = 0.5

_CODE_CELL_CHARACTERS = 8
_MOST_OF_ONE_NAME = 40
_SHORT_SENTENCE = 45
_BACKWARD = ("it ", "this ", "that ", "they ", "these ", "its ", "es ", "sie ", "dies", "quest", "esso ")


class Find(msgspec.Struct, frozen=True, gc=False):
    """A thing and what the document says of it; the range counts code points of the text."""

    thing: Thing
    score: float
    quote: str
    start: int
    end: int
    path: tuple[str, ...]
    sure: bool = True


class _Section(msgspec.Struct):
    level: int
    tables: list[Thing]


def find_mentions(text: str, language: str, names: Names) -> list[Find]:
    """The best find of each thing that the text explains, in the order of the text."""
    finds = [find for find in _Reader(text, language, names).finds() if find.score >= LEAST_SCORE]
    anchored = {(find.thing.schema, find.thing.table) for find in finds if find.sure}
    best: dict[Thing, Find] = {}
    for find in finds:
        at_home = (find.thing.schema, find.thing.table) in anchored
        if not find.sure and not (at_home or len(anchored) > 2):
            continue
        known = best.get(find.thing)
        if known is None or find.score > known.score:
            best[find.thing] = find
    return sorted(best.values(), key=lambda find: (find.start, find.thing.table, find.thing.column or ""))


def locate(text: str, language: str, quote: str) -> tuple[int, int, tuple[str, ...]] | None:
    """Where the text says these words now."""
    before: Unit | None = None
    for unit in units_of(text, language):
        spoken, start = _spoken(text, unit, before)
        if quote in (spoken, quote_of(text, unit)):
            return start, unit.end, unit.path
        before = unit
    return None


def _spoken(text: str, unit: Unit, before: Unit | None) -> tuple[str, int]:
    """The quote of a unit and where it begins: a sentence that leans on the one before brings it along."""
    quote = quote_of(text, unit)
    if unit.kind != "sentence" or before is None or before.kind != "sentence" or before.block != unit.block:
        return quote, unit.start
    if len(quote) < _SHORT_SENTENCE or quote.casefold().startswith(_BACKWARD):
        return plain(text[before.start : unit.end]), before.start
    return quote, unit.start


class _Reader:
    def __init__(self, text: str, language: str, names: Names) -> None:
        self.text = text
        self.names = names
        self.language = language
        self.sections: list[_Section] = []
        self.opening: list[Thing] = []
        self.subject: str | None = None
        self.before: Unit | None = None
        self.seen_before: list[Thing] = []

    def finds(self) -> Iterator[Find]:
        units = list(units_of(self.text, self.language))
        for index, unit in enumerate(units):
            if unit.kind == "heading":
                self._enter(unit)
            else:
                if unit.kind == "row" and (index == 0 or units[index - 1].block != unit.block):
                    yield from self._values(unit, [row for row in units[index:] if row.block == unit.block])
                yield from self._unit(unit)
            self.before = unit

    def _enter(self, unit: Unit) -> None:
        while self.sections and self.sections[-1].level >= unit.level:
            self.sections.pop()
        heading = self.text[unit.start : unit.end].lstrip("# ")
        tables = self.names.tables(plain(heading).strip(" :."))
        if not tables:
            tables = [
                thing for word in words_of(unit, heading, "", self.names) for thing in self._as_table(heading, word)
            ]
        self.sections.append(_Section(unit.level, tables))
        self.opening, self.seen_before = [], []

    def _scope(self) -> list[Thing]:
        """The tables that the text is about here: those of the nearest heading that names any, else of its opening."""
        for section in reversed(self.sections):
            if section.tables:
                return section.tables
        return self.opening

    def _unit(self, unit: Unit) -> Iterator[Find]:
        source = self.text[unit.start : unit.end]
        header = self.text[unit.header.start : unit.header.end].split("\n")[0] if unit.header else ""
        words = words_of(unit, source, header, self.names)
        in_sight = self._tables_in(source, words)
        found: dict[Thing, tuple[float, bool]] = {}
        meant: list[Word] = []
        led = False
        for word in words:
            # An item that begins with a name is about that thing; others are named in passing.
            if led and unit.kind == "item" and not word.leads and "." not in word.text:
                continue
            for thing, score, sure in self._resolve(unit, source, word, in_sight):
                led |= word.leads
                found[thing] = max(found.get(thing, (0.0, False)), (score, sure))
                if word not in meant:
                    meant.append(word)
        for thing in self._phrases(unit, source):
            found.setdefault(thing, (0.65, False))
        section = self.sections[-1] if self.sections else None
        if unit.lead and section is not None and len(section.tables) == 1:
            known = found.get(section.tables[0], (0.0, False))
            found[section.tables[0]] = max(known, (0.85, known[1]))
        if unit.lead and len(in_sight) == 1 and not self._scope():
            self.opening = [thing for thing, _ in in_sight]
        leaning = self.before is not None and self.before.block == unit.block
        self.seen_before = [thing for thing, _ in in_sight] or (self.seen_before if leaning else [])
        yield from self._scored(unit, found, says_little(source, meant))

    def _scored(self, unit: Unit, found: dict[Thing, tuple[float, bool]], little: bool) -> Iterator[Find]:
        if not found:
            return
        quote, start = _spoken(self.text, unit, self.before)
        crowd = len({thing.column or thing.table for thing in found})
        penalty = 0.1 if crowd > 6 and unit.kind == "sentence" else 0.0
        penalty += 0.1 if quote.endswith("?") else 0.0
        penalty += 0.3 if little else 0.0
        for thing, (score, sure) in found.items():
            yield Find(thing, round(min(score - penalty, 0.98), 3), quote, start, unit.end, unit.path, sure)

    def _tables_in(self, source: str, words: Sequence[Word]) -> list[tuple[Thing, int]]:
        found: dict[Thing, int] = {}
        for word in words:
            parts = word.text.split(".")
            if len(parts) > 1:
                for table in self.names.tables(parts[-2]):
                    if self.names.column_of(table, parts[-1]):
                        found.setdefault(table, word.start)
            for table in self._as_table(source, word):
                found.setdefault(table, word.start)
        return list(found.items())

    def _as_table(self, source: str, word: Word) -> list[Thing]:
        """The tables that a word means, none where it is only a word."""
        parts = word.text.split(".")
        tables = self.names.tables(parts[-1])
        if len(parts) > 1:
            return [table for table in tables if table.schema.casefold() == parts[-2].casefold()]
        if not tables or not _same_case(word.text, tables[0].table):
            return []
        if word.names_table or is_cued(TABLE_CUE, source, word):
            return tables
        if word.names_column or is_cued(COLUMN_CUE, source, word) or (word.leads and self._scoped_column(word.text)):
            return []
        return tables if word.code or word.leads or is_distinctive(word.text) else []

    def _scoped_column(self, name: str) -> list[Thing]:
        return [column for table in self._scope() if (column := self.names.column_of(table, name))]

    def _resolve(
        self, unit: Unit, source: str, word: Word, in_sight: list[tuple[Thing, int]]
    ) -> Iterator[tuple[Thing, float, bool]]:
        bonus = bonus_of(source, word)
        if word.text.startswith("_"):
            called = word.code or is_called_suffix(source, word)
            for thing in self.names.with_suffix(word.text) if called else []:
                yield thing, 0.6 + bonus, False
            return
        parts = word.text.split(".")
        if len(parts) > 1:
            for table in self.names.tables(parts[-2]):
                column = self.names.column_of(table, parts[-1])
                if column is not None and (len(parts) == 2 or table.schema.casefold() == parts[0].casefold()):
                    yield column, (0.85 if word.code else 0.8) + bonus, True
        tables = self._as_table(source, word)
        cued = bool(tables) and (is_distinctive(word.text) or is_cued(TABLE_CUE, source, word))
        for table in tables:
            related = 0.3 if is_only_related(source, word) else 0.0
            yield table, (0.75 if word.code or word.leads else 0.7) + bonus - related, cued or word.names_table
        if not tables and len(parts) == 1:
            yield from self._column(source, word, in_sight, bonus)

    def _column(
        self, source: str, word: Word, in_sight: list[tuple[Thing, int]], bonus: float
    ) -> Iterator[tuple[Thing, float, bool]]:
        columns = [thing for thing in self.names.columns(word.text) if _same_case(word.text, thing.column or "")]
        sure = is_distinctive(word.text)
        called = sure or word.code or word.names_column or is_cued(COLUMN_CUE, source, word)
        if not columns or not (called or word.leads):
            return
        scoped, near = self._scoped_column(word.text), self._nearest(word, in_sight)
        if len(scoped) == 1 and (near is None or (word.leads and not word.names_column)):
            yield scoped[0], 0.75 + bonus, sure
        elif near is not None:
            yield near, 0.75 + bonus, sure
        elif called and len(columns) <= _MOST_OF_ONE_NAME:
            yield from self._anywhere(source, word, columns, bonus, sure=sure)

    def _anywhere(
        self, source: str, word: Word, columns: list[Thing], bonus: float, *, sure: bool
    ) -> Iterator[tuple[Thing, float, bool]]:
        """A column whose table is not named here: the only one of its name, one of the table spoken of before, or
        all of them where a rule about the name is given."""
        if len(columns) == 1:
            yield columns[0], 0.65 + bonus, sure
            return
        earlier = [column for table in self.seen_before if (column := self.names.column_of(table, word.text))]
        if earlier and not word.leads:
            if len(earlier) == 1:
                yield earlier[0], 0.6 + bonus, sure
        elif (word.leads or speaks_of_columns(source)) and not self._scope():
            if len(self.sections) < 2 and not word.leads:
                self.subject = word.text
            for column in columns:
                yield column, 0.55 + bonus, False

    def _nearest(self, word: Word, in_sight: list[tuple[Thing, int]]) -> Thing | None:
        """The column of the table that the unit names last before the word, else of the first one after it."""
        near = [(table, place) for table, place in in_sight if self.names.column_of(table, word.text)]
        before = [table for table, place in near if place < word.start]
        chosen = before[-1] if before else near[0][0] if near else None
        return self.names.column_of(chosen, word.text) if chosen is not None else None

    def _phrases(self, unit: Unit, source: str) -> list[Thing]:
        """Columns whose words are the term that a row or an item explains, as in a glossary."""
        if unit.kind == "row":
            columns = self.names.by_phrase(plain(first_cell(source)))
        elif unit.kind == "item" and not lead_of(unit, source, []):
            columns = self.names.by_phrase(plain(source[after_mark(source) :]).partition(":")[0])
        else:
            return []
        scoped = [column for column in columns if Thing(column.schema, column.table) in self._scope()]
        return scoped or (columns if len(columns) <= 3 else [])

    def _values(self, unit: Unit, rows: Sequence[Unit]) -> Iterator[Find]:
        """A table of codes explains the columns that head it, or the one that the page is about."""
        if unit.header is None:
            return
        header = self.text[unit.header.start : unit.header.end].split("\n")[0]
        sources = [self.text[row.start : row.end] for row in rows]
        codes = [plain(first_cell(source)) for source in sources]
        if sum(len(code) <= _CODE_CELL_CHARACTERS for code in codes) * 2 <= len(codes):
            return
        named = _code_heads(header) or ([self.subject] if self.subject is not None else [])
        for name in named:
            columns = self._scoped_column(name) or self.names.columns(name)
            if len(columns) == 1 and _same_case(name, columns[0].column or ""):
                quote = values_quote(header, sources)
                sure = is_distinctive(name)
                yield Find(columns[0], 0.88, quote, unit.header.start, rows[-1].end, unit.path, sure)


def _code_heads(header: str) -> list[str]:
    """The first heads of a table, up to two, as long as they are written as code."""
    heads = [header[cell.start : cell.end] for cell in cells_of(header)[:2]]
    return [head[1:-1] for head in itertools.takewhile(lambda head: head[:1] == "`", heads)]


def _same_case(word: str, name: str) -> bool:
    """Short names are taken as they are spelled; longer ones also in capitals or without."""
    if word == name:
        return True
    return len(name) > 2 and (word in (name.upper(), name.lower()) or name in (word.upper(), word.lower()))
