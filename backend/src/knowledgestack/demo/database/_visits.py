"""Visits of technicians, the parts they used, and the stock movements that brought these parts."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from knowledgestack.demo.database._calendar import BUSINESS_DAY, add_business_minutes, to_utc
from knowledgestack.demo.database._dice import Dice
from knowledgestack.demo.database._machines import Machine
from knowledgestack.demo.database._masters import GASKET, HUB, REAL_HUBS, Part, Technician

FIRST_VISIT_DAY = date(2025, 2, 3)
_DAYS = (BUSINESS_DAY - FIRST_VISIT_DAY).days
_ISLAND_HUBS = ("SKR", "LNH")
_COUNTS = {"B": 1500, "W": 620, "D": 900, "I": 520, "P": 560}
_ISLAND_OCTOBER = (date(2026, 10, 1), date(2026, 10, 31))
# The stormy October on the Islands: 52 visits count and 50 keep the promise, 7 were stopped by the weather.
_OCTOBER_KEPT, _OCTOBER_MISSED, _OCTOBER_STOPPED, _OCTOBER_LENT = 49, 2, 7, 3
_PARTS_ON = {"B": 520, "W": 1000, "D": 60, "I": 0, "P": 300}
_GASKET_PER_MILLE = 380
_STOCK_FROM = date(2025, 1, 6)
_NEVER_STOCKED = {("SKR", 0), ("SKR", 4), ("LNH", 2)}


@dataclass(frozen=True)
class Visit:
    """`dispatched` and `arrived` are local times of the hub of the machine."""

    machine: Machine
    technician: Technician
    kind: str
    dispatched: datetime
    arrived: datetime
    minutes: int
    result: str
    stopped: bool


def make_visits(machines: list[Machine], technicians: list[Technician]) -> list[Visit]:
    maker = _Maker(machines, technicians)
    maker.add_usual()
    maker.add_island_october()
    return sorted(maker.made, key=lambda visit: visit.dispatched)


def visit_rows(visits: list[Visit]) -> Iterator[tuple[object, ...]]:
    for place, visit in enumerate(visits):
        zone = HUB[visit.machine.hub].zone
        moments = (to_utc(visit.dispatched, zone), to_utc(visit.arrived, zone))
        tail = (visit.minutes, visit.result, "Y" if visit.stopped else "")
        yield 600001 + place, visit.machine.number, visit.technician.number, visit.kind, *moments, *tail


def part_rows(visits: list[Visit], parts: list[Part]) -> list[tuple[int, str, int]]:
    """Visit, part, quantity. Warranty repairs use the gasket more than any other part."""
    dice = Dice("parts used")
    made: list[tuple[int, str, int]] = []
    for place, visit in enumerate(visits):
        if visit.stopped or visit.result == "N" or not dice.chance(_PARTS_ON[visit.kind]):
            continue
        used = {dice.pick(parts[1:]).code: dice.between(1, 2)}
        if visit.kind == "W" and visit.dispatched.date() >= date(2026, 2, 2) and dice.chance(_GASKET_PER_MILLE):
            used[GASKET] = dice.between(1, 3)
        made += [(600001 + place, code, quantity) for code, quantity in used.items()]
    return made


def stock_rows(visits: list[Visit], used: list[tuple[int, str, int]], parts: list[Part]) -> list[tuple[object, ...]]:
    """Deliveries to each hub, each part from its supplier of that day, and what the visits took, month by month."""
    dice = Dice("stock")
    rows: list[tuple[object, ...]] = []
    for hub in REAL_HUBS:
        for place, part in enumerate(parts):
            if (hub.code, place % 9) in _NEVER_STOCKED and part.code != GASKET:
                continue
            day = _STOCK_FROM + timedelta(days=dice.below(20))
            while day <= BUSINESS_DAY:
                day += timedelta(days=(-day.weekday()) % 7 if day.weekday() > 4 else 0)
                rows.append(("I", hub.code, part.code, dice.between(4, 40), part.supplier_on(day), day))
                day += timedelta(days=dice.between(48, 70) if part.code == GASKET else dice.between(170, 330))
    taken: dict[tuple[str, str, date], int] = defaultdict(int)
    for number, code, quantity in used:
        visit = visits[number - 600001]
        taken[visit.machine.hub, code, visit.arrived.date().replace(day=28)] += quantity
    rows += [
        ("O", hub, code, quantity, None, min(day, BUSINESS_DAY)) for (hub, code, day), quantity in sorted(taken.items())
    ]
    return sorted(rows, key=lambda row: (str(row[5]), str(row[1]), str(row[2]), str(row[0])))


class _Maker:
    def __init__(self, machines: list[Machine], technicians: list[Technician]) -> None:
        self.made: list[Visit] = []
        self._dice = Dice("visits")
        self._technicians: dict[str, list[Technician]] = defaultdict(list)
        for one in technicians:
            self._technicians[one.hub].append(one)
        serviced = [one for one in machines if one.at_customer and one.hub != "XWK"]
        self._rented = [one for one in serviced if one.status == "R"]
        self._sold = [one for one in serviced if one.status == "S"]

    def add_usual(self) -> None:
        dice = self._dice
        for kind, count in _COUNTS.items():
            pool = {"B": self._rented, "W": self._sold}.get(kind) or [*self._rented, *self._sold]
            for _ in range(count):
                machine = dice.pick(pool)
                dispatched = self._office_hours(FIRST_VISIT_DAY + timedelta(days=dice.below(_DAYS)))
                if self._is_island_october(machine, dispatched, kind):
                    continue
                missed = dice.chance(45)
                stopped = kind == "B" and dice.chance(60 if machine.hub in _ISLAND_HUBS else 6)
                self._add(machine, kind, dispatched, self._delay(missed=missed or stopped), stopped=stopped)

    def add_island_october(self) -> None:
        """Every breakdown on the Islands in October 2026, with the cases at the borders of the rule."""
        dice = self._dice
        machines = [one for one in self._rented if one.hub in _ISLAND_HUBS]
        longhaven = [one for one in machines if one.hub == "LNH"]
        for place in range(_OCTOBER_KEPT):
            late = time(15, 30 + place) if place < 20 else None
            dispatched = self._october_moment(late)
            self._add(dice.pick(machines), "B", dispatched, self._delay(missed=False, long=place < 20))
        for _ in range(_OCTOBER_MISSED):
            self._add(dice.pick(machines), "B", self._october_moment(None), self._delay(missed=True))
        for _ in range(_OCTOBER_STOPPED):
            self._add(dice.pick(machines), "B", self._october_moment(None), 700, stopped=True)
        for _ in range(_OCTOBER_LENT):
            self._add(dice.pick(machines), "B", self._october_moment(None), 330, lent_by="ALD")
        # Late on the last evening of October where the machine stands, and already November in UTC.
        self._add(dice.pick(longhaven), "B", datetime.combine(date(2026, 10, 31), time(23, 20)), 95)
        # Dispatched on the last day of September, so not a visit of October.
        self._add(dice.pick(longhaven), "B", datetime.combine(date(2026, 9, 30), time(17, 40)), 300)

    def _is_island_october(self, machine: Machine, moment: datetime, kind: str) -> bool:
        first, last = _ISLAND_OCTOBER
        near = first - timedelta(days=2) <= moment.date() <= last + timedelta(days=2)
        return kind == "B" and near and machine.hub in _ISLAND_HUBS

    def _october_moment(self, at: time | None) -> datetime:
        while True:
            day = date(2026, 10, 1) + timedelta(days=self._dice.below(29))
            if day.weekday() < 5:
                return datetime.combine(day, at) if at else self._office_hours(day)

    def _office_hours(self, day: date) -> datetime:
        return datetime.combine(day, time(7 + self._dice.below(11), self._dice.below(60)))

    def _delay(self, *, missed: bool, long: bool = False) -> int:
        """Business minutes between dispatch and arrival."""
        if missed:
            return self._dice.between(250, 460)
        return self._dice.between(155, 238) if long else self._dice.between(25, 232)

    def _add(
        self,
        machine: Machine,
        kind: str,
        dispatched: datetime,
        delay: int,
        *,
        stopped: bool = False,
        lent_by: str | None = None,
    ) -> None:
        dice = self._dice
        technician = dice.pick(self._technicians[lent_by or machine.hub])
        arrived = add_business_minutes(dispatched, delay)
        result = dice.weighted([("R", 86), ("N", 6), ("F", 8)])
        if arrived.date() > BUSINESS_DAY:
            return
        minutes = dice.between(15, 140)
        self.made.append(Visit(machine, technician, kind, dispatched, arrived, minutes, result, stopped))
