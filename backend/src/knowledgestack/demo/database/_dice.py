"""Chance that falls the same on every machine and every Python."""

import random
from collections.abc import Sequence
from typing import TypeVar

Thing = TypeVar("Thing")


class Dice:
    """Draws from `random.random()` alone: the other draws of the standard library may change between versions."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(f"quillmoor {seed}").random  # noqa: S311 (no secret: it has to be repeatable)

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit` - 1."""
        return int(self._random() * limit)

    def between(self, low: int, high: int) -> int:
        """A whole number, both ends possible."""
        return low + self.below(high - low + 1)

    def chance(self, per_mille: int) -> bool:
        return self.below(1000) < per_mille

    def pick(self, things: Sequence[Thing]) -> Thing:
        return things[self.below(len(things))]

    def weighted(self, things: Sequence[tuple[Thing, int]]) -> Thing:
        """Each thing beside its weight."""
        left = self.below(sum(weight for _, weight in things))
        for thing, weight in things:
            left -= weight
            if left < 0:
                return thing
        raise AssertionError("the weights are whole and positive")

    def shuffled(self, things: Sequence[Thing]) -> list[Thing]:
        left = list(things)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]
