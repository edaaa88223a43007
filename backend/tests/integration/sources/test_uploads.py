"""What happens to files that people drop."""

import asyncio
import hashlib
from dataclasses import replace

import pytest

from knowledgestack.core.errors import AppError, Forbidden, InvalidRequest, TooLarge, UnsupportedFile
from knowledgestack.core.identity import Role
from tests.support.knowledge import add_workspace
from tests.support.sources import MAX_BYTES, Library
from tests.support.waiting import eventually

GUIDE = b"# Warranty\n\nRefurbished machines carry a warranty of twelve months from the day of delivery.\n"
NEWER = b"# Warranty\n\nRefurbished machines carry a warranty of eighteen months from the day of delivery.\n"
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00"


async def test_a_file_waits_at_once_and_is_ready_after_its_pass(shelf: Library) -> None:
    outcome = await shelf.upload(("warranty.md", GUIDE))

    assert [(one.name, one.state, one.replaced) for one in outcome.documents] == [("warranty.md", "queued", False)]
    assert outcome.rejected == []
    assert await shelf.states() == {"warranty.md": "queued"}
    async with shelf.worker():
        ended = await shelf.ended_pass()
    assert await shelf.states() == {"warranty.md": "ready"}
    assert (ended.state, ended.found, ended.new, ended.failed, ended.message) == ("completed", 1, 1, 0, None)
    source = await shelf.source()
    assert (source.provider, source.document_count, source.state) == ("upload", 1, "active")
    assert source.chunk_count > 0
    assert source.last_synced_at == ended.started_at


async def test_the_original_is_kept_byte_for_byte(shelf: Library) -> None:
    outcome = await shelf.upload(("warranty.md", GUIDE))

    original = await shelf.documents.open_original(shelf.actor, outcome.documents[0].id)
    assert b"".join([chunk async for chunk in original.content]) == GUIDE
    assert (original.name, original.size) == ("warranty.md", len(GUIDE))


async def test_the_same_name_replaces_and_says_so(shelf: Library) -> None:
    first = await shelf.upload(("warranty.md", GUIDE))
    async with shelf.worker():
        await shelf.ended_pass()
        second = await shelf.upload(("warranty.md", NEWER))
        assert second.documents[0].replaced
        assert second.documents[0].id == first.documents[0].id
        await shelf.ended_pass()
        text = await shelf.documents.read_text(shelf.actor, second.documents[0].id)
        assert "eighteen months" in text.text
        await eventually(lambda: _kept(shelf, [NEWER]))
    assert await shelf.count("uploaded_files") == 1


async def test_the_same_bytes_again_are_noticed_and_cost_nothing(shelf: Library) -> None:
    await shelf.upload(("warranty.md", GUIDE))
    async with shelf.worker():
        first = await shelf.ended_pass()
        embedded = len(shelf.model.embedded)
        again = (await shelf.upload(("warranty.md", GUIDE))).documents[0]
        assert (again.state, again.unchanged, again.replaced) == ("ready", True, False)
        assert (await shelf.ended_pass()).id == first.id
        await eventually(lambda: _kept(shelf, [GUIDE]))
    assert len(shelf.model.embedded) == embedded


async def test_only_different_bytes_make_another_member_the_author(shelf: Library) -> None:
    member = replace((await add_workspace(shelf.database, Role.MEMBER)), workspace_id=shelf.actor.workspace_id)
    document_id = (await shelf.upload(("warranty.md", GUIDE))).documents[0].id

    await shelf.upload(("warranty.md", GUIDE), actor=member)
    with pytest.raises(Forbidden):
        await shelf.documents.delete(member, document_id)
    async with shelf.worker():
        await shelf.ended_pass()
    with pytest.raises(Forbidden):
        await shelf.documents.delete(member, document_id)

    await shelf.upload(("warranty.md", NEWER), actor=member)
    await shelf.documents.delete(member, document_id)
    assert await shelf.states() == {}


async def test_the_same_bytes_under_another_name_are_pointed_out(shelf: Library) -> None:
    await shelf.upload(("warranty.md", GUIDE))

    copy = (await shelf.upload(("copies/warranty.md", GUIDE))).documents[0]

    assert (copy.same_as, copy.unchanged) == ("warranty.md", False)


async def test_composed_and_decomposed_names_are_one_file(shelf: Library) -> None:
    await shelf.upload(("caf\u00e9.md", GUIDE))

    twin = (await shelf.upload(("cafe\u0301.md", NEWER))).documents[0]

    assert (twin.name, twin.replaced) == ("caf\u00e9.md", True)
    assert await shelf.count("documents") == 1


@pytest.mark.parametrize(
    ("name", "data", "code", "kind"),
    [
        ("empty.md", b"", "empty_file", InvalidRequest),
        ("../secret.md", GUIDE, "invalid_name", InvalidRequest),
        ("picture.md", PNG, "unsupported_file", UnsupportedFile),
        ("report.pdf", b"%PDF-1.7\n", "unsupported_file", UnsupportedFile),
        ("no-extension", GUIDE, "unsupported_file", UnsupportedFile),
        ("large.txt", b"a" * (MAX_BYTES + 1), "too_large", TooLarge),
    ],
)
async def test_what_cannot_be_taken_is_refused_and_leaves_nothing(
    shelf: Library, name: str, data: bytes, code: str, kind: type[AppError]
) -> None:
    with pytest.raises(kind) as alone:
        await shelf.upload((name, data))
    assert alone.value.code == code
    assert shelf.kept_files() == []

    beside = await shelf.upload((name, data), ("warranty.md", GUIDE))
    assert [(one.name, one.code) for one in beside.rejected] == [(name, code)]
    assert [one.name for one in beside.documents] == ["warranty.md"]
    assert shelf.kept_files() == [GUIDE]


async def test_a_file_of_exactly_the_limit_is_taken(shelf: Library) -> None:
    outcome = await shelf.upload(("large.txt", b"a" * MAX_BYTES))

    assert outcome.documents[0].state == "queued"


async def test_a_viewer_cannot_upload(shelf: Library) -> None:
    viewer = await add_workspace(shelf.database, Role.VIEWER)

    with pytest.raises(Forbidden):
        await shelf.upload(("warranty.md", GUIDE), actor=viewer)


async def test_two_workspaces_hold_the_same_name_apart(shelf: Library) -> None:
    other = await add_workspace(shelf.database)
    await shelf.upload(("warranty.md", GUIDE))

    outcome = await shelf.upload(("warranty.md", NEWER), actor=other)

    assert (outcome.documents[0].replaced, outcome.documents[0].same_as) == (False, None)
    assert await shelf.count("sources") == 2


async def test_the_same_upload_many_times_at_once_leaves_one_row_and_one_file(shelf: Library) -> None:
    versions = [f"# Warranty\n\nVersion {number} of the warranty.\n".encode() for number in range(6)]
    async with shelf.worker():
        await asyncio.gather(*(shelf.upload(("warranty.md", data)) for data in versions))
        await shelf.ended_pass()
        row = (await shelf.rows("SELECT content_hash FROM uploaded_files"))[0]
        document = (await shelf.rows("SELECT content_hash, indexed_hash, text FROM documents"))[0]
        newest = next(data for data in versions if hashlib.sha256(data).hexdigest() == row.content_hash)
        assert document.content_hash == document.indexed_hash == row.content_hash
        assert document.text.strip() == newest.decode().strip()
        await eventually(lambda: _kept(shelf, [newest]))
    assert await shelf.count("documents") == await shelf.count("uploaded_files") == 1


async def test_a_deleted_document_does_not_come_back(shelf: Library) -> None:
    outcome = await shelf.upload(("warranty.md", GUIDE), ("travel.md", NEWER))
    async with shelf.worker():
        await shelf.ended_pass()
        await shelf.documents.delete(shelf.actor, outcome.documents[0].id)
        await eventually(lambda: _kept(shelf, [NEWER]))
        await shelf.sources.start_sync(shelf.actor, outcome.source_id)
        ended = await shelf.ended_pass()
    assert (ended.found, ended.unchanged, ended.deleted) == (1, 1, 0)
    assert await shelf.states() == {"travel.md": "ready"}


async def test_a_document_that_failed_is_read_again_when_asked(shelf: Library) -> None:
    outcome = await shelf.upload(("broken.json", b'{"open": '))
    async with shelf.worker():
        ended = await shelf.ended_pass()
        first = await shelf.states()
        await shelf.upload(("broken.json", b'{"open": true}'))
        await shelf.ended_pass()
        assert await shelf.states() == {"broken.json": "ready"}
        await shelf.documents.retry(shelf.actor, outcome.documents[0].id)
        await eventually(lambda: _passes(shelf, 3))
        await shelf.ended_pass()
    assert await shelf.states() == {"broken.json": "ready"}
    assert first in ({"broken.json": "ready"}, {"broken.json": "failed"})
    assert ended.state in {"completed", "completed_with_errors"}


async def _kept(shelf: Library, files: list[bytes]) -> bool:
    return shelf.kept_files() == sorted(files)


async def _passes(shelf: Library, count: int) -> bool:
    return await shelf.count("sync_passes") == count
