"""Reads passages by their ids, for whoever cites what a link points to."""

from collections.abc import Collection
from uuid import UUID

from knowledgestack.core.identity import Actor
from knowledgestack.db.engine import Database
from knowledgestack.documents.candidates import CandidateRepository
from knowledgestack.documents.contracts import TextRange
from knowledgestack.retrieval.citing import CitedChunk
from knowledgestack.retrieval.contracts import Citation


class PassageReader:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(
        self,
        actor: Actor,
        chunk_ids: Collection[UUID],
        *,
        source_ids: Collection[UUID] = (),
        document_ids: Collection[UUID] = (),
    ) -> dict[UUID, CitedChunk]:
        """The passages that exist and lie in these sources and documents (all where none are named).

        Their `index` is 0: the session numbers them.
        """
        if not chunk_ids:
            return {}
        async with self._database.transaction() as tx:
            found = await CandidateRepository(tx, actor.workspace_id).details(list(chunk_ids))
        return {
            chunk_id: CitedChunk(
                Citation(
                    index=0,
                    chunk_id=chunk_id,
                    document_id=chunk.document_id,
                    title=chunk.title,
                    url=chunk.url,
                    provider=chunk.provider,
                    heading_path=chunk.heading_path,
                    text=chunk.text,
                    similarity_score=None,
                    match_kind="lexical",
                    range=TextRange(start=chunk.range_start, end=chunk.range_end),
                    author=chunk.author,
                    updated_at=chunk.updated_at,
                ),
                chunk.content_hash,
            )
            for chunk_id, chunk in found.items()
            if (not source_ids or chunk.source_id in source_ids)
            and (not document_ids or chunk.document_id in document_ids)
        }
