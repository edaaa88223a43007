from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.core.errors import InvalidRequest
from knowledgestack.http.pagination import clamp_limit, decode_cursor, encode_cursor


@given(st.datetimes(timezones=st.just(UTC)), st.uuids())
def test_a_cursor_keeps_its_values(moment: datetime, identifier: UUID) -> None:
    assert decode_cursor(encode_cursor((moment, identifier)), (datetime, UUID)) == (moment, identifier)


@given(st.text())
def test_junk_is_a_sentence_and_never_a_crash(text: str) -> None:
    with pytest.raises(InvalidRequest):
        decode_cursor(text, (datetime, UUID))


def test_a_page_is_50_by_default_and_200_at_most() -> None:
    assert clamp_limit(None) == 50
    assert clamp_limit(10_000) == 200
    with pytest.raises(InvalidRequest):
        clamp_limit(0)
