"""Checks every figure of an answer against the results that its turn has read, without a model.

A figure is supported when it is a cell, or when arithmetic over cells or rows of one or two results gives it, within
its own rounding, in any unit scale and locale. Figures that repeat the question, a condition of the statement or a
cited passage are grounded there. What nothing carries is marked as such. How often the check is right stands in
`docs/figures.md`.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property

from knowledgestack.chat._arithmetic import RESCALED_FIGURES, SLACK, Arithmetic
from knowledgestack.chat._clauses import Clauses, Context
from knowledgestack.chat._derivations import Derivation, ResultCells
from knowledgestack.chat._naming import Names
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
_SCALES_DOWN = (10.0, 100.0, 1_000.0, 10_000.0, 1e6)
_COMPARES = re.compile(
    r"\b(?:than|more|less|fewer|by|above|below|ahead|behind|gap|difference|up|down|plus|minus|total|together|sum"
    r"|overall|average|mean|median|typical|rows|in all|out of"
    r"|più|meno|differenza|scarto|totale|insieme|media|mediana|complessivamente|righe|di cui"
    r"|mehr|weniger|um|über|unter|differenz|abstand|insgesamt|zusammen|summe|schnitt|mittel|zeilen"
    r"|plus|moins|écart|ensemble|moyenne|médiane|lignes)\b",
    re.IGNORECASE,
)


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
    cells = [ResultCells(rows) for rows in results]
    checker = _Checker(cells, _cited(citations, marks), question)
    numbers = find_numbers(text, language)
    clauses = Clauses(text, answer, Names(cells), [written.start for written in numbers])
    figures: list[Figure] = []
    for written in numbers:
        refs = next((refs for start, end, refs in sentences if start <= written.start < end), list[str]())
        is_of_results = not refs or any(ref.startswith(RESULT_SERIES) for ref in refs)
        if is_of_results and not clauses.is_within_a_name(written.start):
            figure = checker.check(written, clauses.at(written.start), refs)
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
        self._arithmetic: dict[tuple[str, ...], Arithmetic] = {}

    def check(self, written: Written, context: Context, refs: Sequence[str]) -> Figure | None:
        """The verdict; None for a figure that only repeats the question or today's date."""
        is_number = isinstance(written, WrittenNumber)
        cell, is_elsewhere = (
            self._cell(written, context, refs) if is_number else (self._date_cell(written, context, refs), False)
        )
        if cell is not None:
            return _figure(written, "cell", [cell])
        if any(_is_same(written, other) for other in self.question) or self._is_known_date(written):
            return None
        given = self._given(written)
        if given is not None:
            return given
        derived = self._derive(written, context, refs, is_elsewhere=is_elsewhere) if is_number else None
        if derived is not None:
            return _figure(written, "derived", derived.refs, derived.formula)
        return _figure(written, "unsupported", [])

    def _cell(self, written: WrittenNumber, context: Context, refs: Sequence[str]) -> tuple[str | None, bool]:
        """The cell that fits best: of a result that is cited, in a row and column that are named, nearest to it.

        Beside it stands whether a row carries the figure that it is not said of.
        """
        found: list[tuple[tuple[bool, bool, bool, bool, float], str]] = []
        is_elsewhere = False
        may = _Allowed(context.only, refs)
        for scale in _cell_scales(written):
            if scale != 1 and is_elsewhere and not written.unit:
                # The other row's cell as it stands is likelier meant than a cell of this one in another unit.
                break
            for reading in written.readings:
                low, high = (reading.value - reading.tolerance) * scale, (reading.value + reading.tolerance) * scale
                first = bisect_left(self.keys, low - abs(low) * SLACK)
                for key, result, row, column in self.cells[first : bisect_right(self.keys, high + high * SLACK)]:
                    if written.negative and (result.values[row][column] or 0) > 0:
                        continue
                    if scale != 1 and not _may_be_rescaled(written, key / scale, reading):
                        continue
                    if not may.come_from(result.mark, row):
                        is_elsewhere = is_elsewhere or scale == 1
                        continue
                    rank = (
                        scale != 1,
                        result.mark not in refs,
                        row not in context.rows.get(result.mark, ()),
                        (result.mark, column) not in context.columns,
                        abs(key / scale - reading.value),
                    )
                    found.append((rank, f"{result.mark}:{row}:{column}"))
        return min(found)[1] if found else None, is_elsewhere

    def _date_cell(self, written: Written, context: Context, refs: Sequence[str]) -> str | None:
        may = _Allowed(context.only, refs)
        found: list[tuple[bool, bool, bool, str]] = []
        for date, mark, row, column in self.dates:
            if may.come_from(mark, row) and _is_same(written, date):
                rank = (mark not in refs, row not in context.rows.get(mark, ()), (mark, column) not in context.columns)
                found.append((*rank, f"{mark}:{row}:{column}"))
        return min(found, key=lambda entry: entry[:3])[3] if found else None

    @cached_property
    def dates(self) -> list[tuple[WrittenDate, str, int, int]]:
        """The dates in the cells with where they stand."""
        read: dict[str, list[WrittenDate]] = {}
        found: list[tuple[WrittenDate, str, int, int]] = []
        for result in self.results:
            for row, cells in enumerate(result.rows):
                for column, cell in enumerate(cells):
                    if cell and column not in result.numeric and _DATE_CELL.match(cell):
                        start = cell[:40]
                        if start not in read:
                            read[start] = find_dates(start)
                        found += [(date, result.mark, row, column) for date in read[start]]
        return found

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
        if any(
            isinstance(date, WrittenDate) and date.year == written.year for date in (*todays, *told, *self.question)
        ):
            return True
        return written.year in self.years

    @cached_property
    def years(self) -> set[int | None]:
        return {date.year for date, _, _, _ in self.dates}

    def _derive(
        self, written: WrittenNumber, context: Context, refs: Sequence[str], *, is_elsewhere: bool
    ) -> Derivation | None:
        """The plainest arithmetic that gives the figure, over the results that are cited before all others.

        What is another row's cell is no chance sum or difference of this one, unless the clause compares.
        """
        along = is_elsewhere and _COMPARES.search(context.text) is None
        every = tuple(result.mark for result in self.results)
        cited = tuple(mark for mark in every if mark in refs)
        for marks in dict.fromkeys((cited or every, every)):
            if marks not in self._arithmetic:
                self._arithmetic[marks] = Arithmetic([result for result in self.results if result.mark in marks])
            derived = self._arithmetic[marks].find(written, context.rows, context.only, along=along)
            if derived is not None:
                return derived
        return None


class _Allowed:
    """Which rows a figure may come from, where its clause names just one of a result."""

    def __init__(self, only: Mapping[str, int], refs: Sequence[str]) -> None:
        self._only = only
        # Where the result that is cited has the row, another that is not cited and has none carries nothing.
        self._cited = set(refs) if any(mark in refs for mark in only) else None

    def come_from(self, mark: str, row: int) -> bool:
        if mark in self._only:
            return self._only[mark] == row
        return self._cited is None or mark in self._cited


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
    exact = abs(value - reading.value) <= abs(value) * SLACK
    return exact or written.figures >= RESCALED_FIGURES or written.unit != ""


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
        abs(reading.value - value) <= max(reading.value, 1.0) * SLACK
        for reading in written.readings
        for value in values
    )


def _is_same_date(written: WrittenDate, other: WrittenDate) -> bool:
    """Whether the parts that are written agree with those of a date that is known."""
    if written.time is not None or other.time is not None:
        return written.time == other.time
    pairs = ((written.year, other.year), (written.day, other.day))
    return written.month == other.month and all(mine is None or theirs in (mine, None) for mine, theirs in pairs)


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
