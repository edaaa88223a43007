"""A chat that has read large results stays quick to open, to follow and to ask."""

from collections.abc import AsyncGenerator
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from sqlalchemy import event

from knowledgestack.chat._repository import ProcessRepository
from knowledgestack.chat.contracts import NewTurnFeedback, QueryRows
from knowledgestack.models.chat import AssistantMessage, UserMessage
from tests.support.chat import ChatWorld, chat_world
from tests.support.frames import kinds, parse_frames, read_frames
from tests.support.labelled_figures import REGIONS
from tests.support.large_results import add_large_turns, turn_id_at
from tests.support.scripted_model import ScriptedModel, said

MOST = 5_000_000


@pytest.fixture
async def world(database_url: str) -> AsyncGenerator[ChatWorld]:
    async with chat_world(database_url) as made:
        yield made


def size_of(results: list[QueryRows]) -> int:
    return sum(len(msgspec.json.encode(result.rows)) for result in results)


async def test_a_chat_is_read_with_the_rows_of_its_newest_results(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(said("Yes."))) as process:
        chat_id = await world.new_chat(process)
        await add_large_turns(world, chat_id, turns=8)
        turns = (await process.chats.read_chat(world.actor, chat_id)).turns
    results = [result for turn in turns for result in turn.query_results]
    kept = [result.truncated_reason is None for result in results]
    assert kept == [False] * 4 + [True] * 4
    assert size_of(results) <= MOST
    for result in results[:4]:
        assert (result.rows, result.row_count) == ([], 10_000)
        assert (result.truncated, result.truncated_reason) == (True, "left_out")
        assert (result.mark, result.columns[0].name, result.receipt) == ("Q1", "hash", REGIONS.receipt)
    assert [turn.query_results[0].sql for turn in turns] == [f"SELECT {place} + 1" for place in range(8)]


async def test_within_a_turn_the_newest_results_keep_their_rows(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(said("Yes."))) as process:
        chat_id = await world.new_chat(process)
        await add_large_turns(world, chat_id, turns=2, results=3)
        turns = (await process.chats.read_chat(world.actor, chat_id)).turns
    assert [[bool(result.rows) for result in turn.query_results] for turn in turns] == [
        [False, False, True],
        [True, True, True],
    ]


async def test_the_stream_of_an_ended_turn_has_all_its_rows(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(said("Yes."))) as process:
        chat_id = await world.new_chat(process)
        await add_large_turns(world, chat_id, turns=8)
        frames = await read_frames(await process.chats.attach_turn(world.actor, chat_id, turn_id_at(0), None))
    assert len(frames[0]["turn"]["queryResults"][0]["rows"]) == 10_000


async def test_the_next_question_is_told_the_statements_before_it(world: ChatWorld) -> None:
    model = ScriptedModel(said("Yes."))
    async with world.process(model) as process:
        chat_id = await world.new_chat(process)
        await add_large_turns(world, chat_id, turns=1, results=5, rows=1)
        await process.ask(world.actor, chat_id, "And by month?")
    asked, answer = model.requests[0].messages[:2]
    assert isinstance(asked, UserMessage)
    assert isinstance(answer, AssistantMessage)
    told = "".join(f"\n\n(Read from the database “Warehouse”: SELECT 0 + {result})" for result in (3, 4, 5))
    assert answer.text == f"Answer 0{told}"


async def test_no_rows_are_read_to_ask_to_stop_or_to_rate(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(said("Yes."))) as process:
        chat_id = await world.new_chat(process)
        await add_large_turns(world, chat_id, turns=3, rows=1)
        read: list[str] = []

        def listen(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            read.append(statement)

        engine = world.database.engine.sync_engine
        event.listen(engine, "before_cursor_execute", listen)
        try:
            await process.chats.stop_turn(world.actor, chat_id, turn_id_at(0))
            await process.chats.rate_turn(world.actor, chat_id, turn_id_at(0), NewTurnFeedback(rating="up"))
            await process.start(world.actor, chat_id, "And by month?")
        finally:
            event.remove(engine, "before_cursor_execute", listen)
    assert any("FROM turns" in statement for statement in read)
    assert not [statement for statement in read if "turns.query_results," in statement]


async def test_a_running_turn_is_shown_elsewhere_with_its_results_once(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(said("Yes."))) as process:
        chat_id = await world.new_chat(process)
        await add_large_turns(world, chat_id, turns=1, results=2, rows=100)
        await _change(world, "state = 'running', lease_expires_at = now() + interval '1 hour'")
        stream = await process.chats.attach_turn(world.actor, chat_id, turn_id_at(0), None)
        frames = parse_frames(await anext(stream))
        await _change(world, "last_seq = 10, parts = '[\"Grown\"]'")
        frames += parse_frames(await anext(stream))
        await _change(world, "last_seq = 11, query_results = query_results || (query_results -> 0)")
        frames += parse_frames(await anext(stream))
        await _change(world, "last_seq = 13, state = 'done'")
        frames += [frame for chunk in [chunk async for chunk in stream] for frame in parse_frames(chunk)]
    assert kinds(frames) == ["snapshot", "snapshot", "snapshot", "snapshot", "done"]
    assert [len(frame["turn"].get("queryResults", ())) for frame in frames[:-1]] == [2, 0, 3, 3]
    assert "queryResults" not in frames[1]["turn"]
    assert frames[1]["turn"]["answer"] == "Grown"


async def test_new_results_are_stored_after_those_that_are(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(said("Yes."))) as process:
        chat_id = await world.new_chat(process)
        await add_large_turns(world, chat_id, turns=1, results=2, rows=1)
        await _change(world, "state = 'running', lease_expires_at = now() + interval '1 hour'")
        saved = {"id": turn_id_at(0), "workspace_id": world.actor.workspace_id}
        assert await _marks_after(world, {**saved, "last_seq": 10}) == ["Q1", "Q2"]
        assert await _marks_after(world, {**saved, "new_results": [{"mark": "Q3"}]}) == ["Q1", "Q2", "Q3"]
        assert await _marks_after(world, {**saved, "query_results": [{"mark": "Q1"}]}) == ["Q1"]


async def _marks_after(world: ChatWorld, saved: dict[str, Any]) -> list[str]:
    async with world.database.transaction() as tx:
        await ProcessRepository(tx).save_runs([saved])
        results = await tx.scalar(sa.text("SELECT query_results FROM turns"))
    return [result["mark"] for result in results]


async def _change(world: ChatWorld, values: str) -> None:
    async with world.database.transaction() as tx:
        await tx.execute(sa.text(f"UPDATE turns SET {values}"))
