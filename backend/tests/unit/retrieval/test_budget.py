from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.core.ids import new_id
from knowledgestack.documents.contracts import TextRange
from knowledgestack.retrieval.budget import FLOOR, within_budget
from knowledgestack.retrieval.hits import SearchHit
from knowledgestack.retrieval.snippets import snippet


def hit(score: float = 1.0, tokens: int = 100, text: str = "text", sentence: tuple[int, int] = (0, 4)) -> SearchHit:
    return SearchHit(
        chunk_id=new_id(),
        document_id=new_id(),
        source_id=new_id(),
        title="Title",
        url=None,
        provider="upload",
        type="markdown",
        heading_path=(),
        text=text,
        kind="paragraph",
        range=TextRange(start=0, end=len(text)),
        token_count=tokens,
        score=score,
        cosine=None,
        coverage=0.0,
        best_sentence=TextRange(start=sentence[0], end=sentence[1]),
        question_terms=frozenset({"grinder"}),
        match_kind="lexical",
        author=None,
        updated_at=datetime.now(UTC),
        content_hash=None,
        language="en",
    )


def test_the_nearest_six_are_given_whatever_they_score() -> None:
    hits = [hit(1.0), *(hit(0.01) for _ in range(9))]
    assert within_budget(hits, 4_000) == hits[:FLOOR]


def test_beyond_six_relevant_hits_follow_as_long_as_they_fit() -> None:
    hits = [hit(1.0 - number / 100) for number in range(20)]
    assert len(within_budget(hits, 1_000)) == 10


def test_a_hit_that_does_not_fit_is_passed_over_for_smaller_ones() -> None:
    large, small = hit(0.9, tokens=500), hit(0.8, tokens=50)
    assert within_budget([hit(1.0, tokens=100), large, small], 200)[1:] == [small]


def test_one_hit_larger_than_the_budget_is_still_given() -> None:
    assert len(within_budget([hit(tokens=5_000)], 100)) == 1
    assert within_budget([], 100) == []


@given(st.lists(st.integers(1, 512), max_size=40), st.integers(1, 6_000))
def test_the_budget_holds_for_all_but_the_first(sizes: list[int], budget: int) -> None:
    kept = within_budget([hit(tokens=size) for size in sizes], budget)
    assert sum(item.token_count for item in kept[1:]) <= budget
    assert len(kept) <= len(sizes)


def test_a_snippet_begins_at_the_best_sentence_and_marks_the_words_asked_for() -> None:
    before, sentence = "Coffee all day. " * 40, "Grinders and the grinder’s parts last. "
    text = before + sentence + "Other things follow here. " * 40
    cut, marks = snippet(hit(text=text, sentence=(len(before), len(before) + len(sentence))))
    assert cut.startswith("Grinders and")
    assert len(cut) <= 280
    assert [cut[mark.start : mark.end] for mark in marks] == ["Grinders", "grinder’s"]
