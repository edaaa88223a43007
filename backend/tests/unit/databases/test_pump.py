"""Bytes on their way from the task that makes them to the one that sends them."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from knowledgestack.databases import _pump
from knowledgestack.databases._pump import Pump


class Source:
    """Makes numbered pieces, and knows whether it was let go and in which task it ran."""

    def __init__(self, count: int, *, fails_at: int | None = None) -> None:
        self.closed = asyncio.Event()
        self.tasks: set[asyncio.Task[object] | None] = set()
        self._count, self._fails_at = count, fails_at

    async def pieces(self) -> AsyncGenerator[bytes]:
        try:
            for number in range(self._count):
                self.tasks.add(asyncio.current_task())
                if number == self._fails_at:
                    raise ValueError(f"piece {number}")
                yield b"%d" % number
        finally:
            self.tasks.add(asyncio.current_task())
            self.closed.set()


async def test_every_piece_arrives_in_order_from_one_task() -> None:
    source = Source(20)
    pump = Pump(source.pieces())
    await pump.begin()
    assert [piece async for piece in pump] == [b"%d" % number for number in range(20)]
    assert source.closed.is_set()
    assert len(source.tasks) == 1
    assert asyncio.current_task() not in source.tasks


async def test_a_failure_before_the_first_piece_is_raised_at_the_beginning() -> None:
    source = Source(1, fails_at=0)
    with pytest.raises(ValueError, match="piece 0"):
        await Pump(source.pieces()).begin()
    assert source.closed.is_set()


async def test_a_failure_on_the_way_comes_after_the_pieces_before_it_and_again() -> None:
    pump = Pump(Source(9, fails_at=5).pieces())
    await pump.begin()
    assert [await anext(pump) for _ in range(5)] == [b"0", b"1", b"2", b"3", b"4"]
    for _ in range(2):
        with pytest.raises(ValueError, match="piece 5"):
            await anext(pump)


async def test_nothing_at_all_is_an_empty_file() -> None:
    pump = Pump(Source(0).pieces())
    await pump.begin()
    assert [piece async for piece in pump] == []


async def test_closing_lets_go_of_what_makes_the_pieces() -> None:
    source = Source(1_000)
    pump = Pump(source.pieces())
    await pump.begin()
    await pump.aclose()
    assert source.closed.is_set()


async def test_a_beginning_that_is_given_up_lets_go_too() -> None:
    closed = asyncio.Event()

    async def never() -> AsyncGenerator[bytes]:
        try:
            await asyncio.Event().wait()
            yield b""
        finally:
            closed.set()

    beginning = asyncio.create_task(Pump(never()).begin())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    beginning.cancel()
    with pytest.raises(asyncio.CancelledError):
        await beginning
    assert closed.is_set()


async def test_a_reader_that_takes_nothing_ends_the_export(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_pump, "STALLED_SECONDS", 0.01)
    source = Source(1_000)
    pump = Pump(source.pieces())
    await pump.begin()
    await source.closed.wait()
    assert await anext(pump) == b"0"
    with pytest.raises(TimeoutError):
        await anext(pump)
