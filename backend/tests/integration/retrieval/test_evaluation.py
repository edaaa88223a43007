import json
from pathlib import Path

import pytest
import sqlalchemy as sa

from knowledgestack.evaluation.retrieval import evaluate_retrieval, render
from knowledgestack.retrieval.search import Retrieval, SearchQuery
from tests.integration.retrieval.conftest import Library
from tests.support.knowledge import FakeModels

CORPUS = {
    "d1": ("Returns", "A couch can be returned within thirty days of delivery."),
    "d2": ("Warranty", "Refurbished machines carry a warranty of twelve months."),
    "d3": ("Leave", "Everybody takes sixteen weeks of paid parental leave."),
}
QUERIES = {"q1": ("returning a couch", "d1"), "q2": ("warranty of machines", "d2"), "q3": ("parental leave", "d3")}


def write_collection(folder: Path) -> Path:
    (folder / "qrels").mkdir(parents=True)
    corpus = [{"_id": key, "title": title, "text": text} for key, (title, text) in CORPUS.items()]
    queries = [{"_id": key, "text": text} for key, (text, _) in QUERIES.items()]
    answers = [{"_id": key, "answers": [], "article": wanted} for key, (_, wanted) in QUERIES.items()]
    for name, lines in (("corpus", corpus), ("queries", queries), ("answers", answers)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    grades = "".join(f"{key}\t{wanted}\t1\n" for key, (_, wanted) in QUERIES.items())
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + grades, encoding="utf-8")
    return folder


async def test_a_collection_is_measured_and_leaves_nothing_behind(library: Library, tmp_path: Path) -> None:
    before = await count_rows(library)
    report = await evaluate_retrieval(write_collection(tmp_path / "tiny"), library.database, FakeModels(library.model))
    assert (report.collection, report.documents, report.questions, report.dense) == ("tiny", 3, 3, {"used": 3})
    scores = {score.name: score for score in report.scores}
    assert set(scores) == {"dense", "lexical", "mixing (default)", "rrf"}
    assert scores["mixing (default)"].ndcg_10 == pytest.approx(1.0)
    assert report.gate is not None
    assert (report.gate.answerable, report.gate.removed) == (1.0, 0.0)
    assert "mixing (default)" in render(report)
    assert await count_rows(library) == before


async def count_rows(library: Library) -> int:
    tables = ("workspaces", "sources", "documents", "document_chunks", "chunk_vectors", "workspace_embedding_sets")
    async with library.database.transaction() as tx:
        return sum([(await tx.execute(sa.text(f"SELECT count(*) FROM {table}"))).scalar_one() for table in tables])


async def test_another_fusion_can_be_chosen(library: Library) -> None:
    retrieval = Retrieval(library.database, FakeModels(library.model), fusion="rrf")
    outcome = await retrieval.search(library.actor, SearchQuery(text="couch returned", limit=1))
    assert outcome.hits[0].title == "Returns"
    assert outcome.hits[0].score == pytest.approx(2 / 61)
