"""What can be computed from the cells of one or two results: sums, differences, ratios, shares, means and counts.

Everything is found by trying: the cells are few, and a formula that gives the written figure within its own rounding
is a proof that a person can check. What a result was cut off from is never summed or counted.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from knowledgestack.chat.contracts import QueryRows

_NUMERIC = re.compile(r"\A[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\Z")
_NUMERIC_TYPES = ("smallint", "integer", "bigint", "numeric", "real", "double precision", "money")
_MONEY = re.compile(r"[^0-9.\-]")
_SMALL = 12
_MOST_COLUMNS = 12
_MOST_PREFIX = 10
_MOST_GROUPS = 50
_MOST_WRITTEN = 8


class Operand(NamedTuple):
    """A number with the reference that names it and the words that stand for it in a formula."""

    value: float
    ref: str
    words: str


class Derivation(NamedTuple):
    """A computed number. A `relative` one is a ratio, a share or a change, and may be written as a percentage."""

    value: float
    refs: tuple[str, ...]
    formula: str
    relative: bool = False
    counted: bool = False


class ResultCells:
    """One result with its cells read as numbers where they are any."""

    def __init__(self, rows: QueryRows) -> None:
        self.mark = rows.mark
        self._named: dict[str, list[int]] = {}
        self._totals: dict[int, Operand | None] = {}
        self.rows = rows.rows
        self.names = [column.name for column in rows.columns]
        self.truncated = rows.truncated_reason in {"rows", "bytes"}
        self.sql = rows.sql
        self.today = rows.receipt.today
        self.values = [[number_of(cell) for cell in row] for row in rows.rows]
        self.numeric = [
            index
            for index, column in enumerate(rows.columns)
            if column.type.startswith(_NUMERIC_TYPES) and any(row[index] is not None for row in self.values)
        ][:_MOST_COLUMNS]

    def operand(self, row: int, column: int) -> Operand | None:
        value = self.values[row][column]
        return None if value is None else Operand(value, f"{self.mark}:{row}:{column}", _words(self.rows[row][column]))

    def column(self, column: int) -> list[Operand]:
        return [cell for row in range(len(self.rows)) if (cell := self.operand(row, column)) is not None]

    def total(self, column: int) -> Operand | None:
        """The sum of a column that has something to sum."""
        if column not in self._totals:
            cells = self.column(column)
            total = math.fsum(cell.value for cell in cells)
            self._totals[column] = Operand(total, self.mark, f"sum({self.names[column]})") if len(cells) > 1 else None
        return self._totals[column]

    @cached_property
    def labels(self) -> list[list[str]]:
        """The words of each row, by which a sentence names it."""
        return [
            [cell.casefold() for index, cell in enumerate(row) if cell and index not in self.numeric and len(cell) > 1]
            for row in self.rows
        ]

    def named_rows(self, sentence: str) -> list[int]:
        """The rows that a sentence names by one of their words."""
        if sentence not in self._named:
            text = sentence.casefold()
            self._named[sentence] = [
                index
                for index, labels in enumerate(self.labels)
                if any(label in text and re.search(rf"(?<!\w){re.escape(label)}(?!\w)", text) for label in labels)
            ]
        return self._named[sentence]

    @cached_property
    def fixed(self) -> list[Derivation]:
        """What the result gives whatever a sentence names."""
        return [] if self.truncated else [*_counts(self), *_column_figures(self)]


def number_of(cell: str | None) -> float | None:
    if cell is None:
        return None
    if not _NUMERIC.match(cell):
        cell = _MONEY.sub("", cell) if cell[:1] in "$\u20ac\u00a3" else ""
        if not _NUMERIC.match(cell):
            return None
    value = float(cell)
    return value if math.isfinite(value) else None


def derivations(results: Sequence[ResultCells], sentence: str) -> Iterator[Derivation]:
    """Everything that the results give, the plainest first. `sentence` says which rows are meant."""
    for result in results:
        yield from result.fixed
        if not result.truncated:
            yield from _named_sums(result, sentence)
    for result in results:
        for row in _rows_to_compare(result, sentence):
            for a, b in combinations(_operands(result, [(row, column) for column in result.numeric]), 2):
                yield from _compared(a, b)
                yield _sum(a, b)
                yield from _halves(a, b)
    for result in results:
        yield from _down_the_columns(result, sentence)
    for first, second in combinations(results, 2):
        yield from _across(first, second, sentence)


def _operands(result: ResultCells, places: Iterable[tuple[int, int]]) -> list[Operand]:
    return [operand for row, column in places if (operand := result.operand(row, column)) is not None]


def _counts(result: ResultCells) -> Iterator[Derivation]:
    yield Derivation(len(result.rows), (result.mark,), f"count(rows) = {len(result.rows)}", counted=True)
    for index, name in enumerate(result.names):
        if index in result.numeric:
            # How many different amounts there are is nothing that anybody says.
            continue
        counted = Counter(row[index] for row in result.rows if row[index] is not None)
        yield Derivation(len(counted), (result.mark,), f"count(distinct {name}) = {len(counted)}", counted=True)
        if len(counted) <= 50:
            for value, count in counted.items():
                if count > 1:
                    yield Derivation(count, (result.mark,), f"count({name} = {value}) = {count}", counted=True)


def _column_figures(result: ResultCells) -> Iterator[Derivation]:
    """Sum and mean of each column, the shares of its cells, and the parts of it that words or order make."""
    totals = {column: total for column in result.numeric if (total := result.total(column)) is not None}
    groups = _groups(result)
    for column, total in totals.items():
        name, cells = result.names[column], result.column(column)
        yield Derivation(total.value, (result.mark,), f"{total.words} = {_plain(total.value)}")
        mean, median = total.value / len(cells), _median(cells)
        yield Derivation(mean, (result.mark,), f"mean({name}) = {_plain(mean)}")
        yield Derivation(median, (result.mark,), f"median({name}) = {_plain(median)}")
        yield from _signs(result.mark, name, cells)
        for cell in cells:
            yield from _share(cell, total)
        for rows, words in groups:
            yield from _part(result, column, rows, f"sum({name} {words})", total)
    for a, b in combinations(totals.values(), 2):
        yield from _compared(a, b)
        yield _sum(a, b)
        yield from _halves(a, b)


def _named_sums(result: ResultCells, sentence: str) -> Iterator[Derivation]:
    """The sum of the rows that a sentence names."""
    named = result.named_rows(sentence)
    if not 1 < len(named) < len(result.rows):
        return
    for column in result.numeric:
        total = result.total(column)
        if total is not None:
            yield from _part(result, column, named, "", total)


def _part(result: ResultCells, column: int, rows: Sequence[int], words: str, total: Operand) -> Iterator[Derivation]:
    """The sum of some rows and its share; without words of its own the cells are written out."""
    cells = _operands(result, [(row, column) for row in rows])
    if len(cells) < 2:
        return
    written = words or "(" + " + ".join(cell.words for cell in cells[:_MOST_WRITTEN]) + (
        " + …)" if cells[_MOST_WRITTEN:] else ")"
    )
    refs = result.mark if words else " ".join(cell.ref for cell in cells)
    part = Operand(math.fsum(cell.value for cell in cells), refs, written)
    yield Derivation(part.value, tuple(refs.split()), f"{written} = {_plain(part.value)}")
    yield from _share(part, total)


def _share(part: Operand, total: Operand) -> Iterator[Derivation]:
    if total.value:
        share = part.value / total.value
        formula = f"{part.words} / {total.words} = {_plain(share)}"
        yield Derivation(share, tuple(part.ref.split()), formula, relative=True)


def _groups(result: ResultCells) -> list[tuple[list[int], str]]:
    """The first rows, and those that have a word in common, with the words for them."""
    count = len(result.rows)
    groups = [
        (list(range(first)), f"of the first {first} rows") for first in range(2, min(_MOST_PREFIX, count - 1) + 1)
    ]
    same: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for row, cells in enumerate(result.rows):
        for index, cell in enumerate(cells):
            if cell is not None and index not in result.numeric:
                same[index, cell].append(row)
    shared = [(rows, f"where {result.names[index]} = {cell}") for (index, cell), rows in same.items()]
    shared = [(rows, words) for rows, words in shared if 1 < len(rows) < count]
    return groups + shared[:_MOST_GROUPS]


def _signs(mark: str, name: str, cells: Sequence[Operand]) -> Iterator[Derivation]:
    """How many of a column are above and below zero, such as the regions that grew."""
    for sign, count in ((">", sum(cell.value > 0 for cell in cells)), ("<", sum(cell.value < 0 for cell in cells))):
        if 0 < count < len(cells):
            yield Derivation(count, (mark,), f"count({name} {sign} 0) = {count}", counted=True)


def _median(cells: Sequence[Operand]) -> float:
    values = sorted(cell.value for cell in cells)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def _down_the_columns(result: ResultCells, sentence: str) -> Iterator[Derivation]:
    """Pairs of rows; where the sentence names a row, it is one of the two."""
    named = set(result.named_rows(sentence))
    pairs = [
        (one, other)
        for one, other in combinations(_rows_to_compare(result, sentence), 2)
        if not named or one in named or other in named
    ]
    for column in result.numeric:
        for one, other in pairs:
            a, b = result.operand(one, column), result.operand(other, column)
            if a is None or b is None:
                continue
            yield from _compared(a, b)
            if {one, other} <= named:
                mean = (a.value + b.value) / 2
                yield _sum(a, b)
                yield Derivation(mean, (a.ref, b.ref), f"({a.words} + {b.words}) / 2 = {_plain(mean)}")
                yield from _halves(a, b)


def _rows_to_compare(result: ResultCells, sentence: str) -> list[int]:
    """All rows of a small result; of a larger one those that are named, and the first and last ones."""
    count = len(result.rows)
    if count <= _SMALL:
        return list(range(count))
    return list(dict.fromkeys([*result.named_rows(sentence)[:_SMALL], 0, 1, 2, count - 2, count - 1]))


def _across(first: ResultCells, second: ResultCells, sentence: str) -> Iterator[Derivation]:
    """Rows of two results that carry the same words, single rows, and the sums of like columns."""
    pairs: list[tuple[int, int]] = []
    if len(first.rows) == 1 or len(second.rows) == 1:
        left, right = _rows_to_compare(first, sentence), _rows_to_compare(second, sentence)
        pairs = [(one, other) for one in left for other in right]
    else:
        rows = {tuple(labels): index for index, labels in enumerate(second.labels) if labels}
        pairs = [(index, rows[key]) for index, labels in enumerate(first.labels) if (key := tuple(labels)) in rows]
    for one, other in pairs[:200]:
        for operand in _operands(first, [(one, column) for column in first.numeric]):
            for another in _operands(second, [(other, column) for column in second.numeric]):
                yield from _compared(operand, another)
                yield _sum(operand, another)
    if not first.truncated and not second.truncated:
        totals = [
            [
                total._replace(words=f"{total.words} of {result.mark}")
                for column in result.numeric
                if (total := result.total(column)) is not None
            ]
            for result in (first, second)
        ]
        for a in totals[0]:
            for b in totals[1]:
                yield from _compared(a, b)
                yield _sum(a, b)


def _compared(a: Operand, b: Operand) -> Iterator[Derivation]:
    """Difference, ratio and relative change of two numbers."""
    refs = _refs_of(a, b)
    difference = a.value - b.value
    high, low = (a, b) if difference >= 0 else (b, a)
    yield Derivation(abs(difference), refs, f"{high.words} - {low.words} = {_plain(abs(difference))}")
    for top, bottom in ((a, b), (b, a)):
        if bottom.value:
            ratio = top.value / bottom.value
            yield Derivation(ratio, refs, f"{top.words} / {bottom.words} = {_plain(ratio)}", relative=True)
            formula = f"({top.words} - {bottom.words}) / {bottom.words} = {_plain(ratio - 1)}"
            yield Derivation(ratio - 1, refs, formula, relative=True)


def _sum(a: Operand, b: Operand) -> Derivation:
    total = a.value + b.value
    return Derivation(total, _refs_of(a, b), f"{a.words} + {b.words} = {_plain(total)}")


def _halves(a: Operand, b: Operand) -> Iterator[Derivation]:
    """The shares of two numbers in their sum."""
    total = a.value + b.value
    if a.value <= 0 or b.value <= 0:
        return
    refs = _refs_of(a, b)
    for part in (a, b):
        formula = f"{part.words} / ({a.words} + {b.words}) = {_plain(part.value / total)}"
        yield Derivation(part.value / total, refs, formula, relative=True)


def _refs_of(a: Operand, b: Operand) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*a.ref.split(), *b.ref.split())))


def _words(cell: str | None) -> str:
    return cell or "NULL"


def _plain(value: float) -> str:
    """The number without an exponent and without false digits, six decimals at most."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
