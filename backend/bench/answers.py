"""Answers without a model, through the product's own path: index, search with its gate, agent's loop, local answerer.

XQuAD (`--collections DIR` with folders xquad-en and xquad-de): the share of questions whose answer holds the gold span,
and of those that are answered all the same when every paragraph of their article is left out. The demo handbook: its
own sixty questions, with the facts that the answer has to hold, the page that it has to cite first, and ten refusals.
"""

import argparse
import asyncio
import json
import re
import statistics
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import knowledgestack.demo
from knowledgestack.agent.budget import Budget, BudgetLimits
from knowledgestack.agent.loop import AgentLoop, AnswerDelta
from knowledgestack.agent.reach import TurnReach
from knowledgestack.agent.session import ToolSession
from knowledgestack.agent.tool import ToolRegistry
from knowledgestack.chat.contracts import TurnScope
from knowledgestack.core.clock import utc_now
from knowledgestack.core.ids import new_id
from knowledgestack.db.engine import Database
from knowledgestack.demo.handbook_pages import read_handbook
from knowledgestack.documents.indexing import DocumentIndexer
from knowledgestack.models.local import LocalAnswerer
from knowledgestack.models.local_embedding import LocalMiniLM
from knowledgestack.retrieval.citing import CitedChunk
from knowledgestack.retrieval.search import Retrieval
from knowledgestack.tools.documents import SearchDocumentChunks
from tests.support.database import Databases, postgres_server
from tests.support.knowledge import add_document, add_models, add_source, add_workspace

RESULT = Path(__file__).parent / "results" / "answers.json"
QUESTIONS = Path(knowledgestack.demo.__file__).parent / "questions.jsonl"
KEPT = 0.95
NO_CONFIDENCE = float("-inf")
_REFUSALS = ("This is not in your documents.", "Questo non è nei tuoi documenti.")
_UNSURE = ("I cannot tell for certain.", "Non posso dirlo con certezza.")
_MARK = re.compile(r"\[(\d+)\]")
_EMPHASIS = re.compile(r"[*`_]")


class RecordingAnswerer(LocalAnswerer):
    """Remembers how sure it was of its last answer."""

    confidence = NO_CONFIDENCE

    async def _rank(self, question: Any, replies: Any) -> Any:
        ranking = await super()._rank(question, replies)
        self.confidence = NO_CONFIDENCE if ranking is None else ranking.confidence
        return ranking


@dataclass
class Answered:
    text: str
    confidence: float
    first_document: UUID | None
    milliseconds: float
    cpu_milliseconds: float

    @property
    def refused(self) -> bool:
        return self.text.startswith(_REFUSALS)

    @property
    def plain(self) -> bool:
        """Answered without a word of doubt."""
        return not self.text.startswith(_REFUSALS + _UNSURE)


@dataclass
class Library:
    """An indexed workspace and what answers from it."""

    database: Database
    retrieval: Retrieval
    answerer: RecordingAnswerer
    actor: Any
    documents: dict[str, UUID]

    async def ask(self, question: str, documents: Sequence[UUID] = ()) -> Answered:
        session = ToolSession(self.actor, question, TurnScope(document_ids=list(documents)))
        reach = TurnReach(language="en", source_count=1, document_count=len(documents), gated=False)
        registry = ToolRegistry((SearchDocumentChunks(self.retrieval, reach),))
        self.answerer.confidence = NO_CONFIDENCE
        parts: dict[int, str] = defaultdict(str)
        began, cpu_began = time.perf_counter(), time.process_time()
        run = AgentLoop().run(self.answerer, (), registry, session, Budget(BudgetLimits()), instructions="")
        async for event in run:
            if isinstance(event, AnswerDelta):
                parts[event.part] += event.text
        text = parts[max(parts)] if parts else ""
        milliseconds = (time.perf_counter() - began) * 1_000
        cpu_milliseconds = (time.process_time() - cpu_began) * 1_000
        first = _first_cited(text, session.citations)
        return Answered(text, self.answerer.confidence, first, milliseconds, cpu_milliseconds)


def _first_cited(text: str, citations: Sequence[object]) -> UUID | None:
    mark = _MARK.search(text)
    if mark is None:
        return None
    cited = citations[int(mark[1]) - 1]
    assert isinstance(cited, CitedChunk)
    return cited.citation.document_id


@asynccontextmanager
async def library(database_url: str, files: Iterable[tuple[str, str]]) -> AsyncGenerator[Library]:
    """The files, by name and text, indexed with the bundled model."""
    database = Database(database_url)
    embedding = LocalMiniLM(new_id())
    models: Any = await add_models(database, embedding)
    indexer = DocumentIndexer(database, models)
    actor = await add_workspace(database)
    source_id = await add_source(database, actor.workspace_id)
    documents: dict[str, UUID] = {}
    for name, text in files:
        documents[name], _ = await add_document(indexer, actor.workspace_id, source_id, name, text)
    try:
        yield Library(database, Retrieval(database, models), RecordingAnswerer(embedding), actor, documents)
    finally:
        await database.close()


async def measure_xquad(database_url: str, folder: Path, step: int) -> dict[str, Any]:
    """Every `step`-th question, with its paragraph among the documents and with its whole article left out."""
    corpus = {line["_id"]: line["text"] for line in _lines(folder / "corpus.jsonl")}
    questions = {line["_id"]: line["text"] for line in _lines(folder / "queries.jsonl")}
    grades = (line.split("\t") for line in (folder / "qrels" / "test.tsv").read_text().splitlines()[1:])
    paragraphs = {query: document for query, document, _ in grades}
    golds = list(_lines(folder / "answers.jsonl"))
    of_article: dict[str, set[str]] = defaultdict(set)
    for gold in golds:
        of_article[gold["article"]].add(paragraphs[gold["_id"]])
    asked = golds[::step]
    there: list[Answered] = []
    removed: list[Answered] = []
    spans = 0
    async with library(database_url, ((f"{name}.md", text) for name, text in corpus.items())) as books:
        for gold in asked:
            answer = await books.ask(questions[gold["_id"]])
            there.append(answer)
            spans += any(_normal(span.rstrip(".")) in _normal(answer.text) for span in gold["answers"])
            left_out = of_article[gold["article"]]
            others = [books.documents[f"{name}.md"] for name in corpus if name not in left_out]
            removed.append(await books.ask(questions[gold["_id"]], others))
    return {
        "measured": utc_now().date().isoformat(),
        "questions": len(asked),
        "span_in_answer": _share(spans, len(asked)),
        "answered": _share(sum(not one.refused for one in there), len(asked)),
        "answered_without_doubt": _share(sum(one.plain for one in there), len(asked)),
        "answered_with_article_removed": _share(sum(not one.refused for one in removed), len(asked)),
        "answered_without_doubt_with_article_removed": _share(sum(one.plain for one in removed), len(asked)),
        "false_answers_at_95_kept": _false_share(there, removed),
        **_times(there),
    }


async def measure_handbook(database_url: str) -> dict[str, Any]:
    """The sixty questions over the handbook; a refusal of an unanswerable one counts as fact and page."""
    files = [(page.name, page.data.decode()) for page in read_handbook()]
    facts = pages = refused = 0
    misses: list[dict[str, Any]] = []
    answers: list[Answered] = []
    questions = list(_lines(QUESTIONS))
    async with library(database_url, files) as books:
        names = {document: name for name, document in books.documents.items()}
        for question in questions:
            answer = await books.ask(question["question"])
            answers.append(answer)
            first = names.get(answer.first_document) if answer.first_document else None
            missing = [fact for fact in question["facts"] if _normal(fact) not in _normal(answer.text)]
            as_expected = answer.refused != question["answerable"]
            facts += as_expected and not missing
            pages += as_expected and first == question["page"]
            refused += not question["answerable"] and answer.refused
            if not as_expected or missing or first != question["page"]:
                misses.append({"id": question["id"], "missing": missing, "first": first, "refused": answer.refused})
    return {
        "measured": utc_now().date().isoformat(),
        "questions": len(questions),
        "fact_present": facts,
        "right_page_first": pages,
        "unanswerable_refused": refused,
        "unanswerable": sum(not question["answerable"] for question in questions),
        "misses": misses,
        **_times(answers),
    }


def _false_share(there: Sequence[Answered], removed: Sequence[Answered]) -> float:
    """Answers on removed articles at the confidence that keeps 95 % of the questions whose article is there."""
    ordered = sorted((one.confidence for one in there), reverse=True)
    least = ordered[int(len(ordered) * KEPT) - 1]
    return _share(sum(one.confidence >= least for one in removed if one.confidence != NO_CONFIDENCE), len(removed))


def _times(answers: Sequence[Answered]) -> dict[str, float]:
    times = sorted(one.milliseconds for one in answers)
    return {
        "median_milliseconds": round(statistics.median(times)),
        "p95_milliseconds": round(times[int(len(times) * 0.95)]),
        "median_cpu_milliseconds": round(statistics.median(one.cpu_milliseconds for one in answers)),
    }


def _share(count: int, total: int) -> float:
    return round(count / total, 4)


def _normal(text: str) -> str:
    return " ".join(_EMPHASIS.sub("", text).casefold().split())


def _lines(path: Path) -> Iterable[dict[str, Any]]:
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())


async def measure(server_url: str, collections: Path | None, languages: Sequence[str], step: int) -> dict[str, Any]:
    databases = Databases(server_url)
    await databases.prepare()

    @asynccontextmanager
    async def fresh_database() -> AsyncGenerator[str]:
        url = await databases.clone()
        yield url
        await databases.drop(url)

    result: dict[str, Any] = {}
    async with fresh_database() as url:
        result["handbook"] = await measure_handbook(url)
    if collections is not None:
        for language in languages:
            async with fresh_database() as url:
                result[f"xquad_{language}"] = await measure_xquad(url, collections / f"xquad-{language}", step)
    await databases.close()
    return result


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Measure answers without a model.")
    parser.add_argument(
        "--collections", type=Path, help="folder with xquad-en and xquad-de; without it they are left out"
    )
    parser.add_argument("--languages", nargs="+", choices=["en", "de"], default=["en", "de"])
    parser.add_argument("--step", type=int, default=3, help="ask every so many questions of XQuAD")
    chosen = parser.parse_args(arguments)
    with postgres_server() as server_url:
        result = asyncio.run(measure(server_url, chosen.collections, chosen.languages, chosen.step))
    RESULT.parent.mkdir(exist_ok=True)
    # A run without the collections keeps their figures of the last run that had them; each part says when it was.
    earlier = json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.exists() else {}
    text = json.dumps(earlier | result, indent=2, ensure_ascii=False)
    RESULT.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
