"""A source is deleted while it syncs (fault 28): the sync stops within seconds and nothing of it comes back."""

import asyncio
import time

import pytest
import structlog

from tests.support.sources import Library
from tests.support.waiting import eventually

STOP_SECONDS = 5
TABLES = ("sources", "uploaded_files", "sync_passes", "documents", "document_chunks", "chunk_vectors")


def page(number: int) -> tuple[str, bytes]:
    return f"{number}.md", f"# Page {number}\n\nThis is page {number} of the handbook.\n".encode()


async def assert_stopped_without_a_trace(shelf: Library, since: float) -> None:
    await eventually(lambda: no_jobs(shelf))
    assert time.monotonic() - since < STOP_SECONDS
    for table in TABLES:
        assert await shelf.count(table) == 0, table
    assert shelf.kept_files() == []


async def test_while_a_document_is_embedded(shelf: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    reached = asyncio.Event()

    async def never_end(texts: list[str]) -> None:
        reached.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(shelf.model, "embed", never_end)
    source_id = (await shelf.upload(page(1), page(2))).source_id
    with structlog.testing.capture_logs() as logs:
        async with shelf.worker():
            await asyncio.wait_for(reached.wait(), 10)
            asked = time.monotonic()
            await shelf.sources.delete(shelf.actor, source_id)
            await assert_stopped_without_a_trace(shelf, asked)
    assert [entry for entry in logs if entry["log_level"] in {"warning", "error"}] == []


@pytest.mark.parametrize("after", range(0, 60, 12))
async def test_at_any_moment_of_a_busy_pass(shelf: Library, after: int) -> None:
    """Deletes once the database has seen `after` more statements on the pass: between and within documents."""
    source_id = (await shelf.upload(*(page(number) for number in range(12)))).source_id
    with structlog.testing.capture_logs() as logs:
        async with shelf.worker():
            await eventually(lambda: ready(shelf, after // 5), every=0.005)
            asked = time.monotonic()
            await shelf.sources.delete(shelf.actor, source_id)
            await assert_stopped_without_a_trace(shelf, asked)
    assert [entry for entry in logs if entry["log_level"] == "error"] == []


async def test_a_takeover_finds_the_source_gone(shelf: Library) -> None:
    source_id = (await shelf.upload(page(1))).source_id
    await shelf.sources.delete(shelf.actor, source_id)
    assert await shelf.count("pgqueuer") == 2
    asked = time.monotonic()
    async with shelf.worker():
        await assert_stopped_without_a_trace(shelf, asked)


async def no_jobs(shelf: Library) -> bool:
    return await shelf.count("pgqueuer") == 0


async def ready(shelf: Library, count: int) -> bool:
    return list((await shelf.states()).values()).count("ready") >= count
