"""Whatever a document holds, the local answerer reads it without failing and marks nothing that it was not given."""

import asyncio
import re
from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledgestack.chat.marks import find_marks
from knowledgestack.lexicon.italian import english_words
from knowledgestack.models._local_passages import parse_reply
from knowledgestack.models._local_question import Kind, read_question
from knowledgestack.models._local_units import cut_units
from knowledgestack.models.chat import AssistantMessage, ModelRequest, TextDelta, ToolCall, ToolResult, UserMessage
from knowledgestack.models.local import SEARCH_TOOL, LocalAnswerer

MARKDOWN = st.lists(
    st.one_of(
        st.text(max_size=60),
        st.sampled_from(
            [
                "# A",
                "| a | b |",
                "| --- | --- |",
                "| 1 | [2] |",
                "1. one",
                "- two",
                "```",
                "~~~",
                "> q",
                "**x**: y",
                "[3]",
                "",
                "*",
            ]
        ),
    ),
    max_size=25,
).map("\n".join)


def reply(text: str, title: str = "Page") -> str:
    own = re.sub("<(?=/?passage)", "&lt;", text, flags=re.IGNORECASE)
    return (
        f'<passages query="q" sources="1" count="1">\n<passage n="1" title="{escape(title)}" heading="" coverage="1.00"'
        f' cosine="0.99" document="d">\n{own}\n</passage>\n</passages>'
    )


async def answer(question: str, result: str) -> str:
    call = ToolCall("1", SEARCH_TOOL, "{}")
    messages = (UserMessage(question), AssistantMessage("", (call,)), ToolResult("1", result))
    request = ModelRequest(instructions="", messages=messages)
    return "".join([event.text async for event in LocalAnswerer().stream(request) if isinstance(event, TextDelta)])


@given(text=MARKDOWN, question=st.text(min_size=1, max_size=80))
@settings(max_examples=150)
def test_any_passage_and_question_give_an_answer_without_foreign_marks(text: str, question: str) -> None:
    said = asyncio.run(answer(question, reply(text)))
    assert said.strip()
    if not said.startswith("This is not in your documents."):
        assert {label for _, _, labels in find_marks(said) for label in labels} <= {"1"}


@given(text=MARKDOWN, title=st.text(max_size=30))
def test_a_passage_is_read_back_as_it_was_written(text: str, title: str) -> None:
    found = parse_reply(reply(text, title))
    assert found is not None
    (passage,) = found.passages
    assert passage.title == title.replace(
        "\r", passage.title[passage.title.find("\r")] if "\r" in passage.title else ""
    )
    assert passage.text.strip("\r\n") == text.strip("\r\n")


@given(text=MARKDOWN)
def test_units_hold_words_of_the_passage_and_lie_on_one_line_unless_they_are_code(text: str) -> None:
    found = parse_reply(reply(text))
    assert found is not None
    for unit in cut_units(found.passages[0], "en"):
        assert unit.plain.strip()
        assert unit.group.kind == "code" or "\n" not in unit.shown


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How do I return a machine?", Kind.HOW_TO),
        ("Come faccio a restituire una macchina?", Kind.HOW_TO),
        ("What is the difference between a swap and a return?", Kind.DIFFERENCE),
        ("Qual è la differenza tra un reso e un cambio?", Kind.DIFFERENCE),
        ("May I work from another country?", Kind.POLICY),
        ("Chi può vedere il numero di telefono?", Kind.POLICY),
        ("Which hubs are in Midvale?", Kind.OTHER),
    ],
)
def test_the_kind_of_a_question_is_read_from_its_first_words(question: str, kind: Kind) -> None:
    assert read_question([question]).kind is kind


def test_a_chain_of_follow_ups_goes_back_to_the_question_that_stands_alone() -> None:
    read = read_question(["How long is the warranty?", "And on refurbished machines?", "And for those of FY24?"])
    assert read.text == "How long is the warranty? And on refurbished machines? And for those of FY24?"
    assert read.kind is Kind.OTHER or read.kind is Kind.POLICY


def test_is_it_allowed_points_at_nothing_before() -> None:
    read = read_question(["How long is the warranty?", "Is it allowed to smoke?"])
    assert read.text == "Is it allowed to smoke?"


@pytest.mark.parametrize(
    ("italian", "english"),
    [
        ("Quanto guadagna l'amministratore delegato?", {"chief", "executive"}),
        ("la garanzia delle macchine ricondizionate", {"warranty", "machine", "refurbished"}),
        ("Entro quanti giorni devo presentare le note spese?", {"within", "days", "submit", "expense", "claims"}),
        ("accesso a BRAMBLE e codice SL-0726", {"access", "bramble", "sl-0726"}),
    ],
)
def test_italian_words_become_english_and_names_stay(italian: str, english: set[str]) -> None:
    assert english <= set(english_words(italian).split())
