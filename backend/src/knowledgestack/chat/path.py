"""The tree of a chat's turns: positions, versions and the path on the screen."""

from collections import defaultdict
from collections.abc import Iterable
from uuid import UUID


class TurnTree:
    """Turns by what they follow. Ids are UUIDv7, so a later version sorts after an earlier one."""

    def __init__(self, nodes: Iterable[tuple[UUID, UUID | None]]) -> None:
        """`nodes` are pairs of a turn's id and that of the turn it follows."""
        self._parents = dict(nodes)
        self._children: dict[UUID | None, list[UUID]] = defaultdict(list)
        for turn_id in sorted(self._parents):
            self._children[self._parents[turn_id]].append(turn_id)

    def __contains__(self, turn_id: UUID) -> bool:
        return turn_id in self._parents

    def path_to(self, turn_id: UUID | None) -> list[UUID]:
        """The turns from the first position down to this one."""
        path: list[UUID] = []
        while turn_id is not None:
            path.append(turn_id)
            turn_id = self._parents[turn_id]
        return path[::-1]

    def versions(self, turn_id: UUID) -> list[UUID]:
        """All turns at this one's position that follow the same turn, oldest first."""
        return list(self._children[self._parents[turn_id]])

    def newest_end(self, turn_id: UUID) -> UUID:
        """The last turn of the path that goes on from this one by the newest version at each position."""
        while self._children.get(turn_id):
            turn_id = self._children[turn_id][-1]
        return turn_id
