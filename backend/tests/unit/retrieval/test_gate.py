from dataclasses import dataclass

import pytest

from knowledgestack.retrieval.coverage import best_sentence, inverse_frequencies
from knowledgestack.retrieval.gate import JUDGED_HITS, accepts

FLOOR = 0.3


@dataclass(frozen=True)
class Hit:
    cosine: float | None
    coverage: float


@pytest.mark.parametrize(
    ("cosine", "coverage", "passes"),
    [
        (0.6, 0.5, True),
        (0.5, 0.1, False),  # near in meaning, but it holds none of the words: the usual false answer
        (0.1, 0.4, False),
        (0.05, 1.0, True),  # an exact code or name that the model does not know
        (0.75, 0.1, True),  # other words for the same thing
        (None, 0.6, True),
        (None, 0.3, False),
    ],
)
def test_cosine_and_coverage_decide_together(cosine: float | None, coverage: float, passes: bool) -> None:
    assert accepts([Hit(cosine, coverage)], FLOOR) is passes


def test_without_a_model_words_alone_decide() -> None:
    assert accepts([Hit(None, 0.9)], None)
    assert not accepts([Hit(None, 0.2)], None)
    assert not accepts([], FLOOR)


def test_a_late_hit_does_not_carry_a_question_that_the_first_ones_fail() -> None:
    weak = [Hit(0.1, 0.1)] * JUDGED_HITS
    assert not accepts([*weak, Hit(0.9, 0.9)], FLOOR)
    assert accepts([*weak[1:], Hit(0.9, 0.9)], FLOOR)


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    weights = inverse_frequencies({"warranti": 40, "grinder": 1}, 50)
    assert weights["grinder"] > 5 * weights["warranti"] > 0


def test_the_best_sentence_is_the_one_with_most_of_the_question() -> None:
    text = "Coffee is served all day. The grinder has a warranty of two years. Call us."
    question = frozenset({"grinder", "warranti", "year"})
    best = best_sentence(text, "en", ("Machines",), question, dict.fromkeys(question, 1.0))
    assert text[best.span.start : best.span.end] == "The grinder has a warranty of two years."
    assert best.coverage == pytest.approx(1.0)


def test_words_of_title_and_headings_count_for_every_sentence() -> None:
    question = frozenset({"grinder", "year"})
    weights = dict.fromkeys(question, 1.0)
    best = best_sentence("It lasts two years.", "en", ("Grinders", "Warranty"), question, weights)
    assert best.coverage == pytest.approx(1.0)
