from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.chat.path import TurnTree


def turn(number: int) -> UUID:
    return UUID(int=number)


TREE = TurnTree([(turn(1), None), (turn(2), turn(1)), (turn(3), turn(2)), (turn(4), turn(1)), (turn(5), None)])


def test_a_version_replaces_what_follows_it() -> None:
    assert TREE.path_to(turn(3)) == [turn(1), turn(2), turn(3)]
    assert TREE.path_to(turn(4)) == [turn(1), turn(4)]
    assert TREE.versions(turn(2)) == [turn(2), turn(4)]
    assert TREE.versions(turn(1)) == [turn(1), turn(5)]


def test_an_older_version_brings_back_what_followed_it() -> None:
    assert TREE.newest_end(turn(2)) == turn(3)
    assert TREE.newest_end(turn(1)) == turn(4)
    assert TREE.path_to(None) == []


@given(st.lists(st.integers(0, 100), min_size=1, max_size=40))
def test_every_path_is_dense_from_the_first_position(choices: list[int]) -> None:
    nodes: list[tuple[UUID, UUID | None]] = []
    for index, choice in enumerate(choices, start=1):
        parent = choice % index
        nodes.append((turn(index), turn(parent) if parent else None))
    tree = TurnTree(nodes)
    for turn_id, _ in nodes:
        path = tree.path_to(turn_id)
        assert path[-1] == turn_id
        assert path == tree.path_to(tree.newest_end(turn_id))[: len(path)]
        assert turn_id in tree.versions(turn_id)
