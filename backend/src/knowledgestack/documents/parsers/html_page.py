"""HTML: its Markdown. No markup of the page, no script, no embedded image reaches the stored text."""

import html
import re
from typing import Any

from html_to_markdown import ConversionOptions, convert

from knowledgestack.documents.parsers._base import DocumentType, ParsedDocument, ParseFailed, document, title_from_name
from knowledgestack.documents.parsers._decoding import decode
from knowledgestack.documents.parsers.markdown import strip_embedded_data, title_of
from knowledgestack.lexicon.blocks import BlockKind, heading_text, scan_blocks

_DECLARED_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_HEAD_BYTES = 4096
# The converter holds about 25 bytes for each byte of a page while it works.
_MOST_BYTES = 32 * 1024 * 1024
_TITLE = re.compile(r"<title[^>]{0,200}>([^<]{1,1000})</title", re.IGNORECASE)
# Text that would begin a tag, a comment or a declaration; an address in angle brackets is left alone.
_TAG_START = re.compile(r"(?<!\\)<(?=[A-Za-z/!?])(?!(?:https?://|mailto:)[^\s<>]*>)")
_CODE_SPAN = re.compile(r"(?<!`)(`{1,8})(?!`)(?:(?!\n[ \t]*\n)[^`]|(?!\1(?!`))`)*?\1(?!`)")
_UNSAFE_LINK = re.compile(
    r"!?\[([^\[\]]{0,500})\]\(<?\s*(?:javascript|vbscript|data|file):(?:[^()\n]|\([^()\n]*\))*\)", re.IGNORECASE
)


class _DefinitionLists:
    """Writes <dl> as term and ": meaning", which the converter would run together."""

    def visit_definition_term(self, _context: object, text: str) -> dict[str, Any]:
        return {"type": "custom", "output": f"{' '.join(text.split())}\n"}

    def visit_definition_description(self, _context: object, text: str) -> dict[str, Any]:
        return {"type": "custom", "output": f":   {' '.join(text.split())}\n\n"}


class HtmlParser:
    type = DocumentType.HTML
    label = "HTML"
    extensions = (".html", ".htm", ".xhtml")

    def parse(self, name: str, data: bytes) -> ParsedDocument:
        if len(data) > _MOST_BYTES:
            raise ParseFailed("too_large", "HTML of up to 32 MB can be read. Split this page, or save it as Markdown.")
        declared = _DECLARED_CHARSET.search(data[:_HEAD_BYTES])
        source, encoding, notes = decode(data, declared.group(1).decode("ascii") if declared else None)
        text = html_to_text(source)
        title = _TITLE.search(source)
        named = heading_text(html.unescape(title.group(1))) if title else ""
        return document(self.type, named or title_of(text) or title_from_name(name), text, encoding, notes)


def html_to_text(source: str) -> str:
    """The page as Markdown without raw HTML."""
    options = ConversionOptions(extract_metadata=False, compact_tables=True, inline_data_media="alt_text_only")
    visitor = _DefinitionLists() if "<dd" in source.lower() else None
    markdown = convert(source, options, visitor=visitor).content or ""  # pyright: ignore[reportArgumentType]
    markdown = markdown.replace("\x00", "").replace("\r", "")
    return escape_markup(_UNSAFE_LINK.sub(r"\1", strip_embedded_data(markdown)))


def escape_markup(markdown: str) -> str:
    """Markdown in which "<" begins no HTML outside code."""
    if "<" not in markdown:
        return markdown
    pieces: list[str] = []
    position = 0
    for block in scan_blocks(markdown):
        if block.kind is BlockKind.CODE:
            pieces.append(_escape(markdown[position : block.start]))
            pieces.append(markdown[block.start : block.end])
            position = block.end
    pieces.append(_escape(markdown[position:]))
    return "".join(pieces)


def _escape(markdown: str) -> str:
    pieces: list[str] = []
    position = 0
    for span in _CODE_SPAN.finditer(markdown):
        pieces.append(_TAG_START.sub(r"\\<", markdown[position : span.start()]))
        pieces.append(span.group())
        position = span.end()
    pieces.append(_TAG_START.sub(r"\\<", markdown[position:]))
    return "".join(pieces)
