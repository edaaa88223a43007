"""A change of the embedding model, interrupted wherever it can be."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from uuid import UUID

import pytest
import sqlalchemy as sa

from knowledgestack.core.identity import Actor
from knowledgestack.db.engine import Database, Transaction
from knowledgestack.documents.embedding_sets import BuildEmbeddingSet, DeleteRetiredVectors, EmbeddingSets
from knowledgestack.documents.indexing import DocumentIndexer
from knowledgestack.documents.jobs import document_handlers
from knowledgestack.jobs.port import Job, RetryLater
from knowledgestack.models.embedding import EmbeddingUnavailable
from knowledgestack.retrieval.search import Retrieval, SearchQuery
from tests.support.knowledge import FakeEmbedding, FakeModels, add_document, add_models, add_source, add_workspace

DOCUMENTS = 150


class Jobs:
    """Remembers what was enqueued; the test is the worker."""

    def __init__(self) -> None:
        self.waiting: list[Job] = []

    async def enqueue(self, tx: Transaction, job: Job, *, key: str | None = None, delay_seconds: float = 0) -> None:
        self.waiting.append(job)


@dataclass
class Change:
    database: Database
    old: FakeEmbedding
    new: FakeEmbedding
    models: FakeModels
    indexer: DocumentIndexer
    sets: EmbeddingSets
    jobs: Jobs
    actor: Actor
    source_id: UUID

    async def count(self, model: FakeEmbedding) -> int:
        async with self.database.transaction() as tx:
            return (
                await tx.execute(
                    sa.text("SELECT count(*) FROM chunk_vectors WHERE embedding_model_id = :id"), {"id": model.id}
                )
            ).scalar_one()

    async def active(self) -> UUID:
        async with self.database.transaction() as tx:
            return (
                await tx.execute(sa.text("SELECT embedding_model_id FROM workspace_embedding_sets WHERE active"))
            ).scalar_one()

    async def add(self, name: str, text: str) -> None:
        _, outcome = await add_document(self.indexer, self.actor.workspace_id, self.source_id, name, text)
        assert outcome.state == "ready"

    async def build(self) -> None:
        for handler in document_handlers(self.sets):
            if handler.job_type is BuildEmbeddingSet:
                await handler.run(BuildEmbeddingSet(workspace_id=self.actor.workspace_id, model_id=self.new.id))

    async def search(self, text: str) -> str:
        retrieval = Retrieval(self.database, self.models)
        outcome = await retrieval.search(self.actor, SearchQuery(text=text, limit=1, gated=False))
        assert outcome.dense == "used"
        return outcome.hits[0].title


@pytest.fixture
async def change(database_url: str) -> AsyncGenerator[Change]:
    database = Database(database_url)
    old, new = FakeEmbedding(name="old"), FakeEmbedding(name="new", dimensions=96)
    models = await add_models(database, old, new)
    actor = await add_workspace(database)
    source_id = await add_source(database, actor.workspace_id)
    jobs = Jobs()
    indexer = DocumentIndexer(database, models)
    made = Change(database, old, new, models, indexer, EmbeddingSets(database, models, jobs), jobs, actor, source_id)
    for number in range(DOCUMENTS):
        await made.add(f"{number}.md", f"# Page {number}\n\nRoom number{number} is on floor{number % 7}.\n")
    yield made
    await database.close()


async def test_search_keeps_the_old_set_until_the_new_one_is_complete(change: Change) -> None:
    await change.sets.start_change(change.new.id)
    assert await change.sets.count_building() == 1
    assert await change.sets.build_next_batch(change.actor.workspace_id, change.new.id) is False
    assert 0 < await change.count(change.new) < DOCUMENTS
    assert await change.active() == change.old.id
    assert await change.search("number140") == "Page 140"
    await change.build()
    assert await change.active() == change.new.id
    assert await change.sets.count_building() == 0
    assert await change.count(change.new) == DOCUMENTS
    assert await change.search("number140") == "Page 140"


async def test_a_build_that_was_killed_goes_on_where_it_stopped(change: Change) -> None:
    await change.sets.start_change(change.new.id)
    await change.sets.build_next_batch(change.actor.workspace_id, change.new.id)
    first = len(change.new.embedded)
    change.new.error = asyncio.CancelledError()
    with pytest.raises(asyncio.CancelledError):
        await change.build()
    change.new.error = None
    await change.build()
    assert first < len(change.new.embedded) == len(set(change.new.embedded)) == DOCUMENTS
    assert await change.active() == change.new.id


async def test_a_document_that_comes_in_meanwhile_goes_into_both_sets(change: Change) -> None:
    await change.sets.start_change(change.new.id)
    await change.sets.build_next_batch(change.actor.workspace_id, change.new.id)
    await change.add("late.md", "# Late\n\nThe zeppelin lands at noon.\n")
    assert await change.search("zeppelin") == "Late"
    await change.build()
    assert await change.search("zeppelin") == "Late"
    assert await change.count(change.old) == await change.count(change.new) == DOCUMENTS + 1


async def test_a_document_indexed_across_the_switch_is_not_lost(change: Change) -> None:
    """The set appears and is switched to while the document's vectors are being made for the old one alone."""
    entered, go_on = asyncio.Event(), asyncio.Event()
    embed = change.old.embed

    async def slow(texts: list[str]):
        entered.set()
        await go_on.wait()
        return await embed(texts)

    change.old.embed = slow  # type: ignore[method-assign]
    indexing = asyncio.create_task(change.add("late.md", "# Late\n\nThe zeppelin lands at noon.\n"))
    await entered.wait()
    await change.sets.start_change(change.new.id)
    await change.build()
    assert await change.active() == change.new.id
    go_on.set()
    await indexing
    assert await change.count(change.new) == DOCUMENTS + 1
    assert await change.search("zeppelin") == "Late"


async def test_a_provider_that_is_down_delays_the_switch(change: Change) -> None:
    await change.sets.start_change(change.new.id)
    change.new.error = EmbeddingUnavailable("Down.")
    with pytest.raises(RetryLater):
        await change.build()
    assert await change.active() == change.old.id
    assert await change.search("number7") == "Page 7"


async def test_a_text_that_the_new_model_refuses_does_not_stop_the_change(change: Change) -> None:
    change.new.refuses = "number13 "
    await change.sets.start_change(change.new.id)
    await change.build()
    assert await change.active() == change.new.id
    assert await change.search("number13") == "Page 13"


async def test_the_old_vectors_go_after_the_switch_and_only_they(change: Change) -> None:
    await change.sets.start_change(change.new.id)
    await change.build()
    [retired] = [job for job in change.jobs.waiting if isinstance(job, DeleteRetiredVectors)]
    await change.sets.delete_retired_vectors(retired.workspace_id)
    assert (await change.count(change.old), await change.count(change.new)) == (0, DOCUMENTS)


async def test_changing_back_drops_what_was_being_built(change: Change) -> None:
    await change.sets.start_change(change.new.id)
    await change.sets.build_next_batch(change.actor.workspace_id, change.new.id)
    await change.sets.start_change(change.old.id)
    await change.build()
    assert await change.active() == change.old.id
    assert await change.sets.count_building() == 0
