"""Sources over a real database and a folder, with an embedding model that needs no download."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from knowledgestack.connectors.registry import create_connector
from knowledgestack.core.identity import Actor
from knowledgestack.db.engine import Database
from knowledgestack.documents.indexing import DocumentIndexer
from knowledgestack.documents.service import DocumentService
from knowledgestack.jobs.queue import PgJobQueue
from knowledgestack.jobs.runner import JobRunner
from knowledgestack.sources.contracts import Source, SyncPass, UploadOutcome
from knowledgestack.sources.jobs import SourceJobs
from knowledgestack.sources.originals import PassReindexing, SourceFiles, UploadOriginals
from knowledgestack.sources.passes import Passes
from knowledgestack.sources.service import SourceService
from knowledgestack.sources.sync import ConnectorFactory, SyncRunner
from knowledgestack.sources.uploads import IncomingFile, UploadService
from knowledgestack.storage.objects import ObjectStore
from tests.support.knowledge import FakeEmbedding, add_models, add_workspace
from tests.support.waiting import eventually

MAX_BYTES = 1_000_000


@dataclass
class Library:
    """One workspace with everything that uploads need, and a worker where a test wants one."""

    database: Database
    folder: Path
    store: ObjectStore
    model: FakeEmbedding
    indexer: DocumentIndexer
    passes: Passes
    sources: SourceService
    uploads: UploadService
    documents: DocumentService
    actor: Actor

    async def upload(self, *files: tuple[str, bytes], actor: Actor | None = None) -> UploadOutcome:
        return await self.uploads.upload(actor or self.actor, _arriving(files))

    async def source(self, actor: Actor | None = None) -> Source:
        page = await self.sources.list_sources(actor or self.actor, None, None)
        return page.items[0]

    async def ended_pass(self, pass_id: UUID | None = None) -> SyncPass:
        """The newest pass, or the given one, once no pass waits or runs."""
        source = await self.source()

        async def probe() -> SyncPass | None:
            found = (await self.sources.list_passes(self.actor, source.id, None, None)).items
            if any(one.state in {"queued", "running"} for one in found):
                return None
            return next((one for one in found if pass_id in {None, one.id}), None)

        return await eventually(probe)

    async def states(self) -> dict[str, str]:
        """The state of each document by its name."""
        rows = await self.rows("SELECT external_id, state FROM documents")
        return {row.external_id: row.state for row in rows}

    async def rows(self, statement: str, **parameters: Any) -> list[Any]:
        async with self.database.transaction() as tx:
            return list((await tx.execute(sa.text(statement), parameters)).all())

    async def count(self, table: str) -> int:
        return (await self.rows(f"SELECT count(*) AS n FROM {table}"))[0].n

    def start_worker(self, **environ: str) -> subprocess.Popen[bytes]:
        """A worker in a process of its own, which a test may kill; see `sync_worker` for its environment."""
        command = [sys.executable, "-m", "tests.support.sync_worker", self.database.dsn, self.folder, self.model.id]
        return subprocess.Popen(
            [str(part) for part in command], cwd=Path(__file__).parents[2], env=os.environ | environ
        )

    def kept_files(self) -> list[bytes]:
        """The bytes of every object in the store."""
        return sorted(path.read_bytes() for path in self.folder.rglob("*") if path.is_file())

    def handlers(self, connect: ConnectorFactory | None = None, lease_seconds: float = 1) -> SourceJobs:
        runner = SyncRunner(
            self.database,
            self.indexer,
            self.passes,
            connect or upload_connector(self.database, self.store),
            lease_seconds=lease_seconds,
        )
        return SourceJobs(self.database, self.store, self.passes, runner)

    @asynccontextmanager
    async def worker(self, connect: ConnectorFactory | None = None) -> AsyncGenerator[None]:
        stop = asyncio.Event()
        jobs = self.handlers(connect)
        runner = JobRunner(self.database, jobs.handlers(), lease_seconds=1, grace_seconds=0.2)
        running = asyncio.create_task(runner.run(stop))
        try:
            yield
        finally:
            stop.set()
            await asyncio.wait_for(running, 10)


def upload_connector(database: Database, store: ObjectStore) -> ConnectorFactory:
    return lambda provider, workspace_id, source_id: create_connector(
        provider, SourceFiles(database, store, workspace_id, source_id)
    )


@asynccontextmanager
async def library(database_url: str, folder: Path, max_bytes: int = MAX_BYTES) -> AsyncGenerator[Library]:
    database = Database(database_url)
    store = ObjectStore(folder.as_uri())
    model = FakeEmbedding()
    indexer = DocumentIndexer(database, await add_models(database, model))
    queue = PgJobQueue()
    passes = Passes(queue)
    try:
        yield Library(
            database=database,
            folder=folder,
            store=store,
            model=model,
            indexer=indexer,
            passes=passes,
            sources=SourceService(database, passes, upload_max_bytes=max_bytes),
            uploads=UploadService(database, store, indexer, passes, max_bytes=max_bytes),
            documents=DocumentService(database, UploadOriginals(database, store, passes), PassReindexing(queue)),
            actor=await add_workspace(database),
        )
    finally:
        await database.close()


async def _arriving(files: Iterable[tuple[str, bytes]]) -> AsyncGenerator[IncomingFile]:
    for name, data in files:
        yield IncomingFile(name=name, chunks=_chunks(data))


async def _chunks(data: bytes) -> AsyncGenerator[bytes]:
    for start in range(0, len(data), 65_536):
        yield data[start : start + 65_536]
