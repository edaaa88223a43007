"""A running application and a database to connect it to."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.support.app import RunningApp, running_app
from tests.support.database import Databases
from tests.support.target import TargetDatabase, target_database


@pytest.fixture
async def app(database_url: str, tmp_path: Path) -> AsyncGenerator[RunningApp]:
    """Lives in a task of its own, which opens and ends it: its task groups may not be left from another one."""
    started: asyncio.Future[RunningApp] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()

    async def live() -> None:
        async with running_app(database_url, tmp_path) as running:
            started.set_result(running)
            await stop.wait()

    life = asyncio.create_task(live())
    done, _ = await asyncio.wait({life, started}, return_when=asyncio.FIRST_COMPLETED)
    if life in done:
        life.result()
    yield started.result()
    stop.set()
    await life


@pytest.fixture
async def target(databases: Databases) -> AsyncGenerator[TargetDatabase]:
    async with target_database(databases.server_url) as made:
        yield made
