"""Checks every figure of an answer against the results that its turn has read, without a model.

A figure is supported when it is a cell, or when arithmetic over cells or rows of one or two results gives it, within
its own rounding, in any unit scale and locale. Figures that repeat the question, a condition of the statement or a
cited passage are grounded there. What nothing carries is marked as such. How often the check is right stands in
`docs/figures.md`.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import islice

from knowledgestack.chat._derivations import Derivation, ResultCells, derivations
from knowledgestack.chat._numbers import Reading, WrittenDate, WrittenNumber, find_dates, find_numbers
from knowledgestack.chat.contracts import Figure, FigureKind, QueryRows
from knowledgestack.chat.marks import find_marks
from knowledgestack.chat.support import marked_sentences
from knowledgestack.databases.results import RESULT_SERIES
from knowledgestack.lexicon.language import UNDETERMINED, detect
from knowledgestack.retrieval.contracts import Citation

Written = WrittenNumber | WrittenDate

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|\]\([^)\s]*\)|https?://\S+", re.DOTALL)
_LIST_NUMBER = re.compile(r"^[ \t>]*[0-9]{1,3}[.)](?=\s)", re.MULTILINE)
_LITERAL = re.compile(r"'((?:[^']|'')*)'|(?<![\w.])([0-9]+(?:\.[0-9]+)?)(?![\w])")
_DATE_CELL = re.compile(r"[0-9]{1,4}[-./:][0-9]{1,2}")
_WHOLE = 0.5
_SLACK = 1e-9
_RESCALED_FIGURES = 3
_SCALES_DOWN = (10.0, 100.0, 1_000.0, 10_000.0, 1e6)
_DERIVED_SCALES = (1e-2, 1e-3, 1e-6)
_MOST_TRIED = 200_000
_MOST_SENTENCES = 60


def check_figures(
    answer: str, results: Sequence[QueryRows], citations: Sequence[Citation], question: str
) -> list[Figure]:
    """A verdict on each figure of a sentence that cites a result, or that cites nothing.

    Sentences that cite passages alone are left to the check of sentences. Ranges are code points of the answer.
    """
    if not results:
        return []
    marks = find_marks(answer)
    text = _only_prose(answer, marks)
    language = detect(text) if text.strip() else UNDETERMINED
    sentences = marked_sentences(text, marks, language)
    checker = _Checker([ResultCells(rows) for rows in results], _cited(citations, marks), question)
    figures: list[Figure] = []
    for written in find_numbers(text, language):
        start, end, refs = next(
            (sentence for sentence in sentences if sentence[0] <= written.start < sentence[1]),
            (*_line(text, written.start), list[str]()),
        )
        if not refs or any(ref.startswith(RESULT_SERIES) for ref in refs):
            figure = checker.check(written, text[start:end], refs)
            if figure is not None:
                figures.append(figure)
    return figures


class _Checker:
    """Looks one figure up: in cells, in words that were given, and in what the cells give by arithmetic."""

    def __init__(self, results: Sequence[ResultCells], cited: Sequence[Citation], question: str) -> None:
        self.results = results
        self.question = find_numbers(question)
        self.passages = [(str(citation.index), find_numbers(_passage(citation))) for citation in cited]
        self.conditions = [(result.mark, _conditions(result)) for result in results]
        cells = [
            (abs(value), result, row, column)
            for result in results
            for row, values in enumerate(result.values)
            for column, value in enumerate(values)
            if value is not None
        ]
        self.cells = sorted(cells, key=lambda cell: cell[0])
        self.keys = [cell[0] for cell in self.cells]
        self._derived: dict[tuple[str, tuple[str, ...]], _Derived] = {}

    def check(self, written: Written, sentence: str, refs: Sequence[str]) -> Figure | None:
        """The verdict; None for a figure that only repeats the question or today's date."""
        is_number = isinstance(written, WrittenNumber)
        cell = self._cell(written, sentence, refs) if is_number else self._date_cell(written, sentence, refs)
        if cell is not None:
            return _figure(written, "cell", [cell])
        if any(_is_same(written, other) for other in self.question) or self._is_known_date(written):
            return None
        given = self._given(written)
        if given is not None:
            return given
        derived = self._derive(written, sentence, refs) if is_number else None
        if derived is not None:
            return _figure(written, "derived", list(derived.refs), derived.formula)
        return _figure(written, "unsupported", [])

    def _cell(self, written: WrittenNumber, sentence: str, refs: Sequence[str]) -> str | None:
        """The cell that fits best: of a result that is cited, in a row that is named, nearest to what is written."""
        found: list[tuple[tuple[bool, bool, bool, float], str]] = []
        named = {result.mark: set(result.named_rows(sentence)) for result in self.results}
        for scale in _cell_scales(written):
            for reading in written.readings:
                low, high = (reading.value - reading.tolerance) * scale, (reading.value + reading.tolerance) * scale
                first = bisect_left(self.keys, low - abs(low) * _SLACK)
                for key, result, row, column in self.cells[first : bisect_right(self.keys, high + high * _SLACK)]:
                    if written.negative and (result.values[row][column] or 0) > 0:
                        continue
                    if scale != 1 and not _may_be_rescaled(written, key / scale, reading):
                        continue
                    rank = (
                        scale != 1,
                        result.mark not in refs,
                        row not in named[result.mark],
                        abs(key / scale - reading.value),
                    )
                    found.append((rank, f"{result.mark}:{row}:{column}"))
        return min(found)[1] if found else None

    def _date_cell(self, written: WrittenDate, sentence: str, refs: Sequence[str]) -> str | None:
        for result in sorted(self.results, key=lambda result: result.mark not in refs):
            named = set(result.named_rows(sentence))
            for row in sorted(range(len(result.rows)), key=lambda row: row not in named):
                for column, cell in enumerate(result.rows[row]):
                    if cell and any(_is_same(written, other) for other in _dates_of(cell)):
                        return f"{result.mark}:{row}:{column}"
        return None

    def _given(self, written: Written) -> Figure | None:
        """A figure that a statement's condition or a cited passage has."""
        for mark, conditions in self.conditions:
            if any(_is_same(written, other) for other in conditions):
                return _figure(written, "derived", [mark], "SQL")
        for index, numbers in self.passages:
            if any(_is_same(written, other) for other in numbers):
                return _figure(written, "passage", [index])
        return None

    def _is_known_date(self, written: Written) -> bool:
        """Whether it is today, or a year in which a date of the results, conditions, passages or question lies."""
        todays = [date for result in self.results for date in find_dates(result.today)]
        if isinstance(written, WrittenDate):
            return any(_is_same(written, today) for today in todays)
        if written.year is None:
            return False
        told = [other for _, numbers in (*self.conditions, *self.passages) for other in numbers]
        cells = [date for result in self.results for row in result.rows for cell in row for date in _dates_of(cell)]
        return any(
            isinstance(date, WrittenDate) and date.year == written.year
            for date in (*todays, *told, *self.question, *cells)
        )

    def _derive(self, written: WrittenNumber, sentence: str, refs: Sequence[str]) -> Derivation | None:
        """The plainest arithmetic that gives the figure, over the results that are cited before all others."""
        cited = tuple(ref for ref in refs if ref.startswith(RESULT_SERIES))
        for marks in (cited, ()) if cited else ((),):
            derived = self._all_derived(sentence, marks).find(written)
            if derived is not None:
                return derived
        return None

    def _all_derived(self, sentence: str, marks: tuple[str, ...]) -> "_Derived":
        if len(self._derived) >= _MOST_SENTENCES:
            # Of a very long answer the rest is looked up without regard to the rows that its sentences name.
            sentence = ""
        key = (sentence, marks)
        if key not in self._derived:
            chosen = [result for result in self.results if not marks or result.mark in marks]
            self._derived[key] = _Derived(islice(derivations(chosen, sentence), _MOST_TRIED))
        return self._derived[key]


class _Derived:
    """Computed numbers by their size, the plainest first among those that fit."""

    def __init__(self, found: Iterable[Derivation]) -> None:
        self._sorted = sorted(
            ((abs(derived.value), order, derived) for order, derived in enumerate(found)), key=lambda entry: entry[0]
        )
        self._keys = [entry[0] for entry in self._sorted]

    def find(self, written: WrittenNumber) -> Derivation | None:
        fitting: list[tuple[int, Derivation]] = []
        for scale in (1.0, 100.0, 10_000.0, *_DERIVED_SCALES):
            for reading in written.readings:
                slack = reading.tolerance + reading.value * _SLACK
                first = bisect_left(self._keys, (reading.value - slack) / scale)
                last = bisect_right(self._keys, (reading.value + slack) / scale)
                fitting += [
                    (order, derived)
                    for _, order, derived in self._sorted[first:last]
                    if scale in _derived_scales(written, derived)
                ]
        return min(fitting, key=lambda entry: entry[0])[1] if fitting else None


def _figure(written: Written, kind: FigureKind, refs: list[str], formula: str | None = None) -> Figure:
    return Figure(start=written.start, end=written.end, kind=kind, refs=refs, formula=formula)


def _cell_scales(written: WrittenNumber) -> tuple[float, ...]:
    """What a cell may be multiplied with beside what is written: shares for percent, minor units for whole ones."""
    if written.unit in {"percent", "points"}:
        return (1.0, 0.01, 100.0)
    if written.unit == "basis_points":
        return (1.0, 0.01, 0.0001)
    return (1.0, *_SCALES_DOWN)


def _may_be_rescaled(written: WrittenNumber, value: float, reading: Reading) -> bool:
    """A cell in another unit has to agree in more than a digit or two, or to the last of them."""
    exact = abs(value - reading.value) <= abs(value) * _SLACK
    return exact or written.figures >= _RESCALED_FIGURES or written.unit != ""


def _derived_scales(written: WrittenNumber, derived: Derivation) -> tuple[float, ...]:
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
    rescaled = written.figures >= _RESCALED_FIGURES + derived.relative
    return (1.0, *_DERIVED_SCALES) if rescaled else (1.0,)


def _is_same(written: Written, other: Written) -> bool:
    if isinstance(written, WrittenNumber) and isinstance(other, WrittenNumber):
        return _is_same_number(written, other)
    if isinstance(written, WrittenDate) and isinstance(other, WrittenDate):
        return _is_same_date(written, other)
    return False


def _is_same_number(written: WrittenNumber, other: WrittenNumber) -> bool:
    relative = ("percent", "points")
    if other.unit and (written.unit in relative) != (other.unit in relative):
        return False
    values = [reading.value for reading in other.readings]
    return any(
        abs(reading.value - value) <= max(reading.value, 1.0) * _SLACK
        for reading in written.readings
        for value in values
    )


def _is_same_date(written: WrittenDate, other: WrittenDate) -> bool:
    """Whether the parts that are written agree with those of a date that is known."""
    if written.time is not None or other.time is not None:
        return written.time == other.time
    pairs = ((written.year, other.year), (written.day, other.day))
    return written.month == other.month and all(mine is None or theirs in (mine, None) for mine, theirs in pairs)


def _dates_of(cell: str | None) -> list[WrittenDate]:
    """The dates at the start of a cell that looks like one."""
    return find_dates(cell[:40]) if cell and _DATE_CELL.match(cell) else []


def _conditions(result: ResultCells) -> list[Written]:
    """The numbers and dates that stand in the statement's own text."""
    found: list[Written] = []
    for match in _LITERAL.finditer(result.sql):
        found += find_numbers(match[1] if match[1] is not None else match[2])
    return found


def _passage(citation: Citation) -> str:
    return "\n".join((citation.title, *citation.heading_path, citation.text))


def _cited(citations: Sequence[Citation], marks: Sequence[tuple[int, int, tuple[str, ...]]]) -> list[Citation]:
    labels = {label for _, _, found in marks for label in found}
    return [citation for citation in citations if str(citation.index) in labels]


def _only_prose(answer: str, marks: Sequence[tuple[int, int, tuple[str, ...]]]) -> str:
    """The answer with marks, code, addresses and list numbers blanked; every other code point keeps its place."""
    spans = [(start, end) for start, end, _ in marks]
    spans += [match.span() for pattern in (_CODE, _LIST_NUMBER) for match in pattern.finditer(answer)]
    for start, end in spans:
        blank = re.sub(r"[^\n]", " ", answer[start:end])
        answer = answer[:start] + blank + answer[end:]
    return answer


def _line(text: str, position: int) -> tuple[int, int]:
    end = text.find("\n", position)
    return text.rfind("\n", 0, position) + 1, len(text) if end < 0 else end
