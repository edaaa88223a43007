"""Changing the embedding model: the new set is built beside the old one, and search switches when it is complete."""

from uuid import UUID

from knowledgestack.db.engine import Database
from knowledgestack.documents._chunk_repository import (
    ChunkRepository,
    EmbeddingInstanceRepository,
    EmbeddingSetRepository,
)
from knowledgestack.documents._preparation import embedded_text
from knowledgestack.documents.embedding import embed_each
from knowledgestack.documents.indexing import EmbeddingModels
from knowledgestack.jobs.port import Job, JobQueue

# Chunks a transaction: small enough that a killed worker repeats seconds of work, not minutes.
_BATCH = 128
# A search that began before the switch may still read the old set; none takes this long.
_RETIRE_AFTER_SECONDS = 60.0


class BuildEmbeddingSet(Job, frozen=True, tag="build_embedding_set"):
    """Build the vectors of one workspace under one model, then switch to them."""

    workspace_id: UUID
    model_id: UUID


class DeleteRetiredVectors(Job, frozen=True, tag="delete_retired_vectors"):
    """Delete the vectors that a switch has left behind."""

    workspace_id: UUID


class EmbeddingSets:
    """Which vectors each workspace has, and how it comes by others."""

    def __init__(self, database: Database, models: EmbeddingModels, jobs: JobQueue) -> None:
        self._database = database
        self._models = models
        self._jobs = jobs

    async def start_change(self, model_id: UUID) -> None:
        """Have every workspace build the set of this model; one that searches it already drops what it was building."""
        async with self._database.transaction() as tx:
            workspaces = await EmbeddingInstanceRepository(tx).list_workspaces()
        for workspace_id in workspaces:
            await self.start_workspace_change(workspace_id, model_id)

    async def start_workspace_change(self, workspace_id: UUID, model_id: UUID) -> None:
        async with self._database.transaction() as tx:
            sets = EmbeddingSetRepository(tx, workspace_id)
            by_model = {row.embedding_model_id: row for row in await sets.lock()}
            if model_id in by_model and not by_model[model_id].active:
                return
            await sets.remove_building()
            if model_id not in by_model:
                await sets.add_building(model_id)
            job = BuildEmbeddingSet(workspace_id=workspace_id, model_id=model_id)
            await self._jobs.enqueue(tx, job, key=f"embedding-set:{workspace_id}:{model_id}")

    async def count_building(self) -> int:
        """How many workspaces have a set that is not complete."""
        async with self._database.transaction() as tx:
            return await EmbeddingInstanceRepository(tx).count_building()

    async def build_next_batch(self, workspace_id: UUID, model_id: UUID) -> bool:
        """Embed the next chunks that lack a vector of this model; True when none is left and the set is active.

        May be called again after any interruption: what is stored is not made twice. Also True where the set is no
        longer wanted. Raises `EmbeddingUnavailable` and `EmbeddingRefused`.
        """
        async with self._database.transaction() as tx:
            if model_id not in await EmbeddingSetRepository(tx, workspace_id).list_models():
                return True
            chunks = await ChunkRepository(tx, workspace_id).list_without_vector(model_id, _BATCH)
        if not chunks:
            return await self._activate(workspace_id, model_id)
        model = await self._models.embedding_model(model_id)
        vectors = await embed_each(model, [embedded_text(row.title, row.heading_path, row.text) for row in chunks])
        async with self._database.transaction() as tx:
            stored = ChunkRepository(tx, workspace_id)
            existing = await stored.lock_existing([row.id for row in chunks])
            made = [(row.id, vector) for row, vector in zip(chunks, vectors, strict=True) if row.id in existing]
            await stored.add_vectors(model_id, [chunk_id for chunk_id, _ in made], [vector for _, vector in made])
        return False

    async def delete_retired_vectors(self, workspace_id: UUID) -> None:
        """Delete the vectors of models that this workspace has no set of."""
        async with self._database.transaction() as tx:
            # The lock keeps a switch from counting vectors that this statement is deleting.
            await EmbeddingSetRepository(tx, workspace_id).lock()
            await ChunkRepository(tx, workspace_id).delete_vectors_without_set()

    async def _activate(self, workspace_id: UUID, model_id: UUID) -> bool:
        """Switch unless a document came in meanwhile; indexing holds the same lock while it writes."""
        async with self._database.transaction() as tx:
            sets = EmbeddingSetRepository(tx, workspace_id)
            if model_id not in [row.embedding_model_id for row in await sets.lock()]:
                return True
            if await ChunkRepository(tx, workspace_id).list_without_vector(model_id, 1):
                return False
            await sets.activate(model_id)
            retired = DeleteRetiredVectors(workspace_id=workspace_id)
            await self._jobs.enqueue(
                tx, retired, key=f"retired-vectors:{workspace_id}", delay_seconds=_RETIRE_AFTER_SECONDS
            )
        return True
