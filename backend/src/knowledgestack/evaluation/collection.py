"""A test collection on disk, in the layout of BEIR: corpus.jsonl, queries.jsonl, qrels/test.tsv."""

import csv
from collections import defaultdict
from pathlib import Path
from typing import TypeVar

import msgspec

_Line = TypeVar("_Line")


class CollectionError(Exception):
    """The folder is not a collection; the message says which file is wrong."""


class _CorpusLine(msgspec.Struct, rename={"id": "_id"}):
    id: str
    text: str
    title: str = ""


class _QueryLine(msgspec.Struct, rename={"id": "_id"}):
    id: str
    text: str


class _AnswerLine(msgspec.Struct, rename={"id": "_id"}):
    id: str
    article: str


class Collection(msgspec.Struct, frozen=True, kw_only=True):
    """Documents as (title, text) by id, judged queries by id, and the grades of the documents of each query.

    `articles` names the subject of a query where the collection tells it: with all documents of that subject left
    out, the query has no answer.
    """

    name: str
    documents: dict[str, tuple[str, str]]
    queries: dict[str, str]
    relevant: dict[str, dict[str, float]]
    articles: dict[str, str]


def load_collection(folder: Path) -> Collection:
    """Read the folder; raise `CollectionError` where a file is missing or malformed."""
    relevant = _read_grades(folder / "qrels" / "test.tsv")
    queries = {line.id: line.text for line in _read_lines(folder / "queries.jsonl", _QueryLine) if line.id in relevant}
    answers = folder / "answers.jsonl"
    return Collection(
        name=folder.name,
        documents={line.id: (line.title, line.text) for line in _read_lines(folder / "corpus.jsonl", _CorpusLine)},
        queries=queries,
        relevant=relevant,
        articles={line.id: line.article for line in _read_lines(answers, _AnswerLine)} if answers.exists() else {},
    )


def _read_lines(path: Path, kind: type[_Line]) -> list[_Line]:
    try:
        return msgspec.json.Decoder(kind).decode_lines(path.read_bytes())
    except (OSError, msgspec.MsgspecError) as error:
        raise CollectionError(f"{path} cannot be read: {error}") from error


def _read_grades(path: Path) -> dict[str, dict[str, float]]:
    grades: dict[str, dict[str, float]] = defaultdict(dict)
    try:
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                grades[row["query-id"]][row["corpus-id"]] = float(row["score"])
    except (OSError, KeyError, ValueError) as error:
        raise CollectionError(f"{path} cannot be read: {error}") from error
    return dict(grades)
