"""The embedding model of the installation: chosen, changed, taken up again."""

import asyncio
from uuid import UUID, uuid4

import pytest

from knowledgestack.core.errors import InvalidRequest, NotFound
from knowledgestack.models.contracts import EmbeddingChangeRequest
from knowledgestack.models.embedding import EmbeddingRefused
from knowledgestack.models.openai_embedding import OpenAIEmbedding
from tests.support.fake_model import FakeModel
from tests.support.model_world import CANARY, OWNER, World


async def test_the_local_embedding_model_is_there_from_the_start(world: World) -> None:
    async with world.process() as first, world.process() as second:
        ids = await asyncio.gather(
            *(process.service.ensure_embedding_models() for process in (first, second) for _ in range(3))
        )
        assert len(set(ids)) == 1
        assert first.told == second.told == []
        model = await first.service.embedding_model(ids[0])
        assert (model.provider, model.dimensions, model.id) == ("local", 384, ids[0])
        assert await first.service.default_embedding_model_id() == ids[0]
        with pytest.raises(NotFound):
            await first.service.embedding_model(uuid4())
        settings = (await first.service.read_settings(OWNER)).embedding
        assert (settings.held_by, settings.provider, settings.dimensions) == ("none", "local", 384)
    assert len(await world.rows("embedding_models")) == 1


async def test_choosing_an_embedding_model_has_workspaces_build_it(world: World, fake: FakeModel) -> None:
    async with world.process() as process, world.process() as other:
        local = await process.service.ensure_embedding_models()
        change = EmbeddingChangeRequest(
            provider="compatible", base_url=fake.base_url, api_key=CANARY, model="fake-embed"
        )
        tested = await process.service.test_embedding_model(OWNER, change)
        assert (tested.ok, tested.dimensions) == (True, 8)
        assert len(await world.rows("embedding_models")) == 1
        saved = (await process.service.save_embedding_model(OWNER, change)).embedding
        assert (saved.held_by, saved.model, saved.dimensions) == ("page", "fake-embed", 8)
        assert saved.api_key_stored
        assert saved.workspaces_building == 1
        assert process.told == [UUID(saved.id)]
        assert await other.service.default_embedding_model_id() == UUID(saved.id)
        model = await other.service.embedding_model(UUID(saved.id))
        assert isinstance(model, OpenAIEmbedding)
        assert (await model.embed(["a", "b"])).shape == (2, 8)
        assert fake.received[-1].headers["authorization"] == f"Bearer {CANARY}"
        assert CANARY not in repr(model) + repr(saved)
        assert (await other.service.embedding_model(local)).provider == "local"
        await process.service.save_embedding_model(OWNER, change)
        assert process.told == [UUID(saved.id)]
        back = EmbeddingChangeRequest(provider="local", model="all-MiniLM-L6-v2")
        assert UUID((await process.service.save_embedding_model(OWNER, back)).embedding.id) == local
        assert process.told[-1] == local


async def test_an_embedding_model_that_answers_wrongly_is_not_chosen(world: World, fake: FakeModel) -> None:
    async with world.process() as process:
        local = await process.service.ensure_embedding_models()
        wrong = EmbeddingChangeRequest(provider="compatible", base_url=fake.base_url, model="fake-embed", dimensions=99)
        with pytest.raises(EmbeddingRefused, match="99 dimensions"):
            await process.service.save_embedding_model(OWNER, wrong)
        assert not (await process.service.test_embedding_model(OWNER, wrong)).ok
        nowhere = EmbeddingChangeRequest(provider="compatible", model="fake-embed")
        with pytest.raises(InvalidRequest):
            await process.service.save_embedding_model(OWNER, nowhere)
        assert await process.service.default_embedding_model_id() == local
        assert process.told == []


async def test_an_interrupted_change_is_taken_up_at_the_next_start(world: World, fake: FakeModel) -> None:
    change = EmbeddingChangeRequest(provider="compatible", base_url=fake.base_url, model="fake-embed")
    async with world.process() as process:
        await process.service.ensure_embedding_models()

        async def killed(model_id: UUID) -> None:
            raise asyncio.CancelledError

        process.service._embedding_change = killed
        with pytest.raises(asyncio.CancelledError):
            await process.service.save_embedding_model(OWNER, change)
    async with world.process() as restarted:
        chosen = await restarted.service.ensure_embedding_models()
        assert restarted.told == [chosen]
        await restarted.service.ensure_embedding_models()
        assert restarted.told == [chosen]


async def test_an_embedding_model_of_the_environment_keeps_its_key_there(world: World, fake: FakeModel) -> None:
    async with world.process() as before:
        local = await before.service.ensure_embedding_models()
    environ = {"KS_EMBEDDING_MODEL": "fake-embed", "OPENAI_BASE_URL": fake.base_url, "OPENAI_API_KEY": CANARY}
    async with world.process(**environ) as process:
        chosen = await process.service.ensure_embedding_models()
        assert chosen != local
        assert process.told == [chosen]
        model = await process.service.embedding_model(chosen)
        assert model.dimensions == 8
        await model.embed(["a"])
        assert fake.received[-1].headers["authorization"] == f"Bearer {CANARY}"
        assert (await process.service.read_settings(OWNER)).embedding.held_by == "environment"
    assert all(row["api_key"] is None for row in await world.rows("embedding_models"))
    async with world.process() as after:
        assert await after.service.ensure_embedding_models() == local
        assert after.told == [local]


async def test_an_embedding_server_that_is_down_at_the_start_stops_nothing(world: World) -> None:
    async with world.process(KS_EMBEDDING_MODEL="x", OPENAI_BASE_URL="http://127.0.0.1:9/v1") as process:
        model_id = await process.service.ensure_embedding_models()
        assert (await process.service.embedding_model(model_id)).provider == "local"
