"""Subscriptions and what happened to them, the invoice run of each Tuesday and Friday, payments."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from knowledgestack.demo.database._calendar import BUSINESS_DAY, FIRST_DAY
from knowledgestack.demo.database._customers import Account
from knowledgestack.demo.database._dice import Dice
from knowledgestack.demo.database._orders import Order, price_in

_PLANS = {
    "O": [("L24", 8900), ("L36", 7900), ("R36", 3400)],
    "C": [("T24", 11900), ("T36", 10400)],
    "G": [("T36", 10400), ("Y48", 19900)],
    "H": [("L36", 7900), ("Y48", 19900)],
}
_FREQUENCIES = [("M", 8), ("Q", 50), ("Y", 42)]
_MONTHS = {"M": 1, "Q": 3, "Y": 12}
_VAT_PER_CENT = 21
# The run of this day made up for six weeks without one, and was then repeated for 212 customers.
_REPEATED_RUN = date(2024, 4, 5)
_RUNS_RESUMED_AFTER = date(2024, 2, 20)
_REPEATED_INVOICES = 212


@dataclass(frozen=True)
class Subscription:
    number: int
    account: Account
    plan: str
    status: str
    first: date
    last: date | None
    fee: int
    frequency: str

    def row(self) -> tuple[object, ...]:
        head = (self.number, self.account.number, self.plan, self.status)
        return *head, self.first, self.last, self.fee, self.frequency

    def due_days(self) -> Iterator[date]:
        """The days on which a fee is due, on the day of the month on which the contract began."""
        months = 0
        end = min(self.last or BUSINESS_DAY, BUSINESS_DAY)
        while (day := _add_months(self.first, months)) <= end:
            if day >= FIRST_DAY and self.status not in "TP":
                yield day
            months += _MONTHS[self.frequency]


def make_subscriptions(accounts: list[Account]) -> list[Subscription]:
    dice = Dice("subscriptions")
    made: list[Subscription] = []
    for account in accounts:
        if not account.rents or account.internal:
            continue
        plan, fee = dice.pick(_PLANS[account.segment])
        frequency = dice.weighted(_FREQUENCIES)
        first = max(account.since, FIRST_DAY - timedelta(days=dice.between(1, 900)))
        status, last = _end(dice, account, first)
        full = price_in(account.currency, fee) * _MONTHS[frequency]
        made.append(Subscription(50001 + len(made), account, plan, status, first, last, full, frequency))
    return made


def event_rows(subscriptions: list[Subscription]) -> Iterator[tuple[object, ...]]:
    dice = Dice("subscription events")
    for one in subscriptions:
        yield one.number, "BEG", one.first, None, "T" if one.status == "T" else "A"
        if one.status != "T" and dice.chance(180):
            paused = one.first + timedelta(days=dice.between(60, 200))
            resumed = paused + timedelta(days=dice.between(20, 85))
            if resumed < min(one.last or BUSINESS_DAY, BUSINESS_DAY) - timedelta(days=100):
                yield one.number, "PAU", paused, "A", "P"
                yield one.number, "RES", resumed, "P", "A"
        yield from _closing_events(dice, one)


def _closing_events(dice: Dice, one: Subscription) -> Iterator[tuple[object, ...]]:
    if one.status == "P":
        yield one.number, "PAU", BUSINESS_DAY - timedelta(days=dice.between(5, 80)), "A", "P"
    if one.status in "NK":
        yield one.number, "NOT", BUSINESS_DAY - timedelta(days=dice.between(12, 28)), "A", "N"
    if one.status == "K":
        yield one.number, "KPT", BUSINESS_DAY - timedelta(days=dice.between(1, 10)), "N", "K"
    if one.status == "E":
        assert one.last
        yield one.number, "NOT", max(one.first, one.last - timedelta(days=30)), "A", "N"
        yield one.number, "END", one.last, "N", "E"


def _end(dice: Dice, account: Account, first: date) -> tuple[str, date | None]:
    if account.until is not None and account.until < BUSINESS_DAY:
        return "E", max(account.until, first + timedelta(days=31))
    if (BUSINESS_DAY - first).days < 45:
        return "T", None
    if (BUSINESS_DAY - first).days < 240:
        return "A", None
    status = dice.weighted([("A", 870), ("P", 35), ("N", 50), ("K", 45)])
    return status, BUSINESS_DAY + timedelta(days=dice.between(3, 60)) if status == "N" else None


@dataclass(frozen=True)
class Invoice:
    account: Account
    day: date
    net: int
    repeated: bool = False


def make_invoices(orders: list[Order], subscriptions: list[Subscription]) -> list[Invoice]:
    """One for each customer and run, holding the orders shipped and the fees due since the run before."""
    amounts: dict[tuple[date, int], int] = defaultdict(int)
    accounts: dict[int, Account] = {}
    for order in orders:
        if order.status == "I" and order.channel != "X" and (run := _run_after(order.day + timedelta(days=1))):
            accounts[order.account.number] = order.account
            amounts[run, order.account.number] += sum(line.net for line in order.lines)
    for one in subscriptions:
        for day in one.due_days():
            if run := _run_after(day):
                accounts[one.account.number] = one.account
                amounts[run, one.account.number] += one.fee
    made: list[Invoice] = []
    for (run, number), net in sorted(amounts.items()):
        if net:
            made.append(Invoice(accounts[number], run, net))
    again = [one for one in made if one.day == _REPEATED_RUN][:_REPEATED_INVOICES]
    assert len(again) == _REPEATED_INVOICES, len(again)
    place = made.index(again[-1]) + 1
    while place < len(made) and made[place].day == _REPEATED_RUN:
        place += 1
    made[place:place] = [Invoice(one.account, one.day, one.net, repeated=True) for one in again]
    return made


def invoice_and_payment_rows(invoices: list[Invoice]) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """Rows of `INVH` and `PAYT`."""
    dice = Dice("payments")
    heads: list[tuple[object, ...]] = []
    payments: list[tuple[object, ...]] = []
    for place, one in enumerate(invoices):
        number = 8000001 + place
        due = one.day + timedelta(days=45 if one.account.segment == "H" else 30)
        vat = one.net * _VAT_PER_CENT // 100
        paid = due + timedelta(days=dice.between(-14, 12) if dice.chance(930) else dice.between(13, 70))
        status = "P" if paid <= BUSINESS_DAY else "O"
        if one.repeated:
            status = "V"
        elif status == "P" and dice.chance(6):
            status = "W"
        heads.append((number, one.account.number, one.day, due, status, one.net, vat, one.account.currency))
        if status == "P":
            method = dice.weighted([("T", 55), ("D", 38), ("C", 7)])
            payments.append((9000001 + len(payments), number, paid, one.net + vat, method))
    return heads, payments


def _run_after(day: date) -> date | None:
    """The first run on that day or later; none where it has not been yet."""
    if _RUNS_RESUMED_AFTER < day <= _REPEATED_RUN:
        return _REPEATED_RUN
    run = day + timedelta(days=min((1 - day.weekday()) % 7, (4 - day.weekday()) % 7))
    return run if run <= BUSINESS_DAY else None


def _add_months(day: date, months: int) -> date:
    years, month = divmod(day.month - 1 + months, 12)
    return date(day.year + years, month + 1, min(day.day, 28))
