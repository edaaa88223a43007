"""What the worker does for documents."""

from knowledgestack.documents.embedding_sets import BuildEmbeddingSet, DeleteRetiredVectors, EmbeddingSets
from knowledgestack.jobs.port import JobHandler, RetryLater
from knowledgestack.models.embedding import EmbeddingUnavailable

_PROVIDER_WAIT_SECONDS = 30.0


def document_handlers(sets: EmbeddingSets) -> tuple[JobHandler, ...]:
    """The handlers of this package's jobs."""

    async def build(job: BuildEmbeddingSet) -> None:
        try:
            while not await sets.build_next_batch(job.workspace_id, job.model_id):
                pass
        except EmbeddingUnavailable as error:
            raise RetryLater(error.detail, seconds=_PROVIDER_WAIT_SECONDS) from error

    async def delete_retired(job: DeleteRetiredVectors) -> None:
        await sets.delete_retired_vectors(job.workspace_id)

    return (JobHandler(BuildEmbeddingSet, build), JobHandler(DeleteRetiredVectors, delete_retired))
