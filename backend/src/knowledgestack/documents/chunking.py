"""Chunks: the pieces of a document that are searched, shown to a model and cited.

A chunk is as much of one section as fits in 512 tokens of cl100k_base, at least 64 where a neighbour can take what is
smaller. Blocks stay whole where they fit; a long table is split by row with its header repeated, split code is fenced
again. Reading order is the contract, and every chunk knows the exact range of the stored text that it came from.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec

from knowledgestack.documents._packing import Group, HeadingPath, Packer
from knowledgestack.documents._pieces import Cutter, Piece, parts_between
from knowledgestack.documents.parsers import DocumentType, ParsedDocument
from knowledgestack.lexicon.blocks import Block, BlockKind, scan_blocks
from knowledgestack.lexicon.sentences import Span
from knowledgestack.lexicon.tokens import count_tokens

MAX_CHUNK_TOKENS = 512
MIN_CHUNK_TOKENS = 64

# How far the first and last word of a chunk are looked for.
_EDGE_CHARACTERS = 200
# The white space behind a chunk is counted while packing and cut off at the end; it has two tokens at most.
_PACKING_FLOOR = MIN_CHUNK_TOKENS + 2
_JSON_CONTAINER = re.compile(r"^( *)(?:\"((?:[^\"\\]|\\.)*)\": )?[\[{]$", re.MULTILINE)
_JSON_INDENT = 2


class ChunkBlock(msgspec.Struct, frozen=True, gc=False):
    """A block, or the part of one, inside a chunk; ranges are code points of the document's text.

    `parts` are the table rows or list items in the chunk, `header` is the table's header row with its delimiter row
    (it may lie in an earlier chunk), or the opening fence of a code block.
    """

    kind: BlockKind
    start: int
    end: int
    parts: tuple[Span, ...] = ()
    header: Span | None = None


class Chunk(msgspec.Struct, frozen=True, gc=False):
    """One chunk. `text` is the slice [start, end) of the document's text, with a table's header or the fences of
    code repeated where it is a part of a split block. `kind` is that of the longest block, headings aside.
    """

    chunk_index: int
    heading_path: HeadingPath
    text: str
    start: int
    end: int
    token_count: int
    kind: BlockKind
    blocks: tuple[ChunkBlock, ...]


def create_chunks(document: ParsedDocument) -> list[Chunk]:
    """Chunks of the document's text in reading order, indexed from zero. CPU bound: off the event loop.

    The ranges ascend, do not overlap, and leave out nothing but white space. Every `text` has 512 tokens at most.
    """
    text = document.text
    blocks = _blocks(document)
    packer = Packer(Cutter(text, MAX_CHUNK_TOKENS), MAX_CHUNK_TOKENS, _PACKING_FLOOR)
    groups: list[Group] = []
    for pieces, path in _sections(packer.cutter, blocks):
        groups.extend(packer.pack_section(pieces, path))
    groups = packer.merge_small(groups)
    if document.type is DocumentType.JSON:
        _name_json_paths(text, groups)
    chunks: list[Chunk] = []
    for group in groups:
        chunks.extend(_chunks_of(text, group, len(chunks)))
    return chunks


def _blocks(document: ParsedDocument) -> list[Block]:
    match document.type:
        case DocumentType.MARKDOWN | DocumentType.HTML | DocumentType.CSV:
            return scan_blocks(document.text)
        case DocumentType.JSON:
            return [Block(BlockKind.CODE, 0, len(document.text.rstrip()))]
        case DocumentType.TEXT:
            return list(_paragraphs(document.text))


def _paragraphs(text: str) -> Iterator[Block]:
    """Runs of lines between empty lines."""
    offset, start, end = 0, -1, 0
    for line in text.split("\n"):
        if line.strip():
            start = offset if start < 0 else start
            end = offset + len(line)
        elif start >= 0:
            yield Block(BlockKind.PARAGRAPH, start, end)
            start = -1
        offset += len(line) + 1
    if start >= 0:
        yield Block(BlockKind.PARAGRAPH, start, end)


def _sections(cutter: Cutter, blocks: list[Block]) -> Iterator[tuple[list[Piece], HeadingPath]]:
    """Each heading with the blocks up to the next one, and the path of headings above and including it."""
    ends = [block.start for block in blocks[1:]]
    ends.append(len(cutter.text))
    open_headings: list[tuple[int, str]] = []
    pieces: list[Piece] = []
    for block, end in zip(blocks, ends, strict=False):
        if block.kind is BlockKind.HEADING:
            if pieces:
                yield pieces, _path(open_headings)
            pieces = []
            while open_headings and open_headings[-1][0] >= block.level:
                open_headings.pop()
            open_headings.append((block.level, block.text))
        pieces.append(cutter.piece(block, end))
    if pieces:
        yield pieces, _path(open_headings)


def _path(open_headings: Iterable[tuple[int, str]]) -> HeadingPath:
    return tuple(text for _, text in open_headings if text)


def _name_json_paths(text: str, groups: list[Group]) -> None:
    """Give each group the keys that lead to its first line, read from the indentation."""
    containers = _JSON_CONTAINER.finditer(text)
    container = next(containers, None)
    keys: list[str] = []
    for group in groups:
        start = group.pieces[0].start
        while container is not None and container.start() < start:
            del keys[len(container.group(1)) // _JSON_INDENT :]
            keys.append(container.group(2) or "")
            container = next(containers, None)
        line = text.rfind("\n", 0, start + 1) + 1
        indent = len(text[line : line + 200]) - len(text[line : line + 200].lstrip(" "))
        group.path = tuple(key for key in keys[: indent // _JSON_INDENT] if key)


def _chunks_of(text: str, group: Group, index: int) -> Iterator[Chunk]:
    first, last = group.pieces[0], group.pieces[-1]
    start, end = first.start, last.end
    body = text[start:end].rstrip()
    if start and text[start - 1] != "\n":
        body = body.lstrip()
        start = end - len(text[start:end].lstrip())
    if not body:
        return
    whole = f"{first.prefix}{body}{last.suffix}"
    tokens = _exact_tokens(text, group, start, body) or count_tokens(whole)
    if tokens > MAX_CHUNK_TOKENS:
        for half in _halves(group, start + len(body) // 2):
            for chunk in _chunks_of(text, half, index):
                yield chunk
                index += 1
        return
    end = start + len(body)
    blocks = tuple(_chunk_block(piece, start, end) for piece in group.pieces)
    yield Chunk(index, group.path, whole, start, end, tokens, _kind(blocks), blocks)


def _exact_tokens(text: str, group: Group, start: int, body: str) -> int:
    """Tokens of the chunk from the counts of its pieces, corrected for what stands around the body in the document
    and in the chunk; 0 where they do not add up and the chunk has to be counted.
    """
    first, last = group.pieces[0], group.pieces[-1]
    tokens = sum(piece.tokens for piece in group.pieces) + (first.wrapping.prefix_tokens if first.opened else 0)
    leading, trailing = text[first.start : start], text[start + len(body) : last.end]
    if start and text[start - 1] != "\n":
        space = body.find(" ", 1, _EDGE_CHARACTERS)
        if space < 0 or body[space + 1].isspace():
            return 0
        head = body[:space]
        tokens += count_tokens(head) - count_tokens(leading + head)
    if trailing != last.suffix:
        edge = max(body.rfind("\n", -_EDGE_CHARACTERS) + 1, body.rfind(" ", -_EDGE_CHARACTERS))
        tail = body[edge:]
        if len(tail) > _EDGE_CHARACTERS:
            return 0
        tokens += count_tokens(tail + last.suffix) - count_tokens(tail + trailing)
    return tokens


def _halves(group: Group, middle: int) -> Iterator[Group]:
    """The group in two at `middle`: for texts whose tokens do not add up where they were cut."""
    left = [_clipped(piece, piece.start, min(piece.end, middle)) for piece in group.pieces if piece.start < middle]
    right = [_clipped(piece, max(piece.start, middle), piece.end) for piece in group.pieces if piece.end > middle]
    for pieces in (left, right):
        yield Group(pieces, group.path, 0)


def _clipped(piece: Piece, start: int, end: int) -> Piece:
    return Piece(start, end, piece.tokens, piece.block, piece.wrapping, piece.opened, piece.closed)


def _chunk_block(piece: Piece, start: int, end: int) -> ChunkBlock:
    block = piece.block
    first, after = max(piece.start, start), min(piece.end, block.end, end)
    parts = parts_between(block, piece.start, after) if block.parts else ()
    return ChunkBlock(block.kind, first, after, parts, block.header)


def _kind(blocks: tuple[ChunkBlock, ...]) -> BlockKind:
    if len(blocks) == 1:
        return blocks[0].kind
    sizes: dict[BlockKind, int] = {}
    for block in blocks:
        weight = 0 if block.kind is BlockKind.HEADING else block.end - block.start
        sizes[block.kind] = sizes.get(block.kind, 0) + weight
    return max(sizes, key=lambda kind: sizes[kind])
