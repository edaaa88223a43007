"""mistletoe's block phase behind one door: which block stands on which lines, nothing of what is inside.

The block phase alone is three times as fast as a whole parse. It keeps its state in classes, so one lock guards it.
"""

import re
import threading
from collections.abc import Sequence
from typing import NamedTuple, cast

from mistletoe import block_token, block_tokenizer
from mistletoe.block_tokenizer import FileWrapper

# What a line may cost: block structure shows in its first characters, so the rest, and nesting deeper than any
# document has, never reaches the parser. The source itself is not changed.
_LINE_CHARACTERS = 1_000
_PREFIX_CHARACTERS = 32
_LONG_PREFIX = re.compile(rf"[\s>*+\-\d.)]{{{_PREFIX_CHARACTERS + 1},}}")
_DELIMITER_MARKS = frozenset("-:| \t")
_RULE_MARKS = frozenset("-*_=")

# A line that begins with a letter and holds no bar can interrupt no paragraph.
_PLAIN_LINE = re.compile(r" {0,3}[^\W\d_][^|]*\Z")


class ParsedBlock(NamedTuple):
    """One top-level block: mistletoe's name for it, its first line (from 0) and what the kind adds."""

    name: str
    first_line: int
    level: int
    item_lines: tuple[int, ...]


class _Paragraph(block_token.Paragraph):
    """mistletoe's paragraph with a short cut for the lines that most prose is made of."""

    @classmethod
    def read(cls, lines: FileWrapper) -> object:
        buffer = [next(lines)]
        next_line = lines.peek()
        while next_line is not None and next_line.strip() != "":
            if not _PLAIN_LINE.match(next_line):
                if any(kind.check_interrupts_paragraph(lines) for kind in _INTERRUPTING):
                    break
                if cls.parse_setext and cls.is_setext_heading(next_line):
                    buffer.append(next(lines))
                    return block_token.SetextHeading(buffer)
                if block_token.ThematicBreak.check_interrupts_paragraph(lines):
                    break
            buffer.append(next(lines))
            next_line = lines.peek()
        return buffer


class _PlainParagraph(_Paragraph):
    """A paragraph whose first line can begin nothing else: known by one look instead of eight."""

    @classmethod
    def start(cls, line: str) -> object:
        return _PLAIN_LINE.match(line)


class _EmptyLine(block_token.BlockToken):
    """A line that begins nothing: known at once, where mistletoe asks every kind of block first."""

    @classmethod
    def start(cls, line: str) -> object:
        return line == "\n" or line.isspace()

    @classmethod
    def read(cls, lines: FileWrapper) -> object:
        return next(lines)


class _HtmlBlock(block_token.HtmlBlock):
    """mistletoe's HTML block, asked only where a tag can begin."""

    @classmethod
    def start(cls, line: str) -> object:
        return "<" in line[:4] and super().start(line)


# Link definitions are left out: they are text to a reader of chunks, and mistletoe reads ahead to the next empty
# line for each of them, which a hostile file turns into quadratic time.
_TYPES: list[type[block_token.BlockToken]] = [
    _EmptyLine,
    _PlainParagraph,
    _HtmlBlock,
    block_token.BlockCode,
    block_token.Heading,
    block_token.Quote,
    block_token.CodeFence,
    block_token.ThematicBreak,
    block_token.List,
    block_token.Table,
    _Paragraph,
]
_INTERRUPTING = (
    _HtmlBlock,
    block_token.Heading,
    block_token.Quote,
    block_token.CodeFence,
    block_token.List,
    block_token.Table,
)

# Where mistletoe keeps the list for nested blocks; it has no parameter for it.
_NESTED_TYPES = "_token_types"

_parsing = threading.Lock()


def _is_rule(line: str) -> bool:
    """A thematic break, a heading's underline or a table's delimiter row: long, and no nesting."""
    marks = set(line)
    return marks <= _DELIMITER_MARKS or (marks <= _RULE_MARKS | {" ", "\t"} and len(marks & _RULE_MARKS) == 1)


def _shadow(line: str) -> str:
    if len(line) > _LINE_CHARACTERS:
        line = line[:_LINE_CHARACTERS]
    if not line[0].isalpha():
        prefix = _LONG_PREFIX.match(line)
        if prefix is not None and not _is_rule(line):
            line = line[:_PREFIX_CHARACTERS] + line[prefix.end() :]
    return line + "\n"


def parse_blocks(lines: Sequence[str]) -> list[ParsedBlock]:
    """Top-level blocks of Markdown given as lines without their ends; safe from any thread."""
    shadows = [f"{line}\n" if len(line) <= _PREFIX_CHARACTERS else _shadow(line) for line in lines]
    with _parsing:
        types_before = getattr(block_token, _NESTED_TYPES)
        setattr(block_token, _NESTED_TYPES, _TYPES)
        try:
            found = block_tokenizer.tokenize_block(shadows, _TYPES)
        finally:
            setattr(block_token, _NESTED_TYPES, types_before)
            block_token.Paragraph.parse_setext = True
    return [_describe(kind, result, line - 1) for kind, result, line in found if kind is not _EmptyLine]


def _describe(kind: type[block_token.BlockToken], result: object, first_line: int) -> ParsedBlock:
    name = "Paragraph" if kind is _PlainParagraph else kind.__name__.lstrip("_")
    level = 0
    items: tuple[int, ...] = ()
    if name == "Heading":
        level = cast("tuple[int, str, str]", result)[0]
    elif isinstance(result, block_token.SetextHeading):
        name, level = "Heading", result.level
    elif name == "List":
        items = tuple(item[4] - 1 for item in cast("list[tuple[object, int, int, str, int]]", result))
    return ParsedBlock(name, first_line, level, items)
