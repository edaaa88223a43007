"""Pieces: the parts of a document that chunks are packed from, and where a piece too long is cut.

A piece is the slice from its first character to the first character of the next piece, white space included. Cut
before a space or after a line end, slices have token counts that add up exactly: cl100k_base's pattern breaks there.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from knowledgestack.lexicon.blocks import Block, BlockKind
from knowledgestack.lexicon.sentences import Span, split_sentences
from knowledgestack.lexicon.tokens import count_tokens, decode_bytes, encode

# Characters of a token in prose. A slice with so many that it would be over the limit at this rate is not encoded
# whole to know it: cutting finds out.
_CHARACTERS_PER_TOKEN = 4.0
_LONG_CHARACTERS_PER_TOKEN = 4.5
# A long block is encoded in stretches of whole lines, and its cuts share the tokens of a stretch.
_STRETCH_CHARACTERS = 16_384
# A cut inside a line may change the count of the tokens beside it.
_CUT_MARGIN = 6
_SHORT_RANGE = 40

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_LINE = re.compile(r"\n([ \t]*)(?=[^\s)\]}])")
_JOINING = re.compile("[\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")


class Wrapping(NamedTuple):
    """What a part of a split block repeats: a table's header rows, or a code block's fences; with their tokens."""

    prefix: str
    suffix: str
    prefix_tokens: int
    suffix_tokens: int


_BARE = Wrapping("", "", 0, 0)


class Piece(msgspec.Struct, frozen=True, gc=False):
    """The slice [start, end) of one block. `opened` and `closed`: whether it needs the block's prefix, suffix."""

    start: int
    end: int
    tokens: int
    block: Block
    wrapping: Wrapping = _BARE
    opened: bool = False
    closed: bool = False

    @property
    def prefix(self) -> str:
        return self.wrapping.prefix if self.opened else ""

    @property
    def suffix(self) -> str:
        return self.wrapping.suffix if self.closed else ""


class _Stretch(NamedTuple):
    """Tokens of text[start:end]. They are those of the text itself where it ends in whole lines."""

    start: int
    end: int
    tokens: list[int]
    whole_lines: bool = True


class Cutter:
    """Cuts the pieces of one text. `limit` is the ceiling of a chunk in tokens."""

    def __init__(self, text: str, limit: int) -> None:
        self.text = text
        self.limit = limit
        # Of the text cut last: how far to look for the next cut, and what is encoded already.
        self._characters_per_token = _CHARACTERS_PER_TOKEN
        self._ahead = _Stretch(0, 0, [])

    def piece(self, block: Block, end: int) -> Piece:
        """The whole block as one piece that reaches to `end`, the start of the next block."""
        start = block.start
        if end - start > self.limit * _LONG_CHARACTERS_PER_TOKEN:
            return Piece(start, end, self.limit + 1, block)
        return Piece(start, end, count_tokens(self.text[start:end]), block)

    def split(self, piece: Piece, first_limit: int) -> list[Piece]:
        """Pieces of at most `limit` tokens with what they repeat, the first of at most `first_limit`."""
        wrapping = self._wrapping(piece.block)
        pieces: list[Piece] = []
        start, limit = piece.start, first_limit - wrapping.suffix_tokens
        while start < piece.end:
            end, tokens = self.cut(piece, start, limit - _CUT_MARGIN)
            if wrapping.suffix and _FENCE.fullmatch(self.text[end : piece.end].strip()):
                end, tokens = piece.end, count_tokens(self.text[start : piece.end])
            opened, closed = start > piece.start, end < piece.end
            pieces.append(Piece(start, end, tokens, piece.block, wrapping, opened, closed))
            start, limit = end, self.limit - wrapping.prefix_tokens - wrapping.suffix_tokens
        return pieces

    def split_at(self, piece: Piece, tokens: int) -> tuple[Piece, Piece] | None:
        """Two pieces, the first of at most `tokens`; None where the piece has no place to be cut."""
        if tokens <= 0:
            return None
        middle, first_tokens = self.cut(piece, piece.start, tokens)
        if not piece.start < middle < piece.end:
            return None
        wrapping = self._wrapping(piece.block)
        second_tokens = count_tokens(self.text[middle : piece.end])
        return (
            Piece(piece.start, middle, first_tokens, piece.block, wrapping, piece.opened, closed=True),
            Piece(middle, piece.end, second_tokens, piece.block, wrapping, True, piece.closed),
        )

    def cut(self, piece: Piece, start: int, limit: int) -> tuple[int, int]:
        """The best place in (start, piece.end] for a slice from `start` of about `limit` tokens, and its tokens."""
        limit = max(limit, 1)
        stretch = self._stretch(piece, start, limit)
        tokens = stretch.tokens
        if len(tokens) <= limit:
            return piece.end, len(tokens)
        reached = decode_bytes(tokens[:limit])
        window = reached.decode("utf-8", errors="ignore")
        for least, boundary in self._boundaries(piece.block, start, window):
            if boundary > least:
                break
        else:
            boundary = max(1, _whole_character(self.text, start, len(window)))
        middle = start + boundary
        count = _tokens_within(tokens[:limit], len(reached) - len(window[:boundary].encode()))
        if count is None:
            return middle, count_tokens(self.text[start:middle])
        if stretch.whole_lines:
            self._ahead = _Stretch(middle, stretch.end, tokens[count:])
        return middle, count

    def _stretch(self, piece: Piece, start: int, limit: int) -> "_Stretch":
        """Text from `start` of more than `limit` tokens, or up to the end of the piece."""
        ahead = self._ahead
        if ahead.start == start and (ahead.end == piece.end or (ahead.end < piece.end and len(ahead.tokens) > limit)):
            return ahead
        while True:
            least = start + int(limit * self._characters_per_token * 1.15) + 32
            end = self.text.rfind("\n", start, min(piece.end, start + _STRETCH_CHARACTERS)) + 1
            whole_lines = end >= least or end == piece.end
            if not whole_lines:
                end = min(piece.end, least)
            tokens = encode(self.text[start:end])
            self._characters_per_token = max(1.0, (end - start) / max(len(tokens), 1))
            if end == piece.end or len(tokens) > limit:
                return _Stretch(start, end, tokens, whole_lines)

    def _boundaries(self, block: Block, start: int, window: str) -> Iterator[tuple[int, int]]:
        """(least, place) pairs in the order of preference: a place is good where it lies beyond `least`."""
        reach = len(window)
        if block.parts:
            # A row or an item is only cut where it alone is most of a chunk.
            index = bisect_right(block.parts, start + reach, key=lambda part: part.start) - 1
            yield reach // 8, block.parts[index].start - start if index >= 0 else 0
        if block.kind in {BlockKind.CODE, BlockKind.LIST, BlockKind.HTML, BlockKind.TABLE}:
            yield reach // 4, _shallowest_line(window)
        yield reach // 4, _sentence_boundary(window)
        yield reach // 4, window.rfind("\n") + 1
        yield reach // 8, window.rstrip(" ").rfind(" ")

    def _wrapping(self, block: Block) -> Wrapping:
        if block.header is None:
            return _BARE
        header = self.text[block.header.start : block.header.end]
        if block.kind is BlockKind.TABLE:
            tokens = count_tokens(header + "\n")
            return Wrapping(header + "\n", "", tokens, 0) if tokens <= self.limit // 3 else _BARE
        fence = _FENCE.match(header)
        marks = fence.group(1) if fence else ""
        if not marks or len(marks) > _SHORT_RANGE:
            return _BARE
        opening = header.strip() if len(header) <= _SHORT_RANGE * 2 else marks
        prefix, suffix = opening + "\n", "\n" + marks
        return Wrapping(prefix, suffix, count_tokens(prefix), count_tokens(suffix) + 1)


def _tokens_within(tokens: list[int], surplus: int) -> int | None:
    """How many of the tokens are left when `surplus` bytes are taken from their end; None where one would be cut."""
    first = max(0, len(tokens) - surplus)
    kept = bisect_left(range(first, len(tokens)), -surplus, key=lambda index: -len(decode_bytes(tokens[index:])))
    index = first + kept
    return index if len(decode_bytes(tokens[index:])) == surplus else None


def parts_between(block: Block, start: int, end: int) -> tuple[Span, ...]:
    """The rows or items of `block` that begin in [start, end), cut off at `end`."""
    first = bisect_left(block.parts, start, key=lambda part: part.start)
    after = bisect_left(block.parts, end, key=lambda part: part.start)
    return tuple(Span(part.start, min(part.end, end)) for part in block.parts[first:after])


def _shallowest_line(window: str) -> int:
    """The start of the least indented line in the second half of the window, the last of equals."""
    best, depth = 0, 1_000_000
    for line in _LINE.finditer(window, len(window) // 2):
        if len(line.group(1)) <= depth:
            best, depth = line.start() + 1, len(line.group(1))
    return best


def _sentence_boundary(window: str) -> int:
    """The end of the last whole sentence, before the space or after the line end that follows it."""
    offset = len(window) // 4
    sentences = split_sentences(window[offset:], "und")
    if len(sentences) < 2:
        return 0
    end = offset + sentences[-2].end
    gap = window[end : offset + sentences[-1].start]
    return end + gap.rfind("\n") + 1


def _whole_character(text: str, start: int, place: int) -> int:
    """`place` after `start`, moved back from inside a character made of several code points."""
    for index in range(place, max(0, place - 32), -1):
        after = text[start + index : start + index + 1]
        joined = text[start + index - 1] == "\u200d"
        if not (after and (joined or unicodedata.combining(after) or _JOINING.match(after))):
            return index
    return place
