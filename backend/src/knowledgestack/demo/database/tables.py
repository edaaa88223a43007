"""The rows of the demo company's database, the same in every run."""

from collections.abc import Iterable

from knowledgestack.demo.database import _billing, _machines, _orders, _returns, _telemetry, _visits
from knowledgestack.demo.database._calendar import fiscal_weeks
from knowledgestack.demo.database._customers import make_accounts
from knowledgestack.demo.database._frozen import frozen_rows
from knowledgestack.demo.database._masters import (
    CONTROL_VALUES,
    HUBS,
    MACHINE_TYPES,
    SUPPLIERS,
    Rates,
    make_parts,
    make_technicians,
)

Row = tuple[object, ...]

# Raise it with every change of the rows, the tables or the rights: an installation then makes the database anew.
DATA_VERSION = "1"


def make_tables() -> dict[str, list[Row]]:
    """Table → rows in the order of its columns, tables in an order that foreign keys allow."""
    rates, parts, technicians, accounts = Rates(), make_parts(), make_technicians(), make_accounts()
    orders = _orders.make_orders(accounts, parts)
    returns = _returns.make_returns(orders)
    machines = _machines.make_machines(accounts, orders, returns)
    subscriptions = _billing.make_subscriptions(accounts)
    invoices, payments = _billing.invoice_and_payment_rows(_billing.make_invoices(orders, subscriptions))
    visits = _visits.make_visits(machines, technicians)
    used = _visits.part_rows(visits, parts)
    return {
        "fcal": _rows(fiscal_weeks()),
        "ctld": _rows(CONTROL_VALUES),
        "hubm": [(hub.code, hub.name, hub.region, hub.zone) for hub in HUBS],
        "cusm": [account.row() for account in accounts],
        "mchm": _rows(MACHINE_TYPES),
        "untm": _rows(_machines.machine_rows(machines)),
        "fxrt": _rows(rates.rows),
        "ordh": _rows(_orders.head_rows(orders, rates)),
        "ordl": _rows(_orders.line_rows(orders)),
        "rtnh": _rows(_returns.head_rows(returns)),
        "rtnl": _rows(_returns.line_rows(returns)),
        "subc": [one.row() for one in subscriptions],
        "sube": _rows(_billing.event_rows(subscriptions)),
        "invh": invoices,
        "payt": payments,
        "supm": _rows(SUPPLIERS),
        "prtm": [(part.code, part.description, part.cost, part.suppliers[-1][1]) for part in parts],
        "tchm": _rows(technicians),
        "svcv": _rows(_visits.visit_rows(visits)),
        "svcp": _rows(used),
        "stkm": _visits.stock_rows(visits, used, parts),
        "tlmr": _rows(_telemetry.reading_rows(machines)),
        "slssum": _rows(frozen_rows()),
    }


def _rows(rows: Iterable[Row]) -> list[Row]:
    return [tuple(row) for row in rows]
