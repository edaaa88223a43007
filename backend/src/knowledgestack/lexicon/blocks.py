"""The blocks of a Markdown text with their exact places in it."""

import re
from enum import StrEnum
from itertools import accumulate

import msgspec

from knowledgestack.lexicon._markdown import ParsedBlock, parse_blocks
from knowledgestack.lexicon.sentences import Span


class BlockKind(StrEnum):
    """What a block is to a reader."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    QUOTE = "quote"
    HTML = "html"
    DEFINITION = "definition"


class Block(msgspec.Struct, frozen=True, gc=False):
    """One block: [start, end) in code points of the text, from the beginning of its first line to the end of its
    last one, without the line end.

    `level` is 1 to 6 for a heading, else 0; `text` a heading's words without their markup, else "".
    `parts` are a table's rows after the delimiter row, or a list's items; `header` is a table's header row with its
    delimiter row, or the opening fence of a code block, else None.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    text: str = ""
    parts: tuple[Span, ...] = ()
    header: Span | None = None


_KINDS = {
    "Heading": BlockKind.HEADING,
    "List": BlockKind.LIST,
    "Table": BlockKind.TABLE,
    "CodeFence": BlockKind.CODE,
    "BlockCode": BlockKind.CODE,
    "Quote": BlockKind.QUOTE,
    "HtmlBlock": BlockKind.HTML,
    "ThematicBreak": BlockKind.PARAGRAPH,
    "Paragraph": BlockKind.PARAGRAPH,
}

_HEADING_CHARACTERS = 200
_FRONT_MATTER_LINES = 200
_INLINE_MARKS = re.compile(
    r"!?\[(?P<label>[^\]\[]*)\](?:\([^)\s]*(?:\s+\"[^\"]*\")?\)|\[[^\]]*\])"  # link or image: its label
    r"|<[^<>]{1,200}>"  # tag or autolink
    r"|\s\{#[^}]*\}"  # explicit anchor
    r"|`+|\*\*|__|~~|(?<!\w)[*_]|[*_](?!\w)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
)
# A term that stands apart (bold or code) and is then explained, or a term with its explanation on a line of its own.
_DEFINITION = re.compile(
    r"[ \t]*(?:[-*+][ \t]+)?"
    r"(?:\*\*[^*\n]{1,80}\*\*[ \t]*[:\u2013\u2014=]|\*\*[^*\n]{1,79}:\*\*|\*\*[^*\n]{1,80}\*\*[ \t]+(?:is|means|-)[ \t]"
    r"|`[^`\n]{1,80}`[ \t]*[:\u2013\u2014=]"
    r"|[^\n|#>]{1,80}\n(?:[ \t]*\n)?:[ \t]+)"
    r"[ \t]*\S"
)


def heading_text(source: str) -> str:
    """A heading's words as a reader sees them: no marks, no link targets, one line, 200 characters at most."""
    source = source[: _HEADING_CHARACTERS * 5]
    plain = _INLINE_MARKS.sub(lambda match: match.group("label") or match.group("escaped") or "", source)
    return " ".join(plain.split())[:_HEADING_CHARACTERS].rstrip()


def scan_blocks(markdown: str) -> list[Block]:
    """The blocks of `markdown` in reading order; the text between them is white space only.

    Structure is mistletoe's (CommonMark with tables). A front matter comes first, as a code block. Runs in bounded
    time on any input: a line's first 1,000 characters decide its structure, and nesting is cut at 32 characters.
    """
    lines = markdown.split("\n")
    offsets = [0, *accumulate(len(line) + 1 for line in lines)]
    if "\r" in markdown:
        lines = [line.rstrip("\r") for line in lines]
    scanner = _Scanner(markdown, lines, offsets)
    skipped = _front_matter_lines(lines)
    if skipped:
        scanner.add_front_matter(skipped)
    parsed = parse_blocks(lines[skipped:])
    for index, found in enumerate(parsed):
        next_line = parsed[index + 1].first_line if index + 1 < len(parsed) else len(lines) - skipped
        scanner.add(found, skipped, next_line + skipped)
    return scanner.blocks


def _front_matter_lines(lines: list[str]) -> int:
    if lines[0].lstrip("\ufeff").rstrip() != "---":
        return 0
    for number, line in enumerate(lines[1:_FRONT_MATTER_LINES], start=1):
        if line.rstrip() in {"---", "..."}:
            return number + 1
        if line.startswith("#") and not line.startswith("# "):
            return 0
    return 0


class _Scanner:
    def __init__(self, text: str, lines: list[str], offsets: list[int]) -> None:
        self.text = text
        self.lines = lines
        self.offsets = offsets
        self.blocks: list[Block] = []

    def _span(self, first: int, after: int) -> Span:
        """The range of lines [first, after) without empty lines at its end."""
        while after > first + 1 and not self.lines[after - 1].strip():
            after -= 1
        start = self.offsets[first]
        return Span(start, self.offsets[after - 1] + len(self.lines[after - 1]))

    def add_front_matter(self, after: int) -> None:
        span = self._span(0, after)
        self.blocks.append(Block(BlockKind.CODE, span.start, span.end))

    def add(self, found: ParsedBlock, shift: int, after: int) -> None:
        first = found.first_line + shift
        kind = _KINDS[found.name]
        span = self._span(first, after)
        match kind:
            case BlockKind.HEADING:
                self._add_heading(found, span)
            case BlockKind.TABLE:
                self._add_table(first, after, span)
            case BlockKind.LIST:
                self._add_list([line + shift for line in found.item_lines], after, span)
            case BlockKind.CODE if found.name == "CodeFence":
                header = self._span(first, first + 1)
                self.blocks.append(Block(kind, span.start, span.end, header=header))
            case BlockKind.PARAGRAPH if _DEFINITION.match(self.text, span.start, span.end):
                self.blocks.append(Block(BlockKind.DEFINITION, span.start, span.end))
            case _:
                self.blocks.append(Block(kind, span.start, span.end))

    def _add_heading(self, found: ParsedBlock, span: Span) -> None:
        source = self.text[span.start : span.end].strip()
        source = source.strip("#") if source.startswith("#") else source.rpartition("\n")[0]
        self.blocks.append(Block(BlockKind.HEADING, span.start, span.end, found.level, heading_text(source)))

    def _add_table(self, first: int, after: int, span: Span) -> None:
        header = self._span(first, first + 2)
        rows = [self._span(number, number + 1) for number in range(first + 2, after) if self.lines[number].strip()]
        self.blocks.append(Block(BlockKind.TABLE, span.start, span.end, parts=tuple(rows), header=header))

    def _add_list(self, item_lines: list[int], after: int, span: Span) -> None:
        ends = [*item_lines[1:], after]
        items = [self._span(first, end) for first, end in zip(item_lines, ends, strict=True)]
        ordered = self.lines[item_lines[0]].lstrip()[0].isdigit()
        if len(items) > 1 and not ordered and all(_DEFINITION.match(self.text, *item) for item in items):
            self.blocks.extend(Block(BlockKind.DEFINITION, item.start, item.end) for item in items)
            return
        self.blocks.append(Block(BlockKind.LIST, span.start, span.end, parts=tuple(items)))
