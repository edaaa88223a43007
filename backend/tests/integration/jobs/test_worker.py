"""The real worker process: it reads uploads, embeds for the API, and ends when it is told to."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import httpx
import psutil
import pytest

from knowledgestack.app._ports import free_port
from knowledgestack.core.config import load_settings
from knowledgestack.core.crypto import KeyRing, encode_key
from knowledgestack.core.ids import new_id
from knowledgestack.models.embedder_client import RemoteEmbedder
from tests.support.app import RunningApp, running_app
from tests.support.waiting import eventually

GUIDE = b"# Warranty\n\nRefurbished machines carry a warranty of twelve months from the day of delivery.\n"
STOP_SECONDS = 30
RESIDENT_BYTES = 700 * 1024 * 1024


@pytest.fixture
def address() -> str:
    return f"127.0.0.1:{free_port(18700)}"


@pytest.fixture
def worker(database_url: str, tmp_path: Path, address: str) -> Generator["subprocess.Popen[bytes]"]:
    environ = os.environ | {
        "DATABASE_URL": database_url,
        "TOKEN_ENCRYPTION_KEY": encode_key(b"k" * 32),
        "KS_DATA_DIR": str(tmp_path),
        "KS_EMBEDDER_ADDRESS": address,
        "KS_LOG_LEVEL": "error",
    }
    process = subprocess.Popen([Path(sys.executable).with_name("knowledgestack"), "worker"], env=environ)
    yield process
    process.kill()
    process.wait()


async def test_an_upload_becomes_searchable_and_the_worker_ends_when_told(
    database_url: str, tmp_path: Path, address: str, worker: "subprocess.Popen[bytes]"
) -> None:
    async with running_app(database_url, tmp_path, KS_EMBEDDER_ADDRESS=address) as app:
        browser = await app.sign_in()
        await app.open_workspace(browser)
        await eventually(lambda: is_ready(app), seconds=60, every=0.2)
        files = [("files", ("warranty.md", GUIDE, "text/markdown"))]
        uploaded = (await browser.post("/api/sources/uploads", files=files)).json()

        await eventually(lambda: state_is(browser, uploaded["documents"][0]["id"], "ready"), seconds=60, every=0.1)

        found = (await browser.get("/api/search", params={"q": "How long is the guarantee of used machines?"})).json()
        assert [one["title"] for one in found["items"]] == ["Warranty"]
        assert found["items"][0]["matchKind"] in {"both", "dense"}
        assert psutil.Process(worker.pid).memory_info().rss < RESIDENT_BYTES

        asked = time.monotonic()
        worker.send_signal(signal.SIGTERM)
        await eventually(lambda: has_ended(worker), seconds=STOP_SECONDS, every=0.05)
        assert worker.returncode == 0
        assert time.monotonic() - asked < STOP_SECONDS
        assert not await is_ready(app)


async def test_the_embedder_answers_those_who_know_the_token(
    database_url: str, tmp_path: Path, address: str, worker: "subprocess.Popen[bytes]"
) -> None:
    environ = {"DATABASE_URL": database_url, "TOKEN_ENCRYPTION_KEY": encode_key(b"k" * 32)}
    token = KeyRing(load_settings(environ).encryption_key).derive("embedder")
    await eventually(lambda: accepts(address), seconds=60, every=0.2)

    embedder = RemoteEmbedder(new_id(), address, token)
    vectors = await embedder.embed(["warranty", "guarantee"])
    await embedder.close()

    assert vectors.shape == (2, 384)
    assert vectors[0] @ vectors[1] > 0.5
    async with httpx.AsyncClient() as client:
        refused = await client.post(f"http://{address}/embed", json={"texts": ["warranty"]})
    assert refused.status_code == 401


async def is_ready(app: RunningApp) -> bool:
    return (await app.client().get("/api/health/ready")).status_code == 200


async def state_is(browser: httpx.AsyncClient, document_id: str, state: str) -> bool:
    document = (await browser.get(f"/api/documents/{document_id}")).json()
    assert document["state"] != "failed", document
    return document["state"] == state


async def has_ended(process: "subprocess.Popen[bytes]") -> bool:
    return process.poll() is not None


async def accepts(address: str) -> bool:
    try:
        async with httpx.AsyncClient() as client:
            await client.get(f"http://{address}/")
    except httpx.TransportError:
        return False
    return True
