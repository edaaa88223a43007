"""Waits that servers ask for, and words that never carry a key."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.models._failures import parse_retry_after, reported_failure
from knowledgestack.models._retries import RetryPolicy
from knowledgestack.models.chat import ModelFailed

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("7", 7), (" 7 ", 7), ("0.5", 0.5), ("", None), (None, None), ("soon", None), ("-3", None), ("1e9", None)],
)
def test_seconds_are_read(value: str | None, seconds: float | None) -> None:
    assert parse_retry_after(value, NOW) == seconds


@given(st.integers(-100_000, 100_000))
def test_dates_are_read_and_never_negative(offset: int) -> None:
    value = format_datetime(NOW + timedelta(seconds=offset), usegmt=True)
    assert parse_retry_after(value, NOW) == max(0, offset)


@given(st.text())
def test_no_header_raises(value: str) -> None:
    waited = parse_retry_after(value, NOW)
    assert waited is None or waited >= 0


@given(st.one_of(st.none(), st.floats(0, 1e9)), st.integers(1, 3))
def test_waits_are_at_least_what_was_asked_and_capped(asked: float | None, tries: int) -> None:
    policy = RetryPolicy(first_seconds=0.5, longest_seconds=30)
    wait = policy.wait_seconds(ModelFailed("busy", retry_after=asked), tries)
    least = min(30.0, 0.5 * 2 ** (tries - 1) if asked is None else asked)
    assert least <= wait <= least * 1.25


@given(st.text(), st.sampled_from(["sk-proj-AbC123xyz789", "gw_0123456789abcdef"]), st.text())
def test_a_key_in_the_servers_words_is_never_repeated(before: str, key: str, after: str) -> None:
    failure = reported_failure("invalid", f"{before}{key}{after}", key)
    assert key not in failure.detail
    assert len(failure.detail) < 400
