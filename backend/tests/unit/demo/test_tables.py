"""The rows of the demo company agree with what its handbook says of them."""

from collections import Counter
from datetime import date
from typing import Any

import pytest

from knowledgestack.demo.database.tables import make_tables

Tables = dict[str, list[tuple[Any, ...]]]


@pytest.fixture(scope="module")
def tables() -> Tables:
    return make_tables()


def test_every_run_makes_the_same_rows(tables: Tables) -> None:
    assert make_tables() == tables


def test_there_are_23_tables_and_about_110_000_rows(tables: Tables) -> None:
    assert len(tables) == 23
    assert 105_000 <= sum(map(len, tables.values())) <= 120_000
    assert len(tables["slssum"]) == 5184
    assert 43_000 <= len(tables["tlmr"]) <= 48_000


def test_the_control_values_are_those_of_the_page_about_today(tables: Tables) -> None:
    assert dict(tables["ctld"]) == {
        "BUSDAY": "2026-11-20",
        "FYEAR": "FY27",
        "LASTRUN": "2026-11-20",
        "TLMDAY": "2026-11-19",
        "BASECUR": "EUR",
    }


@pytest.mark.parametrize(
    ("year", "first", "last", "weeks"),
    [
        ("FY24", date(2023, 1, 30), date(2024, 1, 28), 52),
        ("FY25", date(2024, 1, 29), date(2025, 2, 2), 53),
        ("FY26", date(2025, 2, 3), date(2026, 2, 1), 52),
        ("FY27", date(2026, 2, 2), date(2027, 1, 31), 52),
        ("FY28", date(2027, 2, 1), date(2028, 1, 30), 52),
    ],
)
def test_fiscal_years_begin_and_end_as_on_the_page(
    tables: Tables, year: str, first: date, last: date, weeks: int
) -> None:
    rows = [row for row in tables["fcal"] if row[0] == year]
    assert (min(row[3] for row in rows), max(row[4] for row in rows), len(rows)) == (first, last, weeks)
    assert all(row[3].weekday() == 0 and row[4].weekday() == 6 for row in rows)
    assert Counter(row[1] for row in rows)[12] == (6 if weeks == 53 else 5)


def test_214_larkspurs_were_recalled_209_swapped_131_released(tables: Tables) -> None:
    types = {row[0]: row for row in tables["mchm"]}
    recalled = [row for row in tables["untm"] if row[6] == 202632 and types[row[1]][1:3] == ("LKS", 4)]
    assert len(recalled) == 214
    assert Counter(row[2] for row in recalled)["K"] == 209 - 131
    swapped = {row[0] for row in tables["rtnh"] if row[3] == 74}
    assert sum(row[2] for row in tables["rtnl"] if row[0] in swapped) == 209
    north = [row for row in recalled if row[5] in ("ALD", "FNH")]
    assert len(north) > 214 / 2


def test_the_gap_of_brackenridge_begins_on_9_november(tables: Tables) -> None:
    hubs = {row[0]: row[5] for row in tables["untm"]}
    last = {hub: max(row[1] for row in tables["tlmr"] if hubs[row[0]] == hub) for hub in set(hubs.values())}
    assert last.pop("BRK") == date(2026, 11, 8)
    assert set(last.values()) == {date(2026, 11, 19)}


def test_about_one_machine_in_nine_sends_no_readings(tables: Tables) -> None:
    standing = {row[0] for row in tables["untm"] if row[2] in "RS"}
    silent = standing - {row[0] for row in tables["tlmr"]}
    assert 1 / 10 < len(silent) / len(standing) < 1 / 8


def test_fourteen_test_customers_and_the_one_that_only_sounds_like_it(tables: Tables) -> None:
    customers = {row[1]: row for row in tables["cusm"]}
    assert sum(row[4] == "Y" for row in tables["cusm"]) == 14
    assert customers["Testa Rossa Espresso Bar"][4] == ""
    assert customers["Café Testa"][4] == "Y"
    tests = {row[0] for row in tables["cusm"] if row[4] == "Y"}
    assert any(row[5] in tests and row[4] == "" for row in tables["cusm"])
    assert not any(row[4] in tests for row in tables["untm"])


def test_the_showroom_took_forty_yarrows_in_september_2026(tables: Tables) -> None:
    showroom = next(row[0] for row in tables["cusm"] if "Showroom" in row[1])
    orders = {row[0] for row in tables["ordh"] if row[1] == showroom and row[3] == "X" and row[2].month == 9}
    taken = [row for row in tables["ordl"] if row[0] in orders and row[3] == "M" and row[2].startswith("YR")]
    assert sum(row[4] for row in taken) == 40
    assert all(row[5] > 0 for row in taken)


def test_the_repeated_run_sent_212_customers_two_invoices(tables: Tables) -> None:
    invoices = [row for row in tables["invh"] if (row[2].year, row[2].month) == (2024, 4)]
    twice = [pair for pair, count in Counter((row[1], row[2]) for row in invoices).items() if count == 2]
    assert len(twice) == 212


def test_the_web_shop_had_wrong_prices_for_46_orders_of_one_day(tables: Tables) -> None:
    web = {row[0] for row in tables["ordh"] if row[2] == date(2026, 5, 12) and row[3] == "W"}
    assert len({row[0] for row in tables["ordl"] if row[0] in web and row[6] == 1850}) == 46


def test_discounts_stay_within_what_may_be_approved(tables: Tables) -> None:
    assert all(0 <= row[6] <= 3500 or row[2] == "F-SETUP" for row in tables["ordl"])


def test_most_parts_keep_their_supplier_and_the_gasket_moved_to_ellmere(tables: Tables) -> None:
    names = {row[0]: row[1] for row in tables["supm"]}
    part = next(row for row in tables["prtm"] if row[0] == "P-4417")
    assert names[part[3]] == "Ellmere Rubber"
    before = {row[4] for row in tables["stkm"] if row[0] == "I" and row[2] == "P-4417" and row[5] < date(2026, 9, 1)}
    assert {names[code] for code in before} == {"Vantor Seals"}
