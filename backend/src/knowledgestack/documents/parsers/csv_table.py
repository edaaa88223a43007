"""CSV and TSV: one Markdown table, so that a row can be cited, read and split like any other."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from knowledgestack.documents.parsers._base import DocumentType, ParsedDocument, document, title_from_name
from knowledgestack.documents.parsers._decoding import decode

_DELIMITERS = ",;\t|"
_SAMPLE_CHARACTERS = 64 * 1024
_SAMPLE_ROWS = 100
_MOST_COLUMNS = 2_000
_NUMBER = re.compile(r"[+-]?[\d.,\s%€$£]*\d[\d.,\s%€$£]*\Z")
_NOT_A_TABLE = "This file could not be read as a table ({reason}); it was kept as plain text."


class CsvParser:
    type = DocumentType.CSV
    label = "CSV"
    extensions = (".csv", ".tsv")

    def parse(self, name: str, data: bytes) -> ParsedDocument:
        text, encoding, notes = decode(data)
        title = title_from_name(name)
        try:
            table = _markdown_table(text, _delimiter(text, "\t" if name.lower().endswith(".tsv") else ","))
        except csv.Error as error:
            note = _NOT_A_TABLE.format(reason=str(error))
            return document(DocumentType.TEXT, title, text, encoding, (*notes, note))
        return document(self.type, title, table, encoding, notes)


def _delimiter(text: str, default: str) -> str:
    """The delimiter that cuts the first rows into the most columns of one equal number."""
    sample = text[:_SAMPLE_CHARACTERS]
    best, best_score = default, (0.0, 0)
    for delimiter in _DELIMITERS:
        try:
            reader = csv.reader(_lines(sample), delimiter=delimiter)
            widths = [len(row) for row, _ in zip(reader, range(_SAMPLE_ROWS), strict=False) if row]
        except csv.Error:
            continue
        if not widths:
            continue
        width, rows = Counter(widths).most_common(1)[0]
        score = (rows / len(widths), width)
        if width > 1 and score > best_score:
            best, best_score = delimiter, score
    return best


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    """Rows with some text, each cell on one line."""
    for row in csv.reader(_lines(text), delimiter=delimiter):
        if len(row) > _MOST_COLUMNS:
            raise csv.Error(f"more than {_MOST_COLUMNS} columns")
        cells = [" ".join(cell.split()) for cell in row]
        if any(cells):
            yield cells


def _lines(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _markdown_table(text: str, delimiter: str) -> str:
    # Read twice, so that no more than one row of a large file is held as cells.
    width = max(map(len, _rows(text, delimiter)), default=0)
    rows = _rows(text, delimiter)
    first = next(rows, None)
    if first is None:
        return ""
    names = [f"Column {number + 1}" for number in range(width)]
    lines = [_line(names), _line(["---"] * width)]
    if any(_NUMBER.match(cell) for cell in first):
        lines.append(_line(first, width))
    else:
        # A first row without a number names the columns.
        names[: len(first)] = [cell or names[index] for index, cell in enumerate(first)]
        lines[0] = _line(names)
    lines.extend(_line(row, width) for row in rows)
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str], width: int = 0) -> str:
    escaped = [cell.replace("\\", "\\\\").replace("|", "\\|") for cell in cells]
    escaped.extend([""] * (width - len(escaped)))
    return f"| {' | '.join(escaped)} |"
