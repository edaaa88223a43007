"""Chat servers: which one holds, what is stored, who may change it."""

import logging
from uuid import uuid4

import asyncpg
import pytest

from knowledgestack.core.config import ChatWire
from knowledgestack.core.errors import AddressRefused, Forbidden, InvalidRequest, Unavailable
from knowledgestack.models.contracts import ChatServerChange, EmbeddingChangeRequest
from knowledgestack.models.server_model import ServerModel
from tests.support.fake_model import FakeModel, Refuse, fake_model, say
from tests.support.model_world import CANARY, MEMBER, OWNER, World, answer


async def test_without_any_setting_the_local_answerer_is_the_default(world: World) -> None:
    async with world.process() as process:
        page = await process.service.chat_models(MEMBER)
        assert [item.id for item in page.items] == ["local"]
        assert page.default_model_id == "local"
        assert await process.service.resolve_chat(None) is process.answerer
        with pytest.raises(InvalidRequest):
            await process.service.resolve_chat("gpt-5")
        assert (await process.service.read_settings(OWNER)).chat.held_by == "none"


async def test_a_key_in_the_environment_offers_the_vendors_models(world: World) -> None:
    async with world.process(OPENAI_API_KEY=CANARY) as process:
        model = await process.service.resolve_chat(None)
        assert isinstance(model, ServerModel)
        assert (model.id, model.provider, model.local, model.context_window) == ("gpt-5-mini", "openai", False, 400_000)
        assert (await process.service.resolve_chat("gpt-5")).id == "gpt-5"
        settings = await process.service.read_settings(OWNER)
        assert settings.chat.held_by == "environment"
        assert settings.chat.resolved_wire is ChatWire.RESPONSES
        assert CANARY not in repr(settings) + repr(model)


async def test_a_compatible_server_offers_what_it_lists_and_is_probed_once(world: World, fake: FakeModel) -> None:
    fake.models = [{"id": "nomic-embed-text"}, {"id": "qwen3", "max_model_len": 32_768}, {"id": "llama"}]
    fake.responses_supported = False
    environ = {"OPENAI_BASE_URL": fake.base_url, "OPENAI_API_KEY": CANARY}
    async with world.process(**environ) as process:
        page = await process.service.chat_models(MEMBER)
        assert [(item.id, item.local, item.available) for item in page.items] == [
            ("qwen3", True, True),
            ("llama", True, True),
            ("local", True, True),
        ]
        assert page.default_model_id == "qwen3"
        assert await answer(process.service) == "ready"
        assert await answer(process.service, "llama") == "ready"
        assert (await process.service.resolve_chat("qwen3")).context_window == 32_768
        with pytest.raises(InvalidRequest):
            await process.service.resolve_chat("gpt-5")
    async with world.process(**environ) as second:
        assert await answer(second.service) == "ready"
    assert fake.paths().count("/v1/responses") == 1
    assert (await world.rows("chat_model_servers"))[0]["api_key"] is None


async def test_a_server_that_is_down_is_said_and_nothing_breaks(world: World) -> None:
    async with world.process(OPENAI_BASE_URL="http://127.0.0.1:9/v1", KS_CHAT_MODELS="one, two") as process:
        page = await process.service.chat_models(MEMBER)
        assert [(item.id, item.available) for item in page.items] == [("one", False), ("two", False), ("local", True)]
        assert (await process.service.resolve_chat(None)).id == "one"
    async with world.process(OPENAI_BASE_URL="http://127.0.0.1:9/v1") as process:
        page = await process.service.chat_models(MEMBER)
        assert [(item.id, item.available) for item in page.items] == [("local", True)]
        assert page.default_model_id == "local"
        assert page.problem is not None
        assert page.problem.startswith("The model server cannot be reached")
        assert (await process.service.resolve_chat("one")).id == "one"
        assert await process.service.resolve_chat("local") is process.answerer
        with pytest.raises(Unavailable, match="The model server cannot be reached"):
            await process.service.resolve_chat(None)


async def test_the_page_wins_over_the_environment_in_every_process_at_once(world: World, fake: FakeModel) -> None:
    async with world.process(OPENAI_API_KEY="sk-environment") as first, world.process() as second:
        change = ChatServerChange(
            base_url=f"http://127.0.0.1:{fake.port}",
            api_key=CANARY,
            models=["fake-large", "fake-small"],
            default_model_id="fake-small",
            context_window=16_000,
        )
        settings = await first.service.save_chat_server(OWNER, change)
        assert settings.chat.held_by == "page"
        assert settings.chat.base_url == fake.base_url
        assert settings.chat.resolved_wire is ChatWire.RESPONSES
        assert settings.chat.api_key_stored
        model = await second.service.resolve_chat(None)
        assert (model.id, model.context_window) == ("fake-small", 16_000)
        assert await answer(second.service) == "ready"
        assert fake.received[-1].headers["authorization"] == f"Bearer {CANARY}"
        assert (await first.service.delete_chat_server(OWNER)).chat.held_by == "environment"
        assert await second.service.resolve_chat(None) is second.answerer


async def test_the_stored_key_is_encrypted_and_bound_to_its_row(world: World, fake: FakeModel) -> None:
    async with world.process() as process:
        await process.service.save_chat_server(OWNER, ChatServerChange(base_url=fake.base_url, api_key=CANARY))
        (row,) = await world.rows("chat_model_servers")
        assert CANARY.encode() not in bytes(row["api_key"])
        connection = await asyncpg.connect(world.database_url)
        await connection.execute("UPDATE chat_model_servers SET id = $1", uuid4())
        await connection.close()
        fake.received.clear()
        await answer(process.service)
        assert all(CANARY not in received.headers["authorization"] for received in fake.received)


async def test_a_key_left_out_stays_with_its_host_and_goes_to_no_other(
    world: World, fake: FakeModel, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with fake_model() as other:
        async with world.process() as process:
            await process.service.save_chat_server(OWNER, ChatServerChange(base_url=fake.base_url, api_key=CANARY))
            kept = await process.service.save_chat_server(
                OWNER, ChatServerChange(base_url=fake.base_url, models=["fake-small"])
            )
            assert kept.chat.api_key_stored
            tested = await process.service.test_chat_server(OWNER, ChatServerChange(base_url=other.base_url))
            assert tested.ok
            moved = await process.service.save_chat_server(OWNER, ChatServerChange(base_url=other.base_url))
            assert not moved.chat.api_key_stored
            assert all(CANARY not in str(received.headers) for received in other.received)
            again = await process.service.save_chat_server(
                OWNER, ChatServerChange(base_url=other.base_url, api_key=None)
            )
            assert not again.chat.api_key_stored
    assert CANARY not in "".join(record.getMessage() for record in caplog.records if "uvicorn" not in record.name)


async def test_a_server_that_does_not_answer_is_saved_and_probed_at_the_first_turn(
    world: World, fake: FakeModel
) -> None:
    fake.otherwise = lambda _: Refuse(503)
    async with world.process() as process:
        change = ChatServerChange(base_url=fake.base_url, models=["fake-large"])
        saved = await process.service.save_chat_server(OWNER, change)
        assert saved.chat.resolved_wire is None
        fake.otherwise = lambda _: say("ready")
        assert await answer(process.service) == "ready"
        assert (await process.service.read_settings(OWNER)).chat.resolved_wire is ChatWire.RESPONSES


@pytest.mark.parametrize(
    ("wire", "path"), [(ChatWire.RESPONSES, "/v1/responses"), (ChatWire.CHAT_COMPLETIONS, "/v1/chat/completions")]
)
async def test_a_chosen_wire_is_spoken_without_a_probe(
    world: World, fake: FakeModel, wire: ChatWire, path: str
) -> None:
    async with world.process() as process:
        await process.service.save_chat_server(
            OWNER, ChatServerChange(base_url=fake.base_url, wire=wire, models=["fake-large"])
        )
        await answer(process.service)
        assert fake.paths() == [path]


async def test_a_test_is_one_real_call_with_a_sentence_and_stores_nothing(world: World, fake: FakeModel) -> None:
    async with world.process() as process:
        good = await process.service.test_chat_server(OWNER, ChatServerChange(base_url=fake.base_url))
        assert (good.ok, good.wire, good.models) == (True, ChatWire.RESPONSES, ["fake-large", "fake-small"])
        assert good.sentence.startswith("fake-large answered in")
        assert "window" in good.sentence
        assert fake.paths() == ["/v1/models", "/v1/responses"]
        small = ChatServerChange(base_url=fake.base_url, context_window=2_000)
        assert "too few" in (await process.service.test_chat_server(OWNER, small)).sentence
        fake.otherwise = lambda _: Refuse(401, message=f"wrong key {CANARY}")
        bad = await process.service.test_chat_server(OWNER, ChatServerChange(base_url=fake.base_url, api_key=CANARY))
        assert not bad.ok
        assert "key" in bad.sentence
        assert CANARY not in bad.sentence
        gone = await process.service.test_chat_server(OWNER, ChatServerChange(base_url="http://127.0.0.1:9"))
        assert (gone.ok, gone.sentence) == (False, "The server cannot be reached.")
        assert await world.rows("chat_model_servers") == []


async def test_a_server_that_was_started_meanwhile_passes_the_next_test(world: World, fake: FakeModel) -> None:
    async with world.process() as process:
        change = ChatServerChange(base_url=fake.base_url)
        fake.models = []
        assert "Name one" in (await process.service.test_chat_server(OWNER, change)).sentence
        fake.models = [{"id": "fake-new"}]
        assert (await process.service.test_chat_server(OWNER, change)).sentence.startswith("fake-new answered")


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (ChatServerChange(base_url="not an address"), InvalidRequest),
        (ChatServerChange(base_url="http://user:pass@127.0.0.1/v1"), InvalidRequest),
        (ChatServerChange(base_url="http://169.254.169.254/v1"), AddressRefused),
        (ChatServerChange(base_url="http://[::ffff:169.254.169.254]/v1"), AddressRefused),
        (ChatServerChange(base_url="http://127.0.0.1:8400/v1"), AddressRefused),
        (ChatServerChange(base_url="http://localhost:8401/v1"), AddressRefused),
        (ChatServerChange(base_url="http://127.0.0.1/v1", models=["local"]), InvalidRequest),
        (ChatServerChange(base_url="http://127.0.0.1/v1", models=["a"], default_model_id="b"), InvalidRequest),
    ],
)
async def test_settings_that_cannot_work_are_refused(
    world: World, change: ChatServerChange, error: type[Exception]
) -> None:
    async with world.process() as process:
        with pytest.raises(error):
            await process.service.save_chat_server(OWNER, change)
        with pytest.raises(error):
            await process.service.test_chat_server(OWNER, change)


async def test_only_the_instance_owner_sees_and_changes_settings(world: World) -> None:
    chat = ChatServerChange(base_url="http://127.0.0.1:9/v1")
    embedding = EmbeddingChangeRequest(provider="local", model="local")
    async with world.process() as process:
        service = process.service
        for forbidden in (
            service.read_settings(MEMBER),
            service.save_chat_server(MEMBER, chat),
            service.test_chat_server(MEMBER, chat),
            service.delete_chat_server(MEMBER),
            service.save_embedding_model(MEMBER, embedding),
            service.test_embedding_model(MEMBER, embedding),
            service.nearby_servers(MEMBER),
        ):
            with pytest.raises(Forbidden):
                await forbidden


async def test_servers_nearby_are_found_by_name(world: World, fake: FakeModel) -> None:
    world.ports = {fake.port: "Ollama", 9: "Nobody"}
    async with world.process() as process:
        (found,) = (await process.service.nearby_servers(OWNER)).items
        assert (found.label, found.base_url, found.models) == ("Ollama", fake.base_url, ["fake-large", "fake-small"])
    async with world.process(KS_PORT=str(fake.port)) as own:
        assert (await own.service.nearby_servers(OWNER)).items == []
    server_profile = {
        "KS_PROFILE": "server",
        "WEB_APP_URL": "https://wiki.example.com",
        "KS_OBJECT_STORE_URL": "memory:///",
    }
    async with world.process(**server_profile) as remote:
        assert (await remote.service.nearby_servers(OWNER)).items == []
