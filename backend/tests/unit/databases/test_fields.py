"""What people write about a connection."""

from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from knowledgestack.core.errors import InvalidRequest
from knowledgestack.databases._fields import checked_change, checked_new
from knowledgestack.databases.contracts import DatabaseConnectionChange, NewDatabaseConnection

NEW = NewDatabaseConnection(name="Shop", host="db.example.com", database="shop", username="reader", password="secret")


def wrong_field(**changed: Any) -> str:
    with pytest.raises(InvalidRequest) as refused:
        checked_new(replace(NEW, **changed))
    return refused.value.errors[0].path


@pytest.mark.parametrize(
    ("written", "kept"),
    [(" DB.Example.com. ", "db.example.com"), ("[FD00::5]", "fd00::5"), ("10.0.0.5", "10.0.0.5"), ("db", "db")],
)
def test_a_host_is_kept_in_one_form(written: str, kept: str) -> None:
    assert checked_new(replace(NEW, host=written)).host == kept


@pytest.mark.parametrize(
    "host",
    ["", " ", "a b", "a,b", "a/b", "a\\b", "u@h", "h:1", "h?x", "h#x", "h%25", "h" * 254, "\u200bh\u202e"],
)
def test_a_host_is_a_name_or_an_address_and_nothing_else(host: str) -> None:
    assert wrong_field(host=host) == "host"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "n" * 101),
        ("description", "d" * 2_001),
        ("database", "d" * 64),
        ("username", "u\0"),
        ("password", "p" * 1_001),
        ("password", "p\0"),
        ("port", -1),
    ],
)
def test_what_postgresql_or_a_page_cannot_hold_is_refused(field: str, value: Any) -> None:
    assert wrong_field(**{field: value}) == field


def test_a_private_key_is_not_kept_as_a_certificate() -> None:
    assert wrong_field(ca_certificate="-----BEGIN PRIVATE KEY-----") == "caCertificate"
    assert checked_new(replace(NEW, ca_certificate="  ")).ca_certificate is None


def test_a_change_keeps_what_it_does_not_name() -> None:
    change = checked_change(DatabaseConnectionChange(denied_columns=[" public.t.c ", "public.t.c"]))
    assert change.denied_columns == ["public.t.c"]
    assert {change.host, change.port, change.password, change.name} == {UNSET}
    with pytest.raises(InvalidRequest):
        checked_change(DatabaseConnectionChange(denied_columns=["t.c"]))
