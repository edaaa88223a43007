import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.lexicon.terms import content_terms, coverage, text_search_config


@pytest.mark.parametrize(
    ("text", "language", "terms"),
    [
        ("What does status SL-0726 mean?", "en", ["status", "sl-0726", "mean"]),
        ("The returns are returned by a returning customer", "en", ["return", "return", "return", "custom"]),
        ("state-of-the-art coffee", "en", ["state", "art", "coffe"]),
        ("don't touch the company's machine", "en", ["touch", "compani", "machin"]),
        ("10.5 % on 2026-11-02, v2.1", "en", ["10.5", "2026-11-02", "v2.1"]),
        ("i dipendenti dell’azienda", "it", ["dipendent", "azi"]),
        ("la rückgabe der Straßen", "de", ["la", "ruckgab", "strass"]),
        ("Straßen und Strassen", "de", ["strass", "strass"]),
        ("l'état de la machine", "fr", ["état", "machin"]),
        ("las devoluciones", "es", ["devolu"]),
        ("東京都の天気 X", "ja", ["東京", "京都", "都の", "の天", "天気", "x"]),
        ("ﬁling", "en", ["file"]),
        ("", "en", []),
    ],
)
def test_terms(text: str, language: str, terms: list[str]) -> None:
    assert content_terms(text, language) == terms


def test_an_undetermined_language_reads_as_english() -> None:
    assert content_terms("the machines", "und") == content_terms("the machines", "en")


@given(st.text(), st.sampled_from(["en", "it", "de", "fr", "es", "ja", "und", "ar"]))
def test_terms_never_fail_and_never_hold_white_space(text: str, language: str) -> None:
    assert all(term and not any(map(str.isspace, term)) for term in content_terms(text, language))


@pytest.mark.parametrize("text", ["a" * 300_000, "a-" * 150_000, "a.1" * 100_000, "'" * 300_000, "日" * 300_000])
def test_hostile_runs_take_linear_time(text: str) -> None:
    began = time.process_time()
    content_terms(text, "en")
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    ("language", "config"),
    [
        ("en", "english"),
        ("it", "italian"),
        ("de", "german"),
        ("ja", "english"),
        ("und", "english"),
        ("nb", "norwegian"),
    ],
)
def test_text_search_configuration(language: str, config: str) -> None:
    assert text_search_config(language) == config


def test_coverage_weighs_by_rarity() -> None:
    idf = {"warranti": 4.0, "machin": 1.0}
    assert coverage(["warranti", "machin"], ["warranti", "machin", "year"], idf) == 1.0
    assert coverage(["warranti", "machin"], ["warranti"], idf) == pytest.approx(0.8)
    assert coverage(["warranti", "machin"], ["machin"], idf) == pytest.approx(0.2)


def test_a_term_that_no_document_has_weighs_as_the_rarest() -> None:
    assert coverage(["sabbat", "machin"], ["machin"], {"machin": 1.0, "warranti": 4.0}) == pytest.approx(0.2)


def test_coverage_of_nothing_is_nothing() -> None:
    assert coverage([], ["machin"], {}) == 0.0
    assert coverage(["machin"], [], {}) == 0.0
    assert coverage(["machin"], ["machin"], {"machin": 0.0}) == 0.0
