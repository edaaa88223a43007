"""Taking files: checked, streamed to the object store, recorded, queued for the next pass."""

import hashlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Protocol
from uuid import UUID

import msgspec

from knowledgestack.connectors.upload import UploadedFile, list_file
from knowledgestack.core.errors import AppError, InvalidRequest, TooLarge, UnsupportedFile
from knowledgestack.core.identity import Actor, Permission, require
from knowledgestack.db.engine import Database, Transaction
from knowledgestack.documents.indexing import DocumentIndexer
from knowledgestack.documents.parsers import choose_parser
from knowledgestack.sources._keys import new_key
from knowledgestack.sources._listing import document_of
from knowledgestack.sources._repository import UPLOAD, FileRepository, InstanceSources, SourceRepository
from knowledgestack.sources.contracts import RejectedFile, UploadedDocument, UploadOutcome
from knowledgestack.sources.naming import clean_file_name
from knowledgestack.sources.passes import Passes, refuse_paused
from knowledgestack.storage.objects import ObjectStore

# A request may hold many files. What is beyond the limit of one file is read past, never kept.
_FILES_OF_FULL_SIZE = 20
# What a form adds to its files.
_REQUEST_SLACK_BYTES = 8 * 1024 * 1024
_REFUSALS = (InvalidRequest, UnsupportedFile, TooLarge)
_REST = "The rest of this upload"
_SHOWN_NAME_LENGTH = 255
_HEAD_BYTES = 8_192
"""What a file is shows in its first bytes."""


class IncomingFile(msgspec.Struct, frozen=True):
    """A file that is arriving: the name that the client sent and its bytes."""

    name: str
    chunks: AsyncGenerator[bytes]


class _Digest(Protocol):
    def update(self, data: bytes, /) -> None: ...


class _StoredFile(msgspec.Struct, frozen=True):
    name: str
    key: str
    size: int
    content_hash: str


class UploadService:
    """Takes files for the upload source of the actor's workspace."""

    def __init__(
        self, database: Database, store: ObjectStore, indexer: DocumentIndexer, passes: Passes, *, max_bytes: int
    ) -> None:
        self._database = database
        self._store = store
        self._indexer = indexer
        self._passes = passes
        self._max_bytes = max_bytes

    @property
    def max_request_bytes(self) -> int:
        """The size of the largest body that is read."""
        return _FILES_OF_FULL_SIZE * self._max_bytes + _REQUEST_SLACK_BYTES

    async def upload(self, actor: Actor, files: AsyncIterator[IncomingFile]) -> UploadOutcome:
        """Take what can be taken and say why the rest was refused.

        Raises the first refusal where nothing was taken: `InvalidRequest` (`invalid_name`, `empty_file`, or a form that
        breaks off), `UnsupportedFile` or `TooLarge`; at once what is no fault of a file (`Unavailable`,
        `InsufficientStorage`). After the first file that is taken, which is recorded as soon as its last byte is
        stored, everything of this kind is among the refusals. Raises `Conflict` (`source_paused`) before anything is
        read while uploads rest.
        """
        require(actor, Permission.UPLOAD_DOCUMENTS)
        await self._check_open(actor)
        taken: list[tuple[UUID, UploadedDocument]] = []
        refused: list[tuple[str, AppError]] = []
        arriving = aiter(files)
        while True:
            name = _REST
            try:
                file = await anext(arriving, None)
                if file is None:
                    break
                name = file.name
                taken.append(await self._take(actor, file))
            except AppError as refusal:
                if not taken and not isinstance(refusal, _REFUSALS):
                    raise
                refused.append((name, refusal))
        if not taken:
            raise refused[0][1]
        return UploadOutcome(
            source_id=taken[0][0],
            documents=[document for _, document in taken],
            rejected=[
                RejectedFile(name=name[:_SHOWN_NAME_LENGTH], code=refusal.code, detail=refusal.detail)
                for name, refusal in refused
            ],
        )

    async def _check_open(self, actor: Actor) -> None:
        async with self._database.transaction() as tx:
            source = await SourceRepository(tx, actor.workspace_id).find_upload_source()
        if source is not None:
            refuse_paused(source)

    async def _take(self, actor: Actor, file: IncomingFile) -> tuple[UUID, UploadedDocument]:
        async with aclosing(file.chunks):
            stored = await self._store_checked(actor.workspace_id, file)
        return await self._record(actor, stored)

    async def _store_checked(self, workspace_id: UUID, file: IncomingFile) -> _StoredFile:
        """Check name, kind and size and keep the bytes under a new key; on a refusal nothing is kept."""
        name = clean_file_name(file.name)
        head = await _read_head(file.chunks)
        if not head:
            raise InvalidRequest(f"{name} is empty: it has 0 bytes.", code="empty_file")
        choose_parser(name, head)
        key = new_key(workspace_id)
        digest = hashlib.sha256()
        size = await self._store.put(key, self._limited(name, head, file.chunks, digest))
        return _StoredFile(name=name, key=key, size=size, content_hash=digest.hexdigest())

    async def _limited(
        self, name: str, head: bytes, rest: AsyncIterator[bytes], digest: _Digest
    ) -> AsyncGenerator[bytes]:
        size = len(head)
        digest.update(head)
        yield head
        async for chunk in rest:
            size += len(chunk)
            if size > self._max_bytes:
                raise _too_large(name, self._max_bytes)
            digest.update(chunk)
            yield chunk
        if size > self._max_bytes:
            raise _too_large(name, self._max_bytes)

    async def _record(self, actor: Actor, stored: _StoredFile) -> tuple[UUID, UploadedDocument]:
        """Write the file's row, its document and the wish for a pass in one transaction.

        A failure leaves the bytes: the row may be committed though its answer was lost. Without a row they are swept.
        """
        async with self._database.transaction() as tx:
            return await self._record_in(tx, actor, stored)

    async def _record_in(self, tx: Transaction, actor: Actor, stored: _StoredFile) -> tuple[UUID, UploadedDocument]:
        sources = SourceRepository(tx, actor.workspace_id)
        files = FileRepository(tx, actor.workspace_id)
        source_id = await sources.lock_upload_source()
        # Again: it may have been paused while the bytes arrived.
        refuse_paused(await sources.read(source_id))
        now = await InstanceSources(tx).clock()
        known = await files.read(source_id, stored.name)
        # Who sends bytes that are here already does not become their author, who may delete them.
        again = known if known is not None and known.content_hash == stored.content_hash else None
        file = UploadedFile(
            file_name=stored.name,
            content_hash=stored.content_hash,
            uploaded_at=again.uploaded_at if again else now,
            uploader=again.uploader if again else await InstanceSources(tx).person_name(actor.user_id),
            uploader_id=again.uploaded_by if again else actor.user_id,
        )
        observed = await self._indexer.observe(
            actor.workspace_id, source_id, document_of(UPLOAD, list_file(file)), now, tx=tx
        )
        # Read again: the document's lock, which a deletion takes first, is held only now.
        previous = await files.read(source_id, stored.name)
        same = previous is not None and previous.content_hash == stored.content_hash
        # The same bytes too: those kept until now may be lost.
        await self._put_row(files, source_id, stored, file)
        await self._passes.delete_originals(tx, [previous.object_key] if previous is not None else [])
        if observed.change != "unchanged":
            await self._passes.request(tx, actor.workspace_id, source_id)
        return source_id, UploadedDocument(
            id=observed.document_id,
            name=stored.name,
            state=await sources.document_state(observed.document_id),
            replaced=previous is not None and not same,
            unchanged=same,
            same_as=await files.same_content(stored.content_hash, stored.name),
        )

    async def _put_row(self, files: FileRepository, source_id: UUID, stored: _StoredFile, file: UploadedFile) -> None:
        await files.put(
            source_id,
            stored.name,
            object_key=stored.key,
            size_bytes=stored.size,
            content_hash=stored.content_hash,
            uploaded_by=file.uploader_id,
            uploaded_at=file.uploaded_at,
        )


async def _read_head(chunks: AsyncIterator[bytes]) -> bytes:
    """The first `_HEAD_BYTES` bytes or a few more; all of a shorter file."""
    head = b""
    async for chunk in chunks:
        head += chunk
        if len(head) >= _HEAD_BYTES:
            break
    return head


def _too_large(name: str, max_bytes: int) -> TooLarge:
    return TooLarge(f"{name} is larger than the {_in_megabytes(max_bytes)} that a file may have.")


def _in_megabytes(size: int) -> str:
    return f"{size / 1024**2:,.0f} MB" if size >= 1024**2 else f"{size:,} bytes"
