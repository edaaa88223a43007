"""Streams of turns that another process answers, or that have ended."""

import asyncio
import time
from collections.abc import AsyncGenerator
from typing import NamedTuple
from uuid import UUID

import msgspec

from knowledgestack.chat._reading import cited_documents, closing_frame_of, snapshot_of
from knowledgestack.chat._repository import ChatRepository
from knowledgestack.chat._results import all_results
from knowledgestack.chat.contracts import DoneFrame, ErrorFrame, SnapshotFrame
from knowledgestack.chat.frames import frame_bytes
from knowledgestack.chat.path import TurnTree
from knowledgestack.core.errors import AppError, NotFound
from knowledgestack.core.identity import Actor
from knowledgestack.db.engine import Database
from knowledgestack.documents.facts import DocumentFacts
from knowledgestack.http.sse import HEARTBEAT, HEARTBEAT_SECONDS

_ASK_SECONDS = 1.0


class _Shown(NamedTuple):
    """What a reader has seen: results are only added, so their size says whether any is new."""

    seq: int
    results_size: int


class _News(NamedTuple):
    shown: _Shown
    snapshot: SnapshotFrame
    closing: DoneFrame | ErrorFrame | None


_NOTHING = _Shown(-2, -1)


class StoredTurns:
    """Reads turns from their rows."""

    def __init__(self, database: Database, documents: DocumentFacts) -> None:
        self._database = database
        self._documents = documents

    async def follow(self, actor: Actor, chat_id: UUID, turn_id: UUID) -> AsyncGenerator[bytes]:
        """A snapshot whenever there is news, asked for once a second, and the closing frame at the end."""
        shown, shown_at = _NOTHING, time.monotonic()
        while True:
            try:
                news = await self._news(actor, chat_id, turn_id, shown)
            except NotFound as error:
                yield frame_bytes(ErrorFrame(seq=max(shown.seq, -1) + 1, code=error.code, message=error.detail))
                return
            except AppError:
                # The database is away for a moment; the run goes on and so does the reader.
                news = None
            if news is not None:
                shown, shown_at = news.shown, time.monotonic()
                yield frame_bytes(news.snapshot)
                if news.closing is not None:
                    yield frame_bytes(msgspec.structs.replace(news.closing, seq=max(news.closing.seq, shown.seq + 1)))
                    return
            elif time.monotonic() - shown_at >= HEARTBEAT_SECONDS - _ASK_SECONDS:
                shown_at = time.monotonic()
                yield HEARTBEAT
            await asyncio.sleep(_ASK_SECONDS)

    async def _news(self, actor: Actor, chat_id: UUID, turn_id: UUID, shown: _Shown) -> _News | None:
        """The turn so far; None where it is as it was shown. Raises `NotFound`."""
        async with self._database.transaction() as tx:
            chats = ChatRepository(tx, actor)
            row = await chats.find_turn(chat_id, turn_id)
            if row is None:
                raise NotFound("This turn does not exist.")
            running = row["state"] == "running"
            if running:
                await chats.mark_watched(chat_id, turn_id)
                if row["last_seq"] == shown.seq:
                    return None
            tree = TurnTree(await chats.turn_nodes(chat_id))
            # The last snapshot is whole whatever came before it.
            same = running and row["results_size"] == shown.results_size
            results = msgspec.UNSET if same else await all_results(chats, chat_id, row)
        hashes = await self._documents.content_hashes(actor.workspace_id, cited_documents({turn_id: row}))
        snapshot = snapshot_of(row, tree.versions(turn_id), hashes, results)
        closing = None if running else closing_frame_of(row, snapshot.turn)
        return _News(_Shown(snapshot.seq, row["results_size"]), snapshot, closing)
