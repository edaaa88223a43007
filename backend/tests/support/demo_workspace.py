"""The demo workspace as somebody finds it who has just started the product."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import httpx

from knowledgestack.demo.database.seeding import DemoDatabaseSeeder
from knowledgestack.demo.seed import DemoSeeder
from knowledgestack.jobs.runner import JobRunner
from knowledgestack.models.embedding import EmbeddingModel
from tests.support.app import running_app
from tests.support.fake_model import FakeModel
from tests.support.frames import Frames, parse_frames
from tests.support.knowledge import FakeEmbedding
from tests.support.quillmoor import quillmoor_names
from tests.support.waiting import eventually


def words_only(model_id: UUID) -> EmbeddingModel:
    """A model that compares words, fast."""
    return FakeEmbedding(id=model_id, dimensions=384)


@asynccontextmanager
async def demo_workspace(
    database_url: str, data_dir: Path, model: FakeModel, embedding: Callable[[UUID], EmbeddingModel] = words_only
) -> AsyncGenerator[httpx.AsyncClient]:
    """Somebody who is signed in at the demo workspace, with its handbook indexed and its database read."""
    environ = {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": model.base_url, "KS_CHAT_MODELS": "fake-large"}

    async with (
        quillmoor_names(database_url) as (name, role),
        running_app(database_url, data_dir, embedding, **environ) as app,
    ):
        made = app.container
        await made.model_service.ensure_embedding_models()
        pages = DemoSeeder(
            made.database, made.workspace_service, made.upload_service, made.document_service, made.auth_service
        )
        actor = await pages.seed()
        database = DemoDatabaseSeeder(
            made.database,
            made.connection_service,
            made.verified_query_service,
            database_url,
            name=name,
            role=role,
        )
        connection_id = await database.seed(actor)
        assert connection_id is not None

        async def is_ready() -> bool:
            _, waiting, failed = await pages.progress()
            assert not failed
            return not waiting and await database.is_read(actor, connection_id)

        stop = asyncio.Event()
        working = asyncio.create_task(JobRunner(made.database, made.job_handlers(), made.job_schedules()).run(stop))
        await eventually(is_ready, seconds=300)
        stop.set()
        await working
        yield await app.sign_in()


async def ask(client: httpx.AsyncClient, question: str, **choice: str) -> Frames:
    """The frames of the answer in a chat of its own; `choice` has further fields of the turn."""
    chat = (await client.post("/api/chat", json={})).json()["id"]
    answer = await client.post(f"/api/chat/{chat}/turns", json={"question": question, **choice})
    assert answer.status_code == 200, answer.text
    return parse_frames(answer.content)
