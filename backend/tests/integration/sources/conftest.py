"""A workspace that takes uploads."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.support.sources import Library, library


@pytest.fixture
async def shelf(database_url: str, tmp_path: Path) -> AsyncGenerator[Library]:
    async with library(database_url, tmp_path / "objects") as made:
        yield made
