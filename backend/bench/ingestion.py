"""Ingestion with a free embedder, from bytes to rows that search finds, in megabytes per CPU second.

CPU counts this process and the server processes behind its connections. The model gives constant vectors at once, so
what is left is the product's own work: parse, chunk, count tokens, stem, store.
"""

import asyncio
import json
import os
import statistics
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import numpy as np
import psutil
import sqlalchemy as sa

from bench.corpus import BenchFile, corpus_sha256, load_corpus
from knowledgestack.core.ids import new_id
from knowledgestack.db.engine import Database
from knowledgestack.documents.indexing import DocumentContent, DocumentIndexer, ListedDocument
from knowledgestack.models.embedding import Vectors
from tests.support.database import Databases, postgres_server
from tests.support.knowledge import add_source, add_workspace

RESULT = Path(__file__).parent / "results" / "ingestion.json"
GOAL = 1.0
RUNS = 3
_AT_ONCE = 2


class FreeEmbedding:
    """Vectors of the local model's size that cost nothing."""

    name, provider, dimensions, languages, cosine_floor = "free", "local", 384, None, 0.0

    def __init__(self) -> None:
        self.id = new_id()

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return np.full((len(texts), self.dimensions), self.dimensions**-0.5, dtype=np.float32)

    async def embedding_model(self, _model_id: UUID) -> "FreeEmbedding":
        return self

    async def default_embedding_model_id(self) -> UUID:
        return self.id


def main() -> None:
    files = load_corpus()
    with postgres_server() as server_url:
        runs = [asyncio.run(_run(server_url, files)) for _ in range(RUNS)]
    megabytes = sum(len(file.data) for file in files) / 1e6
    speeds = [megabytes / (run["client_cpu_seconds"] + run["server_cpu_seconds"]) for run in runs]
    result = {
        "corpus_sha256": corpus_sha256(files),
        "megabytes": round(megabytes, 2),
        "files": len(files),
        "load_average": os.getloadavg(),
        "chunks": runs[0]["chunks"],
        "runs": runs,
        "megabytes_per_cpu_second": {
            "median": round(statistics.median(speeds), 2),
            "min": round(min(speeds), 2),
            "max": round(max(speeds), 2),
        },
        "goal": GOAL,
        "met": statistics.median(speeds) >= GOAL,
    }
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(f"ingestion: {result['megabytes_per_cpu_second']} MB per CPU second, goal {GOAL}")


async def _run(server_url: str, files: Sequence[BenchFile]) -> dict[str, float]:
    databases = Databases(server_url)
    await databases.prepare()
    url = await databases.clone()
    database = Database(url, pool_size=4)
    try:
        return await _ingest(database, files)
    finally:
        await database.close()
        await databases.drop(url)
        await databases.close()


async def _ingest(database: Database, files: Sequence[BenchFile]) -> dict[str, float]:
    model = FreeEmbedding()
    async with database.transaction() as tx:
        await tx.execute(
            sa.text("INSERT INTO embedding_models (id, provider, name, dimensions) VALUES (:id, 'local', 'free', 384)"),
            {"id": model.id},
        )
    actor = await add_workspace(database)
    source_id = await add_source(database, actor.workspace_id)
    indexer = DocumentIndexer(database, model)
    await _index(indexer, actor.workspace_id, source_id, files[:5])
    slots = asyncio.Semaphore(_AT_ONCE)

    async def one(file: BenchFile) -> int:
        async with slots:
            return await _index(indexer, actor.workspace_id, source_id, [file])

    server, client, wall = await _server_cpu(database), time.process_time(), time.perf_counter()
    chunks = sum(await asyncio.gather(*(one(file) for file in files)))
    client, wall = time.process_time() - client, time.perf_counter() - wall
    return {
        "chunks": chunks,
        "client_cpu_seconds": round(client, 2),
        "server_cpu_seconds": round(await _server_cpu(database) - server, 2),
        "wall_seconds": round(wall, 2),
    }


async def _index(indexer: DocumentIndexer, workspace_id: UUID, source_id: UUID, files: Sequence[BenchFile]) -> int:
    """Observe and index as a pass does; a file without text counts no chunk."""
    chunks = 0
    for file in files:
        listed = ListedDocument(external_id=file.name, title=file.name)
        seen = await indexer.observe(workspace_id, source_id, listed, datetime.now(UTC))
        content = DocumentContent(data=file.data, name=file.name)
        chunks += (await indexer.index(workspace_id, seen.document_id, content)).chunk_count
    return chunks


async def _server_cpu(database: Database) -> float:
    """CPU seconds so far of the server processes that serve this database's connections."""
    async with database.transaction() as tx:
        pids = await tx.scalars(sa.text("SELECT pid FROM pg_stat_activity WHERE datname = current_database()"))
        return sum(sum(psutil.Process(pid).cpu_times()[:2]) for pid in pids)


if __name__ == "__main__":
    main()
