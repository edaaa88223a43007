"""`SLSSUM`, the sales table that was frozen at the end of FY24: four runs a month since February 2006."""

from collections.abc import Iterator

from knowledgestack.demo.database._dice import Dice

_MONTHS = 18 * 12
_RUNS = 4
# Region → whole euro of an average run, and the change over the years in per cent.
_REGIONS = {10: (61000, 70), 20: (52000, 55), 30: (66000, 80), 41: (9200, -22), 42: (14800, -28), 90: (7400, 10)}


def frozen_rows() -> Iterator[tuple[object, ...]]:
    dice = Dice("frozen")
    for month in range(_MONTHS):
        year, place = divmod(month + 1, 12)
        for region, (usual, change) in _REGIONS.items():
            level = usual + usual * change * month // (_MONTHS * 100)
            for _ in range(_RUNS):
                yield 2006 + year, place + 1, region, level * dice.between(78, 124) // 100
