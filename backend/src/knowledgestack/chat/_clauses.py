"""What a figure is said of: the rows that its clause, its list item or its row of a Markdown table names."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from knowledgestack.chat._naming import Mention, Names, named_columns, named_rows

_BREAK = re.compile(
    r"(?P<stop>[.!?\u2026][*_\"'\u201d\u2019)]*(?=\s|\Z))|(?P<open>\()|(?P<close>\))|(?P<part>[;:](?!\w)|\s[\u2014\u2013-]+\s)"
    r"|(?P<listed>,(?!\d)|\s&\s|\b(?:and|but|while|whereas|e|ed|ma|mentre|und|aber|w\u00e4hrend|et|mais)\b)",
    re.IGNORECASE,
)
_LIST_ITEM = re.compile(r"[ \t>]*(?:[-*+\u2022]|[0-9]{1,3}[.)])\s")
_AHEAD = re.compile(r"\W*(?:with|at|mit|bei|con|avec)\b", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:without|except|excluding|apart from|others?|rest|remaining|next|second|third|runner-up|followed|elsewhere"
    r"|senza|tranne|escluso|altr[ieoa]|rest[oi]|restanti|seguono|segue|ohne|au\u00dfer|andere[nrs]?|\u00fcbrige[nr]?"
    r"|gefolgt|sans|autres?|sauf)\b",
    re.IGNORECASE,
)


class Context(NamedTuple):
    """`rows` of each result that the figure may be said of, `columns` as (mark, column), the clause's own `text`.

    `exact` is False where the clause speaks of something besides the rows that it names.
    """

    rows: dict[str, frozenset[int]]
    columns: set[tuple[str, int]]
    text: str
    exact: bool

    @property
    def only(self) -> dict[str, int]:
        """The one row of a result that the figure has to come from."""
        return {mark: next(iter(rows)) for mark, rows in self.rows.items() if self.exact and len(rows) == 1}


class _Clause(NamedTuple):
    start: int
    end: int
    kind: str
    section: int
    depth: int
    mentions: list[Mention]


class _TableRow(NamedTuple):
    cells: list[tuple[int, int]]
    key: list[Mention]
    header: list[tuple[int, int]]


class Clauses:
    """The clauses of an answer. `text` has its marks and code blanked, `figures` are where its figures begin."""

    def __init__(self, text: str, raw: str, names: Names, figures: Sequence[int]) -> None:
        self._text, self._raw = text, raw
        self._mentions = names.find(text)
        self._starts = [mention.start for mention in self._mentions]
        self._figures = figures
        self._rows: dict[int, _TableRow] = {}
        self._lines: dict[int, list[_Clause]] = {}

    def is_within_a_name(self, position: int) -> bool:
        """Whether a place belongs to the words of a row or a column."""
        return position in self._named

    @cached_property
    def _named(self) -> set[int]:
        return {place for mention in self._mentions for place in range(mention.start, mention.end)}

    def at(self, position: int) -> Context:
        start = self._text.rfind("\n", 0, position) + 1
        end = self._text.find("\n", position)
        end = len(self._text) if end < 0 else end
        if self._text[start:end].lstrip().startswith("|"):
            return self._in_table(start, end, position)
        if start not in self._lines:
            self._lines[start] = _with_listed(self._split(start, end), self._figures)
        clauses = self._lines[start]
        own = min(bisect_right(clauses, position, key=lambda clause: clause.end), len(clauses) - 1)
        clause = clauses[own]
        text = self._text[clause.start : clause.end]
        mentions = self._said_of(clauses, own, text) or self._head(clauses, start, end)
        columns = named_columns(clause.mentions)
        if not columns and own and clauses[own - 1].section == clause.section:
            columns = named_columns(clauses[own - 1].mentions)
        return Context(named_rows(mentions), columns, text, exact=_OTHERS.search(text) is None)

    def _said_of(self, clauses: Sequence[_Clause], own: int, text: str) -> list[Mention]:
        """The mentions of the clause; else of the nearest before it, or of the one that `with 5 visits, …` opens."""
        clause = clauses[own]
        for at in range(own, -1, -1):
            other = clauses[at]
            if other.section != clause.section:
                break
            if other.depth <= clause.depth and _has_rows(other.mentions):
                return other.mentions
        following = clauses[own + 1] if own + 1 < len(clauses) else None
        if following is not None and following.section == clause.section and _AHEAD.match(text):
            return following.mentions
        return []

    def _head(self, clauses: Sequence[_Clause], start: int, end: int) -> list[Mention]:
        """What a list item begins with holds for the whole of it."""
        if not _LIST_ITEM.match(self._raw, start, end):
            return []
        return next((clause.mentions for clause in clauses if _has_rows(clause.mentions)), list[Mention]())

    def _split(self, start: int, end: int) -> Iterator[_Clause]:
        position, kind, section, depth = start, "stop", 0, 0
        for match in _BREAK.finditer(self._text, start, end):
            if any(mention.start < match.start() < mention.end for mention in self._between(start, end)):
                continue
            yield self._clause(position, match.start(), kind, section, depth)
            position, kind = match.end(), match.lastgroup or ""
            section += kind == "stop"
            depth = max(0, depth + (kind == "open") - (kind == "close"))
        yield self._clause(position, end, kind, section, depth)

    def _clause(self, start: int, end: int, kind: str, section: int, depth: int) -> _Clause:
        return _Clause(start, end, kind, section, depth, self._between(start, end))

    def _between(self, start: int, end: int) -> list[Mention]:
        return self._mentions[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def _in_table(self, start: int, end: int, position: int) -> Context:
        """The cell's own words with those of the first cell that names a row; else those above the column."""
        row = self._table_row(start, end)
        own = min(bisect_right(row.cells, position, key=lambda cell: cell[1]), len(row.cells) - 1)
        said = self._between(*row.cells[own])
        above = self._between(*row.header[own]) if own < len(row.header) else list[Mention]()
        mentions = [*row.key, *said] if row.key else above
        return Context(
            named_rows(mentions), named_columns([*said, *above]), self._text[slice(*row.cells[own])], exact=True
        )

    def _table_row(self, start: int, end: int) -> "_TableRow":
        if start not in self._rows:
            cells = self._cells(start, end)
            key = next((found for cell in cells if _has_rows(found := self._between(*cell))), list[Mention]())
            self._rows[start] = _TableRow(cells, key, self._header(start) or cells)
        return self._rows[start]

    def _header(self, start: int) -> list[tuple[int, int]]:
        """The cells of the table's first line; none where this line is the first."""
        top = start
        while top > 0:
            above = self._text.rfind("\n", 0, top - 1) + 1
            if above in self._rows:
                return self._rows[above].header
            if not self._text[above:top].lstrip().startswith("|"):
                break
            top = above
        return self._cells(top, self._text.find("\n", top)) if top < start else []

    def _cells(self, start: int, end: int) -> list[tuple[int, int]]:
        bars = [match.start() for match in re.finditer(r"(?<!\\)\|", self._text[start:end])]
        return [(start + left + 1, start + right) for left, right in zip(bars, [*bars[1:], end - start], strict=True)]


def _with_listed(clauses: Iterator[_Clause], figures: Sequence[int]) -> list[_Clause]:
    """Names that are listed before a figure count for it: `the gap between North and South is 7`."""
    found: list[_Clause] = []
    carried: list[Mention] = []
    for clause in clauses:
        if clause.kind != "listed":
            carried = []
        mentions = [*carried, *clause.mentions]
        has_figure = bisect_left(figures, clause.start) < bisect_left(figures, clause.end)
        carried = [] if has_figure else mentions
        found.append(clause._replace(mentions=mentions))
    return found


def _has_rows(mentions: Sequence[Mention]) -> bool:
    return any(mention.rows for mention in mentions)
