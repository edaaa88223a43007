"""Finds the plainest arithmetic over results that gives a written number."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from knowledgestack.chat._derivations import Derivation, ResultCells, named_derivations, plain_derivations, share
from knowledgestack.chat._numbers import WrittenNumber

SLACK = 1e-9
RESCALED_FIGURES = 3
_WHOLE = 0.5
_DERIVED_SCALES = (1e-2, 1e-3, 1e-6)
_SCALES = (1.0, 100.0, 10_000.0, *_DERIVED_SCALES)
_SHARE_SCALES = (1.0, 100.0, 10_000.0)
_SHARE_RANK = 1
_MOST_PLAIN = 40_000
_MOST_NAMED = 4_000
_MOST_SHARES = 50
_MOST_NAMINGS = 200

Ranked = tuple[int, int, Derivation]


class Arithmetic:
    """What some results give. What holds whatever is named is computed once, the rest once for the rows named."""

    def __init__(self, results: Sequence[ResultCells]) -> None:
        self._results = results
        self._plain = _Sorted(islice(plain_derivations(results), _MOST_PLAIN))
        self._shares = [_Shares(result, column) for result in results for column in result.numeric]
        self._named: dict[tuple[tuple[str, frozenset[int]], ...], _Sorted] = {}

    def find(
        self, written: WrittenNumber, named: Mapping[str, frozenset[int]], only: Mapping[str, int], *, along: bool
    ) -> Derivation | None:
        """The plainest that fits and has to do with the rows that are named.

        Of a result in `only` that row has to be part of it; `along` wants nothing but that row.
        """
        fitting = [*self._plain.fitting(written), *self._besides(named).fitting(written)]
        for shares in self._shares:
            fitting += shares.fitting(written)
        ranked = [
            (not derived.counted and not _touches(derived, named), rank, order, derived)
            for rank, order, derived in fitting
            if _is_about(derived, only) and _compares_named(derived, named) and (not along or _is_along(derived, only))
        ]
        return min(ranked, key=lambda entry: entry[:3])[3] if ranked else None

    def _besides(self, named: Mapping[str, frozenset[int]]) -> "_Sorted":
        key = tuple(sorted((mark, rows) for mark, rows in named.items() if rows))
        if key not in self._named:
            # Of a very long answer the rest is looked up without what its rows alone give.
            found = named_derivations(self._results, named) if len(self._named) < _MOST_NAMINGS else ()
            self._named[key] = _Sorted(islice(found, _MOST_NAMED))
        return self._named[key]


class _Sorted:
    """Computed numbers by their size."""

    def __init__(self, found: Iterable[tuple[int, Derivation]]) -> None:
        self._entries = sorted(
            ((abs(derived.value), order, rank, derived) for order, (rank, derived) in enumerate(found)),
            key=lambda entry: entry[0],
        )
        self._keys = [entry[0] for entry in self._entries]

    def fitting(self, written: WrittenNumber) -> Iterator[Ranked]:
        for scale in _SCALES:
            for low, high in _ranges(written, scale):
                first, last = bisect_left(self._keys, low), bisect_right(self._keys, high)
                for _, order, rank, derived in self._entries[first:last]:
                    if scale in _scales_of(written, derived):
                        yield rank, order, derived


class _Shares:
    """The shares of a column's cells in its sum, looked up by size rather than computed one by one."""

    def __init__(self, result: ResultCells, column: int) -> None:
        self._result, self._column = result, column
        total = None if result.truncated else result.total(column)
        self._total = total if total is not None and total.value else None
        values = [(abs(row[column] or 0.0), at) for at, row in enumerate(result.values) if row[column] is not None]
        self._cells = sorted(values) if self._total is not None else []
        self._keys = [value for value, _ in self._cells]

    def fitting(self, written: WrittenNumber) -> Iterator[Ranked]:
        if self._total is None:
            return
        for scale in _SHARE_SCALES:
            for low, high in _ranges(written, scale / abs(self._total.value)):
                first, last = bisect_left(self._keys, low), bisect_right(self._keys, high)
                for _, row in self._cells[first : min(last, first + _MOST_SHARES)]:
                    part = self._result.operand(row, self._column)
                    if part is not None and scale in _scales_of(written, derived := share(part, self._total)):
                        yield _SHARE_RANK, row, derived


def _ranges(written: WrittenNumber, scale: float) -> Iterator[tuple[float, float]]:
    for reading in written.readings:
        slack = reading.tolerance + reading.value * SLACK
        yield (reading.value - slack) / scale, (reading.value + slack) / scale


def _scales_of(written: WrittenNumber, derived: Derivation) -> tuple[float, ...]:
    """What the computed number may be multiplied with to be what is written."""
    if derived.counted:
        return (1.0,) if written.unit == "" else ()
    if written.unit == "basis_points":
        return (10_000.0,) if derived.relative else (1.0, 100.0, 10_000.0)
    if written.unit in {"percent", "points"}:
        return (100.0,) if derived.relative else (1.0, 100.0)
    if written.unit == "times":
        return (1.0,) if derived.relative else ()
    if derived.relative and all(reading.tolerance >= _WHOLE for reading in written.readings):
        return ()
    rescaled = written.figures >= RESCALED_FIGURES + derived.relative
    return (1.0, *_DERIVED_SCALES) if rescaled else (1.0,)


def _touches(derived: Derivation, named: Mapping[str, frozenset[int]]) -> bool:
    return any(operand.rows and operand.rows & named.get(operand.mark, frozenset()) for operand in derived.operands)


def _compares_named(derived: Derivation, named: Mapping[str, frozenset[int]]) -> bool:
    """Of two rows of a result in which rows are named, one is among them."""
    if len(derived.operands) < 2:
        return True
    a, b = derived.operands
    if a.rows is None or b.rows is None or a.mark != b.mark or not named.get(a.mark):
        return True
    return a.rows == b.rows or bool((a.rows | b.rows) & named[a.mark])


def _is_about(derived: Derivation, only: Mapping[str, int]) -> bool:
    """Whether rows that the arithmetic picks out are, for one result at least, the row that it has to be about."""
    picked = [operand for operand in derived.operands if operand.mark in only and operand.rows is not None]
    return not picked or any(only[operand.mark] in (operand.rows or ()) for operand in picked)


def _is_along(derived: Derivation, only: Mapping[str, int]) -> bool:
    return all(
        operand.mark in only and operand.rows is not None and operand.rows <= {only[operand.mark]}
        for operand in derived.operands
    )
