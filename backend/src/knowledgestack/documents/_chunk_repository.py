"""Statements on chunks, their vectors and the sets that vectors belong to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import msgspec
import sqlalchemy as sa
from pgvector import HalfVector

from knowledgestack.db.repository import InstanceRepository, WorkspaceRepository
from knowledgestack.documents._models import ChunkRow, EmbeddingSetRow
from knowledgestack.documents._preparation import PreparedChunk

# Separates the headings of a path on their way into an array; no document text can hold it.
_SEPARATOR = "\x1f"

_CHUNK = ChunkRow.__table__.c
_SET = EmbeddingSetRow.__table__.c


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """What replacing a document's chunks may keep of an old one: its id and its vectors by model."""

    id: UUID
    embedded_hash: bytes
    vectors: dict[UUID, HalfVector | None]


class ChunkRepository(WorkspaceRepository):
    """The chunks and vectors of one workspace."""

    async def read_stored(self, document_id: UUID) -> list[StoredChunk]:
        """The chunks of the document in reading order, with all their vectors."""
        rows = await self.run_sql(
            """
            SELECT c.id, c.embedded_hash, v.embedding_model_id, v.embedding
            FROM document_chunks c
            LEFT JOIN chunk_vectors v ON v.workspace_id = :workspace_id AND v.chunk_id = c.id
            WHERE c.workspace_id = :workspace_id AND c.document_id = :document_id
            ORDER BY c.chunk_index
            """,
            document_id=document_id,
        )
        stored: dict[UUID, StoredChunk] = {}
        for row in rows:
            chunk = stored.setdefault(row.id, StoredChunk(row.id, row.embedded_hash, {}))
            if row.embedding_model_id is not None:
                chunk.vectors[row.embedding_model_id] = row.embedding
        return list(stored.values())

    async def delete_for_document(self, document_id: UUID) -> None:
        await self.tx.execute(self.delete(ChunkRow).where(_CHUNK.document_id == document_id))

    async def add_chunks(
        self, document_id: UUID, ids: Sequence[UUID], chunks: Sequence[PreparedChunk], *, title: str, config: str
    ) -> None:
        """Insert the chunks in one statement; their words are indexed with title and headings, under `config`."""
        await self.run_sql(
            """
            INSERT INTO document_chunks (workspace_id, id, document_id, chunk_index, heading_path, text, kind, blocks,
                                         range_start, range_end, token_count, embedded_hash, search_vector)
            SELECT :workspace_id, id, :document_id, ordinality - 1, string_to_array(headings, :separator), text, kind,
                   CAST(blocks AS jsonb), range_start, range_end, token_count, embedded_hash,
                   to_tsvector(CAST(:config AS regconfig), concat_ws(E'\\n', CAST(:title AS text),
                                                                     replace(headings, :separator, E'\\n'), text))
            FROM unnest(CAST(:ids AS uuid[]), CAST(:headings AS text[]), CAST(:texts AS text[]), CAST(:kinds AS text[]),
                        CAST(:blocks AS text[]), CAST(:starts AS integer[]), CAST(:ends AS integer[]),
                        CAST(:token_counts AS integer[]), CAST(:hashes AS bytea[]))
                 WITH ORDINALITY AS chunk (id, headings, text, kind, blocks, range_start, range_end, token_count,
                                           embedded_hash, ordinality)
            """,
            document_id=document_id,
            title=title,
            config=config,
            separator=_SEPARATOR,
            ids=list(ids),
            headings=[_SEPARATOR.join(chunk.heading_path) for chunk in chunks],
            texts=[chunk.text for chunk in chunks],
            kinds=[chunk.kind for chunk in chunks],
            blocks=[msgspec.json.encode(chunk.blocks).decode() for chunk in chunks],
            starts=[chunk.start for chunk in chunks],
            ends=[chunk.end for chunk in chunks],
            token_counts=[chunk.token_count for chunk in chunks],
            hashes=[chunk.embedded_hash for chunk in chunks],
        )

    async def add_vectors(self, model_id: UUID, ids: Sequence[UUID], vectors: Sequence[HalfVector | None]) -> None:
        """Insert vectors of one model for chunks that exist; a chunk that has one keeps it."""
        # No join here: its plan is kept from when the tables were empty, and would read all chunks each time.
        await self.run_sql(
            """
            INSERT INTO chunk_vectors (workspace_id, embedding_model_id, chunk_id, embedding)
            SELECT :workspace_id, :model_id, chunk_id, embedding
            FROM unnest(CAST(:ids AS uuid[]), CAST(:vectors AS halfvec[])) AS new (chunk_id, embedding)
            ON CONFLICT (workspace_id, embedding_model_id, chunk_id) DO NOTHING
            """,
            model_id=model_id,
            ids=list(ids),
            vectors=list(vectors),
        )

    async def lock_existing(self, ids: Sequence[UUID]) -> frozenset[UUID]:
        """Those of the chunks that still exist, and do until this transaction ends."""
        query = self.select(ChunkRow, _CHUNK.id).where(_CHUNK.id.in_(ids)).with_for_update(key_share=True, read=True)
        return frozenset((await self.tx.execute(query)).scalars())

    async def list_without_vector(self, model_id: UUID, limit: int) -> list[sa.Row[Any]]:
        """Chunks that the model has not seen, with what their embedded text is made of."""
        rows = await self.run_sql(
            """
            SELECT c.id, d.title, c.heading_path, c.text
            FROM document_chunks c
            JOIN documents d ON d.workspace_id = :workspace_id AND d.id = c.document_id
            WHERE c.workspace_id = :workspace_id AND NOT EXISTS (
                SELECT FROM chunk_vectors v
                WHERE v.workspace_id = :workspace_id AND v.embedding_model_id = :model_id AND v.chunk_id = c.id)
            ORDER BY c.id
            LIMIT :limit
            """,
            model_id=model_id,
            limit=limit,
        )
        return list(rows)

    async def delete_vectors_without_set(self) -> None:
        await self.run_sql(
            """
            DELETE FROM chunk_vectors
            WHERE workspace_id = :workspace_id AND embedding_model_id NOT IN (
                SELECT embedding_model_id FROM workspace_embedding_sets WHERE workspace_id = :workspace_id)
            """
        )


class EmbeddingSetRepository(WorkspaceRepository):
    """The embedding sets of one workspace: one active, at most one being built."""

    async def list_models(self) -> list[UUID]:
        """The models whose vectors every chunk needs."""
        query = self.select(EmbeddingSetRow, _SET.embedding_model_id).order_by(_SET.embedding_model_id)
        return list((await self.tx.execute(query)).scalars())

    async def lock(self) -> list[sa.Row[Any]]:
        query = self.select(EmbeddingSetRow).order_by(_SET.embedding_model_id).with_for_update()
        return list(await self.tx.execute(query))

    async def active_model(self) -> UUID | None:
        return await self.tx.scalar(self.select(EmbeddingSetRow, _SET.embedding_model_id).where(_SET.active))

    async def add_active(self, model_id: UUID) -> None:
        """Give a workspace without sets its first one; where another transaction was first, that one stays."""
        await self.run_sql(
            """
            INSERT INTO workspace_embedding_sets (workspace_id, embedding_model_id, state, active)
            VALUES (:workspace_id, :model_id, 'ready', true)
            ON CONFLICT DO NOTHING
            """,
            model_id=model_id,
        )

    async def add_building(self, model_id: UUID) -> None:
        await self.insert(EmbeddingSetRow, embedding_model_id=model_id, state="building", active=False)

    async def remove_building(self) -> None:
        await self.tx.execute(self.delete(EmbeddingSetRow).where(sa.not_(_SET.active)))

    async def activate(self, model_id: UUID) -> None:
        """Make this set the one that is searched, and forget the others."""
        await self.tx.execute(self.delete(EmbeddingSetRow).where(_SET.embedding_model_id != model_id))
        await self.tx.execute(self.update(EmbeddingSetRow).values(state="ready", active=True))


class EmbeddingInstanceRepository(InstanceRepository):
    """What concerns the sets of all workspaces; it names workspaces and reads none of their rows' content."""

    async def list_workspaces(self) -> list[UUID]:
        """The workspaces that have vectors or will have."""
        query = sa.select(_SET.workspace_id).distinct().order_by(_SET.workspace_id)
        return list((await self.tx.execute(query)).scalars())

    async def count_building(self) -> int:
        query = sa.select(sa.func.count(_SET.workspace_id.distinct())).where(_SET.state == "building")
        return (await self.tx.execute(query)).scalar_one()
