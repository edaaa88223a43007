"""The chat's routes over a model that says twenty words a second: the server that `bench.streams` measures."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from granian.constants import Interfaces
from granian.server import Server
from litestar import Litestar, get
from litestar.di import Provide
from litestar.response import Stream

from knowledgestack.agent.budget import BudgetLimits
from knowledgestack.agent.loop import AgentLoop
from knowledgestack.agent.tool import ToolRegistry
from knowledgestack.app.stopping import on_stop_signal
from knowledgestack.chat.controller import ChatController
from knowledgestack.chat.process import RunServices, TurnRuns
from knowledgestack.chat.service import ChatService
from knowledgestack.core.identity import Actor, Role
from knowledgestack.core.ids import new_id
from knowledgestack.databases.facts import DatabaseFacts
from knowledgestack.db.engine import Database
from knowledgestack.documents.facts import DocumentFacts
from knowledgestack.http.problems import EXCEPTION_HANDLERS
from knowledgestack.models.chat import Completed, ModelEvent, ModelRequest, TextDelta
from knowledgestack.models.local import LocalAnswerer
from knowledgestack.sources.facts import SourceFacts
from knowledgestack.tools.documents import SearchDocumentChunks

WORDS_PER_SECOND = 20


class TickingModel:
    """Says a word every fiftieth of a second for as many seconds as the question asks, after a second's wait.

    It has the local answerer's id, so that no call for a title follows.
    """

    id, label, provider, local, context_window = LocalAnswerer.id, "Ticking", "bench", True, None

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        seconds = float(request.messages[-1].text.split()[-1])
        clock = asyncio.get_running_loop()
        start = clock.time() + 1.0
        for tick in range(int(seconds * WORDS_PER_SECOND)):
            await asyncio.sleep(max(0.0, start + tick / WORDS_PER_SECOND - clock.time()))
            yield TextDelta("word ")
        yield Completed(input_tokens=1, output_tokens=1, model=self.id, finish_reason="stop")

    async def resolve_chat(self, _model_id: str | None) -> "TickingModel":
        return self


@get("/bare", sync_to_thread=False)
def bare(seconds: float) -> Stream:
    """What the server and the framework cost alone: the same bytes at the same pace, from nowhere."""

    async def words() -> AsyncGenerator[bytes]:
        frame = b'event: delta\nid: 100\ndata: {"type":"delta","seq":100,"part":0,"text":"word "}\n\n'
        for _ in range(int(seconds * WORDS_PER_SECOND)):
            await asyncio.sleep(1 / WORDS_PER_SECOND)
            yield frame
        yield b"event: done\nid: 0\ndata: {}\n\n"

    return Stream(words(), media_type="text/event-stream")


def create() -> Litestar:
    user_id, workspace_id = map(UUID, json.loads(os.environ["BENCH_ACTOR"]))
    actor = Actor(
        user_id=user_id, session_id=new_id(), instance_owner=False, workspace_id=workspace_id, role=Role.OWNER
    )
    database = Database(os.environ["BENCH_DATABASE"])
    documents = DocumentFacts(database)
    unused: Any = None
    runs = TurnRuns(
        RunServices(
            database=database,
            agent=AgentLoop(),
            registry_for=lambda reach: ToolRegistry((SearchDocumentChunks(unused, reach),)),
            documents=documents,
            limits=BudgetLimits(),
            orphan_seconds=600,
        )
    )
    model: Any = TickingModel()
    service = ChatService(database, model, documents, SourceFacts(database), DatabaseFacts(database), runs)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncGenerator[None]:
        await runs.open()
        with on_stop_signal(runs.stop):
            yield
        await runs.close()
        await database.close()

    return Litestar(
        [ChatController, bare],
        dependencies={
            "actor": Provide(lambda: actor, sync_to_thread=False),
            "chat_service": Provide(lambda: service, sync_to_thread=False),
        },
        exception_handlers=EXCEPTION_HANDLERS,
        lifespan=[lifespan],
        logging_config=None,
    )


def serve(port: int) -> None:
    Server(
        "bench.streams_app:create",
        address="127.0.0.1",
        port=port,
        interface=Interfaces.ASGI,
        factory=True,
        workers=1,
        log_access=False,
        websockets=False,
    ).serve()


if __name__ == "__main__":
    serve(int(os.environ["BENCH_PORT"]))
