from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.documents.candidates import Candidate
from knowledgestack.retrieval.fusion import FUSION_STRATEGIES, mixing, reciprocal_rank


def candidate(number: int, score: float, *, document: int = 0, index: int = 0) -> Candidate:
    return Candidate(UUID(int=number), UUID(int=document), index, score)


def test_the_first_hit_of_one_leg_alone_scores_one_sixty_first() -> None:
    [hit] = reciprocal_rank([candidate(1, 0.9)], [])
    assert hit.score == 1 / 61


def test_a_hit_of_both_legs_gets_the_sum() -> None:
    hits = reciprocal_rank([candidate(1, 0.9), candidate(2, 0.8)], [candidate(2, 7.0)])
    assert [hit.chunk_id.int for hit in hits] == [2, 1]
    assert hits[0].score == 1 / 62 + 1 / 61


def test_ties_are_broken_by_document_then_by_chunk_index() -> None:
    dense = [candidate(1, 0.9, document=2, index=0), candidate(2, 0.8, document=1, index=7)]
    lexical = [candidate(2, 5.0, document=1, index=7), candidate(1, 4.0, document=2, index=0)]
    assert [hit.document_id.int for hit in reciprocal_rank(dense, lexical)] == [1, 2]
    one_document = [candidate(5, 0.9, document=1, index=3)], [candidate(4, 2.0, document=1, index=1)]
    assert [hit.chunk_index for hit in reciprocal_rank(*one_document)] == [1, 3]


def test_mixing_scales_each_list_from_zero_to_one_and_takes_half_of_each() -> None:
    dense = [candidate(1, 0.8), candidate(2, 0.6), candidate(3, 0.4)]
    lexical = [candidate(2, 10.0), candidate(4, 2.0)]
    scores = {hit.chunk_id.int: round(hit.score, 6) for hit in mixing(dense, lexical)}
    assert scores == {1: 0.5, 2: 0.75, 3: 0.0, 4: 0.0}


def test_where_one_leg_found_nothing_the_other_counts_whole() -> None:
    assert [hit.score for hit in mixing([], [candidate(1, 3.0), candidate(2, 1.0)])] == [1.0, 0.0]
    assert [hit.score for hit in mixing([candidate(1, 0.3)], [])] == [1.0]


legs = st.lists(
    st.builds(
        candidate,
        st.integers(0, 30),
        st.floats(-1, 1),
        document=st.integers(0, 3),
        index=st.integers(0, 5),
    ),
    max_size=20,
    unique_by=lambda item: item.chunk_id,
)


@given(legs, legs, st.sampled_from(sorted(FUSION_STRATEGIES)))
def test_fusion_loses_and_invents_nothing(dense: list[Candidate], lexical: list[Candidate], name: str) -> None:
    fused = FUSION_STRATEGIES[name](dense, lexical)
    assert {hit.chunk_id for hit in fused} == {hit.chunk_id for hit in (*dense, *lexical)}
    assert len({hit.chunk_id for hit in fused}) == len(fused)
    assert [hit.score for hit in fused] == sorted((hit.score for hit in fused), reverse=True)
