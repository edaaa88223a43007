"""Returns: so many units in each quarter and region that the definitions of the handbook decide who rose most."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from knowledgestack.demo.database._calendar import BUSINESS_DAY, Q2_DAYS, Q3_DAYS, fiscal_weeks
from knowledgestack.demo.database._dice import Dice
from knowledgestack.demo.database._masters import HUB, REAL_HUBS
from knowledgestack.demo.database._orders import Order

Quarter = tuple[date, date]

# Units that count, by region of the shipping hub. Islands rise most (16 to 27), then Midvale (30 to 38).
_COUNTED = {
    Q2_DAYS: {10: 34, 20: 30, 30: 30, 41: 7, 42: 9},
    Q3_DAYS: {10: 37, 20: 38, 30: 33, 41: 12, 42: 15},
}
# How many of a thousand island returns come from accounts whose contract lies elsewhere.
_FROM_CHAINS = {Q2_DAYS: 350, Q3_DAYS: 760}
# Papers that do not count: opened, declined, entered by mistake.
_UNCOUNTED = {Q2_DAYS: {10: 6, 20: 5, 30: 6, 41: 2, 42: 2}, Q3_DAYS: {10: 6, 20: 16, 30: 5, 41: 1, 42: 2}}
_USUAL_PER_MILLE = 29
_SWAPPED_BY = date(2026, 10, 30)
_RECALL_SWAPS_FROM = date(2026, 8, 24)
_NOT_SWAPPED_YET = 5
_REASONS = [(11, 14), (12, 8), (21, 18), (23, 10), (31, 12), (34, 5), (41, 10), (44, 6), (52, 9), (61, 5), (60, 3)]
_MAX_UNITS = 6


@dataclass(frozen=True)
class Return:
    order: Order
    line: int
    day: date
    reason: int
    status: str
    quantity: int


def make_returns(orders: list[Order]) -> list[Return]:
    """All returns in the order of their days."""
    maker = _Maker(orders)
    for quarter in _quarters():
        maker.add_quarter(quarter)
    maker.add_recall_swaps()
    return sorted(maker.made, key=lambda one: one.day)


def head_rows(returns: list[Return]) -> Iterator[tuple[object, ...]]:
    dice = Dice("dispositions")
    for place, one in enumerate(returns):
        disposition = dice.weighted([(1, 40), (2, 35), (3, 15), (4, 10)]) if one.status in "TK" else None
        yield 700001 + place, one.order.number, one.day, one.reason, one.status, disposition


def line_rows(returns: list[Return]) -> Iterator[tuple[object, ...]]:
    for place, one in enumerate(returns):
        line = one.order.lines[one.line - 1]
        credit = line.price * one.quantity * (10_000 - line.discount) // 10_000 if one.status == "K" else None
        yield 700001 + place, one.line, one.quantity, credit


def _quarters() -> list[Quarter]:
    """Every fiscal quarter that has begun, oldest first; the first of all has too few orders before it."""
    days: dict[tuple[str, int], list[date]] = defaultdict(list)
    for year, period, _, first, last in fiscal_weeks():
        days[year, (period - 1) // 3] += [first, last]
    return [(min(some), min(max(some), BUSINESS_DAY)) for some in days.values() if min(some) <= BUSINESS_DAY][1:]


class _Maker:
    def __init__(self, orders: list[Order]) -> None:
        self.made: list[Return] = []
        self._dice = Dice("returns")
        self._orders = orders
        self._left = {id(order): [line.quantity for line in order.lines] for order in orders}

    def add_quarter(self, quarter: Quarter) -> None:
        for region in sorted({hub.region for hub in REAL_HUBS}):
            orders = self._shipped_before(quarter, region)
            counted = _COUNTED.get(quarter, {}).get(region) or self._usual(quarter, region)
            if region in (41, 42):
                of_chains = counted * _FROM_CHAINS.get(quarter, 500) // 1000
                self._add_units(quarter, [one for one in orders if one.account.region == 30], of_chains)
                counted -= of_chains
                orders = [one for one in orders if one.account.region == region]
            self._add_units(quarter, orders, counted)
            papers = _UNCOUNTED.get(quarter, {}).get(region, 3)
            self._add_papers(quarter, orders, papers, [("D", 50), ("X", 25), ("O", 25)], _REASONS)
            self._add_papers(quarter, orders, 2, [("K", 1)], [(71, 60), (78, 40)])
        left_out = [one for one in self._shipped_before(quarter, None) if not one.reported]
        self._add_papers(quarter, left_out, 7, [("K", 80), ("R", 20)], _REASONS)

    def add_recall_swaps(self) -> None:
        """A swap for every recalled machine but the last few, paper by paper."""
        waiting = _NOT_SWAPPED_YET
        dice = self._dice
        for order in reversed([one for one in self._orders if one.recalled]):
            kept = min(waiting, order.lines[0].quantity)
            waiting -= kept
            if count := order.lines[0].quantity - kept:
                day = _RECALL_SWAPS_FROM + timedelta(days=dice.below((_SWAPPED_BY - _RECALL_SWAPS_FROM).days + 1))
                status = dice.weighted([("K", 80), ("T", 12), ("R", 8)])
                self.made.append(Return(order, 1, day, 74, status, count))

    def _shipped_before(self, quarter: Quarter, region: int | None) -> list[Order]:
        earliest = quarter[0] - timedelta(days=80)
        return [
            order
            for order in self._orders
            if earliest <= order.day <= quarter[1] - timedelta(days=8)
            and order.is_sale
            and not order.recalled
            and (region is None or (order.reported and HUB[order.hub].region == region))
        ]

    def _usual(self, quarter: Quarter, region: int) -> int:
        units = sum(
            line.quantity
            for order in self._orders
            if quarter[0] <= order.day <= quarter[1] and order.reported and HUB[order.hub].region == region
            for line in order.lines
        )
        return units * (_USUAL_PER_MILLE + self._dice.between(-4, 4)) // 1000

    def _add_units(self, quarter: Quarter, orders: list[Order], units: int) -> None:
        for order in self._dice.shuffled(orders):
            if not units:
                return
            units -= self._add(quarter, order, units, [("K", 93), ("T", 4), ("R", 3)], _REASONS)
        assert not units, (quarter, units)

    def _add_papers(
        self,
        quarter: Quarter,
        orders: list[Order],
        papers: int,
        statuses: list[tuple[str, int]],
        reasons: list[tuple[int, int]],
    ) -> None:
        for order in self._dice.shuffled(orders)[:papers]:
            self._add(quarter, order, _MAX_UNITS, statuses, reasons)

    def _add(
        self,
        quarter: Quarter,
        order: Order,
        most: int,
        statuses: list[tuple[str, int]],
        reasons: list[tuple[int, int]],
    ) -> int:
        """Return something of an order; answers how many units."""
        dice = self._dice
        left = self._left[id(order)]
        wanted = dice.below(len(left))
        line = next((place for place in (wanted, 0) if left[place] and order.lines[place].kind in "MPC"), None)
        if line is None:
            return 0
        count = min(most, left[line], dice.between(1, _MAX_UNITS))
        left[line] -= count
        first = max(quarter[0], order.day + timedelta(days=4))
        day = first + timedelta(days=dice.below((quarter[1] - first).days + 1))
        status = dice.weighted(statuses)
        if status == "K" and (BUSINESS_DAY - day).days < 25:
            status = dice.weighted([("R", 50), ("T", 35), ("K", 15)])
        self.made.append(Return(order, line + 1, day, dice.weighted(reasons), status, count))
        return count
