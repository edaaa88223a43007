"""Workspaces with documents for tests, and an embedding model that needs no download."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

import numpy as np
import sqlalchemy as sa

from knowledgestack.core.errors import NotFound
from knowledgestack.core.identity import Actor, Role
from knowledgestack.core.ids import new_id
from knowledgestack.db.engine import Database
from knowledgestack.documents.indexing import DocumentContent, DocumentIndexer, IndexOutcome, ListedDocument
from knowledgestack.models.embedding import EmbeddingRefused, Vectors

_WORD = re.compile(r"[^\W_]{3,}")
_STOPWORDS = frozenset(
    {"the", "and", "what", "how", "does", "when", "you", "from", "for", "are", "can", "that", "this"}
)
# Words that the fake model takes for the same, so that a test can ask with a word that no document holds.
_SYNONYMS = {"sofa": "couch", "laptop": "notebook", "holiday": "leave"}


@dataclass
class FakeEmbedding:
    """A bag of words hashed into a vector: the same text gives the same vector, shared words a higher cosine."""

    id: UUID = field(default_factory=new_id)
    name: str = "fake"
    provider: str = "local"
    dimensions: int = 256
    languages: frozenset[str] | None = None
    cosine_floor: float = 0.3
    refuses: str | None = None
    error: Exception | None = None
    embedded: list[str] = field(default_factory=list)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        if self.error is not None:
            raise self.error
        self.embedded.extend(texts)
        vectors = np.stack([self._vector(text) for text in texts])
        refused = tuple(index for index, text in enumerate(texts) if self.refuses and self.refuses in text)
        if refused:
            vectors[list(refused)] = 0.0
            raise EmbeddingRefused("One text is refused.", positions=refused, vectors=vectors)
        return vectors

    def _vector(self, text: str) -> np.ndarray:
        vector = np.zeros(self.dimensions, dtype=np.float32)
        for word in _WORD.findall(text.casefold()):
            if word in _STOPWORDS:
                continue
            digest = hashlib.sha256(_SYNONYMS.get(word, word).encode()).digest()
            vector[int.from_bytes(digest[:4], "big") % self.dimensions] += 1.0
        norm = float(np.linalg.norm(vector))
        return vector / norm if norm else vector


class FakeModels:
    """The embedding models of an installation; the first is the default."""

    def __init__(self, *models: FakeEmbedding) -> None:
        self.models = {model.id: model for model in models}

    async def embedding_model(self, model_id: UUID) -> FakeEmbedding:
        try:
            return self.models[model_id]
        except KeyError:
            raise NotFound("There is no such model.") from None

    async def default_embedding_model_id(self) -> UUID:
        return next(iter(self.models))


async def add_models(database: Database, *models: FakeEmbedding) -> FakeModels:
    """The models, with the rows that sets of vectors refer to."""
    async with database.transaction() as tx:
        for model in models:
            await tx.execute(
                sa.text(
                    "INSERT INTO embedding_models (id, provider, name, dimensions)"
                    " VALUES (:id, 'local', :name, :dimensions)"
                ),
                {"id": model.id, "name": f"{model.name}-{model.id}", "dimensions": model.dimensions},
            )
    return FakeModels(*models)


async def add_workspace(database: Database, role: Role = Role.OWNER) -> Actor:
    """A workspace with one person in it."""
    user_id, workspace_id = new_id(), new_id()
    async with database.transaction() as tx:
        await tx.execute(
            sa.text("INSERT INTO users (id, email, name) VALUES (:id, :email, 'Ada')"),
            {"id": user_id, "email": f"{user_id}@example.com"},
        )
        await tx.execute(
            sa.text("INSERT INTO workspaces (id, name, slug, join_code) VALUES (:id, 'Acme', :slug, :code)"),
            {"id": workspace_id, "slug": str(workspace_id), "code": hashlib.md5(workspace_id.bytes).hexdigest()[:8]},
        )
        await tx.execute(
            sa.text("INSERT INTO workspace_memberships (workspace_id, user_id, role) VALUES (:w, :u, :role)"),
            {"w": workspace_id, "u": user_id, "role": role.value},
        )
    return Actor(user_id=user_id, session_id=new_id(), instance_owner=False, workspace_id=workspace_id, role=role)


async def add_source(database: Database, workspace_id: UUID, provider: str = "test") -> UUID:
    source_id = new_id()
    async with database.transaction() as tx:
        await tx.execute(
            sa.text("INSERT INTO sources (id, workspace_id, provider, name) VALUES (:id, :w, :provider, 'Files')"),
            {"id": source_id, "w": workspace_id, "provider": provider},
        )
    return source_id


def listed(name: str, data: bytes, *, author_id: UUID | None = None) -> ListedDocument:
    """A document as an upload source lists it."""
    return ListedDocument(
        external_id=name,
        title=name,
        author="Ada",
        author_id=author_id,
        edited_at=datetime(2026, 11, 2, tzinfo=UTC),
        content_hash=hashlib.sha256(data).hexdigest(),
    )


async def add_document(
    indexer: DocumentIndexer, workspace_id: UUID, source_id: UUID, name: str, text: str
) -> tuple[UUID, IndexOutcome]:
    """Observe and index one document, as a pass does."""
    data = text.encode()
    seen = await indexer.observe(workspace_id, source_id, listed(name, data), datetime.now(UTC))
    content = DocumentContent(data=data, name=name, edited_at=datetime(2026, 11, 2, tzinfo=UTC))
    return seen.document_id, await indexer.index(workspace_id, seen.document_id, content)
