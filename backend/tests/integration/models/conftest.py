"""An installation without model settings, and a fake server."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.fake_model import FakeModel, fake_model, say
from tests.support.model_world import World


@pytest.fixture
def world(database_url: str, tmp_path: Path) -> World:
    return World(database_url, tmp_path)


@pytest.fixture(scope="module")
def server() -> Generator[FakeModel]:
    with fake_model() as running:
        yield running


@pytest.fixture
def fake(server: FakeModel) -> FakeModel:
    server.reset()
    server.otherwise = lambda _: say("ready")
    return server
