from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from knowledgestack.documents.indexing import DocumentContent, ListedDocument
from tests.integration.documents.conftest import Shelf
from tests.support.knowledge import listed

START = datetime(2026, 11, 30, 8, tzinfo=UTC)


async def observe(shelf: Shelf, document: ListedDocument, seen_at: datetime = START):
    return await shelf.indexer.observe(shelf.actor.workspace_id, shelf.source_id, document, seen_at)


async def index(shelf: Shelf, document: ListedDocument, data: bytes):
    seen = await observe(shelf, document)
    content = DocumentContent(data=data, name=document.title, edited_at=document.edited_at)
    return await shelf.indexer.index(shelf.actor.workspace_id, seen.document_id, content)


async def test_a_document_is_new_until_it_is_indexed(shelf: Shelf) -> None:
    document = listed("a.md", b"# A\n\nText")
    first = await observe(shelf, document)
    assert first.change == "new"
    assert (await observe(shelf, document)).change == "new"
    await index(shelf, document, b"# A\n\nText")
    again = await observe(shelf, document)
    assert (again.change, again.document_id) == ("unchanged", first.document_id)


async def test_other_bytes_with_the_same_edit_time_are_a_change(shelf: Shelf) -> None:
    await index(shelf, listed("a.md", b"# A\n\nOld"), b"# A\n\nOld")
    assert (await observe(shelf, listed("a.md", b"# A\n\nNew"))).change == "changed"


async def test_a_touch_without_an_edit_is_not_a_change(shelf: Shelf) -> None:
    document = listed("a.md", b"# A\n\nText")
    await index(shelf, document, b"# A\n\nText")
    assert document.edited_at is not None
    touched = msgspec.structs.replace(document, edited_at=document.edited_at + timedelta(days=1))
    assert (await observe(shelf, touched)).change == "unchanged"


@pytest.mark.parametrize(("later", "change"), [(0, "unchanged"), (1, "changed")])
async def test_without_a_hash_the_edit_time_decides(shelf: Shelf, later: int, change: str) -> None:
    document = ListedDocument(external_id="p1", title="page.md", edited_at=START)
    await index(shelf, document, b"# A\n\nText")
    edited = msgspec.structs.replace(document, edited_at=START + timedelta(seconds=later))
    assert (await observe(shelf, edited)).change == change


async def test_a_new_name_is_a_change(shelf: Shelf) -> None:
    document = listed("a.md", b"# A\n\nText")
    await index(shelf, document, b"# A\n\nText")
    assert (await observe(shelf, msgspec.structs.replace(document, title="b.md"))).change == "changed"


async def test_documents_that_a_pass_did_not_see_are_candidates_and_stay(shelf: Shelf) -> None:
    await observe(shelf, listed("kept.md", b"x"), START)
    missing = await observe(shelf, listed("missing.md", b"y"), START - timedelta(hours=1))
    stale = await shelf.indexer.stale(shelf.actor.workspace_id, shelf.source_id, START)
    assert [(item.document_id, item.external_id) for item in stale] == [(missing.document_id, "missing.md")]
    assert (await shelf.row(missing.document_id)).name == "missing.md"


async def test_an_older_pass_never_makes_a_document_look_unseen(shelf: Shelf) -> None:
    await observe(shelf, listed("a.md", b"x"), START)
    await observe(shelf, listed("a.md", b"x"), START - timedelta(hours=1))
    assert await shelf.indexer.stale(shelf.actor.workspace_id, shelf.source_id, START) == []


async def test_observing_within_a_transaction_goes_away_with_it(shelf: Shelf) -> None:
    async def observe_and_fail() -> None:
        async with shelf.database.transaction() as tx:
            await shelf.indexer.observe(shelf.actor.workspace_id, shelf.source_id, listed("a.md", b"x"), START, tx=tx)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await observe_and_fail()
    assert await shelf.rows("SELECT id FROM documents") == []
