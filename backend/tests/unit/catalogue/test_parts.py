"""Differences between readings, likeness of names, codes that documents give, and what a table is known by."""

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.catalogue import _values
from knowledgestack.catalogue._aliases import Alias, Explained, Explanations, Passage, aliases_of
from knowledgestack.catalogue._changes import changes_between
from knowledgestack.catalogue._quotes import plain
from knowledgestack.catalogue._samples import quoted
from knowledgestack.catalogue._search import TableSearch
from knowledgestack.catalogue._similarity import most_alike, similarity
from knowledgestack.catalogue._values import ValueColumn, matches, matches_in
from knowledgestack.catalogue.schema import (
    ColumnFacts,
    ForeignKeyFacts,
    TableFacts,
    Thing,
    names_hash,
)

NOBODY = UUID(int=0)


def table(name: str = "orders", *columns: tuple[str, str], **facts: Any) -> TableFacts:
    listed = [ColumnFacts(name=column, type=kind, position=number) for number, (column, kind) in enumerate(columns)]
    return TableFacts(schema="public", name=name, kind="table", columns=listed, **facts)


def test_nothing_changed_is_no_change() -> None:
    one = table("orders", ("id", "integer"), primary_key=["id"])
    assert changes_between([one], [one]) == []


def test_each_kind_of_difference_has_a_sentence() -> None:
    before = [table("orders", ("id", "integer"), ("memo", "text")), table("gone", ("id", "integer"))]
    key = ForeignKeyFacts(columns=["id"], schema="public", table="other", referenced_columns=["id"])
    after = [
        table("orders", ("id", "bigint"), ("st", "text"), foreign_keys=[key], comment="Heads"),
        table("new", ("a", "text"), ("b", "text")),
    ]
    assert [tuple(change) for change in changes_between(before, after)] == [
        ("table_removed", "public.gone", "It had 1 column."),
        ("table_added", "public.new", "2 columns so far."),
        ("column_added", "public.orders.st", "Type text."),
        ("column_removed", "public.orders.memo", "It was text."),
        ("column_changed", "public.orders.id", "Type integer became bigint."),
        ("comment_changed", "public.orders", "Heads"),
        ("keys_changed", "public.orders", "Changed: foreign keys."),
    ]


def test_a_view_in_the_place_of_a_table_is_another_thing() -> None:
    view = TableFacts(schema="public", name="orders", kind="view")
    assert [tuple(change) for change in changes_between([table("orders", ("id", "integer"))], [view])] == [
        ("table_removed", "public.orders", "It was a table with 1 column."),
        ("table_added", "public.orders", "It is a view with 0 columns."),
    ]


def test_the_hash_of_names_follows_names_alone() -> None:
    one, other = table("orders", ("id", "integer")), table("orders", ("id", "bigint"), comment="Words")
    assert names_hash([one]) == names_hash([other])
    assert names_hash([one]) != names_hash([table("orders", ("no", "integer"))])


@pytest.mark.parametrize(
    ("left", "right", "least", "most"),
    [("word", "word", 1, 1), ("Skerries", "skeries", 0.5, 0.9), ("north", "south", 0, 0.3), ("", "a", 0, 0)],
)
def test_likeness_is_between_nothing_and_the_same(left: str, right: str, least: float, most: float) -> None:
    assert least <= similarity(left, right) <= most


@given(st.text(max_size=30), st.text(max_size=30))
def test_likeness_does_not_depend_on_the_order(left: str, right: str) -> None:
    assert similarity(left, right) == similarity(right, left)
    assert 0 <= similarity(left, right) <= 1


def test_wrong_names_get_the_closest_ones() -> None:
    names = ["customer", "customer_address", "order_line", "region"]
    assert most_alike("custmer", names, 2)[0] == "customer"
    assert most_alike("lines", names, 3) == ["order_line"]
    assert most_alike("zzz", names, 3) == []


def test_values_match_exactly_then_by_case_then_by_likeness() -> None:
    kinds = {match.value: match.kind for match in matches("Gold", ["Gold", "gold", "Golden", "Silver"])}
    assert kinds == {"Gold": "exact", "gold": "case", "Golden": "similar"}


def test_likeness_is_looked_for_in_so_many_values_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_values, "_MOST_COMPARED", 3)
    orders = table("orders", ("st", "text"), ("kind", "text"))
    first, second = (
        ValueColumn(orders, column, ["Golden", "gold", "Silver"], complete=True) for column in orders.columns
    )
    found = [(column.column.name, match.value) for column, match in matches_in("gold", [first, second])]
    assert found == [("st", "Golden"), ("st", "gold"), ("kind", "gold")]


def test_codes_are_taken_from_the_row_or_the_neighbourhood_of_a_word() -> None:
    text = (
        "| Code | Region | Reported as |\n|---|---|---|\n| 41 | Skerries | Islands |\n| 10 | North | Mainland |\n\n"
        "The families are `LKS` Larkspur (bean to cup), `TSL` Teasel for cafes, and much later in this very long "
        "sentence `SRL` Sorrel.\n"
    )
    passages = [Passage(NOBODY, "Page", text)]
    assert {alias.code for alias in aliases_of("Islands", passages)} >= {"41"}
    assert "10" not in {alias.code for alias in aliases_of("Islands", passages)}
    hotels = [Passage(NOBODY, "Page", "It has four values: C single cafe, G cafe group, O office, H hotel.")]
    assert {alias.code for alias in aliases_of("hotel", hotels)} == {"H"}
    larkspur = {alias.code for alias in aliases_of("Larkspur", passages)}
    assert "LKS" in larkspur
    assert "SRL" not in larkspur


def test_a_code_fits_the_column_that_the_same_document_explains_in_like_words() -> None:
    machine = Explained(NOBODY, Thing("public", "untm", "st"), "Letter on a machine: K = kept back for a check")
    order = Explained(NOBODY, Thing("public", "ordh", "st"), "Letter on an order: K = collected")
    elsewhere = Thing("public", "stkm", "q")
    alias = Alias("K", NOBODY, "Page", "Letter: K · Meaning on a machine: kept back", True)
    explanations = Explanations([machine, order])
    scores = [explanations.score(alias, thing) for thing in (machine.thing, order.thing, elsewhere)]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[1] > scores[2] == 0


def test_tables_are_ranked_by_what_names_them_best() -> None:
    tables = [table("orders", ("customer_id", "int")), table("customers", ("id", "int")), table("log", ("id", "int"))]
    search = TableSearch(tables, {}, {})
    assert [one.name for one in search.find("customer")] == ["customers", "orders"]
    assert [one.name for one in search.find("ord")] == ["orders"]
    assert search.find("  ") == []


def test_quotes_are_plain_words() -> None:
    assert plain("**Do** _not_ use [it](page.md), `px_m` or `_m`; a_b_c *stays*.") == (
        "Do not use it, px_m or _m; a_b_c stays."
    )
    assert plain("x" * 10 + " " + "word " * 200).endswith(" …")


@given(st.text(min_size=1, max_size=40))
def test_a_quoted_identifier_cannot_end_early(name: str) -> None:
    inner = quoted(name)[1:-1]
    assert inner.replace('""', "").count('"') == 0
    assert inner.replace('""', '"') == name
