"""Which verified query answers a question, measured on the demo's eight with the bundled English model."""

import json
from importlib.resources import files
from uuid import uuid4

import pytest

from knowledgestack.demo.database.questions import read_checked_questions
from knowledgestack.models.local_embedding import LocalMiniLM
from knowledgestack.verified_queries._fit import ComparedQuery, english_of, fit_all
from tests.support.measure_questions import NEAR_MISSES, OTHERS, PARAPHRASES, UNSEEN_PARAPHRASES

CHECKED = read_checked_questions()
MODEL = LocalMiniLM(uuid4())
HANDBOOK = [
    json.loads(line)["question"]
    for line in files("knowledgestack.demo").joinpath("questions.jsonl").read_text().splitlines()
]


@pytest.fixture(scope="module")
def by_meaning() -> list[ComparedQuery]:
    vectors = MODEL.embed_blocking([english_of(one.question) for one in CHECKED])
    return [ComparedQuery(one.question, one.description, vector) for one, vector in zip(CHECKED, vectors, strict=True)]


def found(question: str, known: list[ComparedQuery]) -> str | None:
    vector = None if known[0].vector is None else MODEL.embed_blocking([english_of(question)])[0]
    fitting = [one.query for one, fit in zip(CHECKED, fit_all(question, vector, known), strict=True) if fit.fits]
    assert len(fitting) <= 1
    return fitting[0] if fitting else None


def test_paraphrases_in_two_languages_find_their_query_and_no_other(by_meaning: list[ComparedQuery]) -> None:
    answers = [(query, found(text, by_meaning)) for query, texts in PARAPHRASES.items() for text in texts]
    assert len(answers) == 40
    assert sum(wanted == got for wanted, got in answers) >= 34
    assert all(got in (wanted, None) for wanted, got in answers)


def test_paraphrases_that_the_rules_were_not_made_for(by_meaning: list[ComparedQuery]) -> None:
    answers = [(query, found(text, by_meaning)) for query, texts in UNSEEN_PARAPHRASES.items() for text in texts]
    assert sum(wanted == got for wanted, got in answers) >= 22
    assert all(got in (wanted, None) for wanted, got in answers)


@pytest.mark.parametrize("question", NEAR_MISSES)
def test_a_subject_that_the_query_does_not_name_does_not_fit(question: str, by_meaning: list[ComparedQuery]) -> None:
    assert found(question, by_meaning) is None


def test_the_questions_themselves_fit(by_meaning: list[ComparedQuery]) -> None:
    assert [found(one.question, by_meaning) for one in CHECKED] == [one.query for one in CHECKED]


def test_questions_of_documents_and_of_other_figures_fit_none(by_meaning: list[ComparedQuery]) -> None:
    assert {question: found(question, by_meaning) for question in (*OTHERS, *HANDBOOK)} == dict.fromkeys(
        (*OTHERS, *HANDBOOK)
    )


def test_words_alone_find_less_and_nothing_wrong() -> None:
    known = [ComparedQuery(one.question, one.description, None) for one in CHECKED]
    answers = [(query, found(text, known)) for query, texts in PARAPHRASES.items() for text in texts]
    assert sum(wanted == got for wanted, got in answers) >= 12
    assert all(got in (wanted, None) for wanted, got in answers)
    assert all(found(question, known) is None for question in (*OTHERS, *HANDBOOK))


@pytest.mark.parametrize(
    "question",
    [
        "Which hubs have the most technicians of level 3?",
        "Which hubs have the fewest technicians of level 2?",
        "Which region's returns fell most last quarter?",
        "Which region's returns rose most last year?",
        "Did we keep the four-hour promise on the Islands in March?",
        "Did we keep the four-hour promise in Midvale in October?",
        "Net revenue in FY26 Q1 in euro, by product family?",
        "Net revenue in FY27 Q3 in euro, by salesperson?",
        "Quali hub hanno più tecnici di livello 2?",
    ],
)
def test_another_number_period_place_group_or_direction_does_not_fit(
    question: str, by_meaning: list[ComparedQuery]
) -> None:
    assert found(question, by_meaning) is None


def test_nothing_is_compared_with_nothing() -> None:
    assert fit_all("How many orders are there?", None, []) == []
