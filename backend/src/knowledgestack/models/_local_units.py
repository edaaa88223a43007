"""Passages cut into what can be quoted: sentences, list items, table rows, definitions, code."""

import re
from collections.abc import Iterator, Sequence

import msgspec

from knowledgestack.lexicon.blocks import Block, BlockKind, heading_text, scan_blocks
from knowledgestack.lexicon.sentences import split_sentences
from knowledgestack.models._local_passages import Passage

_CELL_BORDER = re.compile(r"(?<!\\)\|")
_ITEM_MARK = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
_LINK = re.compile(r"!?\[([^\]\[]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_QUOTE_MARK = re.compile(r"^[ \t]*>[ \t]?", re.MULTILINE)
_MARK_LIKE = re.compile(r"\[([Qq0-9,;\- \u2013]{1,256})\]")
_RUN_IN = re.compile(r"(?:\*\*|__)[^*_]{1,60}(?:\*\*|__)")
_FENCE = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})")
_ONLY_LINE = re.compile(r"[\s\-*_=#|:]*\Z")


class Group(msgspec.Struct, frozen=True, eq=False):
    """The block a unit was cut from. `header` has a table's column names; `lead` the line that introduces a list."""

    passage: Passage
    kind: BlockKind
    heading: str
    header: tuple[str, ...] = ()
    lead: str = ""
    ordered: bool = False


class Unit(msgspec.Struct, frozen=True, eq=False):
    """The smallest thing that is quoted. `shown` is Markdown on one line; `plain` has the words without their marks.

    `cells` are those of a table row; `position` counts within the passage.
    """

    group: Group
    position: int
    shown: str
    plain: str
    cells: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        return self.group.passage.number


def cut_units(passage: Passage, language: str) -> list[Unit]:
    """The units of one passage in reading order."""
    found: list[Unit] = []
    heading = ""
    lead = ""
    for block in scan_blocks(passage.text):
        if block.kind is BlockKind.HEADING:
            heading, lead = block.text, ""
            continue
        group = _group(passage, block, heading, lead)
        for shown, cells in _pieces(passage.text, block, language):
            plain = _plain_row(group.header, cells) if cells else heading_text(shown)
            if plain and not _ONLY_LINE.match(plain):
                found.append(Unit(group, len(found), shown, plain, cells))
        announces = bool(found) and block.kind is BlockKind.PARAGRAPH and found[-1].plain.endswith(":")
        lead = found[-1].shown if announces else ""
    return found


def _group(passage: Passage, block: Block, heading: str, lead: str) -> Group:
    own = heading or passage.heading.rpartition("›")[2].strip()
    if block.kind is BlockKind.TABLE and block.header is not None:
        header_line = passage.text[block.header.start : block.header.end].partition("\n")[0]
        return Group(passage, block.kind, own, header=_cells(header_line))
    if block.kind is BlockKind.LIST and block.parts:
        first = passage.text[block.parts[0].start : block.parts[0].end]
        return Group(passage, block.kind, own, lead=lead, ordered=first.lstrip()[:1].isdigit())
    return Group(passage, block.kind, own)


def _pieces(text: str, block: Block, language: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    source = text[block.start : block.end]
    if block.kind is BlockKind.TABLE:
        for row in block.parts:
            cells = _cells(text[row.start : row.end])
            if any(cells):
                yield " | ".join(cells), cells
    elif block.kind is BlockKind.LIST:
        for item in block.parts:
            yield one_line(_ITEM_MARK.sub("", text[item.start : item.end])), ()
    elif block.kind is BlockKind.CODE:
        yield _fenced(source), ()
    elif block.kind is BlockKind.DEFINITION:
        yield one_line(_ITEM_MARK.sub("", source)), ()
    else:
        source = _QUOTE_MARK.sub("", source) if block.kind is BlockKind.QUOTE else source
        yield from ((sentence, ()) for sentence in sentences(source, language))


def _fenced(source: str) -> str:
    """A code block between fences of backticks, whatever fences it had or lost where the document was cut."""
    lines = source.split("\n")
    opening = _FENCE.match(lines[0])
    if opening is not None:
        closed = len(lines) > 1 and lines[-1].strip().startswith(opening["fence"])
        lines = lines[1 : -1 if closed else None]
    body = "\n".join(lines)
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", body)), default=0))
    return f"{fence}\n{body}\n{fence}"


def sentences(source: str, language: str) -> list[str]:
    """The sentences of a paragraph, each with its emphasis closed.

    A run-in heading ("**Which machines.** Those of…") and a question ("Why not? Because…") are nothing without the
    sentence after them and stay joined to it.
    """
    found: list[str] = []
    open_before = ""
    for span in split_sentences(source, language):
        sentence = f"{open_before} {_balanced(one_line(source[span.start : span.end]))}".strip()
        open_before = ""
        if _RUN_IN.fullmatch(sentence) or sentence.rstrip("*_ ").endswith("?"):
            open_before = sentence
        else:
            found.append(sentence)
    return [*found, open_before] if open_before else found


def one_line(source: str) -> str:
    """Markdown on one line, its links reduced to their words and nothing in it that looks like a citation mark."""
    return " ".join(_MARK_LIKE.sub(r"(\1)", _LINK.sub(r"\1", source)).split())


def _balanced(sentence: str) -> str:
    """Emphasis that opens or closes in another sentence is taken away, so that no stray mark is left."""
    for mark in ("**", "__"):
        if sentence.count(mark) % 2:
            sentence = sentence.replace(mark, "")
    if sentence.replace("**", "").count("*") % 2:
        sentence = sentence.removeprefix("*").removesuffix("*")
    return sentence.strip()


def _cells(line: str) -> tuple[str, ...]:
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return tuple(one_line(cell) for cell in _CELL_BORDER.split(inner))


def _plain_row(header: Sequence[str], cells: Sequence[str]) -> str:
    """A row in words: each cell behind the name of its column."""
    named: list[str] = []
    for index, cell in enumerate(cells):
        name = heading_text(header[index]) if index < len(header) else ""
        words = heading_text(cell)
        if words:
            named.append(f"{name}: {words}" if name else words)
    return "; ".join(named)
