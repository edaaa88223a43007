"""Routes of the chat."""

from typing import Annotated
from uuid import UUID

from litestar import Controller, delete, get, patch, post, put
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody
from litestar.response import Stream

from knowledgestack.chat.contracts import (
    Chat,
    ChatChange,
    ChatDetail,
    ChatPage,
    NewChat,
    NewTurn,
    NewTurnFeedback,
    ShownPath,
    SuggestionList,
    TurnFrame,
)
from knowledgestack.chat.service import ChatService
from knowledgestack.core.contract import StatusOk
from knowledgestack.core.identity import Actor
from knowledgestack.http.sse import EVENT_STREAM, event_stream

_FRAMES = {
    200: ResponseSpec(
        TurnFrame,
        media_type=EVENT_STREAM,
        generate_examples=False,
        description="Server-sent events: `event` is the frame's type, `id` its seq. One done or error frame ends it.",
    )
}


class ChatController(Controller):
    path = "/api/chat"
    tags = ("Chat",)

    @get(operation_id="listChats")
    async def list_chats(
        self,
        actor: NamedDependency[Actor],
        chat_service: NamedDependency[ChatService],
        cursor: FromQuery[str | None] = None,
        limit: FromQuery[int | None] = None,
    ) -> ChatPage:
        return await chat_service.list_chats(actor, cursor, limit)

    @post(operation_id="createChat", status_code=201)
    async def create_chat(
        self,
        actor: NamedDependency[Actor],
        chat_service: NamedDependency[ChatService],
        data: JSONBody[NewChat | None] = None,
    ) -> Chat:
        return await chat_service.create_chat(actor, data or NewChat())

    @get("/suggestions", operation_id="listSuggestions")
    async def list_suggestions(
        self,
        actor: NamedDependency[Actor],
        chat_service: NamedDependency[ChatService],
        accept_language: Annotated[str | None, HeaderParameter(name="Accept-Language")] = None,
    ) -> SuggestionList:
        return await chat_service.suggestions(actor, accept_language)

    @get("/{chat_id:uuid}", operation_id="readChat")
    async def read_chat(
        self, actor: NamedDependency[Actor], chat_service: NamedDependency[ChatService], chat_id: FromPath[UUID]
    ) -> ChatDetail:
        return await chat_service.read_chat(actor, chat_id)

    @patch("/{chat_id:uuid}", operation_id="changeChat")
    async def change_chat(
        self,
        actor: NamedDependency[Actor],
        chat_service: NamedDependency[ChatService],
        chat_id: FromPath[UUID],
        data: JSONBody[ChatChange],
    ) -> Chat:
        return await chat_service.change_chat(actor, chat_id, data)

    @delete("/{chat_id:uuid}", operation_id="deleteChat", status_code=200)
    async def delete_chat(
        self, actor: NamedDependency[Actor], chat_service: NamedDependency[ChatService], chat_id: FromPath[UUID]
    ) -> StatusOk:
        await chat_service.delete_chat(actor, chat_id)
        return StatusOk()

    @put("/{chat_id:uuid}/path", operation_id="showVersion")
    async def show_version(
        self,
        actor: NamedDependency[Actor],
        chat_service: NamedDependency[ChatService],
        chat_id: FromPath[UUID],
        data: JSONBody[ShownPath],
    ) -> ChatDetail:
        return await chat_service.show_version(actor, chat_id, data.turn_id)

    @post(
        "/{chat_id:uuid}/turns",
        operation_id="startTurn",
        status_code=200,
        media_type=EVENT_STREAM,
        responses=_FRAMES,
    )
    async def start_turn(
        self,
        actor: NamedDependency[Actor],
        chat_service: NamedDependency[ChatService],
        chat_id: FromPath[UUID],
        data: JSONBody[NewTurn],
        idempotency_key: Annotated[str | None, HeaderParameter(name="Idempotency-Key")] = None,
        accept_language: Annotated[str | None, HeaderParameter(name="Accept-Language")] = None,
    ) -> Stream:
        frames = await chat_service.start_turn(
            actor, chat_id, data, idempotency_key=idempotency_key, accept_language=accept_language
        )
        return event_stream(frames)

    @get(
        "/{chat_id:uuid}/turns/{turn_id:uuid}/stream",
        operation_id="attachTurn",
        media_type=EVENT_STREAM,
        responses=_FRAMES,
    )
    async def attach_turn(
        self,
        actor: NamedDependency[Actor],
        chat_service: NamedDependency[ChatService],
        chat_id: FromPath[UUID],
        turn_id: FromPath[UUID],
        after: FromQuery[int | None] = None,
    ) -> Stream:
        return event_stream(await chat_service.attach_turn(actor, chat_id, turn_id, after))

    @post("/{chat_id:uuid}/turns/{turn_id:uuid}/stop", operation_id="stopTurn", status_code=200)
    async def stop_turn(
        self,
        actor: NamedDependency[Actor],
        chat_service: NamedDependency[ChatService],
        chat_id: FromPath[UUID],
        turn_id: FromPath[UUID],
    ) -> StatusOk:
        await chat_service.stop_turn(actor, chat_id, turn_id)
        return StatusOk()

    @post("/{chat_id:uuid}/turns/{turn_id:uuid}/feedback", operation_id="rateTurn", status_code=200)
    async def rate_turn(
        self,
        actor: NamedDependency[Actor],
        chat_service: NamedDependency[ChatService],
        chat_id: FromPath[UUID],
        turn_id: FromPath[UUID],
        data: JSONBody[NewTurnFeedback],
    ) -> StatusOk:
        await chat_service.rate_turn(actor, chat_id, turn_id, data)
        return StatusOk()
