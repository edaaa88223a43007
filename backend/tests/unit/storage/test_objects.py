"""Bytes go into the store and come out the same, or nothing is left of them."""

import os
import time
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path

import pytest

from knowledgestack.core.errors import InsufficientStorage, NotFound
from knowledgestack.storage.objects import ObjectStore, storage_failure


async def chunks(*parts: bytes) -> AsyncGenerator[bytes]:
    for part in parts:
        yield part


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.fixture
def store(tmp_path: Path) -> ObjectStore:
    return ObjectStore((tmp_path / "objects").as_uri())


async def test_bytes_come_back_as_they_went_in(store: ObjectStore) -> None:
    data = os.urandom(3_000_000)

    assert await store.put("workspaces/a/b", chunks(data[:10], data[10:])) == len(data)

    assert await store.get("workspaces/a/b") == data
    assert b"".join([chunk async for chunk in await store.stream("workspaces/a/b")]) == data


async def test_what_is_not_there_is_not_found(store: ObjectStore) -> None:
    with pytest.raises(NotFound):
        await store.get("workspaces/a/b")
    with pytest.raises(NotFound):
        await store.stream("workspaces/a/b")


async def test_deleting_twice_is_fine(store: ObjectStore) -> None:
    await store.put("workspaces/a/b", chunks(b"x"))

    await store.delete(["workspaces/a/b", "workspaces/a/c"])
    await store.delete(["workspaces/a/b"])

    with pytest.raises(NotFound):
        await store.get("workspaces/a/b")


async def test_a_source_that_breaks_off_leaves_nothing(store: ObjectStore, tmp_path: Path) -> None:
    async def broken() -> AsyncGenerator[bytes]:
        yield b"x" * 20_000_000
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        await store.put("workspaces/a/b", broken())
    assert files_in(tmp_path) == []


async def test_only_what_was_written_long_ago_is_listed_as_old(store: ObjectStore, tmp_path: Path) -> None:
    assert [page async for page in store.list_old("workspaces", timedelta())] == []
    for name in ("old", "new"):
        await store.put(f"workspaces/a/{name}", chunks(b"x"))
    yesterday = time.time() - 90_000
    os.utime(tmp_path / "objects" / "workspaces" / "a" / "old", (yesterday, yesterday))

    pages = [page async for page in store.list_old("workspaces", timedelta(days=1))]

    assert [key for page in pages for key in page] == ["workspaces/a/old"]


def test_a_full_disk_is_said_to_be_full() -> None:
    error = OSError("Unable to copy data to file: No space left on device (os error 28)")

    assert isinstance(storage_failure(error), InsufficientStorage)
