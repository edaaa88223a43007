"""Cuts a document's text into what can be quoted: sentences, list items and table rows, with the headings above."""

import itertools
import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from knowledgestack.lexicon.blocks import Block, BlockKind, scan_blocks
from knowledgestack.lexicon.sentences import Span, split_sentences

MOST_CHARACTERS = 2_000_000
"""Longer documents are read this far."""

_LEAST_SENTENCE = 12
_CELL_BORDER = re.compile(r"(?<!\\)\|")
# Lists of texts that are no Markdown.
_BULLET = re.compile(r"^[ \t]*[•‣▪◦]", re.MULTILINE)
_ITEM_MARK = re.compile(r"\s*(?:[-*+•‣▪◦]|\d{1,9}[.)])\s+")

UnitKind = Literal["heading", "sentence", "item", "row"]


class Unit(msgspec.Struct, frozen=True, gc=False):
    """A quotable piece, [start, end) in the text. `header` is the header row of a row's table.

    `section` counts headings, `block` counts blocks: sentences of one paragraph share it. `lead` is true for the
    first sentence of a section. `level` is a heading's.
    """

    kind: UnitKind
    start: int
    end: int
    section: int
    block: int
    path: tuple[str, ...]
    header: Span | None = None
    lead: bool = False
    level: int = 0


def units_of(text: str, language: str) -> Iterator[Unit]:
    """The units of a Markdown text in reading order. Code blocks are left out: an example explains no name."""
    text = text[:MOST_CHARACTERS]
    path: list[tuple[int, str]] = []
    section, lead = 0, True
    for number, block in enumerate(scan_blocks(text)):
        if block.kind is BlockKind.HEADING:
            while path and path[-1][0] >= block.level:
                path.pop()
            path.append((block.level, block.text))
            section, lead = section + 1, True
        names = tuple(name for _, name in path)
        for kind, span in _pieces(text, block, language):
            level = block.level if kind == "heading" else 0
            leads = lead and kind == "sentence"
            yield Unit(kind, span.start, span.end, section, number, names, block.header, leads, level)
            lead = lead and not leads


def _pieces(text: str, block: Block, language: str) -> Iterator[tuple[UnitKind, Span]]:
    match block.kind:
        case BlockKind.CODE | BlockKind.HTML:
            return
        case BlockKind.HEADING:
            yield "heading", Span(block.start, block.end)
        case BlockKind.DEFINITION:
            yield "item", Span(block.start, block.end)
        case BlockKind.TABLE | BlockKind.LIST:
            for part in block.parts:
                yield "row" if block.kind is BlockKind.TABLE else "item", part
        case _:
            bullets = [match.start() for match in _BULLET.finditer(text, block.start, block.end)]
            first = bullets[0] if bullets else block.end
            for span in _sentences(text, Span(block.start, first), language):
                yield "sentence", span
            for start, end in itertools.pairwise([*bullets, block.end]):
                yield "item", Span(start, start + len(text[start:end].rstrip()))


def _sentences(text: str, block: Span, language: str) -> Iterator[Span]:
    """Sentences of a paragraph; one too short to say anything stays with the one before."""
    open_span: Span | None = None
    for found in split_sentences(text[block.start : block.end], language):
        span = Span(block.start + found.start, block.start + found.end)
        if open_span is not None and span.end - span.start < _LEAST_SENTENCE:
            open_span = Span(open_span.start, span.end)
            continue
        if open_span is not None:
            yield open_span
        open_span = span
    if open_span is not None:
        yield open_span


def cells_of(row: str) -> list[Span]:
    """The cells of a Markdown table row as ranges in it, without the white space around them."""
    borders = [match.start() for match in _CELL_BORDER.finditer(row)]
    if not row.lstrip().startswith("|"):
        borders.insert(0, -1)
    if not row.rstrip().endswith("|"):
        borders.append(len(row))
    cells: list[Span] = []
    for left, right in itertools.pairwise(borders):
        cell = row[left + 1 : right]
        start = left + 1 + len(cell) - len(cell.lstrip())
        cells.append(Span(start, max(start, start + len(cell.strip()))))
    return cells


def after_mark(item: str) -> int:
    """Where a list item's text begins."""
    match = _ITEM_MARK.match(item)
    return match.end() if match else 0
