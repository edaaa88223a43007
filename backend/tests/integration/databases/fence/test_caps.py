"""Results are cut at rows, cells and bytes, and every cut is stated."""

import tracemalloc

import msgspec
import pytest

from knowledgestack.databases.errors import SqlFailed
from knowledgestack.databases.runner import Caps
from tests.support.sql_target import Fence
from tests.support.waiting import eventually


async def test_a_thousand_rows_are_whole_and_one_more_is_said(ordinary: Fence) -> None:
    whole = await ordinary.runner.run(ordinary.target, "SELECT id FROM shop.orders ORDER BY id LIMIT 1000")
    assert (len(whole.rows), whole.truncated, whole.truncated_reason) == (1000, False, None)
    more = await ordinary.runner.run(ordinary.target, "SELECT id FROM shop.orders ORDER BY id LIMIT 1001")
    assert (len(more.rows), more.truncated, more.truncated_reason) == (1000, True, "rows")
    assert more.rows[-1] == ["1000"]
    text = await ordinary.runner.run(
        ordinary.target, "SELECT id::text, repeat('x', 100) FROM shop.orders ORDER BY orders.id"
    )
    assert (len(text.rows), text.truncated_reason) == (1000, "rows")
    assert text.rows[-1] == ["1000", "x" * 100]


async def test_a_statement_is_not_run_further_than_it_is_read(ordinary: Fence) -> None:
    answer = await ordinary.runner.run(ordinary.target, "SELECT generate_series(1, 1000000000000) AS n")
    assert (len(answer.rows), answer.truncated_reason) == (1000, "rows")
    assert await ordinary.left_behind() == []


async def test_a_long_cell_is_cut_on_the_server(ordinary: Fence) -> None:
    answer = await ordinary.runner.run(ordinary.target, "SELECT repeat('é', 10000), repeat('🎈', 10001), 'short', NULL")
    assert answer.rows == [["é" * 10_000, "🎈" * 10_000, "short", None]]
    assert answer.truncated_reason == "cells"
    fitting = await ordinary.runner.run(ordinary.target, "SELECT repeat('é', 10000), array_fill(1, ARRAY[4000])")
    assert fitting.truncated_reason is None


async def test_a_result_is_at_most_a_megabyte(fence: Fence) -> None:
    answer = await fence.runner.run(fence.target, "SELECT n, repeat('x', 9000) FROM generate_series(1, 900) AS n")
    assert answer.truncated_reason == "bytes"
    assert 100 <= len(answer.rows) <= 112
    assert len(msgspec.json.encode(answer.rows)) <= 1_000_000
    assert await fence.left_behind() == []


async def test_one_row_that_is_too_much_alone_is_shortened(ordinary: Fence) -> None:
    columns = ", ".join(f"repeat('é\"', 9000) AS c{n}" for n in range(1500))
    answer = await ordinary.runner.run(ordinary.target, f"SELECT {columns}")
    assert answer.truncated_reason == "bytes"
    assert len(answer.rows) == 1
    assert len(answer.rows[0]) == 1500
    assert len(msgspec.json.encode(answer.rows[0])) <= 1_000_000


async def test_a_gigabyte_costs_the_application_little_memory(ordinary: Fence) -> None:
    tracemalloc.start()
    try:
        answer = await ordinary.runner.run(
            ordinary.target, "SELECT repeat(n::text, 300000), repeat('y', 100000) FROM generate_series(1, 1000) AS n"
        )
        assert answer.truncated_reason == "bytes"
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


async def test_an_error_as_long_as_a_value_costs_little_memory_too(fence: Fence) -> None:
    tracemalloc.start()
    try:
        for sql in (
            "SELECT repeat('y', 50000000)::int",
            "SELECT (repeat('y', 50000000) || n)::int FROM generate_series(1, 3) n",
        ):
            with pytest.raises(SqlFailed, match="far more"):
                await fence.runner.run(fence.target, sql, caps=Caps(seconds=30))
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()

    async def gone() -> bool:
        return await fence.left_behind() == []

    await eventually(gone, seconds=30)
    assert (await fence.runner.run(fence.target, "SELECT 1")).rows == [["1"]]


async def test_smaller_caps_can_be_asked_for(ordinary: Fence) -> None:
    caps = Caps(seconds=2, rows=5, cell_characters=3)
    answer = await ordinary.runner.run(ordinary.target, "SELECT 'abcdef' FROM shop.orders", caps=caps)
    assert answer.rows == [["abc"]] * 5


async def test_an_export_streams_on_until_its_own_caps(ordinary: Fence) -> None:
    async def read(
        sql: str, *, max_rows: int = 100_000, max_bytes: int = 50_000_000
    ) -> tuple[list[list[str | None]], str | None]:
        rows: list[list[str | None]] = []
        async with ordinary.runner.stream(ordinary.target, sql, max_rows=max_rows, max_bytes=max_bytes) as stream:
            assert [column.name for column in stream.columns] == ["id", "text"]
            async for batch in stream:
                rows += batch
        return rows, stream.truncated_reason

    sql = "SELECT id, repeat('x', 100) AS text FROM shop.orders ORDER BY id"
    rows, reason = await read(sql)
    assert ([row[0] for row in rows], reason) == ([str(n) for n in range(1, 3001)], None)
    rows, reason = await read(sql, max_rows=100)
    assert (len(rows), reason) == (100, "rows")
    rows, reason = await read(sql, max_bytes=50_000)
    assert reason == "bytes"
    assert 400 < len(rows) < 500
    rows, reason = await read("SELECT 1 AS id, repeat('x', 40000) AS text")
    assert (len(rows[0][1] or ""), reason) == (32_767, "cells")
    assert await ordinary.left_behind() == []


async def test_an_export_that_is_left_early_leaves_nothing_behind(ordinary: Fence) -> None:
    sql = "SELECT n, repeat('x', 30000) FROM generate_series(1, 100000) AS n"
    async with ordinary.runner.stream(ordinary.target, sql) as stream:
        async for _ in stream:
            break
    assert await ordinary.left_behind() == []
    assert (await ordinary.runner.run(ordinary.target, "SELECT 1")).rows == [["1"]]
