"""What a running turn shows and stores of the results that its steps read."""

from knowledgestack.agent.loop import AnswerDelta, StepEnded, StepStarted, ToolEmitted
from knowledgestack.agent.session import ToolSession
from knowledgestack.chat.contracts import TurnScope
from knowledgestack.chat.transcript import Transcript
from knowledgestack.core.identity import Actor, Role
from knowledgestack.core.ids import new_id
from knowledgestack.databases.contracts import QueryResult
from knowledgestack.databases.results import RESULT_SERIES, ResultRead
from tests.support.labelled_figures import REGIONS


def new_session() -> ToolSession[TurnScope]:
    actor = Actor(user_id=new_id(), session_id=new_id(), instance_owner=False, workspace_id=new_id(), role=Role.MEMBER)
    return ToolSession(actor, "How many?", TurnScope())


def read_result(session: ToolSession[TurnScope]) -> ResultRead:
    result = QueryResult(
        columns=REGIONS.columns,
        rows=REGIONS.rows,
        row_count=5,
        truncated=False,
        truncated_reason=None,
        duration_ms=1,
        receipt=REGIONS.receipt,
    )
    return ResultRead(session.next_mark(RESULT_SERIES), "A title\0", new_id(), "shop", "SELECT 1", result)


async def test_a_result_belongs_to_its_step_and_only_its_mark_is_known() -> None:
    session = new_session()
    transcript = Transcript(session, source_count=1, quotes_only=False)
    transcript.take(StepStarted("step-4", "execute_sql", "Running a query", 0))
    transcript.take(ToolEmitted(read_result(session)))
    transcript.take(StepEnded("step-4", "execute_sql", "Running a query", 0, "done"))
    transcript.take(AnswerDelta(1, "One [Q1], two [Q2], all [Q1-Q3], five [q1; 1]."))
    transcript.close_text()
    assert transcript.answer == "One [Q1], two, all [Q1], five [Q1]."
    assert [(rows.mark, rows.step_id) for rows in transcript.query_results] == [("Q1", "step-4")]
    assert transcript.query_results[0].title is not None
    assert "\0" not in transcript.query_results[0].title


async def test_a_result_is_stored_once_and_again_where_storing_failed() -> None:
    session = new_session()
    transcript = Transcript(session, source_count=1, quotes_only=False)
    transcript.take(StepStarted("step-1", "execute_sql", "Running", 0))
    transcript.take(ToolEmitted(read_result(session)))
    assert [result["mark"] for result in transcript.unsaved()["new_results"]] == ["Q1"]
    transcript.take(StepEnded("step-1", "execute_sql", "Running", 0, "done"))
    after = transcript.unsaved()
    assert after["steps"]
    assert not {"query_results", "new_results"} & after.keys()
    transcript.take(ToolEmitted(read_result(session)))
    assert [result["mark"] for result in transcript.unsaved()["new_results"]] == ["Q2"]
    transcript.mark_unsaved()
    again = transcript.unsaved()
    assert [result["mark"] for result in again["query_results"]] == ["Q1", "Q2"]
    assert "new_results" not in again
    assert len(transcript.row_values()["query_results"]) == 2


async def test_a_question_that_read_a_result_is_not_unanswered() -> None:
    session = new_session()
    transcript = Transcript(session, source_count=1, quotes_only=True)
    transcript.take(StepStarted("step-1", "execute_sql", "Running", 0))
    transcript.take(ToolEmitted(read_result(session)))
    assert transcript.not_found is None
