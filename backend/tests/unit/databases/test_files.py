"""Files of results: what a spreadsheet may run of them, and what they keep."""

import csv
import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.databases._files import Workbook, csv_lines, harmless, note_of
from knowledgestack.databases.contracts import QueryColumn

# What PostgreSQL can hold in a text: everything but NUL and halves of pairs.
CELLS = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)))


@pytest.mark.parametrize(
    "cell",
    ["=1+1", "+cmd|'/c calc'!A1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", "-", "+", "1e5=", "=", "--1"],
)
def test_what_a_spreadsheet_would_run_is_a_text(cell: str) -> None:
    assert (harmless(cell) == cell) == (cell[0] not in "=+-@\t\r\n＝")


@pytest.mark.parametrize("cell", ["-5", "+5", "-0.25", "-.5", "1e-7", "-1E+3", "", "text", "2024-01-01", "a=b"])
def test_numbers_and_plain_texts_stay_as_they_are(cell: str) -> None:
    assert harmless(cell) == cell


@given(st.lists(st.lists(CELLS | st.none(), min_size=2, max_size=4), min_size=1, max_size=5))
def test_every_cell_of_a_csv_is_read_back(rows: list[list[str | None]]) -> None:
    read = list(csv.reader(io.StringIO(csv_lines(rows).decode(), newline="")))
    assert read == [["" if cell is None else harmless(cell) for cell in row] for row in rows]


def test_null_and_an_empty_text_differ() -> None:
    assert csv_lines([[None, "", " a", 'say "no"']]) == b',""," a","say ""no"""\r\n'


def sheets(path: Path) -> tuple[str, str]:
    with zipfile.ZipFile(path) as book:
        return book.read("xl/worksheets/sheet1.xml").decode(), book.read("xl/worksheets/sheet2.xml").decode()


def test_a_workbook_keeps_every_digit_and_runs_nothing() -> None:
    columns = [QueryColumn(name=name, type=kind) for name, kind in (("=n", "numeric(20,2)"), ("t", "text"))]
    book = Workbook(columns)
    try:
        book.add([["12.50", "=HYPERLINK(1)"], ["12345678901234567890", "http://x"], ["NaN", ""], [None, "\x01<b>"]])
        book.finish([note_of("rows")], [("Statement", "=SELECT")])
        sheet, about = sheets(book.path)
    finally:
        book.close()
    assert not book.path.parent.exists()
    assert "<f>" not in sheet + about
    assert "hyperlink" not in sheet.lower().replace("=hyperlink(1)", "")
    assert "<v>12.5</v>" in sheet
    assert "<t>12345678901234567890</t>" in sheet
    assert "<t>NaN</t>" in sheet
    assert "holds 100,000 rows" in sheet


def test_an_unfinished_workbook_leaves_nothing_behind() -> None:
    book = Workbook([QueryColumn(name="n", type="integer")])
    book.add([["1"]] * 10)
    book.close()
    assert not book.path.parent.exists()


@pytest.mark.parametrize("before", ["\u200b", "\ufeff", "\x01", "  ", "\xa0"])
def test_what_a_spreadsheet_passes_over_hides_no_formula(before: str) -> None:
    assert harmless(f"{before}=1+1") == f"'{before}=1+1"
    assert harmless(f"{before}total") == f"{before}total"
