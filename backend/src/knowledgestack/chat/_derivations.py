"""What can be computed from the cells of one or two results: sums, differences, ratios, shares, means and counts.

Everything is found by trying: the cells are few, and a formula that gives the written figure within its own rounding
is a proof that a person can check. What a result was cut off from is never summed or counted.
"""

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
_MOST_ACROSS = 600
_MARK_WIDTH = 6

Rows = Mapping[str, Collection[int]]
"""Rows of results by the result's mark."""


class Operand(NamedTuple):
    """A number with the reference that names it and the words that stand for it in a formula.

    `rows` are those of the result `mark` that it was made from; None for all of them.
    """

    value: float
    ref: str
    words: str
    mark: str
    rows: frozenset[int] | None


class Derivation(NamedTuple):
    """A computed number. A `relative` one is a ratio, a share or a change, and may be written as a percentage.

    `shape` becomes the formula with the words of the operands. `whole` is what a share is a share of.
    """

    value: float
    shape: str
    operands: tuple[Operand, ...]
    relative: bool = False
    counted: bool = False
    whole: Operand | None = None

    @property
    def formula(self) -> str:
        words = [operand.words for operand in self.operands]
        if self.whole is not None:
            words.append(self.whole.words)
        return f"{self.shape.format(*words)} = {_plain(self.value)}"

    @property
    def refs(self) -> list[str]:
        """Cells in the order in which they stand in the results."""
        refs = {ref for operand in self.operands for ref in operand.ref.split()}
        return sorted(refs, key=lambda ref: [part.zfill(_MARK_WIDTH) for part in ref.split(":")])


class ResultCells:
    """One result with its cells read as numbers where they are any."""

    def __init__(self, rows: QueryRows) -> None:
        self.mark = rows.mark
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
        return (
            None
            if value is None
            else Operand(
                value,
                f"{self.mark}:{row}:{column}",
                _words(self.rows[row][column]),
                self.mark,
                frozenset((row,)),
            )
        )

    def column(self, column: int) -> list[tuple[int, float]]:
        """The numbers of a column with their rows."""
        return [(row, value) for row, values in enumerate(self.values) if (value := values[column]) is not None]

    def total(self, column: int) -> Operand | None:
        """The sum of a column that has something to sum."""
        if column not in self._totals:
            cells = self.column(column)
            total = math.fsum(value for _, value in cells)
            self._totals[column] = self.whole(total, f"sum({self.names[column]})") if len(cells) > 1 else None
        return self._totals[column]

    def whole(self, value: float, words: str, rows: Iterable[int] | None = None) -> Operand:
        """What was made from all rows, or from those that are given."""
        return Operand(value, self.mark, words, self.mark, None if rows is None else frozenset(rows))

    @cached_property
    def fixed(self) -> list[Derivation]:
        """What the result gives whatever is named."""
        return [*_counts(self), *_column_figures(self)]

    @cached_property
    def labels(self) -> list[list[str]]:
        """The words of each row, by which rows of two results are told to be of the same thing."""
        return [
            [cell.casefold() for index, cell in enumerate(row) if cell and index not in self.numeric and len(cell) > 1]
            for row in self.rows
        ]

    @cached_property
    def by_labels(self) -> dict[tuple[str, ...], int]:
        return {tuple(labels): index for index, labels in enumerate(self.labels) if labels}


def number_of(cell: str | None) -> float | None:
    if cell is None:
        return None
    if not _NUMERIC.match(cell):
        cell = _MONEY.sub("", cell) if cell[:1] in "$\u20ac\u00a3" else ""
        if not _NUMERIC.match(cell):
            return None
    value = float(cell)
    return value if math.isfinite(value) else None


def plain_derivations(results: Sequence[ResultCells]) -> Iterator[tuple[int, Derivation]]:
    """What the results give whatever is named, with a rank: the lower, the plainer."""
    for result in results:
        if not result.truncated:
            yield from ((0, derived) for derived in result.fixed)
    for result in results:
        rows = _outer_rows(result)
        yield from ((3, derived) for derived in _along_rows(result, rows))
        yield from ((4, derived) for pair in combinations(rows, 2) for derived in _down_columns(result, *pair))
    for first, second in combinations(results, 2):
        yield from ((5, derived) for derived in _across(first, second))


def named_derivations(results: Sequence[ResultCells], named: Rows) -> Iterator[tuple[int, Derivation]]:
    """What the results give besides for the rows that are named."""
    for result in results:
        rows = sorted(named.get(result.mark, ()))[:_SMALL]
        outer = _outer_rows(result)
        if not result.truncated:
            yield from ((2, derived) for derived in _named_sums(result, sorted(named.get(result.mark, ()))))
        yield from ((3, derived) for derived in _along_rows(result, [row for row in rows if row not in outer]))
        pairs = {(min(row, other), max(row, other)) for row in rows for other in (*rows, *outer) if row != other}
        for one, other in sorted(pairs):
            if one not in outer or other not in outer:
                yield from ((4, derived) for derived in _down_columns(result, one, other))
            if one in rows and other in rows:
                yield from ((4, derived) for derived in _together(result, one, other))
    for first, second in combinations(results, 2):
        yield from ((5, derived) for derived in _across(first, second, named))


def _operands(result: ResultCells, places: Iterable[tuple[int, int]]) -> list[Operand]:
    return [operand for row, column in places if (operand := result.operand(row, column)) is not None]


def _counts(result: ResultCells) -> Iterator[Derivation]:
    yield _counted(result, len(result.rows), "count(rows)")
    for index, name in enumerate(result.names):
        if index in result.numeric:
            # How many different amounts there are is nothing that anybody says.
            continue
        counted: defaultdict[str, list[int]] = defaultdict(list)
        for row, cells in enumerate(result.rows):
            if (cell := cells[index]) is not None:
                counted[cell].append(row)
        yield _counted(result, len(counted), f"count(distinct {name})")
        if len(counted) <= _MOST_GROUPS:
            for value, rows in counted.items():
                if len(rows) > 1:
                    yield _counted(result, len(rows), f"count({name} = {value})", rows)


def _counted(result: ResultCells, count: int, words: str, rows: Iterable[int] | None = None) -> Derivation:
    return Derivation(count, "{}", (result.whole(count, words, rows),), counted=True)


def _column_figures(result: ResultCells) -> Iterator[Derivation]:
    """Sum, mean and median of each column, and the parts of it that words or order make."""
    totals = {column: total for column in result.numeric if (total := result.total(column)) is not None}
    groups = _groups(result)
    for column, total in totals.items():
        name, cells = result.names[column], result.column(column)
        mean, median = total.value / len(cells), _median(cells)
        for value, words in ((total.value, f"sum({name})"), (mean, f"mean({name})"), (median, f"median({name})")):
            yield Derivation(value, "{}", (result.whole(value, words),))
        yield from _signs(result, name, cells)
        for rows, words in groups:
            yield from _part(result, column, rows, f"sum({name} {words})", total)
    for a, b in combinations(totals.values(), 2):
        yield from _compared(a, b)
        yield _sum(a, b)
        yield from _halves(a, b)


def _named_sums(result: ResultCells, named: Sequence[int]) -> Iterator[Derivation]:
    """The sum of the rows that are named, and what is left without one."""
    for column in result.numeric:
        total = result.total(column)
        if total is None:
            continue
        if 1 < len(named) < len(result.rows):
            yield from _part(result, column, named, "", total)
        for cell in _operands(result, [(row, column) for row in named[:1] if len(named) == 1]):
            yield Derivation(total.value - cell.value, "{} - {}", (total, cell))


def _part(result: ResultCells, column: int, rows: Sequence[int], words: str, total: Operand) -> Iterator[Derivation]:
    """The sum of some rows and its share; without words of its own the cells are written out."""
    cells = _operands(result, [(row, column) for row in rows])
    if len(cells) < 2:
        return
    value = math.fsum(cell.value for cell in cells)
    if words:
        part = result.whole(value, words, rows)
    else:
        written = " + ".join(cell.words for cell in cells[:_MOST_WRITTEN]) + (" + …" if cells[_MOST_WRITTEN:] else "")
        part = result.whole(value, f"({written})", rows)._replace(ref=" ".join(cell.ref for cell in cells))
    yield Derivation(value, "{}", (part,))
    if total.value:
        yield share(part, total)


def share(part: Operand, total: Operand) -> Derivation:
    return Derivation(part.value / total.value, "{} / {}", (part,), relative=True, whole=total)


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


def _signs(result: ResultCells, name: str, cells: Sequence[tuple[int, float]]) -> Iterator[Derivation]:
    """How many of a column are above and below zero, such as the regions that grew."""
    above = [row for row, value in cells if value > 0]
    below = [row for row, value in cells if value < 0]
    for sign, rows in ((">", above), ("<", below)):
        if 0 < len(rows) < len(cells):
            yield _counted(result, len(rows), f"count({name} {sign} 0)", rows)


def _median(cells: Sequence[tuple[int, float]]) -> float:
    values = sorted(value for _, value in cells)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def _along_rows(result: ResultCells, rows: Iterable[int]) -> Iterator[Derivation]:
    for row in rows:
        for a, b in combinations(_operands(result, [(row, column) for column in result.numeric]), 2):
            yield from _compared(a, b)
            yield _sum(a, b)
            yield from _halves(a, b)


def _down_columns(result: ResultCells, one: int, other: int) -> Iterator[Derivation]:
    for a, b in _pairs_of(result, one, other):
        yield from _compared(a, b)


def _together(result: ResultCells, one: int, other: int) -> Iterator[Derivation]:
    """Sum, mean and shares of two rows: of those that are named alone, since any two sum up to something."""
    for a, b in _pairs_of(result, one, other):
        yield _sum(a, b)
        yield Derivation((a.value + b.value) / 2, "({} + {}) / 2", (a, b))
        yield from _halves(a, b)


def _pairs_of(result: ResultCells, one: int, other: int) -> Iterator[tuple[Operand, Operand]]:
    for column in result.numeric:
        a, b = result.operand(one, column), result.operand(other, column)
        if a is not None and b is not None:
            yield a, b


def _outer_rows(result: ResultCells) -> list[int]:
    """All rows of a small result; the first and last ones of a larger one."""
    count = len(result.rows)
    return list(range(count)) if count <= _SMALL else [0, 1, 2, count - 2, count - 1]


def _across(first: ResultCells, second: ResultCells, named: Rows | None = None) -> Iterator[Derivation]:
    """Rows of two results that carry the same words, single rows, and the sums of like columns."""
    pairs = _like_rows(first, second, named or {})
    most = max(_SMALL, _MOST_ACROSS // max(1, len(first.numeric) * len(second.numeric)))
    if named is not None:
        pairs = [
            (one, other)
            for at, (one, other) in enumerate(pairs)
            if at >= most and (one in named.get(first.mark, ()) or other in named.get(second.mark, ()))
        ]
    for one, other in pairs[:most]:
        for operand in _operands(first, [(one, column) for column in first.numeric]):
            for another in _operands(second, [(other, column) for column in second.numeric]):
                yield from _compared(operand, another)
                yield _sum(operand, another)
    if named is None and not first.truncated and not second.truncated:
        for a in _totals_of(first):
            for b in _totals_of(second):
                yield from _compared(a, b)
                yield _sum(a, b)


def _like_rows(first: ResultCells, second: ResultCells, named: Rows) -> list[tuple[int, int]]:
    if len(first.rows) == 1 or len(second.rows) == 1:
        left, right = (
            list(dict.fromkeys([*_outer_rows(result), *sorted(named.get(result.mark, ()))[:_SMALL]]))
            for result in (first, second)
        )
        return [(one, other) for one in left for other in right]
    rows = second.by_labels
    return [(index, rows[key]) for index, labels in enumerate(first.labels) if (key := tuple(labels)) in rows]


def _totals_of(result: ResultCells) -> list[Operand]:
    totals = [total for column in result.numeric if (total := result.total(column)) is not None]
    return [total._replace(words=f"{total.words} of {result.mark}") for total in totals]


def _compared(a: Operand, b: Operand) -> Iterator[Derivation]:
    """Difference, ratio and relative change of two numbers."""
    difference = a.value - b.value
    high, low = (a, b) if difference >= 0 else (b, a)
    yield Derivation(abs(difference), "{} - {}", (high, low))
    for top, bottom in ((a, b), (b, a)):
        if bottom.value:
            ratio = top.value / bottom.value
            yield Derivation(ratio, "{} / {}", (top, bottom), True)
            yield Derivation(ratio - 1, "({0} - {1}) / {1}", (top, bottom), True)


def _sum(a: Operand, b: Operand) -> Derivation:
    return Derivation(a.value + b.value, "{} + {}", (a, b))


def _halves(a: Operand, b: Operand) -> Iterator[Derivation]:
    """The shares of two numbers in their sum."""
    if a.value <= 0 or b.value <= 0:
        return
    total = a.value + b.value
    yield Derivation(a.value / total, "{0} / ({0} + {1})", (a, b), True)
    yield Derivation(b.value / total, "{1} / ({0} + {1})", (a, b), True)


def _words(cell: str | None) -> str:
    return cell or "NULL"


def _plain(value: float) -> str:
    """The number without an exponent and without false digits, six decimals at most."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
