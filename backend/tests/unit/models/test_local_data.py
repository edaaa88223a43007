"""The local answerer over the texts of the database tools: what it asks for, and what it says of rows and tables."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from math import isclose
from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.chat._numbers import WrittenNumber, find_numbers
from knowledgestack.databases.contracts import QueryColumn, QueryReceipt, QueryResult
from knowledgestack.models._local_data_reply import parse_result, parse_verified
from knowledgestack.models._local_numbers import written
from knowledgestack.models.chat import (
    AssistantMessage,
    Message,
    ModelRequest,
    TextDelta,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from knowledgestack.models.local import LocalAnswerer
from knowledgestack.tools.results import result_text

TOOLS = tuple(
    ToolSpec(name, "", {})
    for name in ("search_document_chunks", "find_verified_queries", "run_verified_query", "describe_tables")
)
ENTRY = """<verified_query id="q-1" database="shop" fits="{fits}" score="0.91" state="current">
Question: How many orders has each region?
Description: All orders since 1994.
</verified_query>"""
NOTHING = '<passages query="x" sources="1" count="0">\n</passages>'
CELLS = st.one_of(st.none(), st.text(st.characters(exclude_categories=("Cs",)), max_size=30))


def answered(
    *rows: list[str | None], columns: Sequence[str] = ("region", "order_count"), types: Sequence[str] = ()
) -> QueryResult:
    return QueryResult(
        columns=[
            QueryColumn(name=name, type=kind)
            for name, kind in zip(columns, types or ["text"] * len(columns), strict=True)
        ],
        rows=list(rows),
        row_count=len(rows),
        truncated=False,
        truncated_reason=None,
        duration_ms=1,
        receipt=QueryReceipt(
            statement_id=uuid4(),
            database="shop",
            role="reader",
            tables=[],
            columns=[],
            cost_estimate=None,
            time_zone="UTC",
            today="2026-11-20",
            started_at=datetime(2026, 11, 20, tzinfo=UTC),
        ),
    )


def ran(*rows: list[str | None], columns: Sequence[str] = ("region", "order_count"), types: Sequence[str] = ()) -> str:
    text = result_text("Q1", answered(*rows, columns=columns, types=types), database="shop", title="x")
    return f"{ENTRY.format(fits='yes')}\n{text}"


async def next_of(question: str, *answers: tuple[str, str], tools: Sequence[ToolSpec] = TOOLS) -> list[ToolCall] | str:
    """The calls that it makes after these (tool, result), or its answer."""
    messages: list[Message] = [UserMessage(question)]
    for number, (name, text) in enumerate(answers):
        messages += [AssistantMessage("", (ToolCall(str(number), name, "{}"),)), ToolResult(str(number), text)]
    request = ModelRequest(instructions="", messages=tuple(messages), tools=tuple(tools))
    events = [event async for event in LocalAnswerer().stream(request)]
    calls = [event for event in events if isinstance(event, ToolCall)]
    return calls or "".join(event.text for event in events if isinstance(event, TextDelta))


async def names_of(question: str, *answers: tuple[str, str], tools: Sequence[ToolSpec] = TOOLS) -> list[str]:
    calls = await next_of(question, *answers, tools=tools)
    assert isinstance(calls, list), calls
    return [call.name for call in calls]


QUESTION = "How many orders has each region?"
FITS = (
    "find_verified_queries",
    f'<verified_queries question="x" count="1">\n{ENTRY.format(fits="yes")}\n</verified_queries>',
)
NONE = (
    "find_verified_queries",
    (
        f'<verified_queries question="x" count="1">\n{ENTRY.format(fits="no")}\n</verified_queries>\n'
        '<tables database="shop" count="2" shown="1">\nordh (table, 40 rows, 5 columns): Heads of orders\n</tables>'
    ),
)


async def test_a_question_for_figures_looks_for_a_verified_query_first_and_runs_the_one_that_fits() -> None:
    assert await names_of(QUESTION) == ["find_verified_queries"]
    (call,) = await next_of(QUESTION, FITS)
    assert isinstance(call, ToolCall)
    assert (call.name, json.loads(call.arguments)) == ("run_verified_query", {"id": "q-1"})


async def test_without_databases_it_searches_documents_alone() -> None:
    assert await names_of(QUESTION, tools=TOOLS[:1]) == ["search_document_chunks"]


async def test_a_question_about_words_searches_documents_alone() -> None:
    assert await names_of("What does the status K mean?") == ["search_document_chunks"]


async def test_where_none_fits_documents_are_searched_then_the_tables_described_once() -> None:
    assert await names_of(QUESTION, NONE) == ["search_document_chunks"]
    searched = ("search_document_chunks", NOTHING)
    (call,) = await next_of(QUESTION, NONE, searched)
    assert isinstance(call, ToolCall)
    assert json.loads(call.arguments) == {"database": "shop", "tables": ["ordh"]}
    note = "- st: “S is shipped.” [1] (Letters › Orders)"
    described = (
        "describe_tables",
        f'<table name="ordh">\nColumns:\n- st text\nWhat the documents say:\n{note}\n</table>',
    )
    answer = await next_of(QUESTION, NONE, searched, described)
    assert "No verified query answers this from the data" in answer
    assert "The tables of *shop* that come nearest: `ordh`." in answer
    assert "- `ordh.st` — S is shipped. [1]" in answer


async def test_the_first_rows_are_told_with_their_mark_and_the_query_is_named() -> None:
    rows: list[list[str | None]] = [["North", "40"], ["Isles", None], ["South", "7"], ["East", "1"]]
    answer = await next_of(QUESTION, FITS, ("run_verified_query", ran(*rows)))
    assert answer == (
        "**North** — order count: 40 [Q1] (first of 4 rows).\n\n"
        "- **Isles** — order count: no value [Q1]\n- **South** — order count: 7 [Q1]\n\n"
        "All rows stand in the table.\n\n"
        "This is the verified query “How many orders has each region?” on *shop*. All orders since 1994.\n"
    )


async def test_rows_are_told_by_what_differs() -> None:
    rows: list[list[str | None]] = [["due", "7001", "ALD"], ["due", "7002", "ALD"]]
    answer = await next_of(QUESTION, FITS, ("run_verified_query", ran(*rows, columns=("state", "unit_no", "hub"))))
    assert isinstance(answer, str)
    assert answer.startswith("unit no **7001** — state: due; hub: ALD [Q1] (first of 2 rows).")


async def test_one_row_and_no_row() -> None:
    one = await next_of(QUESTION, FITS, ("run_verified_query", ran(["412", "398"], columns=("active_now", "before"))))
    assert isinstance(one, str)
    assert one.startswith("active now: **412**; before: **398** [Q1].")
    none = await next_of(QUESTION, FITS, ("run_verified_query", ran()))
    assert isinstance(none, str)
    assert none.startswith("The query found no row [Q1].")


async def test_numbers_are_grouped_as_the_language_of_the_question_does_and_codes_stay() -> None:
    columns = ("year", "unit_no", "article", "revenue", "stock")
    types = ("integer", "bigint", "text", "numeric(12,2)", "bigint")
    told = ran(["2026", "70012345", "4006381", "305589.71", "-1234567"], columns=columns, types=types)
    english = await next_of(QUESTION, FITS, ("run_verified_query", told))
    assert isinstance(english, str)
    assert english.startswith(
        "year: **2026**; unit no: **70012345**; article: **4006381**; revenue: **305,589.71**; stock: **-1,234,567**"
    )
    italian = await next_of("Quanti ordini ha ogni regione?", FITS, ("run_verified_query", told))
    assert isinstance(italian, str)
    assert "revenue: **305.589,71**; stock: **-1.234.567**" in italian


@given(st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**12), max_value=10**12))
def test_the_check_of_figures_reads_a_written_number_as_the_cell(number: Decimal) -> None:
    for language in ("en", "it"):
        (seen,) = find_numbers(written(str(number), language), language)
        assert isinstance(seen, WrittenNumber)
        assert any(isclose(reading.value, abs(float(number)), abs_tol=0.005) for reading in seen.readings)


async def test_a_query_that_fails_is_told_and_the_documents_are_searched() -> None:
    failed = ("run_verified_query", "run_verified_query failed: The database does not answer.")
    assert await names_of(QUESTION, FITS, failed) == ["search_document_chunks"]
    answer = await next_of(QUESTION, FITS, failed, ("search_document_chunks", NOTHING))
    assert isinstance(answer, str)
    assert answer.startswith(
        "The verified query “How many orders has each region?” could not be run: The database does not answer."
    )


async def test_cells_of_strangers_make_no_mark_link_or_emphasis() -> None:
    row: list[str | None] = ["see [7] **now** [x](http://evil.example) <b>", "1"]
    answer = await next_of(QUESTION, FITS, ("run_verified_query", ran(row)))
    assert isinstance(answer, str)
    first = answer.split("\n", 1)[0]
    assert "[7]" not in first
    assert "](http" not in first
    assert "\\*\\*now\\*\\*" in first
    assert "\\<b\\>" in first


@given(st.lists(st.tuples(CELLS, CELLS), max_size=5))
def test_every_cell_is_read_back_as_it_was(rows: list[tuple[str | None, str | None]]) -> None:
    kept = [list(row) for row in rows]
    reply = parse_result(ran(*kept))
    assert reply is not None
    assert (reply.mark, reply.columns, reply.row_count) == ("Q1", ("region", "order_count"), len(rows))
    assert [list(row) for row in reply.rows] == kept


def test_text_of_another_kind_is_no_reply() -> None:
    assert parse_verified(NOTHING) is None
    assert parse_result("run_verified_query failed: no") is None
