"""What people do with chats. Every verb is limited to the actor's own chats in the active workspace."""

from collections.abc import AsyncGenerator
from datetime import datetime
from uuid import UUID

import msgspec

from knowledgestack.chat._attaching import StoredTurns
from knowledgestack.chat._reading import chat_of, cited_documents, context_of, turn_of
from knowledgestack.chat._repository import ChatRepository
from knowledgestack.chat._results import newest_results
from knowledgestack.chat._starting import TurnStarter
from knowledgestack.chat.contracts import (
    FEEDBACK_REASON_MAX,
    TITLE_MAX,
    Chat,
    ChatChange,
    ChatDetail,
    ChatPage,
    NewChat,
    NewTurn,
    NewTurnFeedback,
    SuggestionList,
)
from knowledgestack.chat.language import language_of
from knowledgestack.chat.path import TurnTree
from knowledgestack.chat.process import TurnRuns
from knowledgestack.chat.questions import suggested_questions
from knowledgestack.chat.runs import TurnRun
from knowledgestack.chat.text import is_storable, storable
from knowledgestack.core.errors import FieldError, InvalidRequest, NotFound
from knowledgestack.core.identity import Actor, Permission, require
from knowledgestack.core.ids import new_id
from knowledgestack.databases.facts import DatabaseFacts
from knowledgestack.db.engine import Database
from knowledgestack.documents.facts import DocumentFacts
from knowledgestack.http.pagination import clamp_limit, decode_cursor, encode_cursor
from knowledgestack.models.service import ModelService
from knowledgestack.sources.facts import SourceFacts

_SUGGESTIONS = 6
_CHAT_GONE = "This chat does not exist."
_TURN_GONE = "This turn does not exist."


class ChatService:
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
        self._documents = documents
        self._runs = runs
        self._stored = StoredTurns(database, documents)
        self._starter = TurnStarter(database, models, documents, sources, databases, runs)

    async def list_chats(self, actor: Actor, cursor: str | None, limit: int | None) -> ChatPage:
        """The actor's chats, the one asked last first."""
        size = clamp_limit(limit)
        after = decode_cursor(cursor, (datetime, UUID)) if cursor is not None else None
        async with self._database.transaction() as tx:
            rows = await ChatRepository(tx, actor).list_chats(after, size + 1)
        chats = [chat_of(row) for row in rows[:size]]
        more = len(rows) > size
        return ChatPage(items=chats, next_cursor=encode_cursor((chats[-1].updated_at, chats[-1].id)) if more else None)

    async def create_chat(self, actor: Actor, data: NewChat) -> Chat:
        require(actor, Permission.ASK)
        title = None if data.title is None else _checked_title(data.title)
        chat_id = new_id()
        async with self._database.transaction() as tx:
            chats = ChatRepository(tx, actor)
            await chats.add_chat(chat_id, title)
            row = await chats.find_chat(chat_id)
        assert row is not None
        return chat_of(row)

    async def read_chat(self, actor: Actor, chat_id: UUID) -> ChatDetail:
        """The chat with the turns of its shown path; of results older than the newest 5 MB the rows are left out.

        Raises `NotFound` for a chat that is not the actor's.
        """
        async with self._database.transaction() as tx:
            chats = ChatRepository(tx, actor)
            chat = await chats.find_chat(chat_id)
            if chat is None:
                raise NotFound(_CHAT_GONE)
            tree = TurnTree(await chats.turn_nodes(chat_id))
            path = tree.path_to(chat["shown_turn_id"])
            rows = await chats.turns(chat_id, path)
            results = await newest_results(chats, chat_id, [rows[turn_id] for turn_id in reversed(path)])
        hashes = await self._documents.content_hashes(actor.workspace_id, cited_documents(rows))
        return ChatDetail(
            chat=chat_of(chat),
            turns=[turn_of(rows[turn_id], tree.versions(turn_id), hashes, results[turn_id]) for turn_id in path],
            usage=context_of(rows[path[-1]] if path else None),
        )

    async def change_chat(self, actor: Actor, chat_id: UUID, data: ChatChange) -> Chat:
        async with self._database.transaction() as tx:
            chats = ChatRepository(tx, actor)
            row = await chats.find_chat(chat_id, lock=True)
            if row is None:
                raise NotFound(_CHAT_GONE)
            if data.title is not msgspec.UNSET:
                await chats.change_chat(chat_id, title=_checked_title(data.title), title_origin="person")
            row = await chats.find_chat(chat_id)
        assert row is not None
        return chat_of(row)

    async def delete_chat(self, actor: Actor, chat_id: UUID) -> None:
        """Delete the chat; an answer that is being written ends within a second or two."""
        async with self._database.transaction() as tx:
            if not await ChatRepository(tx, actor).delete_chat(chat_id):
                raise NotFound(_CHAT_GONE)

    async def show_version(self, actor: Actor, chat_id: UUID, turn_id: UUID) -> ChatDetail:
        """Show the path through this turn, on to the newest version at each position after it."""
        async with self._database.transaction() as tx:
            chats = ChatRepository(tx, actor)
            if await chats.find_chat(chat_id, lock=True) is None:
                raise NotFound(_CHAT_GONE)
            tree = TurnTree(await chats.turn_nodes(chat_id))
            if turn_id not in tree:
                raise NotFound(_TURN_GONE)
            await chats.change_chat(chat_id, shown_turn_id=tree.newest_end(turn_id))
        return await self.read_chat(actor, chat_id)

    async def suggestions(self, actor: Actor, accept_language: str | None) -> SuggestionList:
        """Questions for an empty chat, made from the headings of the workspace's documents."""
        headings = await self._documents.headings(actor.workspace_id)
        return SuggestionList(items=suggested_questions(headings, language_of(accept_language), limit=_SUGGESTIONS))

    async def start_turn(
        self, actor: Actor, chat_id: UUID, data: NewTurn, *, idempotency_key: str | None, accept_language: str | None
    ) -> AsyncGenerator[bytes]:
        """Ask a question; the frames of the answer. All that can be refused is refused before the first frame."""
        require(actor, Permission.ASK)
        started = await self._starter.start(actor, chat_id, data, idempotency_key, language_of(accept_language))
        if isinstance(started, TurnRun):
            return started.log.follow()
        return await self.attach_turn(actor, chat_id, started, None)

    async def attach_turn(self, actor: Actor, chat_id: UUID, turn_id: UUID, after: int | None) -> AsyncGenerator[bytes]:
        """The frames after the seq `after` where this process answers the turn, else snapshots of its row."""
        async with self._database.transaction() as tx:
            if not await ChatRepository(tx, actor).has_turn(chat_id, turn_id):
                raise NotFound(_TURN_GONE)
        run = self._runs.find(turn_id)
        if run is not None:
            return run.log.follow(-1 if after is None else max(after, -1))
        return self._stored.follow(actor, chat_id, turn_id)

    async def stop_turn(self, actor: Actor, chat_id: UUID, turn_id: UUID) -> None:
        """Stop the answer, whichever process writes it; nothing happens to a turn that has ended."""
        async with self._database.transaction() as tx:
            chats = ChatRepository(tx, actor)
            if not await chats.has_turn(chat_id, turn_id):
                raise NotFound(_TURN_GONE)
            await chats.request_stop(chat_id, turn_id)
        run = self._runs.find(turn_id)
        if run is not None:
            run.stop("stopped")

    async def rate_turn(self, actor: Actor, chat_id: UUID, turn_id: UUID, data: NewTurnFeedback) -> None:
        reason = storable((data.reason or "").strip()) or None
        if reason is not None and len(reason) > FEEDBACK_REASON_MAX:
            raise InvalidRequest(
                f"The reason is longer than {FEEDBACK_REASON_MAX:,} characters. Shorten it.",
                errors=(FieldError("reason", f"has more than {FEEDBACK_REASON_MAX:,} characters"),),
            )
        async with self._database.transaction() as tx:
            chats = ChatRepository(tx, actor)
            if not await chats.has_turn(chat_id, turn_id):
                raise NotFound(_TURN_GONE)
            await chats.save_feedback(turn_id, data.rating, reason)


def _checked_title(title: str) -> str:
    title = " ".join(title.split())
    if not 0 < len(title) <= TITLE_MAX or not is_storable(title):
        raise InvalidRequest(
            f"A title has 1 to {TITLE_MAX} characters.",
            errors=(FieldError("title", f"has to have 1 to {TITLE_MAX} characters"),),
        )
    return title
