"""The routes of models and their settings, as a browser sees them."""

from pathlib import Path

import pytest

from tests.support.app import running_app
from tests.support.fake_model import fake_model, say

CANARY = "sk-canary-1a2b3c4d"


async def test_a_person_sees_the_models_and_no_settings(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        client = await app.sign_in("ada@example.com")
        models = await client.get("/api/chat/models")
        assert models.status_code == 200
        assert models.json()["defaultModelId"] == "local"
        assert models.json()["items"][-1]["id"] == "local"
        assert set(models.json()["items"][0]) == {"id", "label", "provider", "local", "capabilities", "available"}
        for method, path in (
            ("GET", ""),
            ("GET", "/nearby"),
            ("DELETE", "/chat"),
        ):
            refused = await client.request(method, f"/api/settings/models{path}")
            assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")


async def test_the_owner_sets_tests_and_removes_a_server_without_a_restart(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        client = await app.sign_in()
        with fake_model() as fake:
            fake.otherwise = lambda _: say("ready")
            change = {"baseUrl": fake.base_url, "apiKey": CANARY, "models": ["fake-large"], "wire": "auto"}
            tested = await client.post("/api/settings/models/chat/test", json=change)
            assert tested.json()["ok"] is True
            saved = await client.put("/api/settings/models/chat", json=change)
            assert saved.status_code == 200
            assert saved.json()["chat"]["heldBy"] == "page"
            assert saved.json()["chat"]["apiKeyStored"] is True
            listed = await client.get("/api/chat/models")
            assert listed.json()["defaultModelId"] == "fake-large"
            assert CANARY not in tested.text + saved.text + listed.text
            read = await client.get("/api/settings/models")
            assert read.json() == saved.json()
            removed = await client.delete("/api/settings/models/chat")
            assert removed.json()["chat"]["heldBy"] == "none"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"baseUrl": "http://127.0.0.1:9/v1", "surprise": 1}, 400),
        ({"baseUrl": ""}, 400),
        ({"baseUrl": "http://127.0.0.1:9/v1", "contextWindow": 5}, 400),
        ({"baseUrl": "http://127.0.0.1:9/v1", "wire": "pigeon"}, 400),
        ({"baseUrl": "http://169.254.169.254/v1"}, 422),
    ],
)
async def test_a_setting_that_cannot_work_is_refused(
    database_url: str, tmp_path: Path, body: dict[str, object], code: int
) -> None:
    async with running_app(database_url, tmp_path) as app:
        client = await app.sign_in()
        refused = await client.put("/api/settings/models/chat", json=body)
        assert refused.status_code == code
        assert refused.headers["content-type"].startswith("application/problem+json")


async def test_an_embedding_setting_is_one_real_call(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        client = await app.sign_in()
        with fake_model() as fake:
            change = {"provider": "compatible", "baseUrl": fake.base_url, "apiKey": CANARY, "model": "fake-embed"}
            tested = await client.post("/api/settings/models/embedding/test", json=change)
            assert tested.json()["dimensions"] == 8
            saved = await client.put("/api/settings/models/embedding", json=change)
            assert saved.status_code == 200
            assert saved.json()["embedding"]["model"] == "fake-embed"
            assert CANARY not in saved.text
            wrong = await client.put("/api/settings/models/embedding", json={**change, "dimensions": 9})
            assert (wrong.status_code, wrong.json()["code"]) == (422, "embedding_refused")
