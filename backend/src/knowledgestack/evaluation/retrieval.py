"""Measuring search through the product's own path: documents indexed by the indexer, questions asked of `Retrieval`."""

import asyncio
import statistics
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import msgspec

from knowledgestack.core.clock import utc_now
from knowledgestack.core.identity import Actor, Role
from knowledgestack.core.ids import new_id
from knowledgestack.db.engine import Database
from knowledgestack.documents.indexing import DocumentContent, DocumentIndexer, EmbeddingModels, ListedDocument
from knowledgestack.evaluation._repository import ScratchRepository
from knowledgestack.evaluation.collection import Collection, load_collection
from knowledgestack.evaluation.metrics import ndcg, recall
from knowledgestack.retrieval.fusion import DEFAULT_FUSION, FUSION_STRATEGIES
from knowledgestack.retrieval.search import Ranking, Retrieval, SearchQuery

# Documents indexed at once: the embedding model works on one while the database stores another.
_AT_ONCE = 4
# Questions of which each is also asked with its subject removed from the documents.
_REMOVAL_SAMPLE = 200


class RankingScore(msgspec.Struct, frozen=True, kw_only=True):
    """How good one order of the documents is, as means over the questions."""

    name: str
    ndcg_10: float
    recall_10: float
    recall_100: float


class GateScore(msgspec.Struct, frozen=True, kw_only=True):
    """Shares of questions that the gate lets through: where the answer is there, and where its subject was removed."""

    questions: int
    answerable: float
    removed: float


class RetrievalReport(msgspec.Struct, frozen=True, kw_only=True):
    """One run. `dense` counts the questions by what became of their dense leg; times are in milliseconds."""

    collection: str
    documents: int
    chunks: int
    questions: int
    indexing_seconds: float
    median_milliseconds: float
    dense: dict[str, int]
    scores: tuple[RankingScore, ...]
    gate: GateScore | None


class _Scratch(msgspec.Struct, frozen=True):
    """The indexed collection: the actor who may read it, and which document is which."""

    actor: Actor
    external_ids: dict[UUID, str]
    chunk_count: int


async def evaluate_retrieval(
    folder: Path, database: Database, models: EmbeddingModels, *, query_limit: int | None = None
) -> RetrievalReport:
    """Index the collection into a workspace of its own, ask its questions and remove it again.

    `query_limit` asks only the first so many. Raises `CollectionError` for a folder that is no collection.
    """
    collection = await asyncio.to_thread(load_collection, folder)
    queries = dict(list(collection.queries.items())[:query_limit])
    retrieval = Retrieval(database, models)
    started = time.perf_counter()
    async with _indexed(collection, database, models) as scratch:
        indexing_seconds = time.perf_counter() - started
        rankings: dict[str, Ranking] = {}
        milliseconds: list[float] = []
        for query_id, text in queries.items():
            begun = time.perf_counter()
            rankings[query_id] = await retrieval.rank(scratch.actor.workspace_id, SearchQuery(text=text))
            milliseconds.append((time.perf_counter() - begun) * 1_000)
        gate = await _measure_gate(collection, queries, retrieval, scratch)
    uses: dict[str, int] = defaultdict(int)
    for ranking in rankings.values():
        uses[ranking.use] += 1
    return RetrievalReport(
        collection=collection.name,
        documents=len(collection.documents),
        chunks=scratch.chunk_count,
        questions=len(queries),
        indexing_seconds=indexing_seconds,
        median_milliseconds=statistics.median(milliseconds),
        dense=dict(uses),
        scores=tuple(_scores(collection, rankings, scratch.external_ids)),
        gate=gate,
    )


def render(report: RetrievalReport) -> str:
    """The report as a table for a terminal."""
    lines = [
        f"{report.collection}: {report.documents} documents in {report.chunks} chunks",
        f"indexed in {report.indexing_seconds:.0f} s",
        f"{report.questions} questions, median {report.median_milliseconds:.0f} ms",
        "dense leg: " + ", ".join(f"{use} {count}" for use, count in sorted(report.dense.items())),
        f"{'order':<18} nDCG@10  recall@10  recall@100",
    ]
    lines += [
        f"{score.name:<18} {score.ndcg_10:7.3f}  {score.recall_10:9.3f}  {score.recall_100:10.3f}"
        for score in report.scores
    ]
    if report.gate is not None:
        lines.append(
            f"gate on {report.gate.questions} questions: {report.gate.answerable:.1%} pass with their answer there,"
            f" {report.gate.removed:.1%} with its subject removed"
        )
    return "\n".join(lines)


@asynccontextmanager
async def _indexed(collection: Collection, database: Database, models: EmbeddingModels) -> AsyncGenerator[_Scratch]:
    async with database.transaction() as tx:
        workspace_id, source_id = await ScratchRepository(tx).add()
    try:
        indexer = DocumentIndexer(database, models)
        slots = asyncio.Semaphore(_AT_ONCE)

        async def index(external_id: str, title: str, text: str) -> tuple[UUID, int]:
            listed = ListedDocument(external_id=external_id, title=title or external_id)
            content = DocumentContent(data=_markdown(title, text).encode(), name="text.md")
            async with slots:
                seen = await indexer.observe(workspace_id, source_id, listed, utc_now())
                outcome = await indexer.index(workspace_id, seen.document_id, content)
            return seen.document_id, outcome.chunk_count

        indexed = await asyncio.gather(
            *(index(external_id, title, text) for external_id, (title, text) in collection.documents.items())
        )
        reader = Actor(
            user_id=new_id(), session_id=new_id(), instance_owner=False, workspace_id=workspace_id, role=Role.VIEWER
        )
        external_ids = {document_id: key for (document_id, _), key in zip(indexed, collection.documents, strict=True)}
        yield _Scratch(reader, external_ids, sum(count for _, count in indexed))
    finally:
        async with database.transaction() as tx:
            await ScratchRepository(tx).remove(workspace_id)


def _markdown(title: str, text: str) -> str:
    return f"# {title}\n\n{text}\n" if title else f"{text}\n"


def _scores(
    collection: Collection, rankings: dict[str, Ranking], external_ids: dict[UUID, str]
) -> Iterable[RankingScore]:
    orders: dict[str, Callable[[Ranking], Sequence[UUID]]] = {
        "dense": lambda ranking: [hit.document_id for hit in ranking.dense],
        "lexical": lambda ranking: [hit.document_id for hit in ranking.lexical],
    }
    for name, fuse in FUSION_STRATEGIES.items():
        label = f"{name} (default)" if name == DEFAULT_FUSION else name
        orders[label] = lambda ranking, fuse=fuse: [hit.document_id for hit in fuse(ranking.dense, ranking.lexical)]
    for name, order in orders.items():
        found = {
            query_id: [external_ids[document_id] for document_id in dict.fromkeys(order(ranking))]
            for query_id, ranking in rankings.items()
        }
        graded = [(ranking, collection.relevant[query_id]) for query_id, ranking in found.items()]
        yield RankingScore(
            name=name,
            ndcg_10=statistics.fmean(ndcg(ranking, relevant, 10) for ranking, relevant in graded),
            recall_10=statistics.fmean(recall(ranking, relevant, 10) for ranking, relevant in graded),
            recall_100=statistics.fmean(recall(ranking, relevant, 100) for ranking, relevant in graded),
        )


async def _measure_gate(
    collection: Collection, queries: dict[str, str], retrieval: Retrieval, scratch: _Scratch
) -> GateScore | None:
    """Ask a sample of the questions twice: of everything, and of everything but the documents on their subject."""
    sample = [query_id for query_id in queries if query_id in collection.articles]
    sample = sample[:: max(1, len(sample) // _REMOVAL_SAMPLE)]
    if not sample:
        return None
    of_article = _documents_by_article(collection)
    answered = removed = 0
    for query_id in sample:
        gone = of_article[collection.articles[query_id]]
        others = tuple(document_id for document_id, key in scratch.external_ids.items() if key not in gone)
        text = queries[query_id]
        answered += not (await retrieval.search(scratch.actor, SearchQuery(text=text))).rejected
        removed += not (await retrieval.search(scratch.actor, SearchQuery(text=text, document_ids=others))).rejected
    return GateScore(questions=len(sample), answerable=answered / len(sample), removed=removed / len(sample))


def _documents_by_article(collection: Collection) -> dict[str, set[str]]:
    """The documents on each subject: those that answer one of its questions."""
    found: dict[str, set[str]] = defaultdict(set)
    for query_id, article in collection.articles.items():
        found[article].update(collection.relevant.get(query_id, {}))
    return found
