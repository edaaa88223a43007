from collections.abc import AsyncGenerator
from dataclasses import dataclass
from uuid import UUID

import pytest

from knowledgestack.core.identity import Actor
from knowledgestack.db.engine import Database
from knowledgestack.documents.indexing import DocumentIndexer
from knowledgestack.retrieval.search import Retrieval, SearchOutcome, SearchQuery
from tests.support.knowledge import FakeEmbedding, add_document, add_models, add_source, add_workspace

PAGES = {
    "returns.md": "# Returns\n\nA couch can be returned within thirty days of delivery. Refunds take a week.\n",
    "warranty.md": "# Warranty\n\n## Refurbished\n\nRefurbished machines carry a warranty of twelve months.\n",
    "codes.md": "# Codes\n\nThe part SL-0726 replaces the older part SL-0611 in every grinder.\n",
    "leave.md": "# Parental leave\n\nEverybody takes sixteen weeks of paid leave. Tell your manager early.\n",
}


@dataclass
class Library:
    """A workspace with a few pages, and a search over it."""

    database: Database
    model: FakeEmbedding
    indexer: DocumentIndexer
    retrieval: Retrieval
    actor: Actor
    source_id: UUID

    async def add(self, name: str, text: str, *, source_id: UUID | None = None) -> UUID:
        document_id, outcome = await add_document(
            self.indexer, self.actor.workspace_id, source_id or self.source_id, name, text
        )
        assert outcome.state == "ready"
        return document_id

    async def search(self, text: str, **options: object) -> SearchOutcome:
        return await self.retrieval.search(self.actor, SearchQuery(text=text, **options))  # type: ignore[arg-type]


@pytest.fixture
async def library(database_url: str) -> AsyncGenerator[Library]:
    database = Database(database_url)
    model = FakeEmbedding()
    models = await add_models(database, model)
    actor = await add_workspace(database)
    source_id = await add_source(database, actor.workspace_id)
    made = Library(database, model, DocumentIndexer(database, models), Retrieval(database, models), actor, source_id)
    for name, text in PAGES.items():
        await made.add(name, text)
    yield made
    await database.close()
