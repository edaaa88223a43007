"""Markdown: kept as written, without embedded images."""

import re

from knowledgestack.documents.parsers._base import DocumentType, ParsedDocument, document, title_from_name
from knowledgestack.documents.parsers._decoding import decode
from knowledgestack.lexicon.blocks import BlockKind, heading_text, scan_blocks

# An embedded image is megabytes of letters that no reader and no search can use.
_EMBEDDED_DATA = re.compile(r"data:[\w.+/-]{1,60}(?:;[\w=.+-]{1,40}){0,4},[A-Za-z0-9+/=%]{64,}")
_FRONT_MATTER_TITLE = re.compile(r"^title:[ \t]*[\"']?(.{1,300}?)[\"']?[ \t]*$", re.MULTILINE)
_TITLE_CHARACTERS = 8_000


def strip_embedded_data(markdown: str) -> str:
    """The text with the bytes of data: addresses taken out; the words around them stay."""
    return _EMBEDDED_DATA.sub("data:,", markdown) if "data:" in markdown else markdown


def title_of(markdown: str) -> str | None:
    """The front matter's title, else the first heading of level 1 on the first pages, else None."""
    head = markdown[:_TITLE_CHARACTERS]
    if head.startswith("---\n") and (closing := head.find("\n---", 4)) > 0:
        found = _FRONT_MATTER_TITLE.search(head, 4, closing + 1)
        if found is not None and (title := heading_text(found.group(1))):
            return title
    blocks = scan_blocks(head)
    return next((block.text for block in blocks if block.kind is BlockKind.HEADING and block.level == 1), None) or None


class MarkdownParser:
    type = DocumentType.MARKDOWN
    label = "Markdown"
    extensions = (".md", ".markdown", ".mdown", ".mkd", ".mdx")

    def parse(self, name: str, data: bytes) -> ParsedDocument:
        text, encoding, notes = decode(data)
        text = strip_embedded_data(text)
        return document(self.type, title_of(text) or title_from_name(name), text, encoding, notes)
