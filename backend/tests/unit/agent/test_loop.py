"""The loop: what a reader sees of a run, and every way it ends."""

import asyncio
from collections.abc import Sequence
from uuid import uuid4

import msgspec
import pytest

from knowledgestack.agent.budget import Budget, BudgetLimits
from knowledgestack.agent.loop import (
    AgentEvent,
    AgentLoop,
    AnswerDelta,
    Compacted,
    ContextMeasured,
    Ended,
    StepEnded,
    StepStarted,
    ToolEmitted,
)
from knowledgestack.agent.session import ToolSession
from knowledgestack.agent.tool import ToolRegistry
from knowledgestack.core.identity import Actor, Role
from knowledgestack.models.chat import (
    AssistantMessage,
    Completed,
    Message,
    ModelFailed,
    TextDelta,
    ToolResult,
    UserMessage,
)
from tests.support.scripted_model import ScriptedModel, asked, finished, said


class SearchArguments(msgspec.Struct, forbid_unknown_fields=True):
    query: str


class Search:
    """Cites what it finds; `broken` fails, `slow` takes long, `long …` answers at length."""

    name = "search"
    description = "Searches."
    arguments = SearchArguments

    def __init__(self) -> None:
        self.queries: list[str] = []
        self.began = asyncio.Event()

    def display_text(self, arguments: SearchArguments) -> str:
        return f"Searching {arguments.query}"

    async def run(self, arguments: SearchArguments, session: ToolSession[None]) -> str:
        self.queries.append(arguments.query)
        self.began.set()
        if arguments.query == "slow":
            await asyncio.sleep(30)
        if arguments.query == "broken":
            raise OSError
        if arguments.query.startswith("long "):
            return "word " * 1_500
        number = session.cite(arguments.query, arguments.query)
        session.emit(f"cited {number}")
        return f"[{number}] {arguments.query}"


class Bench:
    """One run and what came out of it."""

    def __init__(self, *, limits: BudgetLimits | None = None) -> None:
        actor = Actor(user_id=uuid4(), session_id=uuid4(), instance_owner=False, workspace_id=uuid4(), role=Role.MEMBER)
        self.search = Search()
        self.session: ToolSession[None] = ToolSession(actor, "How long is the warranty?", None)
        self.budget = Budget(limits or BudgetLimits())

    async def run(
        self, model: ScriptedModel, history: Sequence[Message] = (), summary: str | None = None
    ) -> list[AgentEvent]:
        events = AgentLoop().run(
            model,
            history,
            ToolRegistry([self.search]),
            self.session,
            self.budget,
            instructions="Answer.",
            summary=summary,
        )
        return [event async for event in events]


class Reader:
    """Keeps the text that came before a run raised."""

    text = ""

    async def all(self, model: ScriptedModel) -> None:
        bench = Bench()
        registry = ToolRegistry([bench.search])
        async for event in AgentLoop().run(model, (), registry, bench.session, bench.budget, instructions=""):
            if isinstance(event, AnswerDelta):
                self.text += event.text


def query(words: str) -> tuple[str, str]:
    return "search", msgspec.json.encode({"query": words}).decode()


def reason_of(events: Sequence[AgentEvent]) -> str:
    ended = events[-1]
    assert isinstance(ended, Ended)
    assert sum(isinstance(event, Ended) for event in events) == 1
    return ended.reason


def visible(events: Sequence[AgentEvent]) -> list[AgentEvent]:
    return [event for event in events if not isinstance(event, ContextMeasured | Ended)]


async def test_an_answer_streams_in_one_part() -> None:
    events = await Bench().run(ScriptedModel(said("Two ", "years.")))
    assert visible(events) == [AnswerDelta(0, "Two "), AnswerDelta(0, "years.")]
    ended = events[-1]
    assert isinstance(ended, Ended)
    assert (ended.reason, ended.model_used, ended.provider_used) == ("answered", "scripted-1", "test")
    assert (ended.usage.model_calls, ended.usage.input_tokens, ended.usage.output_tokens) == (1, 10, 10)


async def test_a_step_claims_the_text_before_it_and_the_last_part_is_the_answer() -> None:
    bench = Bench()
    model = ScriptedModel(asked(query("warranty"), text="Let me look."), said("Two years [1]."))
    events = await bench.run(model)
    assert visible(events) == [
        AnswerDelta(0, "Let me look."),
        StepStarted("step-1", "search", "Searching warranty", 0),
        ToolEmitted("cited 1"),
        StepEnded("step-1", "search", "Searching warranty", 0, "done"),
        AnswerDelta(1, "Two years [1]."),
    ]
    question, call, result = model.requests[1].messages
    assert question == UserMessage("How long is the warranty?")
    assert isinstance(call, AssistantMessage)
    assert result == ToolResult(call.tool_calls[0].id, "[1] warranty")


async def test_several_calls_of_one_answer_all_run_in_order() -> None:
    bench = Bench()
    model = ScriptedModel(asked(query("a"), query("b"), query("c")), said("Done [2]."))
    events = await bench.run(model)
    assert bench.search.queries == ["a", "b", "c"]
    assert [event.part for event in events if isinstance(event, StepStarted)] == [0, 1, 2]
    assert visible(events)[-1] == AnswerDelta(3, "Done [2].")
    assert [message.text for message in model.requests[1].messages[2:]] == ["[1] a", "[2] b", "[3] c"]


async def test_thirty_calls_at_once_run_eight_and_answer_all() -> None:
    bench = Bench()
    model = ScriptedModel(asked(*(query(str(number)) for number in range(30))), said("Done."))
    assert reason_of(await bench.run(model)) == "answered"
    assert len(bench.search.queries) == 8
    assert len(model.requests[1].messages) == 32
    assert "At most 8" in model.requests[1].messages[-1].text


async def test_a_failing_tool_is_a_failed_step_and_the_run_goes_on() -> None:
    events = await Bench().run(ScriptedModel(asked(query("broken")), said("I could not look.")))
    assert [event.state for event in events if isinstance(event, StepEnded)] == ["failed"]
    assert reason_of(events) == "answered"


async def test_a_wrong_call_is_corrected_and_the_run_goes_on() -> None:
    bench = Bench()
    model = ScriptedModel(asked(("search", '{"words": 1}')), asked(query("warranty")), said("Two years [1]."))
    events = await bench.run(model)
    assert reason_of(events) == "answered"
    assert [event.state for event in events if isinstance(event, StepEnded)] == ["failed", "done"]
    assert "cannot be used" in model.requests[1].messages[-1].text


async def test_three_unknown_tools_in_a_row_end_the_run() -> None:
    model = ScriptedModel(asked(("fly", "{}")), asked(("swim", "{}")), asked(("dive", "{}")))
    events = await Bench().run(model)
    assert reason_of(events) == "unknown_tool_breaker"
    assert len(model.requests) == 3


async def test_thirty_unknown_tools_at_once_end_the_run_after_three() -> None:
    events = await Bench().run(ScriptedModel(asked(*((f"tool{number}", "{}") for number in range(30)))))
    assert reason_of(events) == "unknown_tool_breaker"
    assert sum(isinstance(event, StepStarted) for event in events) == 3


async def test_five_faults_between_sound_calls_end_the_run() -> None:
    scripts = [script for n in range(6) for script in (asked(("fly", str(n))), asked(query(str(n))))]
    model = ScriptedModel(*scripts)
    assert reason_of(await Bench().run(model)) == "unknown_tool_breaker"
    assert len(model.requests) == 9


async def test_the_same_call_again_is_not_run_and_the_third_time_ends_the_run() -> None:
    bench = Bench()
    model = ScriptedModel(asked(query("warranty")))
    assert reason_of(await bench.run(model)) == "loop_detected"
    assert bench.search.queries == ["warranty"]
    assert len(model.requests) == 3
    assert "before" in model.requests[2].messages[-1].text


async def test_a_call_that_failed_may_be_tried_again() -> None:
    bench = Bench()
    await bench.run(ScriptedModel(asked(query("broken")), asked(query("broken")), said("It stays broken.")))
    assert bench.search.queries == ["broken", "broken"]


async def test_fifty_model_calls_are_the_limit() -> None:
    model = ScriptedModel(*(asked(query(str(number))) for number in range(60)))
    assert reason_of(await Bench().run(model)) == "model_call_limit"
    assert len(model.requests) == 50


async def test_the_token_budget_ends_the_run_with_what_was_written() -> None:
    script = [TextDelta("Looking. "), *asked(query("a"))[:-1], finished("tool_calls", tokens=600)]
    events = await Bench(limits=BudgetLimits(tokens=1_000)).run(ScriptedModel(script, said("never")))
    assert reason_of(events) == "token_budget"
    assert AnswerDelta(0, "Looking. ") in events


async def test_tokens_are_counted_here_where_the_server_does_not_tell() -> None:
    script = [TextDelta("one two three"), Completed(input_tokens=0, output_tokens=0, model="", finish_reason="stop")]
    events = await Bench().run(ScriptedModel(script))
    ended = events[-1]
    assert isinstance(ended, Ended)
    assert ended.usage.input_tokens > 5
    assert ended.usage.output_tokens >= 3
    assert ended.model_used == "scripted"


async def test_the_wall_clock_ends_a_silent_model_and_closes_its_call() -> None:
    model = ScriptedModel([TextDelta("Well, "), 30.0, TextDelta("never"), finished()])
    events = await asyncio.wait_for(Bench(limits=BudgetLimits(seconds=0.1)).run(model), 5)
    assert reason_of(events) == "wall_clock"
    assert visible(events) == [AnswerDelta(0, "Well, ")]
    assert model.closed == 1


async def test_the_wall_clock_ends_a_slow_tool() -> None:
    model = ScriptedModel(asked(query("slow")), said("never"))
    events = await asyncio.wait_for(Bench(limits=BudgetLimits(seconds=0.1)).run(model), 5)
    assert reason_of(events) == "wall_clock"
    assert [event.state for event in events if isinstance(event, StepEnded)] == ["failed"]


async def test_a_failing_model_raises_after_what_was_written() -> None:
    model = ScriptedModel([TextDelta("Two "), ModelFailed("cut", code="model_cut")])
    read = Reader()
    with pytest.raises(ModelFailed, match="cut"):
        await read.all(model)
    assert read.text == "Two "


async def test_an_empty_answer_is_a_failure() -> None:
    with pytest.raises(ModelFailed) as failed:
        await Bench().run(ScriptedModel([finished()]))
    assert failed.value.code == "model_malformed"


async def test_a_model_that_says_its_window_is_full_ends_the_run() -> None:
    model = ScriptedModel([ModelFailed("too long", code="model_context_overflow")])
    assert reason_of(await Bench().run(model)) == "context_overflow"


async def test_a_question_larger_than_the_window_ends_before_any_call() -> None:
    bench = Bench()
    bench.session.question = "word " * 3_000
    model = ScriptedModel(said("never"), context_window=2_000)
    assert reason_of(await bench.run(model)) == "context_overflow"
    assert model.requests == []


async def test_leaving_the_run_closes_the_model() -> None:
    model = ScriptedModel([TextDelta("a"), 30.0])
    bench = Bench()
    events = AgentLoop().run(model, (), ToolRegistry([bench.search]), bench.session, bench.budget, instructions="")
    async for event in events:
        if isinstance(event, AnswerDelta):
            break
    await events.aclose()
    assert model.closed == 1


async def test_cancelling_the_reader_cancels_the_tool() -> None:
    bench = Bench()
    task = asyncio.create_task(bench.run(ScriptedModel(asked(query("slow")))))
    await asyncio.wait_for(bench.search.began.wait(), 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 2)


def turns(count: int, words: str = "words") -> list[Message]:
    return [
        message
        for number in range(count)
        for message in (UserMessage(f"Question {number}?"), AssistantMessage(f"{words} {number} [1][2]."))
    ]


async def test_a_hundred_turns_are_compacted_before_the_first_call_of_the_answer() -> None:
    history = turns(100)
    given = list(history)
    model = ScriptedModel(said("They asked ", "much [3]."), said("Two years."))
    events = await Bench().run(model, history, summary="Before that, refunds.")
    assert visible(events)[0] == Compacted("They asked much.", 90)
    summarised, answered = model.requests
    transcript = summarised.messages[0].text
    assert "Before that, refunds." in transcript
    assert "Question 89?" in transcript
    assert "Question 90?" not in transcript
    assert "[" not in transcript
    assert "They asked much." in answered.messages[0].text
    assert list(answered.messages[1:-1]) == history[180:]
    assert history == given
    measured = next(event for event in events if isinstance(event, ContextMeasured)).usage
    assert measured.turn_count == 11
    assert measured.fraction < 1


async def test_ninety_nine_turns_and_the_question_are_a_hundred() -> None:
    events = await Bench().run(ScriptedModel(said("Summary."), said("Answer.")), turns(99))
    assert visible(events)[0] == Compacted("Summary.", 89)


async def test_a_short_conversation_is_sent_whole() -> None:
    model = ScriptedModel(said("Answer."))
    events = await Bench().run(model, turns(98))
    assert not any(isinstance(event, Compacted) for event in events)
    assert len(model.requests[0].messages) == 197


async def test_a_window_too_full_is_compacted_by_tokens() -> None:
    history = turns(10, "word " * 300)
    model = ScriptedModel(said("Short."), said("Answer."), context_window=4_000)
    events = await Bench().run(model, history)
    assert visible(events)[0] == Compacted("Short.", 9)


@pytest.mark.parametrize("script", [[ModelFailed("no", code="model_unreachable")], [finished()]])
async def test_a_turn_succeeds_without_the_summary_that_failed(script: list[object]) -> None:
    history = turns(10, "word " * 300)
    model = ScriptedModel(script, said("Answer."), context_window=4_000)  # type: ignore[arg-type]
    events = await Bench().run(model, history)
    assert reason_of(events) == "answered"
    assert not any(isinstance(event, Compacted) for event in events)
    assert model.requests[1].messages[0] in history[2:]
    assert model.requests[1].messages[-1] == UserMessage("How long is the warranty?")


async def test_one_turn_is_too_short_to_split() -> None:
    model = ScriptedModel(said("Answer."), context_window=4_000)
    events = await Bench().run(model, turns(1, "word " * 5_000))
    assert reason_of(events) == "answered"
    assert len(model.requests) == 1


async def test_the_local_answerer_is_not_asked_for_a_summary() -> None:
    model = ScriptedModel(said("Quote [1]."), model_id="local")
    events = await Bench().run(model, turns(120))
    assert len(model.requests) == 1
    assert reason_of(events) == "answered"


async def test_old_tool_results_make_room_in_a_small_window() -> None:
    searches = [asked(query(f"long {letter}")) for letter in "abcd"]
    model = ScriptedModel(*searches, said("Answer."), context_window=6_000)
    assert reason_of(await Bench().run(model)) == "answered"
    results = [message.text for message in model.requests[-1].messages if isinstance(message, ToolResult)]
    assert [text.startswith("[This result was left out") for text in results] == [True, True, False, False]
