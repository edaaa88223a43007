"""Packing of pieces into groups, each of which becomes a chunk: within a section up to the ceiling, never below the
floor while a neighbour can take what is too small."""

from dataclasses import dataclass
from itertools import takewhile

from knowledgestack.documents._pieces import Cutter, Piece

HeadingPath = tuple[str, ...]

# A part with this many times the tokens of the other keeps its own heading path when the two become one.
_DOMINANT = 4


@dataclass(slots=True)
class Group:
    """Neighbouring pieces under one heading path; `tokens` counts what they repeat too."""

    pieces: list[Piece]
    path: HeadingPath
    tokens: int


def group_tokens(pieces: list[Piece]) -> int:
    """Tokens of the pieces as one chunk."""
    total = sum(piece.tokens for piece in pieces)
    if pieces[0].opened:
        total += pieces[0].wrapping.prefix_tokens
    if pieces[-1].closed:
        total += pieces[-1].wrapping.suffix_tokens
    return total


class Packer:
    """Packs the sections of one document. `limit` and `floor` are in tokens."""

    def __init__(self, cutter: Cutter, limit: int, floor: int) -> None:
        self.cutter = cutter
        self.limit = limit
        self.floor = floor

    def pack_section(self, pieces: list[Piece], path: HeadingPath) -> list[Group]:
        """The blocks under one heading, in reading order, as groups of at most `limit` tokens."""
        groups: list[Group] = []
        waiting: list[Piece] = []
        tokens = 0
        for piece in pieces:
            if tokens + piece.tokens <= self.limit:
                waiting.append(piece)
                tokens += piece.tokens
                continue
            if tokens >= self.floor:
                groups.append(Group(waiting, path, tokens))
                waiting, tokens = [], 0
            # What waits here is too small to stand alone, so the piece is cut even where it would fit alone.
            parts = [piece] if tokens + piece.tokens <= self.limit else self.cutter.split(piece, self.limit - tokens)
            for part in parts[:-1]:
                waiting.append(part)
                groups.append(Group(waiting, path, group_tokens(waiting)))
                waiting = []
            waiting.append(parts[-1])
            tokens = group_tokens(waiting)
        if waiting:
            groups.append(Group(waiting, path, tokens))
        if len(groups) > 1 and groups[-1].tokens < self.floor:
            self._settle_tail(groups)
        return groups

    def _settle_tail(self, groups: list[Group]) -> None:
        """Drop a section's small last group into the one before it, or take a part of that one over."""
        before, tail = groups[-2], groups[-1]
        joined = self._join(before, tail)
        if joined is not None:
            groups[-2:] = [joined]
            return
        self._take_over(before, tail)

    def merge_small(self, groups: list[Group]) -> list[Group]:
        """Groups in reading order, each below the floor dropped into the neighbour that is closest to it."""
        merged: list[Group] = []
        for index, group in enumerate(groups):
            if group.tokens >= self.floor:
                merged.append(group)
                continue
            following = groups[index + 1] if index + 1 < len(groups) else None
            before = merged[-1] if merged else None
            forward = self._join(group, following) if following else None
            backward = self._join(before, group) if before else None
            if forward and following and (backward is None or _closer(group, following, before)):
                groups[index + 1] = forward
            elif backward:
                merged[-1] = backward
            else:
                if before:
                    self._take_over(before, group)
                merged.append(group)
        return merged

    def _join(self, first: Group, second: Group) -> Group | None:
        """Both as one group, or None where that is too long or what they repeat would stand in the middle."""
        left, right = first.pieces[-1], second.pieces[0]
        tokens = first.tokens + second.tokens
        pieces = first.pieces + second.pieces
        if left.block is right.block:
            pieces = [*first.pieces[:-1], _unclosed(left), _unopened(right), *second.pieces[1:]]
            tokens = group_tokens(pieces)
        elif left.closed or right.opened:
            return None
        return Group(pieces, self._joined_path(first, second), tokens) if tokens <= self.limit else None

    def _joined_path(self, first: Group, second: Group) -> HeadingPath:
        if first.path == second.path:
            return first.path
        small, large = sorted((first, second), key=lambda group: group.tokens)
        if large.tokens >= small.tokens * _DOMINANT:
            return large.path
        common = common_path(first.path, second.path)
        if common == first.path or common == second.path:
            return max(first.path, second.path, key=len)
        return common

    def _take_over(self, before: Group, tail: Group) -> None:
        """Move the end of `before` to the front of `tail` so that neither is below the floor; else leave both."""
        if tail.pieces[0].opened and tail.pieces[0].block is not before.pieces[-1].block:
            return
        last = before.pieces[-1]
        parts = self.cutter.split_at(last, last.tokens - (self.floor - tail.tokens))
        if parts is None:
            return
        kept, moved = parts
        left = [*before.pieces[:-1], kept]
        if moved.block is tail.pieces[0].block:
            right = [_unclosed(moved), _unopened(tail.pieces[0]), *tail.pieces[1:]]
        elif moved.closed:
            return
        else:
            right = [moved, *tail.pieces]
        sizes = group_tokens(left), group_tokens(right)
        if min(sizes) >= self.floor and max(sizes) <= self.limit:
            before.pieces, tail.pieces = left, right
            before.tokens, tail.tokens = sizes


def common_path(first: HeadingPath, second: HeadingPath) -> HeadingPath:
    """The headings that both paths begin with."""
    return tuple(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def _closer(group: Group, following: Group, before: Group | None) -> bool:
    """Whether `following` shares more headings with `group` than `before` does; of equals the smaller is closer."""
    if before is None:
        return True
    shared_after = len(common_path(group.path, following.path))
    shared_before = len(common_path(group.path, before.path))
    return (shared_after, -following.tokens) >= (shared_before, -before.tokens)


def _unclosed(piece: Piece) -> Piece:
    return Piece(piece.start, piece.end, piece.tokens, piece.block, piece.wrapping, piece.opened, closed=False)


def _unopened(piece: Piece) -> Piece:
    return Piece(piece.start, piece.end, piece.tokens, piece.block, piece.wrapping, False, piece.closed)
