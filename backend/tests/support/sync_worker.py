"""A worker process for the fault tests: `python -m tests.support.sync_worker DATABASE_URL FOLDER MODEL_ID`.

`KS_TEST_KILL_AT` n: the process kills itself (SIGKILL) right after its n-th commit on rows of sources or documents,
counted from 1. `KS_TEST_KILL_ON`: it does so while it embeds a text that holds this word. Neither is in the product.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

from knowledgestack.db.engine import Database, Transaction
from knowledgestack.documents.indexing import DocumentIndexer
from knowledgestack.jobs.queue import PgJobQueue
from knowledgestack.jobs.runner import JobRunner
from knowledgestack.models.embedding import Vectors
from knowledgestack.sources.jobs import SourceJobs
from knowledgestack.sources.passes import Passes
from knowledgestack.sources.sync import SyncRunner
from knowledgestack.storage.objects import ObjectStore
from tests.support.knowledge import FakeEmbedding, FakeModels
from tests.support.sources import upload_connector

LEASE_SECONDS = 1.0


class DeadlyDatabase(Database):
    """Counts commits and ends the process after a given one."""

    def __init__(self, url: str, kill_at: int) -> None:
        super().__init__(url)
        self._left = kill_at

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Transaction]:
        async with super().transaction() as tx:
            yield tx
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class DeadlyEmbedding(FakeEmbedding):
    async def embed(self, texts: Sequence[str]) -> Vectors:
        word = os.environ.get("KS_TEST_KILL_ON")
        if word and any(word in text for text in texts):
            os.kill(os.getpid(), signal.SIGKILL)
        await asyncio.sleep(float(os.environ.get("KS_TEST_EMBED_SECONDS", "0")))
        return await super().embed(texts)


async def work(url: str, folder: str, model_id: str) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    calm = Database(url)
    database = DeadlyDatabase(url, int(os.environ.get("KS_TEST_KILL_AT", "0")))
    store = ObjectStore(Path(folder).as_uri())
    passes = Passes(PgJobQueue())
    indexer = DocumentIndexer(database, FakeModels(DeadlyEmbedding(id=UUID(model_id))))
    runner = SyncRunner(database, indexer, passes, upload_connector(database, store), lease_seconds=LEASE_SECONDS)
    jobs = SourceJobs(database, store, passes, runner)
    await JobRunner(calm, jobs.handlers(), lease_seconds=LEASE_SECONDS, grace_seconds=1).run(stop)
    await database.close()
    await calm.close()


if __name__ == "__main__":
    asyncio.run(work(*sys.argv[1:]))
