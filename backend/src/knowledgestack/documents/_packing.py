"""Packing of pieces into groups, each of which becomes a chunk: within a section up to the ceiling, never below the
floor while a neighbour can take what is too small."""

from dataclasses import dataclass
from itertools import takewhile

from knowledgestack.documents._pieces import Cutter, Piece
from knowledgestack.lexicon.tokens import count_tokens

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
        self._take_from_before(before, tail)

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
                merged.append(group)
                if not (before and self._take_from_before(before, group)) and following:
                    self._take_from_following(group, following)
        return merged

    def _join(self, first: Group, second: Group) -> Group | None:
        """Both as one group, or None where that is too long or what they repeat would stand in the middle."""
        left, right = first.pieces[-1], second.pieces[0]
        if left.block is not right.block and (left.closed or right.opened):
            return None
        if first.tokens + second.tokens > self.limit and left.block is not right.block:
            return None
        pieces = self._adjoined(first.pieces, second.pieces)
        tokens = group_tokens(pieces)
        return Group(pieces, self._joined_path(first, second), tokens) if tokens <= self.limit else None

    def _joined_path(self, first: Group, second: Group) -> HeadingPath:
        if first.path == second.path:
            return first.path
        small, large = sorted((first, second), key=lambda group: group.tokens)
        if large.tokens >= small.tokens * _DOMINANT:
            return large.path
        common = common_path(first.path, second.path)
        if common in (first.path, second.path):
            return max(first.path, second.path, key=len)
        return common

    def _take_from_before(self, before: Group, small: Group) -> bool:
        """Move pieces, or a part of one, from the end of `before` to `small`; both unchanged where that fails."""
        left, right = list(before.pieces), list(small.pieces)
        while group_tokens(right) < self.floor:
            piece = left[-1]
            if right[0].opened and right[0].block is not piece.block:
                return False
            missing = self.floor - group_tokens(right)
            if group_tokens(left) - piece.tokens >= self.floor and group_tokens(right) + piece.tokens <= self.limit:
                moved = left.pop()
            elif (halves := self.cutter.split_at(piece, piece.tokens - missing)) is not None:
                left[-1], moved = halves
            else:
                return False
            right = self._adjoined([moved], right)
            if group_tokens(left) < self.floor or group_tokens(right) > self.limit:
                return False
        return self._settle(before, left, small, right)

    def _take_from_following(self, small: Group, following: Group) -> bool:
        """Move pieces, or a part of one, from the front of `following` to `small`; both unchanged where that fails."""
        left, right = list(small.pieces), list(following.pieces)
        while group_tokens(left) < self.floor:
            piece = right[0]
            if piece.opened or left[-1].closed:
                return False
            room = min(self.limit - group_tokens(left), group_tokens(right) - self.floor)
            if piece.tokens <= room:
                moved = right.pop(0)
            elif (halves := self.cutter.split_at(piece, room - piece.wrapping.suffix_tokens)) is not None:
                moved, right[0] = halves
            else:
                return False
            left.append(moved)
            if group_tokens(right) < self.floor or group_tokens(left) > self.limit:
                return False
        return self._settle(small, left, following, right)

    def _adjoined(self, first: list[Piece], second: list[Piece]) -> list[Piece]:
        """Neighbouring pieces as one list; the parts of one block that meet become one part again."""
        left, right = first[-1], second[0]
        if left.block is not right.block:
            return first + second
        tokens = count_tokens(self.cutter.text[left.start : right.end])
        part = Piece(left.start, right.end, tokens, left.block, left.wrapping, left.opened, right.closed)
        return [*first[:-1], part, *second[1:]]

    @staticmethod
    def _settle(first: Group, left: list[Piece], second: Group, right: list[Piece]) -> bool:
        first.pieces, first.tokens = left, group_tokens(left)
        second.pieces, second.tokens = right, group_tokens(right)
        return True


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
