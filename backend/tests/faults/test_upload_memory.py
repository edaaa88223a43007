"""A file of 100 MB goes through the API without being held in its memory (fault 7)."""

import hashlib
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import httpx
import psutil
import pytest

from knowledgestack.app._ports import free_port
from knowledgestack.app.container import build_container
from knowledgestack.core.config import load_settings
from knowledgestack.core.crypto import encode_key
from tests.support.waiting import eventually

FILE_BYTES = 100 * 1024 * 1024
BLOCK = b"A line of a very long text file, which nobody will ever read to its end.\n".ljust(1024, b".")
GROWTH_BYTES = 60 * 1024 * 1024
BOUNDARY = "long-boundary"
HEAD, TAIL = (
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="long.txt"\r\n\r\n'.encode(),
    f"\r\n--{BOUNDARY}--\r\n".encode(),
)


@pytest.fixture
def environ(database_url: str, tmp_path: Path) -> dict[str, str]:
    port = free_port(18600)
    return {
        "DATABASE_URL": database_url,
        "TOKEN_ENCRYPTION_KEY": encode_key(b"k" * 32),
        "KS_DATA_DIR": str(tmp_path),
        "KS_PORT": str(port),
        "WEB_APP_URL": f"http://localhost:{port}",
        "KS_LOG_LEVEL": "error",
    }


@pytest.fixture
def api(environ: dict[str, str]) -> Generator[psutil.Process]:
    process = subprocess.Popen([Path(sys.executable).with_name("knowledgestack"), "api"], env=os.environ | environ)
    yield psutil.Process(process.pid)
    process.terminate()
    process.wait(30)


async def signed_in(environ: dict[str, str]) -> httpx.AsyncClient:
    """A browser in a workspace of the running API."""
    origin = environ["WEB_APP_URL"]
    container = build_container(load_settings(environ))
    token = await container.auth_service.create_link(None)
    await container.close()
    client = httpx.AsyncClient(base_url=origin, headers={"Origin": origin}, timeout=120)
    assert (await client.post("/api/auth/enter", json={"token": token})).status_code == 200
    assert (await client.post("/api/workspaces", json={"name": "Acme"})).status_code == 201
    return client


async def answers(environ: dict[str, str]) -> bool:
    try:
        async with httpx.AsyncClient() as client:
            return (await client.get(f"{environ['WEB_APP_URL']}/api/health")).status_code == 200
    except httpx.TransportError:
        return False


def resident(process: psutil.Process) -> int:
    """Bytes of the process and what it started."""
    return sum(one.memory_info().rss for one in (process, *process.children(recursive=True)))


async def send(client: httpx.AsyncClient, size: int, watch: list[int], process: psutil.Process) -> httpx.Response:
    async def body() -> AsyncGenerator[bytes]:
        yield HEAD
        for sent in range(0, size, len(BLOCK) * 256):
            yield (BLOCK * 256)[: size - sent]
            watch.append(resident(process))
        yield TAIL

    headers = {
        "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
        "Content-Length": str(size + len(HEAD) + len(TAIL)),
    }
    return await client.post("/api/sources/uploads", content=body(), headers=headers)


async def test_a_file_of_the_full_size_is_streamed_and_one_byte_more_is_refused(
    environ: dict[str, str], api: psutil.Process, tmp_path: Path
) -> None:
    await eventually(lambda: answers(environ), seconds=60, every=0.2)
    client = await signed_in(environ)
    before, watched = resident(api), list[int]()

    taken = await send(client, FILE_BYTES, watched, api)

    assert taken.status_code == 202, taken.text
    assert max(watched) - before < GROWTH_BYTES, f"{(max(watched) - before) / 1024**2:.0f} MB more"
    kept = [path for path in (tmp_path / "objects").rglob("*") if path.is_file()]
    assert [path.stat().st_size for path in kept] == [FILE_BYTES]
    digest = hashlib.sha256()
    for _ in range(FILE_BYTES // len(BLOCK)):
        digest.update(BLOCK)
    assert hashlib.sha256(kept[0].read_bytes()).digest() == digest.digest()

    refused = await send(client, FILE_BYTES + 1, watched, api)
    await client.aclose()

    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")
    assert [path for path in (tmp_path / "objects").rglob("*") if path.is_file()] == kept
