"""kill -9 of the worker in the middle of a sync (faults 1, 3, 25): another resumes, and nothing is half done."""

import asyncio
import itertools
import signal
import subprocess
import time

from knowledgestack.sources.contracts import Source, SyncPass
from tests.support.sources import Library
from tests.support.sync_worker import LEASE_SECONDS
from tests.support.waiting import eventually

CHANGING, LASTING = "a.md", "b.md"


def body(name: str, version: int) -> bytes:
    return f"# Page {name}\n\nThis is version {version} of page {name}, long enough to be told apart.\n".encode()


def stored(name: str, version: int) -> str:
    return body(name, version).decode().strip()


async def ended(process: "subprocess.Popen[bytes]") -> int:
    async def probe() -> str | None:
        code = process.poll()
        return None if code is None else str(code)

    return int(await eventually(probe, seconds=30))


async def upload(shelf: Library, version: int) -> None:
    """A new version of one page; the other is uploaded once and has to last."""
    await shelf.upload((CHANGING, body(CHANGING, version)), (LASTING, body(LASTING, 1)))


async def assert_no_harm(shelf: Library, before: Source | None, version: int) -> None:
    """Right after the kill: each document is wholly old or wholly new, none is deleted, the stamp has not moved."""
    source = await shelf.source()
    if source.newest_pass is not None and source.newest_pass.state == "running":
        assert source.last_synced_at == (before.last_synced_at if before else None)
    texts = {row.external_id: row.text.strip() for row in await shelf.rows("SELECT external_id, text FROM documents")}
    assert texts.keys() == {CHANGING, LASTING}
    unread = {""} if version == 1 else set[str]()
    assert texts[CHANGING] in {stored(CHANGING, version), stored(CHANGING, version - 1)} | unread
    assert texts[LASTING] in {stored(LASTING, 1)} | unread


async def assert_whole(shelf: Library, finished: SyncPass, version: int) -> None:
    """Every document of the newest version, its chunks dense and its vectors complete; nothing lost, nothing twice."""
    assert finished.state == "completed"
    assert finished.found == 2
    assert await shelf.states() == {CHANGING: "ready", LASTING: "ready"}
    for row in await shelf.rows("SELECT id, external_id, text, chunk_count FROM documents"):
        assert row.text.strip() == stored(row.external_id, version if row.external_id == CHANGING else 1)
        chunks = await shelf.rows(
            "SELECT chunk_index FROM document_chunks WHERE document_id = :id ORDER BY chunk_index", id=row.id
        )
        assert [chunk.chunk_index for chunk in chunks] == list(range(row.chunk_count))
    orphans = await shelf.rows(
        "SELECT c.id FROM document_chunks c FULL JOIN chunk_vectors v ON v.chunk_id = c.id"
        " WHERE c.id IS NULL OR v.chunk_id IS NULL"
    )
    assert orphans == []
    assert await shelf.rows("SELECT id FROM sync_passes WHERE state IN ('queued', 'running')") == []
    await eventually(lambda: nobody_is_idle_in_transaction(shelf))


async def nobody_is_idle_in_transaction(shelf: Library) -> bool:
    found = await shelf.rows(
        "SELECT count(*) AS n FROM pg_stat_activity"
        " WHERE datname = current_database() AND state LIKE 'idle in transaction%'"
    )
    return found[0].n == 0


async def test_killed_after_any_of_its_commits_a_sync_is_resumed_and_whole(
    shelf: Library, workers: list["subprocess.Popen[bytes]"]
) -> None:
    """Each round uploads a new version and kills the worker one commit later, until a worker gets to the end."""
    for version in itertools.count(1):
        before = await shelf.source() if version > 1 else None
        await upload(shelf, version)
        worker = shelf.start_worker(KS_TEST_KILL_AT=str(version))
        workers.append(worker)
        done = asyncio.create_task(shelf.ended_pass())
        died = asyncio.create_task(ended(worker))
        await asyncio.wait({died, done}, return_when=asyncio.FIRST_COMPLETED)
        if not died.done():
            await assert_whole(shelf, await done, version)
            died.cancel()
            break
        assert died.result() == -signal.SIGKILL
        await assert_no_harm(shelf, before, version)
        killed_at = time.monotonic()
        async with shelf.worker():
            await assert_whole(shelf, await done, version)
        assert time.monotonic() - killed_at < LEASE_SECONDS + 10
    assert version > 8, "the worker made fewer commits than its work needs"


async def test_a_document_that_kills_its_worker_is_given_up_after_three(
    shelf: Library, workers: list["subprocess.Popen[bytes]"]
) -> None:
    await shelf.upload(("a.md", body("a.md", 1)), ("b.md", b"# Poison\n\nPOISON\n"), ("c.md", body("c.md", 1)))
    for _ in range(3):
        workers.append(shelf.start_worker(KS_TEST_KILL_ON="POISON"))
        assert await ended(workers[-1]) == -signal.SIGKILL
    workers.append(shelf.start_worker(KS_TEST_KILL_ON="POISON"))

    finished = await shelf.ended_pass()

    assert (finished.state, finished.failed) == ("completed_with_errors", 1)
    assert await shelf.states() == {"a.md": "ready", "b.md": "failed", "c.md": "ready"}
    assert workers[-1].poll() is None


async def test_sigterm_ends_the_worker_and_frees_its_lease_at_once(
    shelf: Library, workers: list["subprocess.Popen[bytes]"]
) -> None:
    await upload(shelf, version=1)
    workers.append(shelf.start_worker(KS_TEST_EMBED_SECONDS="60"))
    await eventually(lambda: is_at_work(shelf))
    asked = time.monotonic()
    workers[0].send_signal(signal.SIGTERM)

    assert await ended(workers[0]) == 0
    assert time.monotonic() - asked < 30
    row = (await shelf.rows("SELECT lease_until, state FROM sync_passes"))[0]
    assert (row.lease_until, row.state) == (None, "running")
    workers.append(shelf.start_worker())
    await assert_whole(shelf, await shelf.ended_pass(), 1)


async def is_at_work(shelf: Library) -> bool:
    return not {"reading", "indexing"}.isdisjoint((await shelf.states()).values())
