"""Uploads that meet re-indexing, a broken line or a full disk (faults 6, 30, 31)."""

import asyncio
import os
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa

from knowledgestack.core.errors import InsufficientStorage, Unavailable
from knowledgestack.db.engine import Transaction
from knowledgestack.documents.indexing import ListedDocument
from knowledgestack.sources._keys import new_key
from knowledgestack.sources._multipart import read_files
from knowledgestack.sources.uploads import IncomingFile
from tests.support.sources import Library
from tests.support.waiting import eventually

HEADERS = {"content-type": "multipart/form-data; boundary=b"}
PART = b'--b\r\nContent-Disposition: form-data; name="files"; filename="%s"\r\n\r\n'


def version(number: int) -> bytes:
    return f"# Warranty\n\nThis is version {number} of the warranty.\n".encode()


async def test_an_upload_during_re_indexing_ends_on_the_newest_content(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached, go_on = asyncio.Event(), asyncio.Event()
    embed = shelf.model.embed

    async def wait_at_the_first(texts: list[str]):
        if any("version 1" in text for text in texts):
            reached.set()
            await go_on.wait()
        return await embed(texts)

    monkeypatch.setattr(shelf.model, "embed", wait_at_the_first)
    await shelf.upload(("warranty.md", version(1)))
    async with shelf.worker():
        await asyncio.wait_for(reached.wait(), 10)
        outcome = await shelf.upload(("warranty.md", version(2)))
        assert outcome.documents[0].replaced
        go_on.set()
        await shelf.ended_pass()
        text = (await shelf.documents.read_text(shelf.actor, outcome.documents[0].id)).text
        assert "version 2" in text
        await eventually(lambda: kept(shelf, [version(2)]))
    row = (await shelf.rows("SELECT state, content_hash, indexed_hash FROM documents"))[0]
    assert (row.state, row.indexed_hash) == ("ready", row.content_hash)


async def test_a_file_uploaded_behind_the_cursor_of_a_running_pass_is_read_after_it(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached, go_on = asyncio.Event(), asyncio.Event()
    embed = shelf.model.embed

    async def wait(texts: list[str]):
        reached.set()
        await go_on.wait()
        return await embed(texts)

    monkeypatch.setattr(shelf.model, "embed", wait)
    await shelf.upload(("m.md", version(1)))
    async with shelf.worker():
        await asyncio.wait_for(reached.wait(), 10)
        await shelf.upload(("a.md", version(2)))
        await shelf.upload(("z.md", version(3)))
        go_on.set()
        await shelf.ended_pass()
    assert await shelf.states() == {"a.md": "ready", "m.md": "ready", "z.md": "ready"}
    assert await shelf.count("sync_passes") == 2


async def test_a_line_that_breaks_in_the_middle_of_a_file_leaves_nothing_of_it(shelf: Library) -> None:
    async def broken() -> AsyncGenerator[bytes]:
        yield PART % b"whole.md" + version(1) + b"\r\n"
        yield PART % b"torn.md" + b"# Torn\n\n" + b"x" * 500_000

    outcome = await shelf.uploads.upload(shelf.actor, read_files(HEADERS, broken(), 10_000_000))

    assert [one.name for one in outcome.documents] == ["whole.md"]
    assert [(one.name, one.code) for one in outcome.rejected] == [("torn.md", "invalid_request")]
    assert await shelf.states() == {"whole.md": "queued"}
    assert shelf.kept_files() == [version(1)]


async def test_a_full_disk_is_said_and_leaves_nothing_half(shelf: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(store: object, key: str, chunks: AsyncGenerator[bytes], **options: object) -> None:
        await anext(chunks)
        raise OSError("Unable to copy data to file: No space left on device (os error 28)")

    await shelf.upload(("before.md", version(1)))
    with monkeypatch.context() as patch:
        patch.setattr("obstore.put_async", full)
        with pytest.raises(InsufficientStorage):
            await shelf.upload(("warranty.md", version(2)))
    assert await shelf.states() == {"before.md": "queued"}
    assert shelf.kept_files() == [version(1)]
    assert (await shelf.upload(("warranty.md", version(2)))).documents[0].state == "queued"


async def test_a_database_that_fails_after_the_bytes_were_stored_leaves_no_row(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the transaction breaks")

    with monkeypatch.context() as patch:
        patch.setattr(shelf.passes, "request", fail)
        with pytest.raises(RuntimeError, match="the transaction breaks"):
            await shelf.upload(("warranty.md", version(1)))
    for table in ("sources", "uploaded_files", "documents", "pgqueuer"):
        assert await shelf.count(table) == 0, table
    [left] = files_of(shelf, version(1))
    os.utime(left, (time.time() - 90_000,) * 2)
    await shelf.handlers().recover()
    async with shelf.worker():
        await eventually(lambda: kept(shelf, []))


async def test_an_answer_lost_after_the_commit_does_not_cost_the_original(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    transaction = shelf.database.transaction

    @asynccontextmanager
    async def answer_lost() -> AsyncGenerator[Transaction]:
        async with transaction() as tx:
            yield tx
            written = (await tx.execute(sa.text("SELECT count(*) FROM uploaded_files"))).scalar_one()
        if written:
            raise Unavailable("The line broke while the commit was answered.")

    with monkeypatch.context() as patch:
        patch.setattr(shelf.database, "transaction", answer_lost)
        with pytest.raises(Unavailable):
            await shelf.upload(("warranty.md", version(1)))

    async with shelf.worker():
        await shelf.ended_pass()
    assert await shelf.states() == {"warranty.md": "ready"}
    assert shelf.kept_files() == [version(1)]


async def test_a_job_that_is_delivered_twice_has_one_effect(shelf: Library) -> None:
    await shelf.upload(("warranty.md", version(1)))
    await shelf.upload(("warranty.md", version(2)))
    deletion = next(handler for handler in shelf.handlers().handlers() if "Originals" in handler.job_type.__name__)
    obsolete = deletion.job_type(
        keys=[path.relative_to(shelf.folder).as_posix() for path in files_of(shelf, version(1))]
    )

    await deletion.run(obsolete)
    await deletion.run(obsolete)

    assert shelf.kept_files() == [version(2)]


async def test_bytes_that_a_killed_upload_left_are_swept_a_day_later(shelf: Library) -> None:
    await shelf.upload(("kept.md", version(1)))
    left = new_key(shelf.actor.workspace_id)
    await shelf.store.put(left, once(b"half an upload"))
    await shelf.handlers().recover()
    async with shelf.worker():
        await eventually(lambda: no_sweep_waits(shelf))
        assert len(shelf.kept_files()) == 2
        yesterday = time.time() - 90_000
        for path in [*files_of(shelf, version(1)), shelf.folder / left]:
            os.utime(path, (yesterday, yesterday))
        await shelf.handlers().recover()
        await eventually(lambda: kept(shelf, [version(1)]))


async def test_a_document_deleted_while_its_page_is_listed_stays_deleted(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = await shelf.upload(("a.md", version(1)), ("b.md", version(2)))
    observe = shelf.indexer.observe

    async def delete_first(workspace_id: UUID, source_id: UUID, listed: ListedDocument, *rest: Any, **more: Any) -> Any:
        if listed.external_id == "b.md" and "b.md" in await shelf.states():
            await shelf.documents.delete(shelf.actor, outcome.documents[1].id)
        return await observe(workspace_id, source_id, listed, *rest, **more)

    monkeypatch.setattr(shelf.indexer, "observe", delete_first)
    async with shelf.worker():
        await shelf.ended_pass()
    assert await shelf.states() == {"a.md": "ready"}


async def test_an_original_that_is_gone_fails_its_document_alone_and_the_same_bytes_bring_it_back(
    shelf: Library,
) -> None:
    await shelf.upload(("a.md", version(1)), ("b.md", version(2)))
    [lost] = files_of(shelf, version(1))
    lost.unlink()
    async with shelf.worker():
        ended = await shelf.ended_pass()
        failed = (await shelf.rows("SELECT failure_detail FROM documents WHERE external_id = 'a.md'"))[0]
        states = await shelf.states()
        await shelf.upload(("a.md", version(1)))
        await shelf.ended_pass()
    assert (ended.state, ended.failed, states) == ("completed_with_errors", 1, {"a.md": "failed", "b.md": "ready"})
    assert failed.failure_detail == "The original of this document is gone. Upload it again."
    assert await shelf.states() == {"a.md": "ready", "b.md": "ready"}


async def test_the_newest_of_two_versions_in_one_form_wins(shelf: Library) -> None:
    async def both() -> AsyncGenerator[IncomingFile]:
        for number in (1, 2):
            yield IncomingFile(name="warranty.md", chunks=once(version(number)))

    outcome = await shelf.uploads.upload(shelf.actor, both())

    assert [one.replaced for one in outcome.documents] == [False, True]
    assert await shelf.count("uploaded_files") == 1


async def once(data: bytes) -> AsyncGenerator[bytes]:
    yield data


def files_of(shelf: Library, data: bytes):
    return [path for path in shelf.folder.rglob("*") if path.is_file() and path.read_bytes() == data]


async def no_sweep_waits(shelf: Library) -> bool:
    return await shelf.rows("SELECT id FROM pgqueuer WHERE entrypoint = 'sweep_originals'") == []


async def kept(shelf: Library, files: list[bytes]) -> bool:
    return shelf.kept_files() == files
