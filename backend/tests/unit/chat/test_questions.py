from uuid import UUID

import pytest

from knowledgestack.chat.language import language_of
from knowledgestack.chat.questions import follow_up_questions, suggested_questions
from knowledgestack.documents.facts import DocumentHeading

ONE, TWO = UUID(int=1), UUID(int=2)


def heading(text: str, document: UUID = ONE, title: str = "Handbook: all rules") -> DocumentHeading:
    return DocumentHeading(document, title, ("Handbook", text))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Return rate", "What does “Handbook” say about return rate?"),
        ("3.2 Return rate", "What does “Handbook” say about return rate?"),
        ("Status K", "What does “Handbook” say about status K?"),
        ("SL-0726 recall", "What does “Handbook” say about SL-0726 recall?"),
        ("RMA numbers", "What does “Handbook” say about RMA numbers?"),
        ("North Sea Region", "What does “Handbook” say about North Sea Region?"),
        ("What changed from FY24", "What does “Handbook” say about what changed from FY24?"),
        ("How to return a machine", "How do I return a machine?"),
        ("Who signs a contract?", "Who signs a contract?"),
        ("**Net** [return rate](x.md)", "What does “Handbook” say about net return rate?"),
    ],
)
def test_a_heading_becomes_a_question_that_reads_well(text: str, question: str) -> None:
    assert [item.question for item in suggested_questions([heading(text)], "en", limit=3)] == [question]


@pytest.mark.parametrize(
    "text",
    [
        "Overview",
        "1. Introduction",
        "How long",
        "What is in it",
        "The short version",
        "In breve",
        "Table of contents",
        "2024",
        "-",
        "Panoramica",
        "x" * 90,
    ],
)
def test_a_heading_that_names_nothing_asks_nothing(text: str) -> None:
    assert suggested_questions([heading(text)], "en", limit=3) == []


def test_the_title_of_a_document_asks_only_after_its_sections() -> None:
    title = DocumentHeading(ONE, "Return rules", ("Return rules",))
    items = suggested_questions([title, heading("Fees")], "en", limit=3)
    assert [item.heading for item in items] == ["Fees", "Return rules"]
    assert follow_up_questions([title], "en", asked="", limit=3) == []


def test_every_document_gets_its_turn() -> None:
    headings = [heading("Fees"), heading("Deadlines"), heading("Repairs"), heading("Holidays", TWO)]
    items = suggested_questions(headings, "it", limit=3)
    assert [item.heading for item in items] == ["Fees", "Holidays", "Deadlines"]
    assert items[0].question == "Che cosa dice «Handbook» su fees?"


def test_the_question_just_asked_is_not_proposed_again() -> None:
    headings = [heading("Fees"), heading("Deadlines")]
    assert follow_up_questions(headings, "en", asked="what does “Handbook” say about fees?", limit=3) == [
        "What does “Handbook” say about deadlines?"
    ]


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("it", "it"),
        ("it-CH,de;q=0.9", "it"),
        ("en;q=0.5,it;q=0.8", "it"),
        ("de,fr", "en"),
        ("en-GB,it;q=0.9", "en"),
        ("it;q=junk", "en"),
        (";;;,,", "en"),
    ],
)
def test_the_language_is_what_the_browser_prefers(header: str | None, language: str) -> None:
    assert language_of(header) == language
