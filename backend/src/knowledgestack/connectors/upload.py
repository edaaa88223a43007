"""Uploaded files as a source. The files are read through a port, which `sources` implements."""

from datetime import datetime
from typing import Protocol
from uuid import UUID

import msgspec

from knowledgestack.connectors.protocol import DocumentContent, ListedDocument, ListedPage


class UploadedFile(msgspec.Struct, frozen=True, kw_only=True):
    """An uploaded file without its bytes; `content_hash` is their SHA-256 in hex."""

    file_name: str
    content_hash: str
    uploaded_at: datetime
    uploader: str | None
    uploader_id: UUID | None


class UploadedFiles(Protocol):
    """The files of one upload source."""

    async def page(self, after: str | None, limit: int) -> list[UploadedFile]:
        """At most `limit` files whose names sort after `after`, by name in code point order."""
        ...

    async def read(self, file_name: str) -> tuple[UploadedFile, bytes] | None:
        """The file and its bytes as they are now; None where there is no such file."""
        ...

    async def exists(self, file_name: str) -> bool: ...


def list_file(file: UploadedFile) -> ListedDocument:
    """How a file stands in the listing of its source; its name is what identifies it."""
    return ListedDocument(
        external_id=file.file_name,
        title=file.file_name,
        author=file.uploader,
        author_id=file.uploader_id,
        edited_at=file.uploaded_at,
        content_hash=file.content_hash,
    )


class UploadConnector:
    """Pages by file name, so that the order is stable while files come and go."""

    provider = "upload"
    deletes_are_explicit = True

    def __init__(self, files: UploadedFiles) -> None:
        self._files = files

    async def list_page(self, cursor: str | None, limit: int) -> ListedPage:
        files = await self._files.page(cursor, limit)
        next_cursor = files[-1].file_name if len(files) == limit else None
        return ListedPage(documents=[list_file(file) for file in files], next_cursor=next_cursor)

    async def fetch(self, external_id: str) -> DocumentContent | None:
        found = await self._files.read(external_id)
        if found is None:
            return None
        file, data = found
        return DocumentContent(
            data=data, name=file.file_name, edited_at=file.uploaded_at, content_hash=file.content_hash
        )

    async def confirm_gone(self, external_id: str) -> bool:
        return not await self._files.exists(external_id)
