"""Citation marks in streamed text: a mark that points to nothing never reaches the screen.

A mark is `[3]`, `[1, 4]`, `[2-4]` or `[Q2]`, and is shown as one bracket for each number. Text is held back from an
opening bracket until the mark is whole and checked. Code keeps its brackets: `a[0]` in a code span or a fenced block is
no mark, and text after a backtick is held back until the span closes, because until then nobody knows whether it is
code.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

IsKnownMark = Callable[[str], bool]

_MARK = re.compile(r"\[([Qq0-9,;\- \u2013]{1,256})\]")
_UNFINISHED_MARK = re.compile(r"\[[Qq0-9,;\- \u2013]{0,256}\Z")
_LABELS = re.compile(r"(Q?)([0-9]{1,6})(?: ?[-\u2013] ?(Q?)([0-9]{1,6}))?\Z", re.IGNORECASE)
_STOP = re.compile(r"[\[`\n]")
_TICKS = re.compile(r"`+")
_FENCE_PREFIX = re.compile(r"[ \t>*+\-0-9.)]*\Z")
_FENCE_CLOSE = re.compile(r"[ \t>]*(`{3,})[ \t]*\Z")
_LONGEST_HELD = 400
_LONGEST_RANGE = 20


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text; `labels` are those of a mark, None for everything else."""

    text: str
    labels: tuple[str, ...] | None = None


def mark_labels(body: str) -> tuple[str, ...] | None:
    """The labels between the brackets of a mark (`1, q2` gives 1 and Q2), None where it is no mark."""
    labels: list[str] = []
    for item in re.split("[,;]", body):
        match = _LABELS.match(item.strip(" "))
        if match is None:
            return None
        first = int(match[2])
        last = first if match[4] is None else int(match[4])
        if last - first >= _LONGEST_RANGE:
            last = first
        labels += [f"{match[1].upper()}{number}" for number in range(first, last + 1)]
    return tuple(labels)


class MarkScanner:
    """Cuts a stream of text into pieces. Whatever way the stream is split, the pieces say the same."""

    def __init__(self) -> None:
        self._held = ""
        self._line = ""
        self._fence = 0

    def push(self, text: str) -> Iterator[Piece]:
        """Yield what is decided; hold the rest back."""
        return self._scan(self._held + text, final=False)

    def pass_plain(self, text: str) -> bool:
        """Take text that decides nothing, the usual case, without looking for pieces; False where it may."""
        if self._held or self._fence or _STOP.search(text):
            return False
        self._line = (self._line + text)[:_LONGEST_HELD]
        return True

    def finish(self) -> Iterator[Piece]:
        """Yield what is left, at the end of the text."""
        return self._scan(self._held, final=True)

    def _scan(self, text: str, *, final: bool) -> Iterator[Piece]:
        self._held = ""
        position = 0
        while position < len(text):
            piece = self._fenced_line(text, position) if self._fence else self._next(text, position, final=final)
            if piece is None:
                self._held = text[position:]
                return
            if piece.text:
                self._remember_line(piece.text)
                yield piece
            position += len(piece.text)

    def _next(self, text: str, position: int, *, final: bool) -> Piece | None:
        """The piece at `position`, None where more text is needed to tell what it is."""
        stop = _STOP.search(text, position)
        if stop is None:
            return Piece(text[position:])
        if stop.start() > position:
            return Piece(text[position : stop.start()])
        if stop[0] == "[":
            return self._bracket(text, position, final=final)
        if stop[0] == "`":
            return self._code(text, position, final=final)
        return Piece("\n")

    def _bracket(self, text: str, position: int, *, final: bool) -> Piece | None:
        match = _MARK.match(text, position)
        labels = mark_labels(match[1]) if match else None
        if match and labels:
            return Piece(match[0], labels)
        if not match and not final and _UNFINISHED_MARK.match(text, position):
            return None
        return Piece("[")

    def _code(self, text: str, position: int, *, final: bool) -> Piece | None:
        ticks = _TICKS.match(text, position)
        assert ticks is not None
        undecided = None if not final and len(text) - position < _LONGEST_HELD else Piece(ticks[0])
        if ticks.end() == len(text):
            return undecided
        newline = text.find("\n", ticks.end())
        if len(ticks[0]) >= 3 and _FENCE_PREFIX.match(self._line):
            if newline < 0 and "`" not in text[ticks.end() :]:
                return undecided
            if newline >= 0 and "`" not in text[ticks.end() : newline]:
                self._fence = len(ticks[0])
                return Piece(text[position : newline + 1])
        return self._code_span(text, ticks, newline) or (undecided if newline < 0 else Piece(ticks[0]))

    def _code_span(self, text: str, ticks: re.Match[str], newline: int) -> Piece | None:
        line_end = newline if newline >= 0 else len(text)
        for closing in _TICKS.finditer(text, ticks.end(), line_end):
            # A run at the end of what has come may still grow; then it is not the one that closes.
            if closing[0] == ticks[0] and (newline >= 0 or closing.end() < len(text)):
                return Piece(text[ticks.start() : closing.end()])
        return None

    def _fenced_line(self, text: str, position: int) -> Piece:
        newline = text.find("\n", position)
        end = len(text) if newline < 0 else newline
        closing = _FENCE_CLOSE.match(self._line + text[position:end])
        if newline >= 0 and closing and len(closing[1]) >= self._fence:
            self._fence = 0
        return Piece(text[position : end + 1])

    def _remember_line(self, text: str) -> None:
        cut = text.rfind("\n")
        self._line = (self._line + text if cut < 0 else text[cut + 1 :])[:_LONGEST_HELD]


class MarkFilter:
    """Streams text on without the marks that `is_known` refuses. `is_known` is asked when a mark is whole."""

    def __init__(self, is_known: IsKnownMark) -> None:
        self._scanner = MarkScanner()
        self._is_known = is_known
        self._spaces = ""
        self._tail = ""

    def push(self, text: str) -> str:
        """The text that may be shown now."""
        if self._scanner.pass_plain(text):
            return self._show(text)
        return self._filter(self._scanner.push(text))

    def finish(self) -> str:
        """The text that was still held back, at the end of the text."""
        shown = self._filter(self._scanner.finish())
        spaces, self._spaces = self._spaces, ""
        return shown + spaces

    def _filter(self, pieces: Iterator[Piece]) -> str:
        """Spaces wait for what follows them: a mark that is dropped takes them along."""
        shown: list[str] = []
        for piece in pieces:
            if piece.labels is None:
                shown.append(self._show(piece.text))
                continue
            mark = self._checked_mark(piece.labels)
            self._spaces = ""
            self._tail = (self._tail + mark)[-_LONGEST_HELD:]
            shown.append(mark)
        return "".join(shown)

    def _show(self, text: str) -> str:
        text = self._spaces + text
        kept = text.rstrip(" ")
        self._spaces = text[len(kept) :]
        self._tail = (self._tail + kept)[-_LONGEST_HELD:]
        return kept

    def _checked_mark(self, labels: tuple[str, ...]) -> str:
        known = [label for label in labels if self._is_known(label)]
        if known:
            return self._spaces + "".join(f"[{label}]" for label in known)
        # In `[[9]7]` the brackets around a mark would close to a new one when nothing is left between them.
        return "…" if _UNFINISHED_MARK.search(self._tail) else ""


def find_marks(text: str) -> list[tuple[int, int, tuple[str, ...]]]:
    """The marks of a whole text: code points [start, end) and labels."""
    scanner = MarkScanner()
    position, found = 0, list[tuple[int, int, tuple[str, ...]]]()
    for piece in (*scanner.push(text), *scanner.finish()):
        end = position + len(piece.text)
        if piece.labels:
            found.append((position, end, piece.labels))
        position = end
    return found


def without_marks(text: str) -> str:
    """The text with its marks and the spaces before them taken out."""
    taken_out = MarkFilter(lambda _: False)
    return taken_out.push(text) + taken_out.finish()
