"""Figures of an answer against the results that carry them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.chat.contracts import Figure, QueryRows
from knowledgestack.chat.figures import check_figures
from tests.support.held_out_figures import held_out_answers
from tests.support.labelled_figures import (
    BIG,
    REGIONS,
    REVENUE,
    SUPPLIERS,
    LabelledAnswer,
    labelled_answers,
    rows_of,
)
from tests.support.row_figures import ROW_WORDS, row_answers
from tests.support.row_figures_after import row_answers_after


def checked(answer: str, *results: QueryRows, question: str = "") -> dict[str, Figure]:
    return {answer[figure.start : figure.end]: figure for figure in check_figures(answer, results, [], question)}


def measured(answers: list[LabelledAnswer]) -> tuple[list[str], list[str], int, int]:
    """False alarms, missed inventions, figures that are carried, and figures that are not."""
    alarms, misses, carried, invented = list[str](), list[str](), 0, 0
    for answer in answers:
        figures = check_figures(answer.text, answer.results, [], answer.question)
        for start, end, is_carried in answer.figures:
            kinds = [figure.kind for figure in figures if figure.start < end and figure.end > start]
            refused = kinds in ([], ["unsupported"]) if is_carried else kinds == ["unsupported"]
            carried, invented = carried + is_carried, invented + (not is_carried)
            if is_carried and refused:
                alarms.append(answer.text[start:end])
            if not is_carried and not refused:
                misses.append(answer.text[start:end])
    return alarms, misses, carried, invented


def test_hardly_any_figure_that_the_results_carry_is_refused() -> None:
    alarms, misses, carried, invented = measured(labelled_answers())
    assert carried + invented >= 100
    assert len(alarms) <= 0.02 * carried, alarms
    assert len(misses) <= 0.1 * invented, misses


def test_figures_of_other_shapes_fare_no_worse() -> None:
    alarms, misses, carried, invented = measured(held_out_answers())
    assert len(alarms) <= 0.02 * carried, alarms
    assert len(misses) <= 0.2 * invented, misses


def test_a_figure_comes_from_the_row_that_is_named_beside_it() -> None:
    alarms, misses, carried, invented = measured(row_answers())
    assert carried + invented >= 80
    assert len(alarms) <= 0.02 * carried, alarms
    assert len(misses) <= 0.1 * invented, misses


def test_rows_that_are_named_in_other_shapes_fare_no_worse() -> None:
    alarms, misses, carried, invented = measured(row_answers_after())
    assert carried + invented >= 45
    assert len(alarms) <= 0.02 * carried, alarms
    assert len(misses) <= 0.3 * invented, misses


@pytest.mark.parametrize(("answer", "results"), ROW_WORDS)
def test_numbers_in_the_words_of_a_row_or_a_column_are_no_figures(answer: str, results: list[QueryRows]) -> None:
    assert check_figures(answer, results, [], "") == []


def test_the_column_that_is_named_comes_first() -> None:
    same = rows_of("Q1", "region:text, quarter_before:bigint, last_quarter:bigint", "Lakes | 60 | 60", "North | 1 | 2")
    (figure,) = check_figures("**Lakes** — last quarter: 60 [Q1]", [same], [], "")
    assert figure.refs == ["Q1:0:2"]


def test_a_long_table_without_figures_is_read() -> None:
    answer = "| Region | Note |\n" + "| North | none |\n" * 3000 + "| North | 131 |\n| Lakes | 131 |"
    kinds = [figure.kind for figure in check_figures(answer, [REGIONS], [], "")]
    assert kinds == ["cell", "unsupported"]


def test_a_word_of_the_language_names_no_row() -> None:
    countries = rows_of("Q1", "country:text, n:bigint", "IT | 1310", "IN | 970")
    assert checked("It has 970 [Q1].", countries)["970"].kind == "cell"
    assert checked("In 1 country it is 1,310 [Q1].", countries)["1,310"].kind == "cell"
    assert checked("IT has 970 [Q1].", countries)["970"].kind == "unsupported"
    assert checked("- **it**: 970 [Q1]", countries)["970"].kind == "unsupported"


def test_a_cell_is_named_and_the_row_that_the_sentence_names_comes_first() -> None:
    twice = rows_of("Q1", "region:text, returns:bigint", "North | 60", "Lakes | 60")
    assert checked("Lakes had 60 returns [Q1].", twice)["60"].refs == ["Q1:1:1"]


def test_arithmetic_is_written_out() -> None:
    figures = checked("On the Islands returns rose by 22 [Q1], or 53.7 % [Q1].", REGIONS)
    assert (figures["22"].kind, figures["22"].formula) == ("derived", "63 - 41 = 22")
    assert figures["53.7 %"].formula == "(63 - 41) / 41 = 0.536585"
    assert figures["53.7 %"].refs == ["Q1:4:1", "Q1:4:2"]


def test_what_a_cut_result_lacks_is_never_summed_or_counted() -> None:
    total = sum(int(row[1] or 0) for row in BIG.rows)
    assert checked(f"The indices sum to {total} [Q1].", BIG)[str(total)].kind == "unsupported"


@pytest.mark.parametrize(
    ("answer", "figure"),
    [
        ("The total is 2,468,772.10 euro [Q1].", "2,468,772.10"),
        ("Il totale è 2.468.772,10 euro [Q1].", "2.468.772,10"),
        ("Le total est 2 468 772,10 euros [Q1].", "2 468 772,10"),
        ("Das Total ist 2'468'772.10 Euro [Q1].", "2'468'772.10"),
        ("The total is €2.47 million [Q1].", "2.47 million"),
        ("The total is €2,469k [Q1].", "2,469k"),
        ("Il totale è 2,47 mln di euro [Q1].", "2,47 mln"),
    ],
)
def test_a_number_is_read_in_every_locale_and_scale(answer: str, figure: str) -> None:
    assert checked(answer, REVENUE)[figure].kind == "derived"


def test_a_figure_is_rounded_not_cut() -> None:
    assert checked("Filter made 214,077 euro [Q1].", REVENUE)["214,077"].kind == "cell"
    assert checked("Bean-to-cup made 1.29 million euro [Q1].", REVENUE)["1.29 million"].kind == "unsupported"


def test_minor_units_are_read_as_whole_ones() -> None:
    assert checked("Tarn & Sons cost 48,213.50 euro [Q1].", SUPPLIERS)["48,213.50"].refs == ["Q1:0:1"]


def test_numbers_of_the_question_of_codes_and_of_lists_are_no_figures_of_a_result() -> None:
    answer = "1. In FY27 Q3 the top 3 families [Q1]:\n2. see `SELECT 77` and SL-0726 [Q1]"
    assert checked(answer, REVENUE, question="The top 3 families?") == {}


def test_sentences_that_cite_passages_alone_are_left_to_their_check() -> None:
    assert checked("The restocking fee is 12 percent [1].", REVENUE) == {}


def test_a_sentence_without_a_mark_is_checked_too() -> None:
    assert checked("Revenue was 9,999,999 euro.", REVENUE)["9,999,999"].kind == "unsupported"


@given(st.text(alphabet="0123456789.,'% \u00a0-kM[]Q1:/ax\n|*()Lakes", max_size=120))
def test_any_text_is_read_and_ranges_lie_within_it(text: str) -> None:
    for figure in check_figures(text, [REGIONS], [], ""):
        assert 0 <= figure.start < figure.end <= len(text)
