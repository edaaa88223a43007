"""Original bytes of documents: a folder by default, any S3-compatible store by setting."""

import errno
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import obstore
from obstore.exceptions import BaseError
from obstore.store import ObjectStore as RemoteStore
from obstore.store import from_url

from knowledgestack.core.clock import utc_now
from knowledgestack.core.errors import InsufficientStorage, NotFound, Unavailable

_PART_BYTES = 8 * 1024 * 1024
_LISTED_KEYS = 1_000
_READ_BYTES = 1024 * 1024
_FULL = (f"os error {errno.ENOSPC}", f"os error {errno.EDQUOT}", "No space left", "quota exceeded")


class ObjectStore:
    """Objects named by keys such as `workspaces/<id>/sources/<id>/<id>`; a key never holds what a person typed.

    Each method raises `InsufficientStorage` where the store is full and `Unavailable` where it does not answer.
    """

    def __init__(self, url: str) -> None:
        """`url` is `file:///folder` (made at first use) or `s3://bucket[/prefix]`, its keys from the environment."""
        self._url = url

    @cached_property
    def _store(self) -> RemoteStore:
        parts = urlsplit(self._url)
        if parts.scheme == "file":
            Path(unquote(parts.path)).mkdir(parents=True, exist_ok=True, mode=0o700)
        return from_url(self._url)

    async def put(self, key: str, chunks: AsyncIterator[bytes]) -> int:
        """Store the chunks under `key` and return their size in bytes.

        On a failure nothing is left under the key; an error that `chunks` raises comes out as it is.
        """
        size = 0
        broken: Exception | None = None

        async def counted() -> AsyncGenerator[bytes]:
            nonlocal size, broken
            try:
                async for chunk in chunks:
                    size += len(chunk)
                    yield chunk
            except Exception as error:
                broken = error
                raise

        try:
            await obstore.put_async(self._store, key, counted(), chunk_size=_PART_BYTES, max_concurrency=2)
        except (BaseError, OSError) as error:
            if broken is not None:
                raise broken from error
            raise storage_failure(error) from error
        return size

    async def get(self, key: str) -> bytes:
        """All bytes of an object; raise `NotFound` where there is none."""
        return b"".join([chunk async for chunk in await self.stream(key)])

    async def stream(self, key: str) -> AsyncGenerator[bytes]:
        """Open an object and return its bytes in order; raise `NotFound` where there is none."""
        try:
            result = await obstore.get_async(self._store, key)
        except (BaseError, OSError) as error:
            raise storage_failure(error) from error
        return _chunks(result.stream(min_chunk_size=_READ_BYTES))

    async def delete(self, keys: list[str]) -> None:
        """Remove the objects; those that are gone already count as removed."""
        for key in keys:
            try:
                await obstore.delete_async(self._store, key)
            except FileNotFoundError:
                continue
            except (BaseError, OSError) as error:
                raise storage_failure(error) from error

    async def list_old(self, folder: str, age: timedelta) -> AsyncGenerator[list[str]]:
        """Keys under `folder` that were written longer than `age` ago, a page at a time."""
        before = utc_now() - age
        try:
            pages = obstore.list(self._store, prefix=folder, chunk_size=_LISTED_KEYS)  # pyright: ignore[reportUnknownMemberType]
            async for page in pages:
                yield [item["path"] for item in page if item["last_modified"] < before]
        except (BaseError, OSError) as error:
            raise storage_failure(error) from error


async def _chunks(stream: AsyncIterable[Any]) -> AsyncGenerator[bytes]:
    try:
        async for chunk in stream:
            yield bytes(chunk)
    except (BaseError, OSError) as error:
        raise storage_failure(error) from error


def storage_failure(error: Exception) -> InsufficientStorage | NotFound | Unavailable:
    if isinstance(error, FileNotFoundError):
        return NotFound("The original file is not there any more.")
    if any(mark in str(error) for mark in _FULL):
        return InsufficientStorage("There is no space left for files. Nothing was stored.")
    return Unavailable("The place where files are kept does not answer now. Try again in a few seconds.")
