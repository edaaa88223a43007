"""The whole application in the test's own process and event loop, over a database of its own."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from litestar import Litestar

from knowledgestack.app.asgi import build_app
from knowledgestack.app.container import Container, build_container
from knowledgestack.core.config import load_settings
from knowledgestack.core.crypto import encode_key
from knowledgestack.models.embedding_models import LocalEmbedding

ORIGIN = "http://localhost:8400"


@dataclass
class RunningApp:
    app: Litestar
    container: Container

    def client(self) -> httpx.AsyncClient:
        """A browser that nobody has signed in with yet."""
        transport = httpx.ASGITransport(app=self.app, raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers={"Origin": ORIGIN})

    async def sign_in(self, email: str | None = None) -> httpx.AsyncClient:
        """A browser signed in by a link: of the instance owner where no address is given."""
        token = await self.container.auth_service.create_link(email)
        client = self.client()
        answer = await client.post("/api/auth/enter", json={"token": token})
        assert answer.status_code == 200, answer.text
        return client

    async def open_workspace(self, client: httpx.AsyncClient, name: str = "Acme") -> str:
        """Create a workspace, open it and return its id."""
        created = await client.post("/api/workspaces", json={"name": name})
        assert created.status_code == 201, created.text
        workspace_id = created.json()["id"]
        selected = await client.post(f"/api/workspaces/{workspace_id}/select")
        assert selected.status_code == 200, selected.text
        return workspace_id


@asynccontextmanager
async def running_app(
    database_url: str, data_dir: Path, local_embedding: LocalEmbedding | None = None, **environ: str
) -> AsyncGenerator[RunningApp]:
    settings = load_settings(
        {
            "DATABASE_URL": database_url,
            "TOKEN_ENCRYPTION_KEY": encode_key(b"k" * 32),
            "KS_DATA_DIR": str(data_dir),
            "KS_LOG_LEVEL": "error",
            **environ,
        }
    )
    container = build_container(settings, local_embedding)
    app = build_app(container)
    async with app.lifespan():
        yield RunningApp(app=app, container=container)
