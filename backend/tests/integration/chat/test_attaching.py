"""A run belongs to the server: readers come and go, other processes look on, and one frame ends it."""

import asyncio
from collections.abc import AsyncGenerator
from uuid import UUID

import pytest
import sqlalchemy as sa

from knowledgestack.core.errors import NotFound
from knowledgestack.models.chat import TextDelta
from tests.support.chat import ChatWorld, chat_world, search_for
from tests.support.frames import kinds, numbered, parse_frames, read_frames, read_until, text_of
from tests.support.scripted_model import ScriptedModel, finished, said
from tests.support.waiting import eventually


class GatedModel(ScriptedModel):
    """Says one thing, waits until the test opens the gate, and says the other."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(said(""))
        self.first, self.second = first, second
        self.gate = asyncio.Event()
        self.cancelled = 0

    async def stream(self, request):
        try:
            yield TextDelta(self.first)
            await self.gate.wait()
            yield TextDelta(self.second)
            yield finished()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


@pytest.fixture
async def world(database_url: str) -> AsyncGenerator[ChatWorld]:
    async with chat_world(database_url) as made:
        yield made


async def turn_state(world: ChatWorld, turn_id: UUID) -> str:
    async with world.database.transaction() as tx:
        return await tx.scalar(sa.text("SELECT state FROM turns WHERE id = :id"), {"id": turn_id})


async def test_a_lost_reader_ends_only_the_stream(world: ChatWorld) -> None:
    model = GatedModel("One", " two.")
    async with world.process(model) as process:
        chat_id = await world.new_chat(process)
        stream = await process.start(world.actor, chat_id)
        turn_id = UUID((await read_until(stream, "delta"))[0]["turnId"])
        await stream.aclose()
        model.gate.set()

        async def done() -> bool:
            return await turn_state(world, turn_id) == "done"

        await eventually(done)
        assert (await process.chats.read_chat(world.actor, chat_id)).turns[0].answer == "One two."


async def test_a_reload_goes_on_after_the_last_frame_it_saw(world: ChatWorld) -> None:
    model = GatedModel("One", " two.")
    async with world.process(model) as process:
        chat_id = await world.new_chat(process)
        stream = await process.start(world.actor, chat_id)
        seen = await read_until(stream, "delta")
        turn_id = UUID(seen[0]["turnId"])
        await stream.aclose()
        again = await process.chats.attach_turn(world.actor, chat_id, turn_id, seen[-1]["seq"])
        whole = await process.chats.attach_turn(world.actor, chat_id, turn_id, None)
        model.gate.set()
        rest, all_of_it = await asyncio.gather(read_frames(again), read_frames(whole))
    assert [*numbered(seen), *numbered(rest)] == list(numbered(all_of_it)) == list(range(len(all_of_it)))
    assert text_of([*seen, *rest]) == text_of(all_of_it) == "One two."


async def test_another_process_shows_the_turn_as_it_grows_and_its_end(world: ChatWorld) -> None:
    model = GatedModel("One", " two.")
    async with world.process(model) as process, world.process(model) as other:
        chat_id = await world.new_chat(process)
        stream = await process.start(world.actor, chat_id)
        turn_id = UUID((await read_until(stream, "delta"))[0]["turnId"])
        elsewhere = await other.chats.attach_turn(world.actor, chat_id, turn_id, None)
        seen = []
        async for chunk in elsewhere:
            seen += parse_frames(chunk)
            if seen[-1]["type"] == "snapshot" and seen[-1]["turn"]["answer"] == "One":
                model.gate.set()
    assert kinds(seen)[-1] == "done"
    assert set(kinds(seen)[:-1]) == {"snapshot"}
    assert seen[-2]["turn"]["answer"] == "One two."
    assert seen[-2]["seq"] == seen[-1]["seq"] - 1


async def test_a_turn_that_has_ended_is_a_snapshot_and_its_closing_frame(world: ChatWorld) -> None:
    model = ScriptedModel(search_for("return window"), said("30 days [1]."))
    async with world.process(model) as process:
        chat_id = await world.new_chat(process)
        live = await process.ask(world.actor, chat_id)
        again = await read_frames(
            await process.chats.attach_turn(world.actor, chat_id, UUID(live[0]["turnId"]), live[-1]["seq"])
        )
    assert kinds(again) == ["snapshot", "done"]
    assert again[-1] == live[-1]
    assert again[0]["turn"]["citations"][0]["index"] == 1
    assert again[0]["turn"]["steps"][0]["state"] == "done"


async def test_stop_reaches_the_process_that_writes(world: ChatWorld) -> None:
    model = GatedModel("One", " two.")
    async with world.process(model) as process, world.process(model) as other:
        chat_id = await world.new_chat(process)
        stream = await process.start(world.actor, chat_id)
        turn_id = UUID((await read_until(stream, "delta"))[0]["turnId"])
        await other.chats.stop_turn(world.actor, chat_id, turn_id)
        async with asyncio.timeout(2):
            rest = await read_frames(stream)
    assert (rest[-1]["type"], rest[-1]["reason"]) == ("done", "stopped")
    assert model.cancelled == 1


async def test_a_run_that_nobody_listens_to_ends_when_its_time_is_over(world: ChatWorld) -> None:
    model = GatedModel("One", " two.")
    async with world.process(model, orphan_seconds=0) as process:
        chat_id = await world.new_chat(process)
        stream = await process.start(world.actor, chat_id)
        turn_id = UUID((await read_until(stream, "delta"))[0]["turnId"])
        await stream.aclose()

        async def stopped() -> bool:
            return await turn_state(world, turn_id) == "stopped"

        await eventually(stopped, seconds=5)
    assert model.cancelled == 1


async def test_a_reader_in_another_process_keeps_the_run_alive(world: ChatWorld) -> None:
    model = GatedModel("One", " two.")
    async with world.process(model, orphan_seconds=0) as process, world.process(model) as other:
        chat_id = await world.new_chat(process)
        stream = await process.start(world.actor, chat_id)
        turn_id = UUID((await read_until(stream, "delta"))[0]["turnId"])
        elsewhere = asyncio.create_task(read_frames(await other.chats.attach_turn(world.actor, chat_id, turn_id, None)))
        await eventually(lambda: watched(world, turn_id))
        await stream.aclose()
        await asyncio.sleep(2.5)
        model.gate.set()
        assert (await elsewhere)[-1]["reason"] == "answered"


async def watched(world: ChatWorld, turn_id: UUID) -> bool:
    async with world.database.transaction() as tx:
        return await tx.scalar(sa.text("SELECT watched_at IS NOT NULL FROM turns WHERE id = :id"), {"id": turn_id})


async def test_deleting_the_chat_ends_its_run(world: ChatWorld) -> None:
    model = GatedModel("One", " two.")
    async with world.process(model) as process:
        chat_id = await world.new_chat(process)
        stream = await process.start(world.actor, chat_id)
        turn_id = UUID((await read_until(stream, "delta"))[0]["turnId"])
        await process.chats.delete_chat(world.actor, chat_id)
        rest = await read_frames(stream)
        assert (rest[-1]["type"], rest[-1]["code"]) == ("error", "turn_gone")
        with pytest.raises(NotFound):
            await process.chats.attach_turn(world.actor, chat_id, turn_id, None)
    assert model.cancelled == 1


async def test_no_connection_is_held_while_the_model_is_waited_for(world: ChatWorld) -> None:
    model = GatedModel("One", " two.")
    async with world.process(model) as process:
        streams = [await process.start(world.actor, await world.new_chat(process)) for _ in range(15)]
        await asyncio.gather(*(read_until(stream, "delta") for stream in streams))

        async def idle() -> bool:
            return world.database.engine.pool.checkedout() == 0

        await eventually(idle)
        model.gate.set()
        ends = await asyncio.gather(*map(read_frames, streams))
    assert {frames[-1]["type"] for frames in ends} == {"done"}
