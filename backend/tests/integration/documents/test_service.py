from collections.abc import AsyncIterator
from dataclasses import replace
from uuid import UUID

import pytest

from knowledgestack.core.errors import Forbidden, NotFound
from knowledgestack.core.identity import Role
from knowledgestack.core.ids import new_id
from knowledgestack.db.engine import Transaction
from knowledgestack.documents.ports import Original
from knowledgestack.documents.service import DocumentService
from tests.integration.documents.conftest import Shelf
from tests.support.knowledge import add_workspace


class Originals:
    def __init__(self) -> None:
        self.deleted: list[str] = []

    async def open(self, workspace_id: UUID, source_id: UUID, external_id: str) -> Original:
        async def content() -> AsyncIterator[bytes]:
            yield b"bytes"

        return Original(name=external_id, media_type="text/markdown", size=5, content=content())

    async def delete(self, tx: Transaction, workspace_id: UUID, source_id: UUID, external_id: str) -> None:
        self.deleted.append(external_id)


class Reindexing:
    def __init__(self) -> None:
        self.asked: list[UUID] = []

    async def enqueue(self, tx: Transaction, workspace_id: UUID, source_id: UUID, document_id: UUID) -> None:
        self.asked.append(document_id)


@pytest.fixture
def originals() -> Originals:
    return Originals()


@pytest.fixture
def reindexing() -> Reindexing:
    return Reindexing()


@pytest.fixture
def service(shelf: Shelf, originals: Originals, reindexing: Reindexing) -> DocumentService:
    return DocumentService(shelf.database, originals, reindexing)


async def test_a_reader_gets_the_text_with_the_ranges_of_its_chunks(shelf: Shelf, service: DocumentService) -> None:
    document_id, _ = await shelf.add("a.md", "# Returns\n\nWithin thirty days.\n")
    document = await service.read(shelf.actor, document_id)
    assert (document.title, document.name, document.state, document.author) == ("Returns", "a.md", "ready", "Ada")
    text = await service.read_text(shelf.actor, document_id)
    assert "Within thirty days." in text.text[text.ranges[0].start : text.ranges[0].end]
    [chunk] = (await service.list_chunks(shelf.actor, document_id)).items
    assert (chunk.chunk_index, chunk.id) == (0, text.ranges[0].chunk_id)


async def test_the_list_begins_with_trouble_and_pages_without_gaps(shelf: Shelf, service: DocumentService) -> None:
    for number in range(5):
        await shelf.add(f"{number}.md", f"# Page {number}\n\nText.\n")
    await shelf.add("broken.md", "  ")
    names: list[str] = []
    cursor: str | None = None
    while True:
        page = await service.list_for_source(shelf.actor, shelf.source_id, cursor=cursor, limit=2)
        names += [document.name for document in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert names == ["broken.md", "4.md", "3.md", "2.md", "1.md", "0.md"]
    first = (await service.list_for_source(shelf.actor, shelf.source_id)).items[0]
    assert (first.state, first.failure is not None) == ("failed", True)


async def test_another_workspace_sees_nothing(shelf: Shelf, service: DocumentService) -> None:
    document_id, _ = await shelf.add("a.md", "# Returns\n\nText.\n")
    stranger = await add_workspace(shelf.database)
    for call in (service.read, service.read_text, service.list_chunks, service.open_original, service.delete):
        with pytest.raises(NotFound):
            await call(stranger, document_id)
    with pytest.raises(NotFound):
        await service.retry(stranger, document_id)
    assert (await service.list_for_source(stranger, shelf.source_id)).items == []
    assert (await service.read(shelf.actor, document_id)).state == "ready"


async def test_deleting_removes_the_original_too(shelf: Shelf, service: DocumentService, originals: Originals) -> None:
    document_id, _ = await shelf.add("a.md", "# Returns\n\nText.\n")
    await service.delete(shelf.actor, document_id)
    assert originals.deleted == ["a.md"]
    with pytest.raises(NotFound):
        await service.read(shelf.actor, document_id)


async def test_a_member_deletes_only_what_is_their_own_and_a_viewer_nothing(
    shelf: Shelf, service: DocumentService
) -> None:
    document_id, _ = await shelf.add("a.md", "# Returns\n\nText.\n")
    other = replace(shelf.actor, role=Role.MEMBER, user_id=new_id())
    with pytest.raises(Forbidden):
        await service.delete(other, document_id)
    await shelf.rows("UPDATE documents SET author_id = :user RETURNING id", user=shelf.actor.user_id)
    with pytest.raises(Forbidden):
        await service.delete(replace(shelf.actor, role=Role.VIEWER), document_id)
    await service.delete(replace(shelf.actor, role=Role.MEMBER), document_id)


async def test_retrying_forgets_the_failure_and_asks_for_the_work(
    shelf: Shelf, service: DocumentService, reindexing: Reindexing
) -> None:
    document_id, _ = await shelf.add("broken.md", "  ")
    await service.retry(shelf.actor, document_id)
    document = await service.read(shelf.actor, document_id)
    assert (document.state, document.failure, reindexing.asked) == ("queued", None, [document_id])
