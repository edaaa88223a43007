"""What a run is given."""

from collections.abc import Callable
from uuid import UUID

import msgspec

from knowledgestack.agent.budget import BudgetLimits
from knowledgestack.agent.loop import AgentLoop
from knowledgestack.agent.reach import TurnReach
from knowledgestack.agent.tool import ToolRegistry
from knowledgestack.chat.contracts import StartedFrame, TurnScope
from knowledgestack.chat.language import Language
from knowledgestack.core.identity import Actor
from knowledgestack.db.engine import Database
from knowledgestack.documents.facts import DocumentFacts
from knowledgestack.models.chat import ChatModel, Message

RegistryFor = Callable[[TurnReach], ToolRegistry]
"""Builds the tools of one turn."""


class RunServices(msgspec.Struct, frozen=True):
    """What every run of a process works with; `orphan_seconds` is how long a run goes on that nobody listens to."""

    database: Database
    agent: AgentLoop
    registry_for: RegistryFor
    documents: DocumentFacts
    limits: BudgetLimits
    orphan_seconds: float


class TurnTask(msgspec.Struct, frozen=True, kw_only=True):
    """One turn to answer.

    `history` tells the turns after the compacted ones, `earlier` names them.
    """

    actor: Actor
    chat_id: UUID
    started: StartedFrame
    question: str
    scope: TurnScope
    reach: TurnReach
    model: ChatModel
    language: Language
    instructions: str
    history: tuple[Message, ...]
    earlier: tuple[UUID, ...]
    summary: str | None
    compacted_turn_count: int
    wants_title: bool
