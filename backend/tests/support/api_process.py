"""The API as people run it: a process of its own, with the server that it ships with."""

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

from knowledgestack.app._ports import free_port
from knowledgestack.app.container import build_container
from knowledgestack.core.config import load_settings
from knowledgestack.core.crypto import encode_key
from tests.support.waiting import eventually


@dataclass(frozen=True)
class ApiProcess:
    environ: dict[str, str]
    process: psutil.Process

    @property
    def origin(self) -> str:
        return self.environ["WEB_APP_URL"]

    async def owner(self) -> httpx.AsyncClient:
        """A browser of somebody who owns the workspace that is open, as soon as the API answers."""
        await eventually(self._answers)
        container = build_container(load_settings(self.environ))
        token = await container.auth_service.create_link(None)
        await container.close()
        client = self.client()
        assert (await client.post("/api/auth/enter", json={"token": token})).status_code == 200
        assert (await client.post("/api/workspaces", json={"name": "Acme"})).status_code == 201
        return client

    def client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.origin, headers={"Origin": self.origin}, timeout=120)

    def resident(self) -> int:
        """Bytes of the process and what it started."""
        return sum(one.memory_info().rss for one in (self.process, *self.process.children(recursive=True)))

    async def _answers(self) -> bool:
        try:
            async with self.client() as client:
                return (await client.get("/api/health")).status_code == 200
        except httpx.TransportError:
            return False


@contextmanager
def api_process(database_url: str, data_dir: Path, first_port: int, **environ: str) -> Generator[ApiProcess]:
    port = free_port(first_port)
    settings = {
        "DATABASE_URL": database_url,
        "TOKEN_ENCRYPTION_KEY": encode_key(b"k" * 32),
        "KS_DATA_DIR": str(data_dir),
        "KS_PORT": str(port),
        "WEB_APP_URL": f"http://localhost:{port}",
        "KS_LOG_LEVEL": "error",
        **environ,
    }
    process = subprocess.Popen([Path(sys.executable).with_name("knowledgestack"), "api"], env=os.environ | settings)
    try:
        yield ApiProcess(settings, psutil.Process(process.pid))
    finally:
        process.terminate()
        process.wait(30)
