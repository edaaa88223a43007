"""Results as files: CSV as it comes, XLSX by way of a temporary file. No cell of either is ever run as a formula."""

import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import xlsxwriter

from knowledgestack.databases.contracts import QueryColumn, TruncatedReason

CSV_TYPE = "text/csv; charset=utf-8"
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
EXPORT_ROWS = 100_000
EXPORT_BYTES = 50_000_000
XLSX_CELL_CHARACTERS = 32_767

_NOTES: dict[TruncatedReason, str] = {
    "rows": f"This file ends here because it holds {EXPORT_ROWS:,} rows; the result has more. Filter or aggregate it.",
    "bytes": f"This file ends here because it holds {EXPORT_BYTES // 1_000_000} MB; the result has more. "
    "Filter or aggregate it.",
    "cells": f"Some cells were longer than {XLSX_CELL_CHARACTERS:,} characters and were cut there.",
}
# What a spreadsheet takes for the start of a formula, in its own and in full width.
_FORMULA_STARTS = frozenset("=+-@\t\r\n＝＋－＠")
# What a spreadsheet passes over before it looks for one.
_PASSED_OVER = "".join(map(chr, {*range(9), 11, 12, *range(14, 33), 0xA0, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF}))
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_QUOTED = re.compile('[",\r\n]')
_NUMERIC_TYPES = ("smallint", "integer", "bigint", "numeric", "real", "double precision", "oid")
_EXACT_DIGITS = 15


def note_of(reason: TruncatedReason) -> str:
    """What the last line of a file that was cut says."""
    return _NOTES[reason]


def csv_lines(rows: Sequence[Sequence[str | None]]) -> bytes:
    """Lines as RFC 4180 has them. NULL is nothing, an empty text is `""`, and a formula is a text."""
    return "".join(",".join(map(_csv_cell, row)) + "\r\n" for row in rows).encode()


def _csv_cell(cell: str | None) -> str:
    if cell is None:
        return ""
    text = harmless(cell)
    if not text or text[0] == " " or text[-1] == " " or _QUOTED.search(text):
        return '"' + text.replace('"', '""') + '"'
    return text


def harmless(cell: str) -> str:
    """The cell, with an apostrophe before it where a spreadsheet would run it; numbers stay numbers."""
    start = cell.lstrip(_PASSED_OVER)[:1]
    if start and start in _FORMULA_STARTS and not _NUMBER.fullmatch(cell):
        return "'" + cell
    return cell


class Workbook:
    """A workbook that is written row by row and holds one row in memory. Every method blocks."""

    def __init__(self, columns: list[QueryColumn]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="ks-export-", ignore_cleanup_errors=True)
        self.path = Path(self._folder.name) / "export.xlsx"
        self._book: Any = xlsxwriter.Workbook(
            str(self.path),
            {
                "constant_memory": True,
                "strings_to_formulas": False,
                "strings_to_urls": False,
                "strings_to_numbers": False,
                "tmpdir": self._folder.name,
            },
        )
        self._sheet: Any = self._book.add_worksheet("Result")
        self._numeric = [column.type.startswith(_NUMERIC_TYPES) and "[" not in column.type for column in columns]
        self._next = 0
        self._line([column.name for column in columns], self._book.add_format({"bold": True}))
        self._sheet.freeze_panes(1, 0)

    def close(self) -> None:
        """Let go of the file and of what was written aside, finished or not."""
        for sheet in self._book.worksheets():
            sheet._opt_close()  # noqa: SLF001 (an unfinished sheet keeps its file open otherwise)
        self._folder.cleanup()

    def add(self, rows: Sequence[Sequence[str | None]]) -> None:
        """Write rows. A number is written as one where a spreadsheet keeps all of its digits, else as text."""
        write: Callable[[int, int, Any], Any]
        for row in rows:
            for index, cell in enumerate(row):
                if cell is None:
                    continue
                number = self._numeric[index] and _is_exact(cell)
                write = self._sheet.write_number if number else self._sheet.write_string
                write(self._next, index, float(cell) if number else cell[:XLSX_CELL_CHARACTERS])
            self._next += 1

    def finish(self, notes: list[str], facts: list[tuple[str, str]]) -> None:
        """Write the notes under the rows, the facts on a sheet of their own, and the file itself."""
        for note in notes:
            self._line([note], self._book.add_format({"italic": True}))
        about: Any = self._book.add_worksheet("About")
        for index, (name, text) in enumerate(facts):
            about.write_string(index, 0, name)
            about.write_string(index, 1, text[:XLSX_CELL_CHARACTERS])
        self._book.close()

    def _line(self, cells: list[str], style: Any) -> None:
        for index, cell in enumerate(cells):
            self._sheet.write_string(self._next, index, cell[:XLSX_CELL_CHARACTERS], style)
        self._next += 1


def _is_exact(cell: str) -> bool:
    """Whether a spreadsheet shows this number with every digit that it has."""
    if not _NUMBER.fullmatch(cell):
        return False
    mantissa = re.split("[eE]", cell)[0]
    return sum(character.isdigit() for character in mantissa.lstrip("+-0.")) <= _EXACT_DIGITS
