"""Names of files: whatever a person may have typed is data, what could mislead is refused."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.core.errors import InvalidRequest
from knowledgestack.sources.naming import clean_file_name


@pytest.mark.parametrize(
    "name",
    [
        "handbook.md",
        "Reisekosten 2026 (Entwurf).md",
        "policies/travel/2026.md",
        "日本語.txt",
        "CON",
        "-rf *.md",
        "a'b\"c;d.csv",
        "👩‍🔧.md",
        "...md",
        "x" * 255,
    ],
)
def test_ordinary_and_odd_names_are_taken_as_they_are(name: str) -> None:
    assert clean_file_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "/etc/passwd",
        "../secret.md",
        "a/../b.md",
        "a/./b.md",
        "a//b.md",
        "a/",
        "..",
        ".",
        "a\\b.md",
        "nul\x00.md",
        "line\nbreak.md",
        "tab\t.md",
        "escape\x1b[2J.md",
        "c1\x85.md",
        "reversed\u202edm.exe",
        "mark\u200f.md",
        "isolate\u2066.md",
        "separator\u2028.md",
        "\ud800.md",
        "x" * 256,
        "/".join(["y" * 200] * 6),
    ],
)
def test_names_that_lead_elsewhere_or_mislead_are_refused(name: str) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        clean_file_name(name)
    assert refusal.value.code == "invalid_name"


def test_a_decomposed_name_is_composed() -> None:
    assert clean_file_name("cafe\u0301.md") == "caf\u00e9.md"


@given(st.text(max_size=300))
def test_a_name_that_is_taken_keeps_the_rules(raw: str) -> None:
    try:
        name = clean_file_name(raw)
    except InvalidRequest:
        return
    assert name == unicodedata.normalize("NFC", raw)
    assert clean_file_name(name) == name
    assert all(part not in {"", ".", ".."} for part in name.split("/"))
    assert not any(unicodedata.category(character) == "Cc" or character == "\\" for character in name)
