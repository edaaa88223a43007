import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.lexicon.sentences import split_sentences


def sentences(text: str, language: str = "en") -> list[str]:
    return [text[span.start : span.end] for span in split_sentences(text, language)]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("He left. She stayed!", "en", ["He left.", "She stayed!"]),
        ("Dr. Rossi paid 10.50 euro. It was late.", "en", ["Dr. Rossi paid 10.50 euro.", "It was late."]),
        ("See e.g. page 3, fig. 4. Then stop.", "en", ["See e.g. page 3, fig. 4.", "Then stop."]),
        ("J. Smith wrote it. Really?", "en", ["J. Smith wrote it.", "Really?"]),
        ("“Stop.” He went on.", "en", ["“Stop.”", "He went on."]),
        ("Wait... what? Yes.", "en", ["Wait...", "what?", "Yes."]),
        ("Il sig. Bianchi paga. Ecco, p.es. così.", "it", ["Il sig. Bianchi paga.", "Ecco, p.es. così."]),
        ("Das gilt z.B. für Geräte. Ende.", "de", ["Das gilt z.B. für Geräte.", "Ende."]),
        ("日本語です。次の文！終わり", "ja", ["日本語です。", "次の文！", "終わり"]),
        ("A wrapped\nline. Next", "en", ["A wrapped\nline.", "Next"]),
        (
            "- one. Two\n- three\n1. First step.\n2. Second",
            "en",
            ["- one.", "Two", "- three", "1. First step.", "2. Second"],
        ),
        ("| a | b |\n| 1. x | 2 |\nafter", "en", ["| a | b |", "| 1. x | 2 |", "after"]),
        ("## Head\nText here", "en", ["## Head", "Text here"]),
        ("", "en", []),
        (" \n ", "en", []),
    ],
)
def test_sentences(text: str, language: str, expected: list[str]) -> None:
    assert sentences(text, language) == expected


@given(st.text(alphabet=st.characters() | st.sampled_from(list(".!? \n-|#1。")), max_size=400))
def test_nothing_but_white_space_is_left_out(text: str) -> None:
    position = 0
    for span in split_sentences(text, "en"):
        assert position <= span.start < span.end
        assert text[position : span.start].strip() == ""
        assert text[span.start : span.end] == text[span.start : span.end].strip()
        position = span.end
    assert text[position:].strip() == ""


@pytest.mark.parametrize(
    "text", ["." * 200_000, "a. " * 100_000, "\n" * 200_000, " " * 200_000, "a" * 500_000, "|" * 200_000]
)
def test_hostile_text_takes_linear_time(text: str) -> None:
    began = time.process_time()
    split_sentences(text, "en")
    assert time.process_time() - began < 5
