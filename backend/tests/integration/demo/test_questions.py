"""The questions that need the database: the checked SQL answers them, SQL written without the handbook does not."""

from decimal import Decimal

import asyncpg
import pytest

from knowledgestack.demo.database.questions import read_checked_questions, read_demo_questions, read_sql
from tests.support.quillmoor import Quillmoor, Rows

NAIVE = (
    "returns-by-region",
    "net-revenue-by-family",
    "customers",
    "four-hour-promise",
    "machines-to-descale",
    "warranty-parts-by-supplier",
)


def gold(quillmoor: Quillmoor, name: str) -> Rows:
    return quillmoor.rows(read_sql(f"{name}.gold"))


def naive(quillmoor: Quillmoor, name: str) -> Rows:
    return quillmoor.rows(read_sql(f"{name}.naive"))


@pytest.mark.parametrize("name", NAIVE)
def test_sql_without_the_handbook_answers_something_else(quillmoor: Quillmoor, name: str) -> None:
    assert naive(quillmoor, name)
    assert naive(quillmoor, name) != gold(quillmoor, name)


def test_returns_rose_most_on_the_islands_and_swaps_would_name_northmarch(quillmoor: Quillmoor) -> None:
    (first, second, *_) = gold(quillmoor, "returns-by-region")
    assert first == ("Islands", 16, 27, 11, Decimal("68.8"))
    assert second[0] == "Midvale"
    assert naive(quillmoor, "returns-by-region")[0][0] == 10


@pytest.mark.parametrize(
    ("right", "wrong", "names"),
    [
        ("h.rgc WHEN", "c.rgc WHEN", "Southreach"),
        ("AND r.rsn < 70", "", "Northmarch"),
        ("ELSE 'Islands' END", "ELSE h.rgc::text END", "Midvale"),
        ("r.st IN ('R', 'T', 'K')", "true", "Midvale"),
    ],
    ids=["region of the customer", "swaps counted", "two island lines", "every letter counted"],
)
def test_each_forgotten_rule_about_returns_names_another_region(
    quillmoor: Quillmoor, right: str, wrong: str, names: str
) -> None:
    sql = read_sql("returns-by-region.gold")
    assert right in sql
    assert quillmoor.rows(sql.replace(right, wrong))[0][0] == names


def test_net_revenue_has_a_fifth_that_is_no_machine_and_adds_up(quillmoor: Quillmoor) -> None:
    rows = gold(quillmoor, "net-revenue-by-family")
    total = rows[0][3]
    assert isinstance(total, Decimal)
    assert sum(Decimal(str(row[1])) for row in rows) == pytest.approx(total, abs=Decimal("0.05"))
    (other,) = [row for row in rows if row[0] == "not a machine"]
    assert 17 <= Decimal(str(other[2])) <= 23
    assert naive(quillmoor, "net-revenue-by-family")[0][0] == "YRW"


def test_the_rule_until_fy25_counts_about_half_as_many_customers_again(quillmoor: Quillmoor) -> None:
    ((now, before),) = gold(quillmoor, "customers")
    assert isinstance(now, int)
    assert isinstance(before, int)
    assert 1.4 < before / now < 1.6
    assert naive(quillmoor, "customers")[0][0] not in (now, before)


def test_the_island_hubs_have_one_technician_of_level_3_each(quillmoor: Quillmoor) -> None:
    rows = gold(quillmoor, "level-3-technicians")
    assert [row[1:] for row in rows[:3]] == [("LNH", 1), ("SKR", 1), ("CVL", 2)]
    assert len(rows) == 8


def test_the_promise_was_kept_although_a_plain_difference_of_times_denies_it(quillmoor: Quillmoor) -> None:
    ((counted, kept, share, needed, stops),) = gold(quillmoor, "four-hour-promise")
    assert (counted, kept, share, needed, stops) == (52, 50, Decimal("96.2"), 95, 7)
    assert Decimal(str(naive(quillmoor, "four-hour-promise")[0][2])) < 95


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("o.wx <> 'Y' AND ", ""),
        ("v.tno", "v.tno LEFT JOIN untm u ON u.uno = v.uno"),
        ("AT TIME ZONE h.tz AS dispatched", "AS dispatched"),
    ],
    ids=["weather stops counted", "hub of the machine", "one time zone for all"],
)
def test_each_rule_of_the_promise_changes_what_is_counted(quillmoor: Quillmoor, right: str, wrong: str) -> None:
    sql = read_sql("four-hour-promise.gold")
    changed = sql.replace(right, wrong)
    if "LEFT JOIN" in wrong:
        changed = changed.replace("h.hub = t.hub", "h.hub = u.hub")
    assert changed != sql
    assert quillmoor.rows(changed)[0][:2] != (52, 50)


def test_machines_to_descale_name_the_unknown_ones_of_brackenridge(quillmoor: Quillmoor) -> None:
    rows = gold(quillmoor, "machines-to-descale")
    due = [row for row in rows if row[0] == "due"]
    unknown = [row for row in rows if row[0] == "unknown"]
    assert due
    assert {row[1] for row in due} == {len(due)}
    assert all(isinstance(row[7], int) and isinstance(row[8], int) and row[7] >= row[8] for row in due)
    assert not [row for row in due if row[2] in ("BRK", "XWK")]
    assert sum(row[2] == "BRK" for row in unknown) > len(unknown) / 2
    assert {row[0] for row in naive(quillmoor, "machines-to-descale")} != {row[5] for row in due}


def test_the_supplier_of_that_time_cost_most_and_not_its_successor(quillmoor: Quillmoor) -> None:
    assert gold(quillmoor, "warranty-parts-by-supplier")[0][0] == "Vantor Seals"
    assert naive(quillmoor, "warranty-parts-by-supplier")[0][0] == "Ellmere Rubber"


def test_what_an_answer_has_to_say_stands_in_the_result(quillmoor: Quillmoor) -> None:
    for one in read_demo_questions():
        if one.query is None or one.needs == "refusal":
            continue
        cells = {
            f"{cell:,}" if isinstance(cell, int | Decimal) else str(cell)
            for row in gold(quillmoor, one.query)
            for cell in row
        }
        assert [fact for fact in one.facts if fact not in cells | {"SLSSUM"}] == [], one.question


def test_there_is_not_one_comment_in_the_database(quillmoor: Quillmoor) -> None:
    assert quillmoor.rows("SELECT count(*) FROM pg_description WHERE objoid > 16384")[0][0] == 0


async def test_every_checked_question_runs_as_the_reader(quillmoor: Quillmoor) -> None:
    reader = await quillmoor.as_reader()
    try:
        for one in read_checked_questions():
            assert await reader.fetch(read_sql(one.query)), one.question
    finally:
        await reader.close()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT hm_tel FROM tchm",
        "SELECT eml FROM tchm",
        "SELECT * FROM tchm",
        "DELETE FROM cusm WHERE tst = 'Y'",
        "SET default_transaction_read_only = off; UPDATE cusm SET nm = ''",
        "CREATE TEMP TABLE t (a int)",
        "CREATE TABLE public.t (a int)",
    ],
)
async def test_the_reader_is_refused_private_columns_and_every_write(quillmoor: Quillmoor, sql: str) -> None:
    reader = await quillmoor.as_reader()
    try:
        with pytest.raises((asyncpg.InsufficientPrivilegeError, asyncpg.ReadOnlySQLTransactionError)):
            await reader.execute(sql)
    finally:
        await reader.close()
