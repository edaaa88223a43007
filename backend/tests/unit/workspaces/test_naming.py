import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.workspaces.naming import JOIN_CODE_ALPHABET, new_join_code, slug_of


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Quillmoor Machines", "quillmoor-machines"),
        ("Società Caffè", "societa-caffe"),
        ("日本", "workspace"),
        ("  --  ", "workspace"),
    ],
)
def test_slugs_read_like_the_name(name: str, slug: str) -> None:
    assert slug_of(name) == slug


@given(st.text())
def test_a_slug_is_always_safe_in_an_address(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug_of(name))


def test_join_codes_hold_40_bits() -> None:
    assert len(set(JOIN_CODE_ALPHABET)) == 32
    assert all(len(new_join_code()) == 8 for _ in range(100))
