"""Faults 2, 3, 4, 5, 13, 15, 18 and 32 of a turn: what a person sees when something dies in the middle of an answer."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa

from knowledgestack.agent.budget import BudgetLimits
from knowledgestack.chat._repository import RunRepository
from knowledgestack.chat.contracts import NewChat
from knowledgestack.core.errors import Unavailable
from knowledgestack.models.chat import ModelFailed, TextDelta
from tests.support.chat import ChatWorld, chat_world, search_for
from tests.support.frames import kinds, read_frames, read_until, text_of
from tests.support.scripted_model import ScriptedModel, asked, said
from tests.support.waiting import eventually

TURN_PROCESS = Path(__file__).parents[1] / "support" / "turn_process.py"
BACKEND = Path(__file__).parents[2]
HANGS = [TextDelta("One"), 600.0]


@pytest.fixture
async def world(database_url: str) -> AsyncGenerator[ChatWorld]:
    async with chat_world(database_url) as made:
        yield made


async def run_sql(world: ChatWorld, statement: str) -> None:
    async with world.database.transaction() as tx:
        await tx.execute(sa.text(statement))


async def test_fault_2_a_killed_process_leaves_a_failed_turn_with_its_text(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(said("Whole."))) as process:
        chat_id = await world.new_chat(process)
        live_chat = await world.new_chat(process)
        actor = json.dumps([str(world.actor.user_id), str(world.actor.workspace_id), str(chat_id)])
        child = await asyncio.create_subprocess_exec(
            sys.executable,
            str(TURN_PROCESS),
            world.database.dsn,
            actor,
            cwd=BACKEND,
            stdout=PIPE,
            env={"PYTHONPATH": "."},
        )
        assert child.stdout is not None
        turn_id = UUID((await asyncio.wait_for(child.stdout.readline(), 30)).decode().strip())
        async with world.process(ScriptedModel(HANGS)) as living:
            live = await living.start(world.actor, live_chat)
            await read_until(live, "delta")

            async def text_stored() -> bool:
                detail = await process.chats.read_chat(world.actor, chat_id)
                return detail.turns[0].answer == "One"

            await eventually(text_stored)
            await process.runs.sweep()
            assert (await process.chats.read_chat(world.actor, chat_id)).turns[0].state == "running"
            child.kill()
            await child.wait()
            # Fifteen seconds pass for the dead process's lease alone.
            await run_sql(world, f"UPDATE turns SET lease_expires_at = now() - interval '1 s' WHERE id = '{turn_id}'")
            await process.runs.sweep()
            turn = (await process.chats.read_chat(world.actor, chat_id)).turns[0]
            assert (turn.state, turn.error_code, turn.answer) == ("failed", "server_lost", "One")
            assert turn.error_message
            assert turn.error_message.startswith("The server that wrote this answer ended")
            ended = await read_frames(await process.chats.attach_turn(world.actor, chat_id, turn_id, None))
            assert kinds(ended) == ["snapshot", "error"]
            assert (await process.chats.read_chat(world.actor, live_chat)).turns[0].state == "running"
        assert text_of(await process.ask(world.actor, chat_id, parent_turn_id=None)) == "Whole."


async def test_fault_2_a_run_that_another_process_took_for_dead_says_so(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(HANGS)) as process, world.process(ScriptedModel(HANGS)) as other:
        chat_id = await world.new_chat(process)
        stream = await process.start(world.actor, chat_id)
        await read_until(stream, "delta")

        async def swept() -> bool:
            # The owner renews its lease meanwhile, as a process does that was only held up.
            await run_sql(world, "UPDATE turns SET lease_expires_at = now() - interval '1 s' WHERE state = 'running'")
            await other.runs.sweep()
            return (await other.chats.read_chat(world.actor, chat_id)).turns[0].state == "failed"

        await eventually(swept)
        rest = await read_frames(stream)
        turn = (await process.chats.read_chat(world.actor, chat_id)).turns[0]
    assert (rest[-1]["type"], rest[-1]["code"]) == ("error", "server_lost")
    assert rest[-1]["message"] == turn.error_message


async def test_fault_3_a_server_that_stops_ends_its_streams_and_frees_its_leases(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(HANGS)) as process:
        chat_id = await world.new_chat(process)
        stream = await process.start(world.actor, chat_id)
        await read_until(stream, "delta")
        await process.runs.close()
        rest = await read_frames(stream)
        turn = (await process.chats.read_chat(world.actor, chat_id)).turns[0]
    assert (rest[-1]["type"], rest[-1]["code"]) == ("error", "server_stopping")
    assert (turn.state, turn.answer) == ("failed", "One")
    async with world.database.transaction() as tx:
        assert await tx.scalar(sa.text("SELECT count(*) FROM turns WHERE lease_expires_at IS NOT NULL")) == 0


async def test_fault_4_a_database_that_goes_and_comes_back_loses_no_answer(world: ChatWorld) -> None:
    model = ScriptedModel([TextDelta("One"), 2.0, *said(" two.")])
    async with world.process(model) as process:
        chat_id = await world.new_chat(process)
        stream = await process.start(world.actor, chat_id)
        await read_until(stream, "delta")
        for _ in range(3):
            await run_sql(
                world,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()",
            )
            await asyncio.sleep(0.3)
        rest = await read_frames(stream)
        turn = (await process.chats.read_chat(world.actor, chat_id)).turns[0]
    assert rest[-1]["type"] == "done"
    assert (turn.state, turn.answer) == ("done", "One two.")


async def test_fault_4_a_commit_whose_answer_is_lost_is_found_again(world: ChatWorld, monkeypatch) -> None:
    real, lost = world.database.transaction, []

    @asynccontextmanager
    async def transaction() -> AsyncGenerator[Any]:
        async with real() as tx:
            yield tx
            ended = await tx.scalar(sa.text("SELECT count(*) FROM turns WHERE state = 'done'"))
        if ended and not lost:
            lost.append(ended)
            raise Unavailable("The database does not answer now.")

    async with world.process(ScriptedModel(said("Whole."))) as process:
        chat = await process.chats.create_chat(world.actor, NewChat(title="Named"))
        monkeypatch.setattr(world.database, "transaction", transaction)
        frames = await process.ask(world.actor, chat.id)
        turn = (await process.chats.read_chat(world.actor, chat.id)).turns[0]
    assert lost
    assert (frames[-1]["type"], frames[-1]["reason"], turn.state) == ("done", "answered", "done")
    async with world.database.transaction() as tx:
        assert await tx.scalar(sa.text("SELECT count(*) FROM token_usage")) == 1


async def test_fault_13_a_cut_answer_is_never_shown_as_whole(world: ChatWorld) -> None:
    failure = ModelFailed("The model's server broke off in the middle of the answer.", code="model_cut")
    async with world.process(ScriptedModel([TextDelta("Half an ans"), failure])) as process:
        chat_id = await world.new_chat(process)
        frames = await process.ask(world.actor, chat_id)
        turn = (await process.chats.read_chat(world.actor, chat_id)).turns[0]
    assert (frames[-1]["type"], frames[-1]["code"]) == ("error", "model_cut")
    assert text_of(frames) == turn.answer == "Half an ans"
    assert (turn.state, turn.error_message) == ("failed", failure.detail)
    async with world.database.transaction() as tx:
        assert await tx.scalar(sa.text("SELECT count(*) FROM token_usage")) == 1


async def test_fault_15_a_silent_model_is_stopped_within_two_seconds(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(HANGS)) as process:
        chat_id = await world.new_chat(process)
        stream = await process.start(world.actor, chat_id)
        turn_id = UUID((await read_until(stream, "delta"))[0]["turnId"])
        async with asyncio.timeout(2):
            await process.chats.stop_turn(world.actor, chat_id, turn_id)
            rest = await read_frames(stream)
    assert rest[-1]["reason"] == "stopped"


async def test_fault_16_a_run_ends_at_its_limits_with_a_reason(world: ChatWorld) -> None:
    searches = [search_for(f"return window {number}") for number in range(5)]
    async with world.process(ScriptedModel(*searches), limits=BudgetLimits(model_calls=3)) as process:
        frames = await process.ask(world.actor, await world.new_chat(process))
    assert (frames[-1]["type"], frames[-1]["reason"]) == ("done", "model_call_limit")
    async with world.process(ScriptedModel(HANGS), limits=BudgetLimits(seconds=0.5)) as process:
        frames = await process.ask(world.actor, await world.new_chat(process))
    assert (frames[-1]["type"], frames[-1]["reason"]) == ("done", "wall_clock")


async def test_fault_16_what_the_model_gets_wrong_is_shown_as_a_failed_step(world: ChatWorld) -> None:
    model = ScriptedModel(
        asked(("no_such_tool", "{}")), asked(("search_document_chunks", "{broken")), said("I could not search.")
    )
    async with world.process(model) as process:
        frames = await process.ask(world.actor, await world.new_chat(process))
    states = [frame["state"] for frame in frames if frame["type"] == "step"]
    assert states == ["running", "failed", "running", "failed"]
    assert frames[-1]["reason"] == "answered"


async def test_a_fault_of_our_own_is_one_sentence_and_one_frame(world: ChatWorld) -> None:
    class Broken(ScriptedModel):
        async def stream(self, request):
            yield TextDelta("One")
            raise KeyError("secret detail")

    async with world.process(Broken(said(""))) as process:
        frames = await process.ask(world.actor, await world.new_chat(process))
    assert (frames[-1]["type"], frames[-1]["code"]) == ("error", "internal_error")
    assert "secret" not in json.dumps(frames)
    assert kinds(frames).count("error") == 1


async def test_text_that_no_database_can_hold_is_replaced(world: ChatWorld) -> None:
    model = ScriptedModel(search_for("fee\0"), [TextDelta("a\0b"), TextDelta("\ud83d"), 1.2, *said("c")])
    async with world.process(model) as process:
        chat_id = await world.new_chat(process)
        frames = await process.ask(world.actor, chat_id)
        turn = (await process.chats.read_chat(world.actor, chat_id)).turns[0]
    assert frames[-1]["type"] == "done"
    assert text_of(frames) == turn.answer == "a\ufffdb\ufffdc"


async def test_a_turn_that_cannot_be_stored_still_ends_its_stream(world: ChatWorld) -> None:
    model = ScriptedModel([TextDelta("One"), 0.5, *said(" two.")])
    async with world.process(model) as process:
        chat_id = await world.new_chat(process)
        stream = await process.start(world.actor, chat_id)
        await read_until(stream, "delta")
        await run_sql(world, "ALTER TABLE token_usage RENAME TO token_usage_away")
        rest = await read_frames(stream)
    assert (rest[-1]["type"], rest[-1]["code"]) == ("error", "unavailable")


async def test_a_compacted_chat_remembers_its_summary_after_a_reload(world: ChatWorld) -> None:
    model = ScriptedModel(said("Yes."))
    async with world.process(model) as process:
        chat_id = await world.new_chat(process)
        for number in range(3):
            await process.ask(world.actor, chat_id, f"Question {number}")
        async with world.database.transaction() as tx:
            first = await tx.scalar(sa.text("SELECT id FROM turns ORDER BY id LIMIT 1"))
            await tx.execute(
                sa.text(
                    "UPDATE chats SET summary = 'We spoke of fees.', compacted_turn_count = 1, compacted_turn_id = :id"
                ),
                {"id": first},
            )
        await process.ask(world.actor, chat_id, "Question 3")
        sent = [message.text for message in model.requests[-1].messages]
        assert "We spoke of fees." in sent[0]
        assert "Question 0" not in sent
        assert sent[1:] == ["Question 1", "Yes.", "Question 2", "Yes.", "Question 3"]
        await process.ask(world.actor, chat_id, "Anew", parent_turn_id=None)
        assert [message.text for message in model.requests[-1].messages] == ["Anew"]


async def add_hundred_turns(world: ChatWorld) -> None:
    """Copies of the only turn there is, one after the other."""
    async with world.database.transaction() as tx:
        await tx.execute(
            sa.text("""
                WITH RECURSIVE copies AS (
                  SELECT 1 AS n, gen_random_uuid() AS id, (SELECT id FROM turns) AS parent
                  UNION ALL SELECT n + 1, gen_random_uuid(), id FROM copies WHERE n < 100
                )
                INSERT INTO turns (id, workspace_id, chat_id, user_id, parent_turn_id, turn_index, question,
                                   model_id, state, parts, last_seq)
                SELECT copies.id, workspace_id, chat_id, user_id, parent, n, 'Question ' || n, model_id, 'done',
                       '["Yes."]', 3
                FROM copies, turns
            """)
        )
        await tx.execute(
            sa.text("UPDATE chats SET shown_turn_id = (SELECT id FROM turns ORDER BY turn_index DESC LIMIT 1)")
        )


async def test_a_long_chat_is_compacted_told_and_stored(world: ChatWorld) -> None:
    model = ScriptedModel(said("Yes."))
    async with world.process(model) as process:
        chat_id = await world.new_chat(process)
        await process.ask(world.actor, chat_id, "Question 0")
        await add_hundred_turns(world)
        frames = await process.ask(world.actor, chat_id, "And now?")
        compaction = next(frame for frame in frames if frame["type"] == "compaction")
        async with world.database.transaction() as tx:
            stored = (await tx.execute(sa.text("SELECT summary, compacted_turn_count FROM chats"))).one()
    assert tuple(stored) == (compaction["summary"], compaction["turnCount"])
    assert 0 < compaction["turnCount"] < 101


async def test_fault_18_a_compaction_that_cannot_be_stored_harms_no_answer(world: ChatWorld, monkeypatch) -> None:
    async def refuse(*_: Any) -> None:
        raise Unavailable("The database does not answer now.")

    monkeypatch.setattr(RunRepository, "save_compaction", refuse)
    async with world.process(ScriptedModel(said("Yes."))) as process:
        chat_id = await world.new_chat(process)
        await process.ask(world.actor, chat_id, "Question 0")
        await add_hundred_turns(world)
        frames = await process.ask(world.actor, chat_id, "And now?")
    assert "compaction" in kinds(frames)
    assert (frames[-1]["type"], frames[-1]["reason"]) == ("done", "answered")
