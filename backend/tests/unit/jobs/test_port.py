"""Kinds of jobs, and the statements that make the queue."""

import msgspec
import pytest

from knowledgestack.jobs.port import Job, job_kind
from knowledgestack.jobs.schema import drop_statements, schema_statements


class Greet(Job, frozen=True, tag="greet"):
    name: str


class Nameless(Job, frozen=True):
    name: str


def test_a_kind_is_the_tag_of_its_struct() -> None:
    assert job_kind(Greet) == "greet"
    assert msgspec.json.decode(msgspec.json.encode(Greet(name="Ada")), type=Greet) == Greet(name="Ada")


def test_a_job_without_a_tag_has_no_kind() -> None:
    with pytest.raises(TypeError, match="Nameless"):
        job_kind(Nameless)


def test_a_job_of_another_kind_is_not_taken_for_this_one() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"type": "wave", "name": "Ada"}', type=Greet)


def test_the_schema_is_one_statement_a_line_and_names_only_the_queue() -> None:
    statements = schema_statements()

    # A function's body has semicolons of its own, between its dollar quotes.
    assert all(statement.split("$$")[0::2][-1].count(";") == 1 for statement in statements)
    assert all("pgqueuer" in statement for statement in [*statements, *drop_statements()])
