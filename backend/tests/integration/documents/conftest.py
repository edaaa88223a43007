from collections.abc import AsyncGenerator
from dataclasses import dataclass
from uuid import UUID

import pytest
import sqlalchemy as sa

from knowledgestack.core.identity import Actor
from knowledgestack.db.engine import Database
from knowledgestack.documents.indexing import DocumentIndexer, IndexOutcome
from tests.support.knowledge import FakeEmbedding, FakeModels, add_document, add_models, add_source, add_workspace


@dataclass
class Shelf:
    """One workspace with one source, and what indexes its documents."""

    database: Database
    model: FakeEmbedding
    models: FakeModels
    indexer: DocumentIndexer
    actor: Actor
    source_id: UUID

    async def add(self, name: str, text: str) -> tuple[UUID, IndexOutcome]:
        return await add_document(self.indexer, self.actor.workspace_id, self.source_id, name, text)

    async def row(self, document_id: UUID) -> sa.Row[tuple[object, ...]]:
        [row] = await self.rows("SELECT * FROM documents WHERE id = :id", id=document_id)
        return row

    async def rows(self, statement: str, **parameters: object) -> list[sa.Row[tuple[object, ...]]]:
        async with self.database.transaction() as tx:
            return list(await tx.execute(sa.text(statement), parameters))

    async def chunks(self, document_id: UUID) -> list[sa.Row[tuple[object, ...]]]:
        return await self.rows(
            "SELECT id, chunk_index, text, heading_path FROM document_chunks"
            " WHERE document_id = :id ORDER BY chunk_index",
            id=document_id,
        )


@pytest.fixture
async def shelf(database_url: str) -> AsyncGenerator[Shelf]:
    database = Database(database_url)
    model = FakeEmbedding()
    models = await add_models(database, model)
    actor = await add_workspace(database)
    source_id = await add_source(database, actor.workspace_id)
    yield Shelf(database, model, models, DocumentIndexer(database, models), actor, source_id)
    await database.close()
