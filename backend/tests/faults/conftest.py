"""What the fault tests of sources share."""

import subprocess
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest

from tests.support.sources import Library, library


@pytest.fixture
async def shelf(database_url: str, tmp_path: Path) -> AsyncGenerator[Library]:
    """A workspace that takes uploads."""
    async with library(database_url, tmp_path / "objects") as made:
        yield made


@pytest.fixture
def workers() -> Generator[list["subprocess.Popen[bytes]"]]:
    """The processes that a test starts; whatever of them still lives at its end is killed."""
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for process in started:
        process.kill()
        process.wait()
