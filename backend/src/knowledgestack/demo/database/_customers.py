"""Customers: groups, single cafés, offices and hotels, test accounts, ourselves."""

from dataclasses import dataclass
from datetime import date, timedelta

from knowledgestack.demo.database._calendar import BUSINESS_DAY, FIRST_DAY
from knowledgestack.demo.database._dice import Dice
from knowledgestack.demo.database._masters import HUB, REAL_HUBS, WORKSHOP
from knowledgestack.demo.database._names import CAFES, GROUPS, HOTELS, OFFICES, PLACES, TEST_NAMES

_SINGLE_WEIGHTS = [(hub.code, weight) for hub, weight in zip(REAL_HUBS, (21, 12, 21, 12, 13, 11, 4, 6), strict=True)]
_GROUP_HOMES = [("ALD", 16), ("FNH", 6), ("BRK", 16), ("MLW", 10), ("TRB", 28), ("CVL", 24)]
_ISLAND_SITES = [("SKR", 4), ("LNH", 5)]
_CURRENCIES = [("EUR", 62), ("GBP", 28), ("CHF", 10)]
_GAPS = [(130, 16), (210, 29), (330, 32), (520, 23)]
_LAPSED_PER_MILLE = 250
_DELETED_PER_MILLE = 40
_YOUNG_PER_MILLE = 480


@dataclass(frozen=True)
class Account:
    """One row of `CUSM` and what decides its life.

    `hub` ships to it, `gap` is the usual number of days between two orders, `until` the day it fell silent.
    """

    number: int
    name: str
    region: int
    segment: str
    hub: str
    currency: str
    since: date
    until: date | None
    gap: int
    rents: bool
    parent: int | None = None
    test: bool = False
    deleted: bool = False

    @property
    def internal(self) -> bool:
        return self.region == WORKSHOP.region

    @property
    def reported(self) -> bool:
        return not (self.test or self.deleted or self.internal)

    def is_alive(self, day: date) -> bool:
        return self.since <= day and (self.until is None or day <= self.until)

    def row(self) -> tuple[object, ...]:
        flags = ("Y" if self.test else "", self.parent, "Y" if self.deleted else "")
        return self.number, self.name, self.region, self.segment, *flags


def make_accounts() -> list[Account]:
    """All accounts by number, a parent before its children."""
    maker = _Maker()
    maker.add_groups()
    maker.add_singles()
    maker.add_tests()
    maker.add_ourselves()
    return maker.made


class _Maker:
    def __init__(self) -> None:
        self.made: list[Account] = []
        self._dice = Dice("customers")

    def add_groups(self) -> None:
        for name in GROUPS[:78]:
            home = self._dice.weighted(_GROUP_HOMES)
            is_southern = HUB[home].region == 30
            parent = self._add(f"{name}, head office", "G", home, HUB[home].region)
            places = self._dice.shuffled(PLACES)
            for place in places[: self._dice.between(5, 9) if is_southern else self._dice.between(2, 6)]:
                on_islands = self._dice.chance(640 if is_southern else 40)
                site = self._dice.weighted(_ISLAND_SITES if on_islands else _GROUP_HOMES)
                self._add(f"{name} {place}", "G", site, HUB[home].region, parent=parent.number)

    def add_singles(self) -> None:
        for name in self._dice.shuffled(CAFES)[:530]:
            self._single(name, "C")
        for name in self._dice.shuffled(OFFICES)[:470]:
            self._single(name, "O")
        for name in self._dice.shuffled(HOTELS)[:190]:
            self._single(name, "H")
        self._add("Testa Rossa Espresso Bar", "C", "CVL", 30, gap=130, lasting=True)

    def add_tests(self) -> None:
        for place, name in enumerate(TEST_NAMES):
            hub = REAL_HUBS[place % len(REAL_HUBS)]
            region = WORKSHOP.region if place % 5 == 0 else hub.region
            account = self._add(
                name, "G" if "Holding" in name else "C", hub.code, region, test=True, lasting=True, gap=90
            )
            if "Holding" in name:
                for child in ("Ferry Café", "Lighthouse Café"):
                    self._add(child, "G", hub.code, hub.region, parent=account.number, lasting=True)

    def add_ourselves(self) -> None:
        for name in (
            "Head office",
            "Showroom Mill Lane",
            "Training workshop",
            "Hub kitchens",
            "People desk",
            "Trade fairs",
        ):
            self._add(f"Quillmoor {name}", "O", "ALD", WORKSHOP.region, lasting=True, gap=45)

    def _single(self, name: str, segment: str) -> None:
        hub = self._dice.weighted(_SINGLE_WEIGHTS)
        moved = self._dice.chance(60)
        region = HUB[self._dice.weighted(_SINGLE_WEIGHTS) if moved else hub].region
        self._add(name, segment, hub, region)

    def _add(
        self,
        name: str,
        segment: str,
        hub: str,
        region: int,
        *,
        parent: int | None = None,
        test: bool = False,
        lasting: bool = False,
        gap: int | None = None,
    ) -> Account:
        dice = self._dice
        young = dice.chance(_YOUNG_PER_MILLE)
        since = FIRST_DAY + timedelta(days=dice.below(1330)) if young else FIRST_DAY - timedelta(days=dice.below(2600))
        until = None
        if dice.chance(_LAPSED_PER_MILLE):
            first = max(since, FIRST_DAY)
            until = first + timedelta(days=60 + dice.below(max(1, (BUSINESS_DAY - first).days - 60)))
        deleted = dice.chance(_DELETED_PER_MILLE)
        account = Account(
            number=10001 + len(self.made),
            name=name,
            region=region,
            segment=segment,
            hub=hub,
            currency=dice.weighted(_CURRENCIES),
            since=FIRST_DAY - timedelta(days=400) if lasting else since,
            until=None if lasting else until,
            gap=gap or dice.weighted(_GAPS),
            rents=dice.chance({"O": 620, "C": 300, "G": 340, "H": 220}[segment]) and not test,
            parent=parent,
            test=test,
            deleted=deleted and not lasting and not test and (parent is not None or segment != "G"),
        )
        self.made.append(account)
        return account
