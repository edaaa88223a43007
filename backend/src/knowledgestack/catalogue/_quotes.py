"""Quotes as people and the model read them: without Markdown's marks, a row with the heads of its columns."""

import re

from knowledgestack.catalogue._units import Unit, after_mark, cells_of

QUOTE_CHARACTERS = 500
_MOST_VALUES = 14

_MARKS = re.compile(
    r"(`+)(?P<code>[^`\n]+)\1"
    r"|!?\[(?P<label>[^\]\[]*)\]\([^)\s]*\)"
    r"|\*\*|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)"
    r"|(?<!\w)_(?P<emphasis>[^_\s][^_\n]*)_(?!\w)"
    r"|\\(?=[|\\_*`])"
)


def plain(markdown: str) -> str:
    """The words on one line, no longer than a quote may be."""
    words = _MARKS.sub(_unmarked, markdown)
    return shortened(" ".join(words.split()))


def _unmarked(match: re.Match[str]) -> str:
    return match.group("code") or match.group("label") or match.group("emphasis") or ""


def shortened(text: str) -> str:
    if len(text) <= QUOTE_CHARACTERS:
        return text
    return text[:QUOTE_CHARACTERS].rsplit(" ", 1)[0] + " …"


def quote_of(text: str, unit: Unit) -> str:
    """What is kept of a unit. A row reads "Head: cell · Head: cell", without empty cells."""
    source = text[unit.start : unit.end]
    if unit.kind != "row" or unit.header is None:
        return plain(source[after_mark(source) :])
    heads = _cells(text[unit.header.start : unit.header.end].split("\n", maxsplit=1)[0])
    parts = [
        f"{heads[index]}: {cell}" if index < len(heads) and heads[index] else cell
        for index, cell in enumerate(_cells(source))
        if cell
    ]
    return shortened(" · ".join(parts))


def values_quote(header: str, rows: list[str]) -> str:
    """A table of codes on one line: what its first column is called, then each code with its meaning."""
    heads = _cells(header)
    pairs = [cells for row in rows[:_MOST_VALUES] if len(cells := _cells(row)) > 1]
    more = "; …" if len(rows) > _MOST_VALUES else ""
    return shortened(
        f"{' / '.join(heads[:2])}: " + "; ".join(f"{code} = {meaning}" for code, meaning, *_ in pairs) + more
    )


def first_cell(row: str) -> str:
    cells = cells_of(row)
    return row[cells[0].start : cells[0].end] if cells else ""


def _cells(row: str) -> list[str]:
    return [plain(row[cell.start : cell.end]) for cell in cells_of(row)]
