"""The model settings of an installation of several processes."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import numpy as np

from knowledgestack.core.config import Settings, load_settings
from knowledgestack.core.crypto import KeyRing, encode_key
from knowledgestack.core.identity import Person
from knowledgestack.db.engine import Database
from knowledgestack.models.chat import ModelRequest, TextDelta, UserMessage
from knowledgestack.models.embedding import Vectors
from knowledgestack.models.service import ModelService
from tests.support.scripted_model import ScriptedModel, said

OWNER = Person(user_id=uuid4(), session_id=uuid4(), instance_owner=True)
MEMBER = Person(user_id=uuid4(), session_id=uuid4(), instance_owner=False)
CANARY = "sk-canary-90c1d2e3"


class LocalVectors:
    """Stands for the bundled model."""

    name = "all-MiniLM-L6-v2"
    provider = "local"
    dimensions = 384
    languages = frozenset({"en"})
    cosine_floor = 0.3

    def __init__(self, model_id: UUID) -> None:
        self.id = model_id

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return np.full((len(texts), 384), 384**-0.5, dtype=np.float32)


class Process:
    """One process over the test's database; `told` are the models that workspaces were told to build."""

    def __init__(self, database: Database, settings: Settings, ports: dict[int, str]) -> None:
        self.told: list[UUID] = []
        self.answerer = ScriptedModel(said("A quote [1]."), model_id="local")
        self.service = ModelService(
            database,
            KeyRing(settings.encryption_key),
            settings,
            local_answerer=self.answerer,
            local_embedding=LocalVectors,
            embedding_change=self.change,
            building_workspaces=self.building,
            nearby_ports=ports,
        )

    async def change(self, model_id: UUID) -> None:
        self.told.append(model_id)

    async def building(self) -> int:
        return len(self.told)


class World:
    def __init__(self, database_url: str, tmp_path: Path) -> None:
        self.database_url = database_url
        self.data_dir = str(tmp_path)
        self.ports: dict[int, str] = {}

    @asynccontextmanager
    async def process(self, **environ: str) -> AsyncGenerator[Process]:
        settings = load_settings(
            {
                "DATABASE_URL": self.database_url,
                "TOKEN_ENCRYPTION_KEY": encode_key(b"k" * 32),
                "KS_DATA_DIR": self.data_dir,
                **environ,
            }
        )
        database = Database(self.database_url)
        process = Process(database, settings, self.ports)
        yield process
        await process.service.close()
        await database.close()

    async def rows(self, table: str) -> list[asyncpg.Record]:
        connection = await asyncpg.connect(self.database_url)
        try:
            return await connection.fetch(f"SELECT * FROM {table}")
        finally:
            await connection.close()


async def answer(service: ModelService, model_id: str | None = None) -> str:
    model = await service.resolve_chat(model_id)
    request = ModelRequest(instructions="Answer.", messages=(UserMessage("How long?"),))
    return "".join([event.text async for event in model.stream(request) if isinstance(event, TextDelta)])
