"""Single machines: those that orders brought to customers, those that stood there before, those at our hubs."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from knowledgestack.demo.database._calendar import BUSINESS_DAY, FIRST_DAY, build_week
from knowledgestack.demo.database._customers import Account
from knowledgestack.demo.database._dice import Dice
from knowledgestack.demo.database._masters import MACHINE_TYPES, REAL_HUBS, WORKSHOP, MachineType
from knowledgestack.demo.database._orders import RECALLED_TYPE, Order
from knowledgestack.demo.database._returns import Return

_RECALL_WEEK = 202632
_RELEASED = 131
_REPLACEMENT_BUILT = (date(2026, 8, 17), date(2026, 9, 7))
_AT_HUBS = [("A", 46), ("W", 22), ("K", 4), ("L", 8), ("Z", 20)]
_AT_HUBS_COUNT = 210
_HUB_SHARES = [(hub.code, hub.weight) for hub in REAL_HUBS]
_OLD_TYPES = [
    ("LK-210", 22), ("LK-310", 24), ("TS-110", 12), ("TS-210", 20), ("YR-210", 10), ("YR-310", 8), ("SR-310", 8)
]  # fmt: skip
_TYPE = {kind.code: kind for kind in MACHINE_TYPES}


@dataclass(frozen=True)
class Machine:
    number: int
    kind: MachineType
    status: str
    account: Account | None
    hub: str
    week: int

    @property
    def at_customer(self) -> bool:
        return self.status in "RS"

    def row(self) -> tuple[object, ...]:
        owner = "C" if self.status == "S" else "Q"
        customer = self.account.number if self.account else None
        return self.number, self.kind.code, self.status, owner, customer, self.hub, self.week


def make_machines(accounts: list[Account], orders: list[Order], returns: list[Return]) -> list[Machine]:
    maker = _Maker()
    for account in accounts:
        if account.since < FIRST_DAY:
            maker.add_earlier(account)
    swapped = {id(one.order): one.quantity for one in returns if one.reason == 74}
    for order in orders:
        if order.recalled:
            maker.add_recalled(order, swapped.get(id(order), 0))
        elif order.is_sale and not order.account.test and not order.account.deleted:
            maker.add_delivered(order)
    maker.add_at_hubs()
    return maker.made


class _Maker:
    def __init__(self) -> None:
        self.made: list[Machine] = []
        self._dice = Dice("machines")
        self._released = 0

    def add_earlier(self, account: Account) -> None:
        dice = self._dice
        if account.test or account.deleted or account.internal:
            return
        for _ in range(dice.weighted([(0, 70), (1, 27), (2, 3)])):
            kind = _TYPE[dice.weighted(_OLD_TYPES)]
            built = account.since - timedelta(days=dice.between(20, 400))
            if account.rents and account.until is not None:
                continue
            self._add(kind, "R" if account.rents else "S", account, account.hub, built)

    def add_delivered(self, order: Order) -> None:
        account = order.account
        hub = WORKSHOP.code if account.internal else order.hub
        for line in order.lines:
            if line.kind != "M":
                continue
            for _ in range(line.quantity):
                built = order.day - timedelta(days=self._dice.between(9, 120))
                if line.price:
                    self._add(_TYPE[line.item], "S" if order.channel != "X" else "R", account, hub, built)
                elif account.until is None:
                    self._add(_TYPE[line.item], "R", account, hub, built)
                else:
                    self._add(_TYPE[line.item], "A" if self._dice.chance(600) else "Z", None, hub, built)

    def add_recalled(self, order: Order, swapped: int) -> None:
        line = order.lines[0]
        status = "S" if line.price else "R"
        for place in range(line.quantity):
            if place >= swapped:
                self._put(_TYPE[RECALLED_TYPE], status, order.account, order.hub, _RECALL_WEEK)
                continue
            first, last = _REPLACEMENT_BUILT
            built = first + timedelta(days=self._dice.below((last - first).days))
            self._put(_TYPE[RECALLED_TYPE], status, order.account, order.hub, build_week(built))
            self._put(_TYPE[RECALLED_TYPE], self._status_of_old(), None, order.hub, _RECALL_WEEK)

    def add_at_hubs(self) -> None:
        dice = self._dice
        for _ in range(_AT_HUBS_COUNT):
            kind = dice.pick(MACHINE_TYPES)
            built = date(2016, 1, 4) + timedelta(days=dice.below((BUSINESS_DAY - date(2016, 1, 4)).days - 20))
            self._add(kind, dice.weighted(_AT_HUBS), None, dice.weighted(_HUB_SHARES), built)
        for code in ("LK-410", "TS-410", "YR-410", "SR-410", "LK-310", "YR-310"):
            self._add(_TYPE[code], "W", None, WORKSHOP.code, date(2025, 3, 3))

    def _status_of_old(self) -> str:
        """What became of a swapped machine: the first ones have their new gasket, the others are kept back."""
        self._released += 1
        return "A" if self._released <= _RELEASED else "K"

    def _add(self, kind: MachineType, status: str, account: Account | None, hub: str, built: date) -> None:
        week = build_week(built)
        if week == _RECALL_WEEK and kind.family == "LKS":
            week -= 1
        self._put(kind, status, account, hub, week)

    def _put(self, kind: MachineType, status: str, account: Account | None, hub: str, week: int) -> None:
        self.made.append(Machine(200001 + len(self.made), kind, status, account, hub, week))


def machine_rows(machines: list[Machine]) -> Iterator[tuple[object, ...]]:
    return (machine.row() for machine in machines)
