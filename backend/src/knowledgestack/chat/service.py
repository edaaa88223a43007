"""What people do with chats."""

from collections.abc import AsyncIterator
from uuid import UUID

from knowledgestack.chat.contracts import (
    Chat,
    ChatChange,
    ChatDetail,
    ChatPage,
    NewChat,
    NewTurn,
    NewTurnFeedback,
    SuggestionList,
)
from knowledgestack.core.identity import Actor


class ChatService:
    async def list_chats(self, actor: Actor, cursor: str | None, limit: int | None) -> ChatPage:
        raise NotImplementedError

    async def create_chat(self, actor: Actor, data: NewChat) -> Chat:
        raise NotImplementedError

    async def read_chat(self, actor: Actor, chat_id: UUID) -> ChatDetail:
        raise NotImplementedError

    async def change_chat(self, actor: Actor, chat_id: UUID, data: ChatChange) -> Chat:
        raise NotImplementedError

    async def delete_chat(self, actor: Actor, chat_id: UUID) -> None:
        raise NotImplementedError

    async def show_version(self, actor: Actor, chat_id: UUID, turn_id: UUID) -> ChatDetail:
        raise NotImplementedError

    async def suggestions(self, actor: Actor, accept_language: str | None) -> SuggestionList:
        raise NotImplementedError

    async def start_turn(
        self,
        actor: Actor,
        chat_id: UUID,
        data: NewTurn,
        *,
        idempotency_key: str | None,
        accept_language: str | None,
    ) -> AsyncIterator[bytes]:
        raise NotImplementedError

    async def attach_turn(self, actor: Actor, chat_id: UUID, turn_id: UUID, after: int | None) -> AsyncIterator[bytes]:
        raise NotImplementedError

    async def stop_turn(self, actor: Actor, chat_id: UUID, turn_id: UUID) -> None:
        raise NotImplementedError

    async def rate_turn(self, actor: Actor, chat_id: UUID, turn_id: UUID, data: NewTurnFeedback) -> None:
        raise NotImplementedError
