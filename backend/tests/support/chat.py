"""The chat over a real database, with a model that a test scripts."""

import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from knowledgestack.agent.budget import BudgetLimits
from knowledgestack.agent.loop import AgentLoop
from knowledgestack.agent.tool import ToolRegistry
from knowledgestack.chat.contracts import NewChat, NewTurn
from knowledgestack.chat.process import RunServices, TurnRuns
from knowledgestack.chat.service import ChatService
from knowledgestack.core.errors import InvalidRequest
from knowledgestack.core.identity import Actor
from knowledgestack.databases.facts import DatabaseFacts
from knowledgestack.db.engine import Database
from knowledgestack.documents.facts import DocumentFacts
from knowledgestack.documents.indexing import DocumentIndexer
from knowledgestack.models.chat import ChatModel
from knowledgestack.retrieval.search import Retrieval
from knowledgestack.sources.facts import SourceFacts
from knowledgestack.tools.documents import SearchDocumentChunks
from tests.support.frames import Frames, read_frames
from tests.support.knowledge import FakeEmbedding, add_document, add_models, add_source, add_workspace
from tests.support.scripted_model import Script, ScriptedModel, asked

_MORE = "The service desk keeps a record of every case and answers questions about it by telephone. " * 8

RETURNS = f"""# Returns

## Return window

An unopened machine can be returned within 30 days of delivery. The restocking fee is 12 percent.
{_MORE}

## Damaged machines

A machine that arrived damaged is collected at no cost.
{_MORE}

## Overview

See the other pages.
{_MORE}
"""


def search_for(query: str, text: str = "") -> Script:
    """The model asks for a search."""
    return asked(("search_document_chunks", json.dumps({"query": query})), text=text)


class OneModel:
    """An installation with one chat model."""

    def __init__(self, model: ChatModel) -> None:
        self.model = model

    async def resolve_chat(self, model_id: str | None) -> ChatModel:
        if model_id not in {None, self.model.id}:
            raise InvalidRequest("This model is not known here.")
        return self.model


@dataclass
class ChatProcess:
    """One API process: its services and its runs."""

    chats: ChatService
    runs: TurnRuns

    async def ask(
        self, actor: Actor, chat_id: UUID, question: str = "What is the return window?", **fields: Any
    ) -> Frames:
        """Ask and read the whole stream."""
        return await read_frames(await self.start(actor, chat_id, question, **fields))

    async def start(
        self,
        actor: Actor,
        chat_id: UUID,
        question: str = "What is the return window?",
        *,
        key: str | None = None,
        language: str | None = None,
        **fields: Any,
    ) -> AsyncIterator[bytes]:
        return await self.chats.start_turn(
            actor, chat_id, NewTurn(question=question, **fields), idempotency_key=key, accept_language=language
        )


@dataclass
class ChatWorld:
    """A workspace with one document about returns, and its person."""

    database: Database
    retrieval: Retrieval
    indexer: DocumentIndexer
    actor: Actor
    source_id: UUID
    document_id: UUID

    @asynccontextmanager
    async def process(
        self, model: ScriptedModel | ChatModel, *, orphan_seconds: float = 600, limits: BudgetLimits | None = None
    ) -> AsyncGenerator[ChatProcess]:
        documents = DocumentFacts(self.database)
        runs = TurnRuns(
            RunServices(
                database=self.database,
                agent=AgentLoop(),
                registry_for=lambda reach: ToolRegistry((SearchDocumentChunks(self.retrieval, reach),)),
                documents=documents,
                limits=limits or BudgetLimits(),
                orphan_seconds=orphan_seconds,
            )
        )
        await runs.open()
        models: Any = OneModel(model)
        try:
            sources, databases = SourceFacts(self.database), DatabaseFacts(self.database)
            yield ChatProcess(ChatService(self.database, models, documents, sources, databases, runs), runs)
        finally:
            await runs.close()

    async def new_chat(self, process: ChatProcess) -> UUID:
        return (await process.chats.create_chat(self.actor, NewChat())).id


@asynccontextmanager
async def chat_world(database_url: str) -> AsyncGenerator[ChatWorld]:
    database = Database(database_url)
    actor = await add_workspace(database)
    models = await add_models(database, FakeEmbedding())
    indexer = DocumentIndexer(database, models)
    source_id = await add_source(database, actor.workspace_id)
    document_id, _ = await add_document(indexer, actor.workspace_id, source_id, "returns.md", RETURNS)
    try:
        yield ChatWorld(database, Retrieval(database, models), indexer, actor, source_id, document_id)
    finally:
        await database.close()
