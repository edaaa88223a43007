"""Questions that the demo company's database answers, with the SQL that a person has checked against the handbook."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal, TypeVar

import msgspec

T = TypeVar("T")


class CheckedQuestion(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A question, the name of its SQL, and a sentence that says which rules the SQL follows."""

    query: str
    question: str
    description: str


class DemoQuestion(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """One of the twelve questions of the demo.

    `query` names the SQL, `pages` what the answer cites, `facts` what it has to say, `assumption` the sentence that
    says which definition or days were used. All but `question_it` is English, like the documents.
    """

    number: int
    question: str
    question_it: str
    needs: Literal["documents", "database", "both", "refusal"]
    query: str | None
    pages: list[str]
    facts: list[str]
    assumption: str


def read_checked_questions() -> list[CheckedQuestion]:
    """The verified queries of the demo, in the order in which they are shown."""
    return _read("verified.jsonl", CheckedQuestion)


def read_demo_questions() -> list[DemoQuestion]:
    return _read("twelve.jsonl", DemoQuestion)


def read_sql(name: str) -> str:
    """The SQL of `returns-by-region.gold`, `returns-by-region.naive` and so on."""
    return (_folder() / "queries" / f"{name}.sql").read_text().strip()


def _read(name: str, kind: type[T]) -> list[T]:
    lines = (_folder() / name).read_text().splitlines()
    return [msgspec.json.decode(line, type=kind) for line in lines if line]


def _folder() -> Traversable:
    return files("knowledgestack.demo.database")
