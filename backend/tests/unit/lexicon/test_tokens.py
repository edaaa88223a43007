import os
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.lexicon import _vendored, tokens
from knowledgestack.lexicon.wordpieces import load_word_pieces


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("hello world", 2), ("tiktoken is great!", 6), ("<|endoftext|>", 7), ("日本語", 4), ("\n\n", 1)],
)
def test_counts_are_those_of_cl100k_base(text: str, count: int) -> None:
    assert tokens.count_tokens(text) == count


def test_known_ids() -> None:
    assert tokens.encode("hello world") == [15339, 1917]


@given(st.text())
def test_decoding_gives_the_text_back(text: str) -> None:
    ids = tokens.encode(text)
    assert tokens.decode_bytes(ids).decode() == text
    assert tokens.count_many([text, text]) == [len(ids), len(ids)]


def test_loading_opens_no_connection_and_writes_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    monkeypatch.setattr(os, "makedirs", refuse)
    tokens._encoding.cache_clear()
    assert tokens.count_tokens("hello world") == 2


def test_a_changed_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_vendored._SHA256, _vendored.MINILM_TOKENIZER, "0" * 64)
    with pytest.raises(_vendored.VendoredFileChanged):
        _vendored.read_vendored(_vendored.MINILM_TOKENIZER)


def test_counting_is_safe_from_many_threads() -> None:
    text = "The quick brown fox jumps over the lazy dog. " * 50
    with ThreadPoolExecutor(8) as pool:
        counts = set(pool.map(tokens.count_tokens, [text] * 64))
    assert counts == {tokens.count_tokens(text)}


def test_word_pieces_are_neither_cut_nor_padded() -> None:
    tokenizer = load_word_pieces()
    assert len(tokenizer.encode("cat " * 700, add_special_tokens=False).ids) == 700
    assert len(tokenizer.encode("cat", add_special_tokens=False).ids) == 1
