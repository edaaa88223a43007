"""Whatever ends a question ends its statement in the database, and how soon that is."""

import asyncio
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest

from knowledgestack.agent.budget import BudgetLimits
from tests.support.catalogue import CatalogueWorld
from tests.support.data_chat import call, data_process, living_world, new_chat
from tests.support.database import Databases
from tests.support.frames import kinds, read_frames, read_until
from tests.support.scripted_model import ScriptedModel, said
from tests.support.waiting import eventually

ENDLESS = "SELECT sum(a.n * b.n) FROM generate_series(1, 1000000) AS a(n), generate_series(1, 1000000) AS b(n)"


@pytest.fixture
async def world(database_url: str, databases: Databases, tmp_path: Path) -> AsyncGenerator[CatalogueWorld]:
    async with living_world(database_url, databases.server_url, tmp_path) as made:
        await made.read()
        yield made


async def busy(world: CatalogueWorld) -> int:
    """The statements of the target's role that run."""
    connection = await asyncpg.connect(world.target.admin_url)
    try:
        return await connection.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE usename = $1 AND state = 'active'", world.target.reader
        )
    finally:
        await connection.close()


async def seconds_until_idle(world: CatalogueWorld, *, began: float) -> float:
    while await busy(world):
        assert time.monotonic() - began < 10, "the statement went on"
        await asyncio.sleep(0.05)
    return time.monotonic() - began


async def until_busy(world: CatalogueWorld) -> None:
    async def is_busy() -> bool:
        return await busy(world) > 0

    await eventually(is_busy)


def endless_model() -> ScriptedModel:
    return ScriptedModel(call("execute_sql", database="Warehouse", sql=ENDLESS), said("It took too long."))


async def eventually_kept_as(world: CatalogueWorld, outcome: str) -> None:
    """How the log of statements says that the last one ended."""

    async def is_kept() -> bool:
        return (await world.get("/queries"))["items"][0]["outcome"] == outcome

    await eventually(is_kept)


async def test_stop_ends_the_statement_and_the_stream(world: CatalogueWorld) -> None:
    async with data_process(world, endless_model()) as process:
        chat_id = await new_chat(world, process)
        stream = await process.start(world.actor, chat_id, "Sum everything")
        turn_id = UUID((await read_until(stream, "step"))[0]["turnId"])
        await until_busy(world)
        began = time.monotonic()
        await process.chats.stop_turn(world.actor, chat_id, turn_id)
        frames = await read_frames(stream)
        assert await seconds_until_idle(world, began=began) < 2
    assert kinds(frames)[-1] == "done"
    assert frames[-1]["reason"] == "stopped"
    await eventually_kept_as(world, "cancelled")


async def test_the_deadline_of_a_tool_ends_the_statement_and_the_turn_goes_on(world: CatalogueWorld) -> None:
    async with data_process(world, endless_model(), limits=BudgetLimits(tool_seconds=1.0)) as process:
        chat_id = await new_chat(world, process)
        began = time.monotonic()
        frames = await process.ask(world.actor, chat_id, "Sum everything")
        assert await seconds_until_idle(world, began=time.monotonic()) < 2
        assert time.monotonic() - began < 6
    assert frames[-1]["reason"] == "answered"
    assert [frame["state"] for frame in frames if frame["type"] == "step"] == ["running", "failed"]
    assert "rows" not in kinds(frames)


async def test_the_deadline_of_the_turn_ends_the_statement(world: CatalogueWorld) -> None:
    async with data_process(world, endless_model(), limits=BudgetLimits(seconds=2.0)) as process:
        chat_id = await new_chat(world, process)
        began = time.monotonic()
        stream = await process.start(world.actor, chat_id, "Sum everything")
        await until_busy(world)
        assert await seconds_until_idle(world, began=began) < 2 + 2
        frames = await read_frames(stream)
    assert (kinds(frames)[-1], frames[-1]["reason"]) == ("done", "wall_clock")
    await eventually_kept_as(world, "cancelled")


async def test_a_statement_that_nobody_waits_for_ends_with_its_turn(world: CatalogueWorld) -> None:
    async with data_process(world, endless_model(), orphan_seconds=2) as process:
        chat_id = await new_chat(world, process)
        stream = await process.start(world.actor, chat_id, "Sum everything")
        turn_id = UUID((await read_until(stream, "step"))[0]["turnId"])
        await until_busy(world)
        left = time.monotonic()
        assert isinstance(stream, AsyncGenerator)
        await stream.aclose()
        # The patience, a second between two looks at who listens, and the cancelling.
        assert 1 < await seconds_until_idle(world, began=left) < 2 + 1 + 2

        async def ended() -> bool:
            chat = await process.chats.read_chat(world.actor, chat_id)
            return [(turn.id, turn.reason) for turn in chat.turns] == [(turn_id, "stopped")]

        await eventually(ended, seconds=10)
    await eventually_kept_as(world, "cancelled")


async def test_the_end_of_the_process_ends_the_statement(world: CatalogueWorld) -> None:
    async with data_process(world, endless_model()) as process:
        chat_id = await new_chat(world, process)
        stream = await process.start(world.actor, chat_id, "Sum everything")
        await read_until(stream, "step")
        await until_busy(world)
        began = time.monotonic()
    assert await seconds_until_idle(world, began=began) < 2
    frames = await read_frames(stream)
    assert (frames[-1]["type"], frames[-1]["code"]) == ("error", "server_stopping")
