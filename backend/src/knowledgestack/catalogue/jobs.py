"""What the worker does for catalogues."""

from knowledgestack.catalogue.linking import DocumentLinker, LinkDocument
from knowledgestack.catalogue.reading import (
    CHECK_SECONDS,
    CatalogueReader,
    CheckCatalogues,
    ReadCatalogue,
    RelinkDatabase,
)
from knowledgestack.jobs.port import JobHandler
from knowledgestack.jobs.schedule import JobSchedule

SCHEDULES = (JobSchedule(CheckCatalogues(), CHECK_SECONDS),)


def catalogue_handlers(reader: CatalogueReader, linker: DocumentLinker) -> tuple[JobHandler, ...]:
    """The handlers of this package's jobs."""

    async def read(job: ReadCatalogue) -> None:
        await reader.read(job.workspace_id, job.connection_id)

    async def check(_: CheckCatalogues) -> None:
        await reader.check_all()

    async def link(job: LinkDocument) -> None:
        await linker.link_document(job.workspace_id, job.document_id)

    return (
        JobHandler(ReadCatalogue, read),
        JobHandler(CheckCatalogues, check),
        JobHandler(LinkDocument, link),
        JobHandler(RelinkDatabase, linker.relink),
    )
