"""Streams of turns that another process answers, or that have ended."""

import asyncio
import time
from collections.abc import AsyncGenerator
from uuid import UUID

import msgspec

from knowledgestack.chat._reading import cited_documents, closing_frame_of, snapshot_of, turn_of
from knowledgestack.chat._repository import ChatRepository
from knowledgestack.chat.contracts import DoneFrame, ErrorFrame, SnapshotFrame
from knowledgestack.chat.frames import frame_bytes
from knowledgestack.chat.path import TurnTree
from knowledgestack.core.errors import AppError, NotFound
from knowledgestack.core.identity import Actor
from knowledgestack.db.engine import Database
from knowledgestack.documents.facts import DocumentFacts
from knowledgestack.http.sse import HEARTBEAT, HEARTBEAT_SECONDS

_ASK_SECONDS = 1.0


class StoredTurns:
    """Reads turns from their rows."""

    def __init__(self, database: Database, documents: DocumentFacts) -> None:
        self._database = database
        self._documents = documents

    async def frames(
        self, actor: Actor, chat_id: UUID, turn_id: UUID
    ) -> tuple[SnapshotFrame, DoneFrame | ErrorFrame | None]:
        """The turn so far, and the frame that closed its stream once it has ended. Raises `NotFound`."""
        async with self._database.transaction() as tx:
            chats = ChatRepository(tx, actor)
            row = await chats.find_turn(chat_id, turn_id)
            if row is None:
                raise NotFound("This turn does not exist.")
            tree = TurnTree(await chats.turn_nodes(chat_id))
            if row["state"] == "running":
                await chats.mark_watched(chat_id, turn_id)
        hashes = await self._documents.content_hashes(actor.workspace_id, cited_documents({turn_id: row}))
        turn = turn_of(row, tree.versions(turn_id), hashes)
        return snapshot_of(row, turn), None if turn.state == "running" else closing_frame_of(row, turn)

    async def follow(self, actor: Actor, chat_id: UUID, turn_id: UUID) -> AsyncGenerator[bytes]:
        """A snapshot whenever there is news, asked for once a second, and the closing frame at the end."""
        shown, shown_at = -2, time.monotonic()
        while True:
            try:
                snapshot, closing = await self.frames(actor, chat_id, turn_id)
            except NotFound as error:
                yield frame_bytes(ErrorFrame(seq=max(shown, -1) + 1, code=error.code, message=error.detail))
                return
            except AppError:
                # The database is away for a moment; the run goes on and so does the reader.
                snapshot, closing = None, None
            if snapshot is not None and (closing is not None or snapshot.seq != shown):
                shown, shown_at = snapshot.seq, time.monotonic()
                yield frame_bytes(snapshot)
            elif time.monotonic() - shown_at >= HEARTBEAT_SECONDS - _ASK_SECONDS:
                shown_at = time.monotonic()
                yield HEARTBEAT
            if closing is not None:
                yield frame_bytes(msgspec.structs.replace(closing, seq=max(closing.seq, shown + 1)))
                return
            await asyncio.sleep(_ASK_SECONDS)
