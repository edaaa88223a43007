import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledgestack.chat.marks import MarkFilter, find_marks, without_marks


def shown(parts: list[str], known: set[str]) -> str:
    marks = MarkFilter(lambda label: label in known)
    return "".join(marks.push(part) for part in parts) + marks.finish()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Twelve percent [1].", "Twelve percent [1]."),
        ("Twelve percent [9].", "Twelve percent."),
        ("Both [1, 9] hold", "Both [1] hold"),
        ("Both [1][2] hold", "Both [1][2] hold"),
        ("Three [1-3]", "Three [1][2]"),
        ("Rows [Q1] show", "Rows show"),
        ("A [link](https://example.org) stays", "A [link](https://example.org) stays"),
        ("- [ ] open\n- [x] shut", "- [ ] open\n- [x] shut"),
        ("code `a[9]` stays [9]", "code `a[9]` stays"),
        ("a lone ` tick [9] is text\nnext", "a lone ` tick is text\nnext"),
        ("```python\na[9] = 1\n```\nthen [9] goes", "```python\na[9] = 1\n```\nthen goes"),
        ("- item\n  ```\n  a[9]\n  ```\n[9]x", "- item\n  ```\n  a[9]\n  ```\nx"),
        ("[[9]7]", "[…7]"),
        ("[12", "[12"),
        ("trailing  ", "trailing  "),
    ],
)
def test_a_mark_that_points_to_nothing_is_left_out(text: str, expected: str) -> None:
    assert shown([text], {"1", "2"}) == expected
    assert shown(list(text), {"1", "2"}) == expected


def test_text_before_a_bracket_is_shown_at_once() -> None:
    marks = MarkFilter(lambda _: True)
    assert marks.push("Open at nine [") == "Open at nine"
    assert marks.push("1") == ""
    assert marks.push("] on") == " [1] on"


def test_a_long_line_after_a_backtick_is_not_held_back_for_ever() -> None:
    marks = MarkFilter(lambda _: True)
    assert len(marks.push("`" + "word " * 200)) > 900


ALPHABET = st.text(alphabet="[]12Q,- `\nab(", max_size=60)


@settings(max_examples=600)
@given(text=ALPHABET, cuts=st.lists(st.integers(0, 60), max_size=8))
def test_any_split_shows_the_same(text: str, cuts: list[int]) -> None:
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    parts = [text[start:end] for start, end in pairwise(places)]
    assert shown(parts, {"1"}) == shown([text], {"1"})


@settings(max_examples=600)
@given(text=st.text(alphabet="[]19 a", max_size=20))
def test_no_unknown_mark_is_ever_shown(text: str) -> None:
    assert {label for _, _, labels in find_marks(shown([text], {"1"})) for label in labels} <= {"1"}


@given(text=st.text(alphabet="ab[]9 ", max_size=40))
def test_what_is_left_out_is_marks_and_spaces_only(text: str) -> None:
    assert re.sub(r"[\[\]9… ]", "", shown([text], set())) == re.sub(r"[\[\]9 ]", "", text)


def test_marks_are_found_with_their_places() -> None:
    assert find_marks("é [1] and `x[2]` [3, 4]") == [(2, 5, ("1",)), (17, 23, ("3", "4"))]


def test_marks_are_taken_out_of_old_answers() -> None:
    assert without_marks("Nine days [1][2], at most [3].") == "Nine days, at most."
