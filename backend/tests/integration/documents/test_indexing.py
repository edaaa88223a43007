import asyncio
from datetime import UTC, datetime

import pytest

from knowledgestack.documents.indexing import DocumentContent
from knowledgestack.models.embedding import EmbeddingUnavailable
from tests.integration.documents.conftest import Shelf
from tests.support.knowledge import listed

SECTION = "Every order of the online shop can be returned within thirty days of delivery, in its own box. " * 6


def page(*topics: str) -> str:
    """A page with a section of some hundred tokens for each topic."""
    return "# Handbook\n\n" + "\n".join(f"## {topic}\n\n{topic}: {SECTION}\n" for topic in topics)


async def test_an_indexed_document_has_its_chunks_in_reading_order_and_a_vector_for_each(shelf: Shelf) -> None:
    document_id, outcome = await shelf.add("handbook.md", page("Returns", "Warranty", "Leave"))
    chunks = await shelf.chunks(document_id)
    assert outcome.state == "ready"
    assert outcome.chunk_count == len(chunks) >= 3
    assert [chunk.chunk_index for chunk in chunks] == list(range(len(chunks)))
    assert chunks[1].heading_path[-1] == "Warranty"
    row = await shelf.row(document_id)
    assert (row.state, row.title, row.language, row.chunk_count) == ("ready", "Handbook", "en", len(chunks))
    vectors = await shelf.rows("SELECT vector_dims(embedding) AS size FROM chunk_vectors")
    assert [vector.size for vector in vectors] == [shelf.model.dimensions] * len(chunks)


async def test_chunk_ranges_point_into_the_stored_text(shelf: Shelf) -> None:
    document_id, _ = await shelf.add("a.md", "# Ünï 🎈\n\nFirst 🎈 paragraph.\n\n## Zwei\n\nSecond 🎈🎈 paragraph.\n")
    rows = await shelf.rows(
        "SELECT c.text, substr(d.text, c.range_start + 1, c.range_end - c.range_start) AS slice"
        " FROM document_chunks c JOIN documents d ON d.id = c.document_id WHERE d.id = :id",
        id=document_id,
    )
    assert rows
    assert all(row.text == row.slice for row in rows)


async def test_text_that_did_not_change_is_not_embedded_again_and_keeps_its_id(shelf: Shelf) -> None:
    document_id, _ = await shelf.add("handbook.md", page("Returns", "Warranty", "Leave"))
    before = {chunk.text: chunk.id for chunk in await shelf.chunks(document_id)}
    shelf.model.embedded.clear()
    _, outcome = await shelf.add("handbook.md", page("Returns", "Parking", "Leave"))
    after = {chunk.text: chunk.id for chunk in await shelf.chunks(document_id)}
    assert outcome.state == "ready"
    assert len(shelf.model.embedded) == 1
    assert "Parking" in shelf.model.embedded[0]
    same = before.keys() & after.keys()
    assert len(same) == len(after) - 1
    assert all(before[text] == after[text] for text in same)


async def test_what_is_embedded_begins_with_title_and_headings(shelf: Shelf) -> None:
    await shelf.add("handbook.md", page("Returns"))
    assert shelf.model.embedded[0].startswith("Handbook › Returns\n")


async def test_a_text_that_the_model_refuses_fails_alone(shelf: Shelf) -> None:
    shelf.model.refuses = "Warranty"
    document_id, outcome = await shelf.add("handbook.md", page("Returns", "Warranty", "Leave"))
    row = await shelf.row(document_id)
    assert outcome.state == row.state == "ready"
    assert any("1 passage" in note for note in row.notes)
    vectors = await shelf.rows("SELECT embedding IS NULL AS refused FROM chunk_vectors")
    assert sorted(vector.refused for vector in vectors) == [False, False, True]


async def test_a_provider_that_is_down_fails_the_document_three_times_and_keeps_the_old_chunks(shelf: Shelf) -> None:
    document_id, _ = await shelf.add("a.md", page("Returns"))
    shelf.model.error = EmbeddingUnavailable("The embedding server does not answer.")
    outcomes = [(await shelf.add("a.md", page("Warranty")))[1] for _ in range(4)]
    assert [(outcome.state, outcome.retryable) for outcome in outcomes] == [
        ("failed", True),
        ("failed", True),
        ("failed", False),
        ("failed", False),
    ]
    row = await shelf.row(document_id)
    assert (row.failure_code, row.failure_detail) == (
        "embedding_unavailable",
        "The embedding server does not answer.",
    )
    assert "Returns" in (await shelf.chunks(document_id))[0].text


async def test_a_file_that_cannot_be_read_says_why_and_is_not_tried_again(shelf: Shelf) -> None:
    document_id, outcome = await shelf.add("blank.md", "   \n\n")
    row = await shelf.row(document_id)
    assert (outcome.state, outcome.retryable, row.state) == ("failed", False, "failed")
    assert row.failure_code == "no_text"
    data = b"   \n\n"
    again = await shelf.indexer.observe(
        shelf.actor.workspace_id, shelf.source_id, listed("blank.md", data), datetime.now(UTC)
    )
    assert again.change == "unchanged"


async def test_work_that_kills_its_worker_stops_after_three_attempts(shelf: Shelf) -> None:
    data = page("Returns").encode()
    seen = await shelf.indexer.observe(
        shelf.actor.workspace_id, shelf.source_id, listed("a.md", data), datetime.now(UTC)
    )
    # Three workers that counted their attempt and were killed before they could say how it ended.
    await shelf.rows(
        "UPDATE documents SET attempts = 3, state = 'reading' WHERE id = :id RETURNING id", id=seen.document_id
    )
    content = DocumentContent(data=data, name="a.md")
    outcome = await shelf.indexer.index(shelf.actor.workspace_id, seen.document_id, content)
    assert (outcome.state, outcome.failure_code) == ("failed", "gave_up")
    assert shelf.model.embedded == []


async def test_an_attempt_cut_short_by_a_shutdown_is_given_back(shelf: Shelf) -> None:
    started = asyncio.Event()

    async def hang(_texts: object) -> None:
        started.set()
        await asyncio.Event().wait()

    shelf.model.embed = hang  # type: ignore[method-assign]
    task = asyncio.create_task(shelf.add("a.md", page("Returns")))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    [row] = await shelf.rows("SELECT attempts, state FROM documents")
    assert (row.attempts, row.state) == (0, "queued")


async def test_indexing_ends_on_the_newest_content(shelf: Shelf) -> None:
    old, new = page("Returns").encode(), page("Warranty").encode()

    async def observe(data: bytes):
        return await shelf.indexer.observe(
            shelf.actor.workspace_id, shelf.source_id, listed("a.md", data), datetime.now(UTC)
        )

    document_id = (await observe(old)).document_id
    assert (await observe(new)).change == "new"
    workspace_id = shelf.actor.workspace_id
    first, second = await asyncio.gather(
        shelf.indexer.index(workspace_id, document_id, DocumentContent(data=old, name="a.md")),
        shelf.indexer.index(workspace_id, document_id, DocumentContent(data=new, name="a.md")),
    )
    assert (first.state, second.state) == ("superseded", "ready")
    assert "Warranty" in (await shelf.chunks(document_id))[0].text


async def test_a_document_deleted_meanwhile_stays_deleted(shelf: Shelf) -> None:
    data = page("Returns").encode()
    seen = await shelf.indexer.observe(
        shelf.actor.workspace_id, shelf.source_id, listed("a.md", data), datetime.now(UTC)
    )
    await shelf.indexer.delete(shelf.actor.workspace_id, seen.document_id)
    outcome = await shelf.indexer.index(
        shelf.actor.workspace_id, seen.document_id, DocumentContent(data=data, name="a.md")
    )
    assert outcome.state == "gone"
    assert await shelf.rows("SELECT id FROM document_chunks") == []


async def test_deleting_a_source_leaves_no_chunk_and_no_vector(shelf: Shelf) -> None:
    await shelf.add("a.md", page("Returns"))
    await shelf.rows("DELETE FROM sources WHERE id = :id RETURNING id", id=shelf.source_id)
    counts = await shelf.rows(
        "SELECT (SELECT count(*) FROM documents) + (SELECT count(*) FROM document_chunks)"
        " + (SELECT count(*) FROM chunk_vectors) AS left_over"
    )
    assert counts[0].left_over == 0
