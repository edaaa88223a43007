"""The fake server of a test, and models that speak to it."""

from collections.abc import AsyncGenerator, Generator

import pytest

from knowledgestack.core.config import ChatWire
from knowledgestack.models.server_model import CHAT_WIRES, ServerModel, open_client
from tests.support.fake_model import (
    FakeModel,
    fake_model,
)
from tests.support.model_calls import FAST, KEY


@pytest.fixture(scope="module")
def server() -> Generator[FakeModel]:
    with fake_model() as running:
        yield running


@pytest.fixture
def fake(server: FakeModel) -> FakeModel:
    server.reset()
    return server


@pytest.fixture(params=list(CHAT_WIRES))
async def model(fake: FakeModel, request: pytest.FixtureRequest) -> AsyncGenerator[ServerModel]:
    client = open_client(fake.base_url, KEY, silence_seconds=1.0)
    yield ServerModel("fake-large", "compatible", True, None, CHAT_WIRES[request.param], client, FAST)
    await client.close()


@pytest.fixture
async def responses_model(fake: FakeModel) -> AsyncGenerator[ServerModel]:
    client = open_client(fake.base_url, KEY, silence_seconds=1.0)
    yield ServerModel("fake-large", "compatible", True, None, CHAT_WIRES[ChatWire.RESPONSES], client, FAST)
    await client.close()
