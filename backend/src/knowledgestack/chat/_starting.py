"""From a question to a run: every check, then one transaction, then the run."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec

from knowledgestack.agent.instructions import answer_instructions
from knowledgestack.agent.reach import TurnReach
from knowledgestack.chat._repository import ChatRepository
from knowledgestack.chat._task import TurnTask
from knowledgestack.chat.contracts import QUESTION_MAX, NewTurn, StartedFrame, TurnScope
from knowledgestack.chat.language import Language
from knowledgestack.chat.marks import without_marks
from knowledgestack.chat.path import TurnTree
from knowledgestack.chat.process import TurnRuns
from knowledgestack.chat.runs import TurnRun
from knowledgestack.chat.text import is_storable
from knowledgestack.chat.titles import question_title
from knowledgestack.chat.transcript import answer_of
from knowledgestack.core.clock import utc_now
from knowledgestack.core.errors import Conflict, FieldError, InvalidRequest, NotFound
from knowledgestack.core.identity import Actor
from knowledgestack.core.ids import new_id
from knowledgestack.databases.facts import DatabaseFacts
from knowledgestack.db.engine import Database
from knowledgestack.documents.facts import DocumentFacts
from knowledgestack.models.chat import AssistantMessage, ChatModel, Message, UserMessage
from knowledgestack.models.service import ModelService
from knowledgestack.sources.facts import SourceFacts

_KEY_MAX = 200
_SCOPE_MAX = 500
_STATEMENT_CHARACTERS = 4_000


class TurnRunning(Conflict):
    code, title = "turn_running", "An answer is being written"


class TurnStarter:
    """Starts turns. Whatever is wrong with a question is raised before anything is written."""

    def __init__(
        self,
        database: Database,
        models: ModelService,
        documents: DocumentFacts,
        sources: SourceFacts,
        databases: DatabaseFacts,
        runs: TurnRuns,
    ) -> None:
        self._database = database
        self._models = models
        self._documents = documents
        self._sources = sources
        self._databases = databases
        self._runs = runs

    async def start(
        self, actor: Actor, chat_id: UUID, data: NewTurn, idempotency_key: str | None, language: Language
    ) -> TurnRun | UUID:
        """The run of a new turn, or the id of the turn that the idempotency key has started before.

        Raises `InvalidRequest` for a question, model, scope or parent that cannot be, `NotFound` for a chat that is
        not the actor's, `TurnRunning` while the chat's last answer is still being written.
        """
        question = _checked_question(data.question)
        key = _checked_key(idempotency_key)
        # The model or what the question is limited to may be gone since: the first turn is still the answer.
        first = await self._find_first(actor, chat_id, key) if key else None
        if first is not None:
            return first
        scope = data.scope or TurnScope()
        reach = await self._check_scope(actor, scope, language)
        model = await self._models.resolve_chat(data.model_id)
        async with self._database.transaction() as tx:
            chats = ChatRepository(tx, actor)
            chat = await chats.find_chat(chat_id, lock=True)
            if chat is None:
                raise NotFound("This chat does not exist.")
            first = await chats.find_by_key(chat_id, key) if key else None
            if first is not None:
                return first
            if await chats.is_running(chat_id):
                raise TurnRunning("This chat is still writing its last answer. Wait for it, or stop it first.")
            task = await _plan(
                chats,
                chat,
                data,
                actor=actor,
                question=question,
                scope=scope,
                model=model,
                language=language,
                reach=reach,
            )
            await _write(chats, task, key)
        run = self._runs.start(task)
        if task.wants_title:
            run.show_title(question_title(question))
        return run

    async def _find_first(self, actor: Actor, chat_id: UUID, key: str) -> UUID | None:
        async with self._database.transaction() as tx:
            chats = ChatRepository(tx, actor)
            if await chats.find_chat(chat_id) is None:
                raise NotFound("This chat does not exist.")
            return await chats.find_by_key(chat_id, key)

    async def _check_scope(self, actor: Actor, scope: TurnScope, language: Language) -> TurnReach:
        """What the tools may look at; raises `InvalidRequest` for something that the workspace does not have."""
        if max(map(len, (scope.source_ids, scope.document_ids, scope.database_connection_ids))) > _SCOPE_MAX:
            raise InvalidRequest(
                f"A question can be limited to at most {_SCOPE_MAX} sources, documents and databases.",
                errors=(FieldError("scope", f"has more than {_SCOPE_MAX} entries"),),
            )
        known = await self._sources.source_ids(actor.workspace_id)
        if not known.issuperset(scope.source_ids):
            raise _wrong_scope("sourceIds")
        documents = await self._documents.content_hashes(actor.workspace_id, scope.document_ids)
        if len(documents) < len(set(scope.document_ids)):
            raise _wrong_scope("documentIds")
        databases = {database.id for database in await self._databases.databases(actor.workspace_id)}
        if not databases.issuperset(scope.database_connection_ids):
            raise _wrong_scope("databaseConnectionIds")
        chosen = len(set(scope.database_connection_ids))
        only_documents = bool(scope.source_ids or scope.document_ids) and not chosen
        return TurnReach(
            language=language,
            source_count=len(set(scope.source_ids)) or len(known),
            document_count=len(scope.document_ids),
            database_count=0 if only_documents else chosen or len(databases),
        )


def _wrong_scope(field: str) -> InvalidRequest:
    return InvalidRequest(
        "The question is limited to something that this workspace does not have. Choose again what to search.",
        errors=(FieldError(f"scope.{field}", "is not in this workspace"),),
    )


def _checked_question(question: str) -> str:
    question = question.strip()
    if not question:
        raise InvalidRequest("Write a question first.", errors=(FieldError("question", "is empty"),))
    if len(question) > QUESTION_MAX:
        raise InvalidRequest(
            "The question is longer than 1,000,000 characters. Shorten it, or upload the text as a document.",
            errors=(FieldError("question", "has more than 1,000,000 characters"),),
        )
    if not is_storable(question):
        raise InvalidRequest(
            "The question holds a character that text cannot have.",
            errors=(FieldError("question", "holds a character that cannot be stored"),),
        )
    return question


def _checked_key(key: str | None) -> str | None:
    if key is not None and not 0 < len(key) <= _KEY_MAX:
        raise InvalidRequest(
            f"An idempotency key has 1 to {_KEY_MAX} characters.",
            errors=(FieldError("Idempotency-Key", f"has to have 1 to {_KEY_MAX} characters"),),
        )
    return key


async def _plan(
    chats: ChatRepository,
    chat: Any,
    data: NewTurn,
    *,
    actor: Actor,
    question: str,
    scope: TurnScope,
    model: ChatModel,
    language: Language,
    reach: TurnReach,
) -> TurnTask:
    chat_id: UUID = chat["id"]
    tree = TurnTree(await chats.turn_nodes(chat_id))
    parent = chat["shown_turn_id"] if data.parent_turn_id is msgspec.UNSET else data.parent_turn_id
    if parent is not None and parent not in tree:
        raise InvalidRequest(
            "The turn that this question follows is not in this chat.",
            errors=(FieldError("parentTurnId", "is not in this chat"),),
        )
    path = tree.path_to(parent)
    compacted = chat["compacted_turn_count"]
    if compacted > len(path) or compacted == 0 or path[compacted - 1] != chat["compacted_turn_id"]:
        compacted = 0
    earlier = path[compacted:]
    rows = await chats.told_turns(chat_id, earlier)
    return TurnTask(
        actor=actor,
        chat_id=chat_id,
        started=StartedFrame(seq=0, turn_id=new_id(), turn_index=len(path), parent_turn_id=parent, model_id=model.id),
        question=question,
        scope=scope,
        reach=reach,
        model=model,
        language=language,
        instructions=answer_instructions(
            workspace_name=await chats.workspace_name(),
            today=utc_now().date(),
            scope=_scope_words(scope),
            has_databases=reach.database_count > 0,
        ),
        history=_history([rows[turn_id] for turn_id in earlier]),
        earlier=tuple(earlier),
        summary=chat["summary"] if compacted else None,
        compacted_turn_count=compacted,
        wants_title=chat["title"] is None,
    )


async def _write(chats: ChatRepository, task: TurnTask, key: str | None) -> None:
    await chats.add_turn(
        id=task.started.turn_id,
        chat_id=task.chat_id,
        parent_turn_id=task.started.parent_turn_id,
        turn_index=task.started.turn_index,
        idempotency_key=key,
        question=task.question,
        scope=None if task.scope == TurnScope() else msgspec.to_builtins(task.scope),
        model_id=task.model.id,
        last_seq=0,
    )
    title = {"title": question_title(task.question), "title_origin": "question"} if task.wants_title else {}
    await chats.show_asked(task.chat_id, task.started.turn_id, **title)


def _history(rows: Sequence[Any]) -> tuple[Message, ...]:
    """Question and answer of each earlier turn, with the statements it ran, so that "and by month?" can build on them.

    Marks are taken out: their numbers hold for their turn alone.
    """
    messages: list[Message] = []
    for row in rows:
        steps = msgspec.convert(row.steps, list[_ClaimedPart])
        answer = without_marks(answer_of(row.parts, steps))
        statements = _statements(row.databases, row.statements)
        messages += [UserMessage(row.question), AssistantMessage(answer + statements)]
    return tuple(messages)


def _statements(databases: Sequence[str], statements: Sequence[str]) -> str:
    """The last statements of an answer, as the model wrote them."""
    told = [
        f"\n\n(Read from the database “{database}”: {sql[:_STATEMENT_CHARACTERS]})"
        for database, sql in zip(databases, statements, strict=True)
    ]
    return "".join(told)


class _ClaimedPart(msgspec.Struct):
    part: int


def _scope_words(scope: TurnScope) -> str | None:
    words = [
        f"{count} chosen {noun}{'' if count == 1 else 's'}"
        for count, noun in (
            (len(scope.source_ids), "source"),
            (len(scope.document_ids), "document"),
            (len(scope.database_connection_ids), "database"),
        )
        if count
    ]
    return " and ".join(words) or None
