"""Orders and their lines: what customers and we ourselves buy, the recalled machines, one day of wrong prices."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from knowledgestack.demo.database._calendar import BUSINESS_DAY, FIRST_DAY, working_day
from knowledgestack.demo.database._customers import Account
from knowledgestack.demo.database._dice import Dice
from knowledgestack.demo.database._masters import HUB, MACHINE_TYPE, REAL_HUBS, SOLD_NOW, MachineType, Part, Rates

RECALLED_TYPE = "LK-410"
_RECALLED_BY_HUB = {"ALD": 96, "FNH": 58, "BRK": 16, "MLW": 12, "TRB": 14, "CVL": 8, "SKR": 2, "LNH": 8}
_RECALL_FIRST_DAY = date(2026, 8, 10)
_WRONG_PRICE_DAY = date(2026, 5, 12)
_WRONG_PRICE_ORDERS = 46
_SHOWROOM_ORDERS = (4, 6, 5, 5, 6, 4, 5, 5)
_SALE_STATUSES = frozenset("SI")
_PRICE_PER_CENT = {"EUR": 100, "GBP": 86, "CHF": 94}
_CONSUMABLES = (
    *(("C-101", 1890), ("C-102", 2150), ("C-103", 1640), ("C-104", 2390), ("C-201", 1280), ("C-202", 940)),
    *(("C-301", 780), ("C-302", 860)),
)
_DISCOUNTS = [(0, 46), (250, 12), (300, 9), (500, 11), (750, 7), (1000, 6), (1200, 4), (1500, 3), (2000, 1), (2500, 1)]
_FAMILIES = {
    "O": [("LKS", 58), ("SRL", 36), ("TSL", 6)],
    "C": [("TSL", 74), ("SRL", 10), ("YRW", 16)],
    "G": [("YRW", 42), ("TSL", 58)],
    "H": [("LKS", 52), ("YRW", 30), ("TSL", 18)],
}


@dataclass(frozen=True)
class Line:
    item: str
    kind: str
    quantity: int
    price: int
    discount: int

    @property
    def net(self) -> int:
        """Minor units of the currency of the order, rounded down."""
        return self.quantity * self.price * (10_000 - self.discount) // 10_000


@dataclass
class Order:
    account: Account
    day: date
    channel: str
    hub: str
    status: str = "I"
    lines: list[Line] = field(default_factory=list)
    recalled: bool = False
    number: int = 0

    @property
    def is_sale(self) -> bool:
        return self.status in _SALE_STATUSES

    @property
    def reported(self) -> bool:
        """Nothing of what every report leaves out."""
        return self.is_sale and self.account.reported and self.channel != "X" and HUB[self.hub].region != 90


def make_orders(accounts: list[Account], parts: list[Part]) -> list[Order]:
    """All orders, numbered in the order of their days."""
    maker = _Maker(parts)
    for account in accounts:
        maker.add_life(account)
    maker.add_showroom(next(one for one in accounts if "Showroom" in one.name))
    maker.add_own_use(accounts)
    maker.add_recalled(accounts)
    maker.add_wrong_prices(accounts)
    orders = sorted(maker.made, key=lambda order: order.day)
    for place, order in enumerate(orders):
        order.number = 4000001 + place
    return orders


def head_rows(orders: list[Order], rates: Rates) -> Iterator[tuple[object, ...]]:
    for order in orders:
        currency = order.account.currency
        rate = rates.number(currency, working_day(order.day))
        yield order.number, order.account.number, order.day, order.channel, order.status, currency, rate, order.hub


def line_rows(orders: list[Order]) -> Iterator[tuple[object, ...]]:
    for order in orders:
        for place, line in enumerate(order.lines, 1):
            yield order.number, place, line.item, line.kind, line.quantity, line.price, line.discount


def price_in(currency: str, cents: int) -> int:
    """A price in euro cents as the price list of a currency has it, in its minor units."""
    return cents if currency == "EUR" else cents * _PRICE_PER_CENT[currency] // 1000 * 10


class _Maker:
    def __init__(self, parts: list[Part]) -> None:
        self.made: list[Order] = []
        self._dice = Dice("orders")
        self._parts = parts

    def add_life(self, account: Account) -> None:
        dice = self._dice
        last = min(account.until or BUSINESS_DAY, BUSINESS_DAY)
        day = account.since
        is_first = day >= FIRST_DAY
        if not is_first:
            day = FIRST_DAY + timedelta(days=dice.below(account.gap))
        while day <= last:
            if day.weekday() > 4 and dice.chance(700):
                day -= timedelta(days=day.weekday() - 4)
            if day >= FIRST_DAY:
                with_machine = is_first or dice.chance(90)
                self._add(account, day, with_machine=with_machine)
            is_first = False
            day += timedelta(days=account.gap * dice.between(30, 170) // 100 + 1)

    def add_showroom(self, account: Account) -> None:
        for place, count in enumerate(_SHOWROOM_ORDERS):
            kind = MACHINE_TYPE["YR-420" if place % 2 else "YR-410"]
            order = Order(account, date(2026, 9, 7) + timedelta(days=place * 2 + place // 3), "X", "ALD")
            order.lines = [Line(kind.code, "M", count, price_in(account.currency, kind.price), 0)]
            self.made.append(order)

    def add_own_use(self, accounts: list[Account]) -> None:
        """Loans booked under a customer's number, but in the internal channel."""
        for account in self._dice.shuffled([one for one in accounts if one.reported and one.segment == "H"])[:24]:
            kind = MACHINE_TYPE["YR-310"]
            order = Order(account, FIRST_DAY + timedelta(days=900 + self._dice.below(480)), "X", account.hub)
            order.lines = [Line(kind.code, "M", 1, price_in(account.currency, kind.price), 0)]
            self.made.append(order)

    def add_recalled(self, accounts: list[Account]) -> None:
        """The 214 Larkspurs of week 202632, most of them in Northmarch, nearly all rented to offices."""
        for hub, total in _RECALLED_BY_HUB.items():
            takers = [one for one in accounts if one.hub == hub and one.reported and one.until is None]
            takers = [one for one in takers if one.segment in "OH" and one.region == HUB[hub].region]
            left = total
            for account in self._dice.shuffled(takers):
                if not left:
                    break
                count = min(left, self._dice.between(1, 5))
                left -= count
                price = price_in(account.currency, MACHINE_TYPE[RECALLED_TYPE].price) if self._dice.chance(120) else 0
                day = _RECALL_FIRST_DAY + timedelta(days=self._dice.below(4))
                order = Order(account, day, "D", hub, recalled=True)
                order.lines = [Line(RECALLED_TYPE, "M", count, price, 0), *self._consumables(account)]
                self.made.append(order)
            assert not left

    def add_wrong_prices(self, accounts: list[Account]) -> None:
        takers = [one for one in accounts if one.reported and one.is_alive(_WRONG_PRICE_DAY)]
        for account in self._dice.shuffled(takers)[:_WRONG_PRICE_ORDERS]:
            order = Order(account, _WRONG_PRICE_DAY, "W", account.hub)
            order.lines = [
                Line(line.item, line.kind, line.quantity, line.price, 1850) for line in self._consumables(account)
            ]
            self.made.append(order)

    def _add(self, account: Account, day: date, *, with_machine: bool) -> None:
        dice = self._dice
        hub = account.hub if dice.chance(965) else dice.pick(REAL_HUBS).code
        channel = dice.weighted([("D", 50), ("P", 20), ("W", 0 if with_machine else 30)])
        if account.internal and not account.test:
            channel = "X" if dice.chance(800) else "W"
        order = Order(account, day, channel, hub, self._status(day))
        if with_machine and not (account.internal and not account.test):
            order.lines += self._machines(account)
        if not with_machine or dice.chance(700):
            order.lines += self._consumables(account)
        if not account.rents and dice.chance(170):
            part = dice.pick(self._parts)
            price = price_in(account.currency, part.cost * 2)
            order.lines.append(Line(part.code, "P", dice.between(1, 3), price, dice.weighted(_DISCOUNTS)))
        self.made.append(order)

    def _status(self, day: date) -> str:
        age = (BUSINESS_DAY - day).days
        if age <= 3:
            return self._dice.weighted([("A", 30), ("P", 25), ("S", 25), ("K", 10), ("H", 10)])
        if age <= 10:
            return self._dice.weighted([("I", 72), ("S", 10), ("A", 4), ("K", 5), ("H", 5), ("C", 4)])
        return self._dice.weighted([("I", 940), ("C", 40), ("S", 9), ("H", 7), ("K", 4)])

    def _machines(self, account: Account) -> list[Line]:
        dice = self._dice
        family = dice.weighted(_FAMILIES[account.segment])
        kind: MachineType = dice.pick(SOLD_NOW[family])
        count = dice.weighted([(1, 78), (2, 16), (3, 6)])
        if account.rents:
            return [Line(kind.code, "M", count, 0, 0)]
        price = price_in(account.currency, kind.price)
        lines = [Line(kind.code, "M", count, price, dice.weighted(_DISCOUNTS))]
        if dice.chance(400):
            lines.append(Line("F-SETUP", "F", 1, price_in(account.currency, 12000), 10000 if dice.chance(250) else 0))
        return lines

    def _consumables(self, account: Account) -> list[Line]:
        dice = self._dice
        lines: list[Line] = []
        for item, cents in dice.shuffled(_CONSUMABLES)[: dice.weighted([(1, 45), (2, 40), (3, 15)])]:
            quantity = dice.between(1, 6) + (2 if account.segment in "GH" else 0)
            price = price_in(account.currency, cents)
            lines.append(Line(item, "C", quantity, price, dice.weighted(_DISCOUNTS)))
        return lines
