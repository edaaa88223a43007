"""A catalogue world that lives in a task of its own, which opens and ends it: task groups are left where entered."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.support.catalogue import CatalogueWorld, catalogue_world
from tests.support.database import Databases


@pytest.fixture
async def world(database_url: str, databases: Databases, tmp_path: Path) -> AsyncGenerator[CatalogueWorld]:
    started: asyncio.Future[CatalogueWorld] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()

    async def live() -> None:
        async with catalogue_world(database_url, databases.server_url, tmp_path) as made:
            started.set_result(made)
            await stop.wait()

    life = asyncio.create_task(live())
    done, _ = await asyncio.wait({life, started}, return_when=asyncio.FIRST_COMPLETED)
    if life in done:
        life.result()
    yield started.result()
    stop.set()
    await life
