"""The originals behind documents: how `documents` and the upload connector reach uploaded files."""

import mimetypes
from uuid import UUID

from knowledgestack.connectors.upload import UploadedFile
from knowledgestack.core.errors import NotFound
from knowledgestack.db.engine import Database, Transaction
from knowledgestack.documents.ports import Original
from knowledgestack.jobs.port import JobQueue
from knowledgestack.sources._repository import FileRecord, FileRepository, SourceRepository
from knowledgestack.sources.passes import Passes, RequestSync, refuse_paused
from knowledgestack.storage.objects import ObjectStore


class UploadOriginals:
    """Implements `documents.ports.Originals` over uploaded files."""

    def __init__(self, database: Database, store: ObjectStore, passes: Passes) -> None:
        self._database = database
        self._store = store
        self._passes = passes

    async def open(self, workspace_id: UUID, source_id: UUID, external_id: str) -> Original:
        async with self._database.transaction() as tx:
            file = await FileRepository(tx, workspace_id).read(source_id, external_id)
        if file is None:
            raise NotFound("The original of this document is not kept.")
        media_type = mimetypes.guess_type(file.file_name)[0] or "application/octet-stream"
        content = await self._store.stream(file.object_key)
        return Original(name=file.file_name, media_type=media_type, size=file.size_bytes, content=content)

    async def delete(self, tx: Transaction, workspace_id: UUID, source_id: UUID, external_id: str) -> None:
        key = await FileRepository(tx, workspace_id).remove(source_id, external_id)
        if key is not None:
            await self._passes.delete_originals(tx, [key])


class PassReindexing:
    """Implements `documents.ports.Reindexing`: a document that is to be read again is read by the next pass."""

    def __init__(self, queue: JobQueue) -> None:
        self._queue = queue

    async def enqueue(self, tx: Transaction, workspace_id: UUID, source_id: UUID, document_id: UUID) -> None:
        refuse_paused(await SourceRepository(tx, workspace_id).read(source_id))
        # By a job: the caller has the document locked, and a source is always locked before its documents.
        await self._queue.enqueue(tx, RequestSync(workspace_id=workspace_id, source_id=source_id))


class SourceFiles:
    """Implements the port of `connectors.upload` for one source."""

    def __init__(self, database: Database, store: ObjectStore, workspace_id: UUID, source_id: UUID) -> None:
        self._database = database
        self._store = store
        self._workspace_id = workspace_id
        self._source_id = source_id

    async def page(self, after: str | None, limit: int) -> list[UploadedFile]:
        async with self._database.transaction() as tx:
            files = await FileRepository(tx, self._workspace_id).page(self._source_id, after, limit)
        return [_uploaded(file) for file in files]

    async def read(self, file_name: str) -> tuple[UploadedFile, bytes] | None:
        """The file's bytes; read again where an upload replaced them between the row and the bytes."""
        file = await self._record(file_name)
        while file is not None:
            try:
                return _uploaded(file), await self._store.get(file.object_key)
            except NotFound:
                newer = await self._record(file_name)
                if newer is not None and newer.object_key == file.object_key:
                    raise
                file = newer
        return None

    async def exists(self, file_name: str) -> bool:
        return await self._record(file_name) is not None

    async def _record(self, file_name: str) -> FileRecord | None:
        async with self._database.transaction() as tx:
            return await FileRepository(tx, self._workspace_id).read(self._source_id, file_name)


def _uploaded(file: FileRecord) -> UploadedFile:
    return UploadedFile(
        file_name=file.file_name,
        content_hash=file.content_hash,
        uploaded_at=file.uploaded_at,
        uploader=file.uploader,
        uploader_id=file.uploaded_by,
    )
