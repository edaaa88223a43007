"""What people do with sources: look, sync, stop, rename, pause, delete."""

from typing import Any
from uuid import UUID

from msgspec import UNSET

from knowledgestack.core.contract import StatusOk
from knowledgestack.core.errors import FieldError, InvalidRequest
from knowledgestack.core.identity import Actor, Permission, require
from knowledgestack.db.engine import Database, Transaction
from knowledgestack.documents.parsers import accepted_extensions
from knowledgestack.http.pagination import clamp_limit, decode_cursor, encode_cursor
from knowledgestack.sources._repository import FileRepository, PassRepository, SourceRepository
from knowledgestack.sources.contracts import (
    ConnectorCatalogue,
    Source,
    SourceChange,
    SourcePage,
    SyncPass,
    SyncPassPage,
    SyncStarted,
    UploadRules,
)
from knowledgestack.sources.passes import Passes, refuse_paused

_MAX_NAME_LENGTH = 100


class SourceService:
    """Sources of the actor's workspace. A source of another one is as unknown as one that never was (`NotFound`)."""

    def __init__(self, database: Database, passes: Passes, *, upload_max_bytes: int) -> None:
        self._database = database
        self._passes = passes
        self._upload_max_bytes = upload_max_bytes

    def catalogue(self, actor: Actor) -> ConnectorCatalogue:
        """What can be uploaded and connected."""
        require(actor, Permission.READ_DOCUMENTS)
        rules = UploadRules(file_extensions=accepted_extensions(), max_bytes=self._upload_max_bytes)
        return ConnectorCatalogue(uploads=rules, providers=[])

    async def list_sources(self, actor: Actor, cursor: str | None, limit: int | None) -> SourcePage:
        """Sources in the order in which they were made, each with its newest pass."""
        require(actor, Permission.READ_DOCUMENTS)
        size = clamp_limit(limit)
        after = decode_cursor(cursor, (UUID,))[0] if cursor else None
        async with self._database.transaction() as tx:
            rows = await SourceRepository(tx, actor.workspace_id).page(after, size + 1)
            items = await self._with_details(tx, actor, rows[:size])
        more = len(rows) > size
        return SourcePage(items=items, next_cursor=encode_cursor((items[-1].id,)) if more else None)

    async def check(self, actor: Actor, source_id: UUID) -> None:
        """Raise `NotFound` unless the source is one of the actor's workspace."""
        require(actor, Permission.READ_DOCUMENTS)
        async with self._database.transaction() as tx:
            await SourceRepository(tx, actor.workspace_id).read(source_id)

    async def start_sync(self, actor: Actor, source_id: UUID) -> SyncStarted:
        """Begin a pass and answer at once; raise `Conflict` where one runs (`already_running`) or the source rests."""
        require(actor, Permission.UPLOAD_DOCUMENTS)
        async with self._database.transaction() as tx:
            source = await SourceRepository(tx, actor.workspace_id).lock(source_id)
            refuse_paused(source)
            return SyncStarted(pass_id=await self._passes.start(tx, actor.workspace_id, source_id))

    async def cancel_sync(self, actor: Actor, source_id: UUID) -> StatusOk:
        """Stop the pass that waits or runs; where there is none, nothing happens."""
        require(actor, Permission.UPLOAD_DOCUMENTS)
        async with self._database.transaction() as tx:
            await SourceRepository(tx, actor.workspace_id).lock(source_id)
            await self._passes.cancel(tx, actor.workspace_id, source_id)
        return StatusOk()

    async def list_passes(self, actor: Actor, source_id: UUID, cursor: str | None, limit: int | None) -> SyncPassPage:
        """Passes over a source, newest first."""
        require(actor, Permission.READ_DOCUMENTS)
        size = clamp_limit(limit)
        before = decode_cursor(cursor, (UUID,))[0] if cursor else None
        async with self._database.transaction() as tx:
            await SourceRepository(tx, actor.workspace_id).read(source_id)
            rows = await PassRepository(tx, actor.workspace_id).page(source_id, before, size + 1)
        items = [_pass_of(row) for row in rows[:size]]
        more = len(rows) > size
        return SyncPassPage(items=items, next_cursor=encode_cursor((items[-1].id,)) if more else None)

    async def change(self, actor: Actor, source_id: UUID, data: SourceChange) -> Source:
        """Rename, pause (which stops a running pass) or resume (which begins one)."""
        require(actor, Permission.MANAGE_SOURCES)
        async with self._database.transaction() as tx:
            sources = SourceRepository(tx, actor.workspace_id)
            source = await sources.lock(source_id)
            if data.name is not UNSET:
                await sources.change(source_id, name=_checked_name(data.name))
            if data.paused is not UNSET and data.paused != (source.state == "paused"):
                await sources.change(source_id, state="paused" if data.paused else "active")
                follow = self._passes.cancel if data.paused else self._passes.request
                await follow(tx, actor.workspace_id, source_id)
            return (await self._with_details(tx, actor, [await sources.read(source_id)]))[0]

    async def delete(self, actor: Actor, source_id: UUID) -> StatusOk:
        """Remove the source, its documents and their originals; a running pass ends by itself within seconds."""
        require(actor, Permission.MANAGE_SOURCES)
        async with self._database.transaction() as tx:
            sources = SourceRepository(tx, actor.workspace_id)
            await sources.lock(source_id, for_delete=True)
            keys = await FileRepository(tx, actor.workspace_id).keys(source_id)
            await sources.remove(source_id)
            await self._passes.delete_originals(tx, keys)
        return StatusOk()

    async def _with_details(self, tx: Transaction, actor: Actor, rows: list[Any]) -> list[Source]:
        ids = [row.id for row in rows]
        counts = await SourceRepository(tx, actor.workspace_id).counts(ids)
        newest = await PassRepository(tx, actor.workspace_id).newest(ids)
        return [_source_of(row, counts.get(row.id, (0, 0)), newest.get(row.id)) for row in rows]


def _checked_name(raw: str) -> str:
    name = raw.strip()
    if not name or len(name) > _MAX_NAME_LENGTH:
        problem = f"has to have 1 to {_MAX_NAME_LENGTH} characters"
        raise InvalidRequest(f"The name of a source {problem}.", errors=(FieldError("name", problem),))
    return name


def _source_of(row: Any, counts: tuple[int, int], newest: Any | None) -> Source:
    return Source(
        id=row.id,
        provider=row.provider,
        name=row.name,
        state=row.state,
        last_synced_at=row.last_synced_at,
        document_count=counts[0],
        chunk_count=counts[1],
        newest_pass=_pass_of(newest) if newest is not None else None,
    )


def _pass_of(row: Any) -> SyncPass:
    return SyncPass(
        id=row.id,
        state=row.state,
        found=row.found,
        new=row.new,
        changed=row.changed,
        unchanged=row.unchanged,
        failed=row.failed,
        deleted=row.deleted,
        started_at=row.started_at,
        finished_at=row.finished_at,
        message=row.message,
    )
