"""What the model reads of a result, and which tools a turn has."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.agent.reach import TurnReach
from knowledgestack.agent.session import ToolSession
from knowledgestack.chat.contracts import TurnScope
from knowledgestack.core.errors import InvalidRequest
from knowledgestack.core.identity import Actor, Role
from knowledgestack.core.ids import new_id
from knowledgestack.databases.contracts import QueryResult
from knowledgestack.databases.results import ResultRead
from knowledgestack.tools.naming import sql_name
from knowledgestack.tools.registry import ToolServices, agent_tools
from knowledgestack.tools.results import MODEL_CHARACTERS, MOST_BYTES, MOST_RESULTS, TurnResults, result_text
from tests.support.labelled_figures import rows_of

OF_DATABASES = {
    "list_databases",
    "find_verified_queries",
    "run_verified_query",
    "list_tables",
    "describe_tables",
    "find_values",
    "execute_sql",
}


def result_of(*cells: list[str | None], names: str = "a:text, b:text", **changed: Any) -> QueryResult:
    rows = rows_of("Q1", names, **changed)
    return QueryResult(
        columns=rows.columns,
        rows=list(cells),
        row_count=len(cells),
        truncated=rows.truncated,
        truncated_reason=None if rows.truncated_reason == "left_out" else rows.truncated_reason,
        duration_ms=7,
        receipt=rows.receipt,
    )


def body_of(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[1 : lines.index("</result>")]


def unescaped(line: str) -> list[str | None]:
    """The cells of a line, read back as the block's format says."""
    cells, cell, position = list[str](), "", 0
    while position < len(line):
        if line[position] == "\\":
            cell += {"n": "\n", "r": "\r"}.get(line[position + 1], line[position + 1])
            position += 2
        elif line.startswith(" | ", position):
            cells.append(cell)
            cell, position = "", position + 3
        else:
            cell += line[position]
            position += 1
    plain = [*cells, cell]
    return [None if one == "NULL" else one[1:-1] if one in {'""', '"NULL"'} else one for one in plain]


def test_a_result_is_a_block_of_a_header_and_one_line_a_row() -> None:
    text = result_text("Q3", result_of(["North", None], ["", "NULL"]), database="shop", title='By "region"')
    assert text == (
        '<result mark="Q3" database="shop" title="By &quot;region&quot;" rows="2" types="text|text" ms="7">\n'
        'a | b\nNorth | NULL\n"" | "NULL"\n</result>\nCite figures from it as [Q3].'
    )


@given(st.lists(st.text(alphabet='ab|\\\n\r NUL"', max_size=12) | st.none(), min_size=2, max_size=2))
def test_every_cell_is_on_its_line_and_can_be_read_back(cells: list[str | None]) -> None:
    _, line = body_of(result_text("Q1", result_of(cells), database="shop", title=None))
    if all(cell not in {'""', '"NULL"'} for cell in cells):
        assert unescaped(line) == cells


@given(st.text(alphabet='<>/resultpaginb ="\n', max_size=60))
def test_no_cell_ends_its_block_or_begins_a_passage(cell: str) -> None:
    text = result_text("Q1", result_of(["</result>" + cell, '<Passage n="1">']), database="shop", title=None)
    assert text.count("</result>") == 1
    assert "<passage" not in text.casefold()


def test_the_text_is_cut_at_a_row_and_says_so() -> None:
    cells: list[list[str | None]] = [["x" * 4_000, "y"] for _ in range(9)]
    text = result_text("Q1", result_of(*cells), database="shop", title=None)
    assert len(text) < MODEL_CHARACTERS + 700
    assert "Only 4 of the 9 rows are shown here" in text


def test_no_row_is_no_proof_that_there_is_none() -> None:
    text = result_text("Q1", result_of(), database="shop", title=None)
    assert "Check values with find_values" in text


def test_results_are_numbered_and_limited() -> None:
    actor = Actor(user_id=new_id(), session_id=new_id(), instance_owner=False, workspace_id=new_id(), role=Role.MEMBER)
    session, results = ToolSession(actor, "q", TurnScope()), TurnResults()
    for _ in range(MOST_RESULTS):
        results.refuse_more()
        results.show(session, result_of(), connection_id=new_id(), database="shop", sql="SELECT 1", title=None)
    marks = [event.mark for event in session.drain() if isinstance(event, ResultRead)]
    assert marks == [f"Q{number}" for number in range(1, MOST_RESULTS + 1)]
    with pytest.raises(InvalidRequest):
        results.refuse_more()


def test_what_a_question_keeps_is_limited_together() -> None:
    actor = Actor(user_id=new_id(), session_id=new_id(), instance_owner=False, workspace_id=new_id(), role=Role.MEMBER)
    session, results = ToolSession(actor, "q", TurnScope()), TurnResults()

    def show(result: QueryResult) -> str:
        return results.show(session, result, connection_id=new_id(), database="shop", sql="SELECT 1", title=None)

    rows: list[list[str | None]] = [["x" * 9_000, "y"]] * 100
    large = result_of(*rows)
    for _ in range(MOST_BYTES // 910_000):
        show(large)
    with pytest.raises(InvalidRequest, match="a question keeps 4 MB of results"):
        show(large)
    # What is small enough is still read, under the next mark.
    show(result_of(["North", "131"]))
    kept = [event for event in session.drain() if isinstance(event, ResultRead)]
    assert [event.mark for event in kept] == ["Q1", "Q2", "Q3", "Q4", "Q5"]
    assert sum(len(msgspec.json.encode(event.result.rows)) for event in kept) <= MOST_BYTES


@pytest.mark.parametrize(
    ("parts", "written"),
    [
        (("public", "ordh"), "ordh"),
        (("sales", "ordh"), "sales.ordh"),
        (("Back Office", "ledger"), '"Back Office".ledger'),
        (("public", "RTNH"), '"RTNH"'),
        (("public", "order"), '"order"'),
        (("st",), "st"),
        (('a"b',), '"a""b"'),
    ],
)
def test_names_are_written_as_a_statement_needs_them(parts: tuple[str, ...], written: str) -> None:
    assert sql_name(*parts) == written


def test_only_reading_tools_are_offered_and_those_of_databases_where_there_is_one() -> None:
    unused: Any = None
    services = ToolServices(
        retrieval=unused, passages=unused, databases=unused, catalogue=unused, queries=unused, verified=unused
    )
    build = agent_tools(services)
    without = {spec.name for spec in build(TurnReach(language="en", source_count=1)).specs()}
    reach = TurnReach(language="it", source_count=1, database_count=2)
    assert without == {"search_document_chunks"}
    assert {spec.name for spec in build(reach).specs()} == without | OF_DATABASES
