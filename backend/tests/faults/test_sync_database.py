"""The database goes away in the middle of a sync (fault 4): it goes on by itself, and nothing is written twice."""

import asyncio

import asyncpg
import pytest

from tests.support.sources import Library
from tests.support.waiting import eventually


async def cut_connections(shelf: Library) -> None:
    connection = await asyncpg.connect(shelf.database.dsn)
    await connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await connection.close()


async def test_a_sync_goes_on_after_every_connection_was_cut(shelf: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [(f"{number}.md", f"# Page {number}\n\nThis is page {number}.\n".encode()) for number in range(8)]
    embed = shelf.model.embed

    async def slowly(texts: list[str]):
        await asyncio.sleep(0.05)
        return await embed(texts)

    monkeypatch.setattr(shelf.model, "embed", slowly)
    await shelf.upload(*files)
    async with shelf.worker():
        await eventually(lambda: some_ready(shelf), every=0.01)
        await cut_connections(shelf)
        finished = await shelf.ended_pass()
    assert finished.state == "completed"
    assert set((await shelf.states()).values()) == {"ready"}
    twice = await shelf.rows("SELECT document_id, chunk_index FROM document_chunks GROUP BY 1, 2 HAVING count(*) > 1")
    assert twice == []


async def some_ready(shelf: Library) -> bool:
    return "ready" in (await shelf.states()).values()
