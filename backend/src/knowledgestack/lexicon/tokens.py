"""Token counts of cl100k_base: the one encoder behind every count in the product."""

import base64
from collections.abc import Sequence
from functools import cache

import tiktoken

from knowledgestack.lexicon._vendored import CL100K_RANKS, read_vendored

# tiktoken's own loader downloads what it does not find, so the encoding is built from the vendored ranks and no
# path of it can reach the network. The pattern is cl100k_base's, as tiktoken 0.14 states it.
_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
_SPECIAL_TOKENS = {
    "<|endoftext|>": 100257,
    "<|fim_prefix|>": 100258,
    "<|fim_middle|>": 100259,
    "<|fim_suffix|>": 100260,
    "<|endofprompt|>": 100276,
}


@cache
def _encoding() -> tiktoken.Encoding:
    pairs = (line.split() for line in read_vendored(CL100K_RANKS).splitlines())
    ranks = {base64.b64decode(token): int(rank) for token, rank in pairs}
    return tiktoken.Encoding("cl100k_base", pat_str=_PATTERN, mergeable_ranks=ranks, special_tokens=_SPECIAL_TOKENS)


def encode(text: str) -> list[int]:
    """Token ids of `text`; words such as <|endoftext|> are ordinary text. Loads the encoder at first use (0.2 s)."""
    return _encoding().encode_ordinary(text)


def decode_bytes(tokens: Sequence[int]) -> bytes:
    """The UTF-8 bytes that the tokens stand for; the last character may be cut."""
    return _encoding().decode_bytes(tokens)


def count_tokens(text: str) -> int:
    """The number of cl100k_base tokens in `text`."""
    return len(_encoding().encode_ordinary(text))


def count_many(texts: Sequence[str]) -> list[int]:
    """The number of cl100k_base tokens of each text, in input order."""
    encode_ordinary = _encoding().encode_ordinary
    return [len(encode_ordinary(text)) for text in texts]
