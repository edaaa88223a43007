"""How a tool shows a result: whole to the person, as marked text to the model.

The text is a block of a header line and one line a row, cells between ` | `:

    <result mark="Q1" database="shop" title="Returns by region" rows="2" types="text|bigint" ms="12">
    region | returns
    North | 131
    Islands | NULL
    </result>

NULL stands for a missing value, `""` for an empty text and `"NULL"` for the word. In a cell a backslash is written
`\\\\`, a bar `\\|`, a line break `\\n`, and a tag of ours has its `<` escaped, so that no cell ends the block.
Sentences on what was cut follow the block.
"""

import re
from html import escape
from typing import Any
from uuid import UUID

import msgspec

from knowledgestack.agent.session import ToolSession
from knowledgestack.core.errors import InvalidRequest
from knowledgestack.databases.contracts import QueryResult
from knowledgestack.databases.results import RESULT_SERIES, ResultRead

MODEL_CHARACTERS = 20_000
MOST_RESULTS = 20
MOST_BYTES = 4_000_000
"""Of the rows of all results of a turn, as JSON: whoever opens its chat is sent all of them."""

_OWN_TAG = re.compile(r"<(?=/?(?:result|table|value|database|passage|nearest|note|sample|verified)s?)", re.IGNORECASE)
_CUT: dict[str, str] = {
    "rows": "These are the first {rows} rows and there are more: count or aggregate in the statement instead.",
    "bytes": "Only the first {rows} rows fit into a result: choose fewer columns, count or aggregate instead.",
    "cells": "Some cells were longer than 10,000 characters and were cut.",
}


class TurnResults:
    """The results of one turn, built with its tools."""

    def __init__(self) -> None:
        self._count = 0
        self._bytes = 0

    def refuse_more(self) -> None:
        """Raise `InvalidRequest` once a turn has read as many results as a person can look at."""
        if self._count >= MOST_RESULTS:
            raise InvalidRequest(f"This question has read {MOST_RESULTS} results already. Answer from them.")

    def show(
        self,
        session: ToolSession[Any],
        result: QueryResult,
        *,
        connection_id: UUID,
        database: str,
        sql: str,
        title: str | None,
    ) -> str:
        """Give the result its mark, show its rows to the person, and return the text for the model.

        Raise `InvalidRequest` where a turn would hold more than it can keep: then nobody sees the rows.
        """
        # Statements may run side by side, so that each was told before that there is room.
        self.refuse_more()
        size = len(msgspec.json.encode(result.rows))
        if self._bytes + size > MOST_BYTES:
            raise InvalidRequest(
                f"The rows were read but not kept: a question keeps {MOST_BYTES // 1_000_000} MB of results, and with"
                " them it would be more. Choose fewer columns, count or aggregate; or answer from what was read and say"
                " what is missing."
            )
        self._count += 1
        self._bytes += size
        mark = session.next_mark(RESULT_SERIES)
        session.emit(ResultRead(mark, title, connection_id, database, sql, result))
        return result_text(mark, result, database=database, title=title)


def result_text(mark: str, result: QueryResult, *, database: str, title: str | None) -> str:
    """The block of a result, 20,000 characters at most, and what to know of what was cut."""
    head = attributes(
        mark=mark,
        database=database,
        title=title,
        rows=result.row_count,
        types="|".join(column.type for column in result.columns),
        ms=result.duration_ms,
        cut=result.truncated_reason,
    )
    lines = [_line([column.name for column in result.columns])]
    length = len(lines[0])
    for row in result.rows:
        line = _line(row)
        if length + len(line) > MODEL_CHARACTERS:
            break
        length += len(line) + 1
        lines.append(line)
    written = len(lines) - 1
    lines[0] = lines[0][:MODEL_CHARACTERS]
    text = [f"<result {head}>", *lines, "</result>"]
    if result.truncated_reason is not None:
        text.append(_CUT[result.truncated_reason].format(rows=f"{result.row_count:,}"))
    if written < result.row_count:
        text.append(
            f"Only {written:,} of the {result.row_count:,} rows are shown here: the text was cut at"
            f" {MODEL_CHARACTERS:,} characters. Choose fewer columns, or count or aggregate in the statement."
        )
    if not result.rows:
        text.append("The statement found no row. Check values with find_values before you say that there are none.")
    text.append(f"Cite figures from it as [{mark}].")
    return "\n".join(text)


def cell_text(cell: str | None, longest: int | None = None) -> str:
    """One cell on one line, `longest` characters at most."""
    if cell is None:
        return "NULL"
    if cell in {"", "NULL"}:
        return f'"{cell}"'
    if longest is not None and len(cell) > longest:
        cell = cell[: longest - 1] + "…"
    cell = cell.replace("\\", "\\\\").replace("|", "\\|").replace("\r", "\\r").replace("\n", "\\n")
    return data_text(cell)


def data_text(text: str) -> str:
    """Text that others wrote, unable to end a block of ours or to begin one."""
    return _OWN_TAG.sub("&lt;", text)


def attributes(**values: object) -> str:
    """XML attributes; those without a value are left out."""
    return " ".join(
        f'{name}="{escape(" ".join(str(value).split()))}"' for name, value in values.items() if value is not None
    )


def _line(cells: list[str] | list[str | None]) -> str:
    return " | ".join(cell_text(cell) for cell in cells)
