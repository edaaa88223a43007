"""Deadlines, Stop, and what is left of a statement: nothing."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import AsyncGenerator

import asyncpg
import pytest

from knowledgestack.core.errors import Unavailable
from knowledgestack.databases.errors import SqlFailed, SqlRejected, SqlTimeout
from knowledgestack.databases.runner import Answer, Caps
from tests.support.sql_target import Fence, SqlTarget
from tests.support.waiting import eventually

ENDLESS = "SELECT count(*) FROM generate_series(1, 1000000000) a"


async def running(fence: Fence) -> bool:
    return await fence.value(
        "SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'"
        " AND application_name = 'knowledgestack' AND query LIKE '%capped%'"
    )


@contextlib.asynccontextmanager
async def deaf(fence: Fence, caps: Caps) -> AsyncGenerator[asyncio.Task[Answer]]:
    """A statement that runs in a backend which hears nothing until the block ends, as in one long call in C."""
    task = asyncio.create_task(fence.runner.run(fence.target, ENDLESS, caps=caps))
    await eventually(lambda: running(fence), seconds=caps.seconds)
    backend = fence.opened[-1].get_server_pid()
    try:
        os.kill(backend, signal.SIGSTOP)
    except (PermissionError, ProcessLookupError):
        task.cancel()
        pytest.skip("the server's processes are not ours to stop")
    try:
        yield task
    finally:
        os.kill(backend, signal.SIGCONT)


async def settings(fence: Fence) -> list[asyncpg.Record]:
    return await fence.opened[-1].fetch("SELECT name, setting FROM pg_settings ORDER BY name")


async def test_a_deadline_stops_the_statement_on_the_server(fence: Fence) -> None:
    await fence.runner.run(fence.target, "SELECT 1")
    before = await settings(fence)
    began = time.monotonic()
    with pytest.raises(SqlTimeout, match="1 seconds"):
        await fence.runner.run(fence.target, ENDLESS, caps=Caps(seconds=1))
    assert time.monotonic() - began < 3
    assert await fence.left_behind() == []
    assert (await fence.runner.run(fence.target, "SELECT 1")).rows == [["1"]]
    assert await settings(fence) == before


async def test_a_deadline_counts_over_all_batches(ordinary: Fence) -> None:
    # Each trip is short, so that the server's own timer never fires.
    sql = "SELECT repeat('x', 9999), count(*) FROM generate_series(1, 100000) b, generate_series(1, 1000) a GROUP BY b"
    wide = (
        "SELECT " + ", ".join(["repeat('x', 9000)"] * 300) + ", (SELECT count(*) FROM generate_series(1, 200000 + a))"
    )
    for text in (sql, f"{wide} FROM generate_series(1, 1000) a"):
        with pytest.raises(SqlTimeout):
            await ordinary.runner.run(ordinary.target, text, caps=Caps(seconds=0.5, result_bytes=10**9))
        assert await ordinary.left_behind() == []


async def test_cancelling_the_caller_cancels_the_statement_within_two_seconds(fence: Fence) -> None:
    await fence.runner.run(fence.target, "SELECT 1")
    before = await settings(fence)
    task = asyncio.create_task(fence.runner.run(fence.target, ENDLESS))
    await eventually(lambda: running(fence), seconds=2)
    stopped = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - stopped < 2
    assert await fence.left_behind() == []
    assert (await fence.runner.run(fence.target, "SELECT 1")).rows == [["1"]]
    assert await settings(fence) == before


async def test_a_backend_that_hears_no_cancel_loses_its_socket(fence: Fence) -> None:
    async with deaf(fence, Caps(seconds=2)) as statement:
        with pytest.raises(SqlTimeout):
            await statement
        assert (await fence.runner.run(fence.target, "SELECT 1")).rows == [["1"]]

    async def gone() -> bool:
        return await fence.left_behind() == []

    await eventually(gone, seconds=60, every=0.2)


async def test_what_cannot_be_stopped_keeps_its_place(sql_target: SqlTarget) -> None:
    fence = Fence(sql_target, superuser=False, seconds=2, pool_size=1)
    async with deaf(fence, Caps(seconds=2)) as statement:
        with pytest.raises(SqlTimeout):
            await statement
        with pytest.raises(Unavailable, match="in use"):
            await fence.runner.run(fence.target, "SELECT 1")

    async def free() -> bool:
        try:
            return (await fence.runner.run(fence.target, "SELECT 1")).rows == [["1"]]
        except Unavailable:
            return False

    await eventually(free, seconds=60)
    await fence.runner.close()


async def test_after_whatever_happened_the_session_is_as_before(fence: Fence) -> None:
    await fence.runner.run(fence.target, "SELECT 1")
    before = await settings(fence)
    for sql in (
        "SELECT 1 / 0",
        "SELECT pg_advisory_lock(1)",
        "SELECT 'x' || nam FROM shop.customers",
        "SELECT repeat('x', 9000) FROM generate_series(1, 900)",
        "SELECT generate_series(1, 100000)",
        "SELECT (SELECT id FROM shop.orders)",
    ):
        with contextlib.suppress(SqlFailed, SqlRejected):
            await fence.runner.run(fence.target, sql)
        assert await fence.left_behind() == []
        assert (await fence.runner.run(fence.target, "SELECT 1")).rows == [["1"]]
    assert await settings(fence) == before


async def test_no_more_statements_run_at_once_than_there_are_places(sql_target: SqlTarget) -> None:
    fence = Fence(sql_target, superuser=False, seconds=5, pool_size=2)
    answers = await asyncio.gather(*(fence.runner.run(fence.target, f"SELECT {n}") for n in range(20)))
    assert [answer.rows for answer in answers] == [[[str(n)]] for n in range(20)]
    assert len(fence.opened) == 2
    await fence.runner.close()
    assert all(connection.is_closed() for connection in fence.opened)


async def test_a_changed_connection_gets_new_sockets(ordinary: Fence) -> None:
    await ordinary.runner.run(ordinary.target, "SELECT 1")
    await ordinary.runner.forget(ordinary.target.connection_id)
    assert ordinary.opened[0].is_closed()
    await ordinary.runner.run(ordinary.target, "SELECT 1")
    assert len(ordinary.opened) == 2


async def test_a_connection_that_the_server_closed_is_opened_anew(ordinary: Fence) -> None:
    await ordinary.runner.run(ordinary.target, "SELECT 1")
    await ordinary.value("SELECT pg_terminate_backend($1)", ordinary.opened[0].get_server_pid())
    assert (await ordinary.runner.run(ordinary.target, "SELECT 1")).rows == [["1"]]


async def test_a_text_that_is_known_sees_a_table_that_changed(ordinary: Fence) -> None:
    sql = "SELECT * FROM shop.moving"
    await ordinary.value("CREATE TABLE shop.moving AS SELECT 1 AS a, 2 AS b")
    await ordinary.value(f'GRANT SELECT ON shop.moving TO "{ordinary.target.username}"')
    assert (await ordinary.runner.run(ordinary.target, sql)).rows == [["1", "2"]]
    await ordinary.value("ALTER TABLE shop.moving DROP COLUMN b")
    answer = await ordinary.runner.run(ordinary.target, sql)
    assert ([column.name for column in answer.columns], answer.rows) == (["a"], [["1"]])
    await ordinary.value("DROP TABLE shop.moving")
    with pytest.raises(SqlFailed, match="42P01"):
        await ordinary.runner.run(ordinary.target, sql)
