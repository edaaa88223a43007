from knowledgestack.chat._repeated import outside_of
from knowledgestack.chat.contracts import Figure


def figure(answer: str, words: str) -> Figure:
    start = answer.index(words)
    return Figure(start=start, end=start + len(words), kind="cell", refs=["Q1:0:0"], formula=None)


def test_figures_in_the_words_of_a_verified_query_are_left_out() -> None:
    answer = "There are 9 [Q1].\n\nVisits within 240 minutes, column a\\_b. Pages 15\nand 16."
    given = ["", "Visits within 240 minutes, column a_b. Pages 15 and 16."]
    own, quoted, page = figure(answer, "9"), figure(answer, "240"), figure(answer, "16")
    assert outside_of(given, answer, [own, quoted, page]) == [own]


def test_other_words_take_nothing_away() -> None:
    answer = "There are 9 [Q1]."
    assert outside_of(["There are 10"], answer, [figure(answer, "9")]) == [figure(answer, "9")]
