import asyncio

import pytest

from knowledgestack.chat.titles import clean_title, model_title, question_title
from knowledgestack.models.chat import ModelFailed, TextDelta
from tests.support.scripted_model import ScriptedModel, said


def test_a_long_question_is_cut_at_a_word() -> None:
    title = question_title("What is the difference between a new and a refurbished machine in the warranty rules?")
    assert title == "What is the difference between a new and a refurbished…"
    assert question_title("x" * 100) == "x" * 60 + "…"
    assert question_title(" Two\n lines ") == "Two lines"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('"Return window"', "Return window"),
        ("Title: **Return window**.", "Return window"),
        ("\n# Return window\nmore", "Return window"),
        ("Titolo: «Resi»", "Resi"),
        ("", ""),
    ],
)
def test_a_title_is_one_plain_line(text: str, title: str) -> None:
    assert clean_title(text) == title


async def test_the_model_names_the_chat_in_a_call_of_its_own() -> None:
    model = ScriptedModel(said("Return", " window"))
    title, spent = await model_title(model, "What is the return window?", "30 days.")
    assert (title, spent.input_tokens if spent else None) == ("Return window", 10)
    assert model.requests[0].tools == ()


async def test_a_failed_call_gives_no_title() -> None:
    assert await model_title(ScriptedModel([ModelFailed("No.")]), "q", "a") == ("", None)


async def test_a_slow_call_is_not_waited_for() -> None:
    async with asyncio.timeout(4):
        assert await model_title(ScriptedModel([TextDelta("Return"), 600.0]), "q", "a") == ("", None)
