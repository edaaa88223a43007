import math
from pathlib import Path

import pytest

from knowledgestack.evaluation.collection import CollectionError, load_collection
from knowledgestack.evaluation.metrics import ndcg, recall


def test_a_perfect_order_scores_one() -> None:
    assert ndcg(["a", "b", "c"], {"a": 2.0, "b": 1.0}, 10) == pytest.approx(1.0)


def test_a_hit_at_the_third_place_is_discounted_by_its_rank() -> None:
    assert ndcg(["x", "y", "a"], {"a": 1.0}, 10) == pytest.approx(1 / math.log2(4))


def test_what_lies_below_the_depth_counts_nothing() -> None:
    assert ndcg(["x", "a"], {"a": 1.0}, 1) == 0.0
    assert recall(["x", "a"], {"a": 1.0}, 1) == 0.0


def test_recall_is_the_share_of_relevant_documents() -> None:
    assert recall(["a", "x", "b"], {"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.0}, 10) == pytest.approx(2 / 3)


def test_a_query_without_relevant_documents_scores_zero() -> None:
    assert (ndcg(["a"], {}, 10), recall(["a"], {}, 10)) == (0.0, 0.0)


def write(folder: Path, **files: str) -> Path:
    (folder / "qrels").mkdir()
    for name, text in files.items():
        path = folder / ("qrels/test.tsv" if name == "qrels" else f"{name}.jsonl")
        path.write_text(text, encoding="utf-8")
    return folder


def test_only_judged_queries_are_asked(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        corpus='{"_id": "d1", "title": "T", "text": "x"}\n{"_id": "d2", "text": "y"}\n',
        queries='{"_id": "q1", "text": "judged"}\n{"_id": "q2", "text": "not judged"}\n',
        qrels="query-id\tcorpus-id\tscore\nq1\td1\t1\n",
    )
    collection = load_collection(folder)
    assert collection.queries == {"q1": "judged"}
    assert collection.documents == {"d1": ("T", "x"), "d2": ("", "y")}
    assert collection.relevant == {"q1": {"d1": 1.0}}


@pytest.mark.parametrize("qrels", ["query-id\tcorpus-id\n", "query-id\tcorpus-id\tscore\nq1\td1\tmuch\n"])
def test_a_folder_that_is_no_collection_is_named(tmp_path: Path, qrels: str) -> None:
    folder = write(tmp_path, corpus="{}\n", queries="", qrels=qrels)
    with pytest.raises(CollectionError):
        load_collection(folder)
