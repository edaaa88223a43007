"""The chat over a connected database, with a model that a test scripts."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

from knowledgestack.agent.budget import BudgetLimits
from knowledgestack.agent.loop import AgentLoop
from knowledgestack.chat.contracts import NewChat
from knowledgestack.chat.process import RunServices, TurnRuns
from knowledgestack.chat.service import ChatService
from knowledgestack.databases.facts import DatabaseFacts
from knowledgestack.documents.facts import DocumentFacts
from knowledgestack.models.chat import ChatModel, ToolResult
from knowledgestack.retrieval.passages import PassageReader
from knowledgestack.retrieval.search import Retrieval
from knowledgestack.sources.facts import SourceFacts
from knowledgestack.tools.registry import ToolServices, agent_tools
from knowledgestack.verified_queries.facts import VerifiedQueryFacts
from tests.support.catalogue import CatalogueWorld, catalogue_world
from tests.support.chat import ChatProcess, OneModel
from tests.support.scripted_model import Script, ScriptedModel, asked

SHIPPING = """# Reading the order tables

## Orders

The table ordh holds one row for each order. The column st is the status letter: A is open, S is shipped.
Amounts in net_m are minor units: divide by 100.

## Regions

The column rgc is the region of the hub. Codes 41 and 42 are reported together as Islands.
"""


def call(name: str, **arguments: Any) -> Script:
    return asked((name, json.dumps(arguments)))


def tool_texts(model: ScriptedModel) -> list[str]:
    """What the model was given to read after each of its calls."""
    last = [request.messages[-1] for request in model.requests]
    return [message.text for message in last if isinstance(message, ToolResult)]


@asynccontextmanager
async def data_process(
    world: CatalogueWorld, model: ChatModel, *, limits: BudgetLimits | None = None, orphan_seconds: float = 600
) -> AsyncGenerator[ChatProcess]:
    container, database = world.app.container, world.app.container.database
    documents, databases = DocumentFacts(database), DatabaseFacts(database)
    runs = TurnRuns(
        RunServices(
            database=database,
            agent=AgentLoop(),
            registry_for=agent_tools(
                ToolServices(
                    retrieval=Retrieval(database, world.models),
                    passages=PassageReader(database),
                    databases=databases,
                    catalogue=container.catalogue_facts,
                    queries=container.query_service,
                    verified=VerifiedQueryFacts(database, world.models),
                )
            ),
            documents=documents,
            limits=limits or BudgetLimits(),
            orphan_seconds=orphan_seconds,
        )
    )
    await runs.open()
    models: Any = OneModel(model)
    try:
        yield ChatProcess(ChatService(database, models, documents, SourceFacts(database), databases, runs), runs)
    finally:
        await runs.close()


async def new_chat(world: CatalogueWorld, process: ChatProcess) -> UUID:
    return (await process.chats.create_chat(world.actor, NewChat())).id


@asynccontextmanager
async def living_world(database_url: str, server_url: str, folder: Path) -> AsyncGenerator[CatalogueWorld]:
    """A world in a task of its own, which opens and ends it: task groups are left where they were entered."""
    started: asyncio.Future[CatalogueWorld] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()

    async def live() -> None:
        async with catalogue_world(database_url, server_url, folder) as made:
            started.set_result(made)
            await stop.wait()

    life = asyncio.create_task(live())
    done, _ = await asyncio.wait({life, started}, return_when=asyncio.FIRST_COMPLETED)
    if life in done:
        life.result()
    try:
        yield started.result()
    finally:
        stop.set()
        await life
