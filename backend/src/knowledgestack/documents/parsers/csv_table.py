"""CSV and TSV: one Markdown table, so that a row can be cited, read and split like any other."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable

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
            rows = _read_rows(text, _delimiter(text, "\t" if name.lower().endswith(".tsv") else ","))
        except csv.Error as error:
            note = _NOT_A_TABLE.format(reason=str(error))
            return document(DocumentType.TEXT, title, text, encoding, (*notes, note))
        return document(self.type, title, _markdown_table(rows), encoding, notes)


def _delimiter(text: str, default: str) -> str:
    """The delimiter that cuts the first rows into the most columns of one equal number."""
    sample = text[:_SAMPLE_CHARACTERS]
    best, best_score = default, (0.0, 0)
    for delimiter in _DELIMITERS:
        try:
            reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
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


def _read_rows(text: str, delimiter: str) -> list[list[str]]:
    rows: list[list[str]] = []
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
        if len(row) > _MOST_COLUMNS:
            raise csv.Error(f"more than {_MOST_COLUMNS} columns")
        cells = [" ".join(cell.split()) for cell in row]
        if any(cells):
            rows.append(cells)
    return rows


def _markdown_table(rows: list[list[str]]) -> str:
    if not rows:
        return ""
    width = max(map(len, rows))
    names = [f"Column {number + 1}" for number in range(width)]
    if not any(_NUMBER.match(cell) for cell in rows[0]):
        # A first row without a number names the columns.
        names[: len(rows[0])] = [cell or names[index] for index, cell in enumerate(rows[0])]
        rows = rows[1:]
    lines = [_line(names), _line(["---"] * width)]
    lines.extend(_line([*row, *[""] * (width - len(row))]) for row in rows)
    return "\n".join(lines) + "\n"


def _line(cells: Iterable[str]) -> str:
    escaped = (cell.replace("\\", "\\\\").replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"
