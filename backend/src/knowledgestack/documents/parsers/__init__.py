"""Parsers: one file a kind, one line in `PARSERS`."""

from pathlib import PurePosixPath

from knowledgestack.core.errors import UnsupportedFile
from knowledgestack.documents.parsers._base import DocumentType, ParsedDocument, ParseFailed, Parser, base_name
from knowledgestack.documents.parsers._content import refuse_binary
from knowledgestack.documents.parsers.csv_table import CsvParser
from knowledgestack.documents.parsers.html_page import HtmlParser
from knowledgestack.documents.parsers.json_data import JsonParser
from knowledgestack.documents.parsers.markdown import MarkdownParser
from knowledgestack.documents.parsers.plain_text import TextParser

__all__ = [
    "PARSERS",
    "DocumentType",
    "ParseFailed",
    "ParsedDocument",
    "Parser",
    "accepted_extensions",
    "choose_parser",
    "parse",
]

PARSERS: tuple[Parser, ...] = (MarkdownParser(), TextParser(), CsvParser(), JsonParser(), HtmlParser())

_BY_EXTENSION = {extension: parser for parser in PARSERS for extension in parser.extensions}


def accepted_extensions() -> list[str]:
    """Every extension that some parser reads, lower case with its dot, in the order of `PARSERS`."""
    return list(_BY_EXTENSION)


def choose_parser(name: str, data: bytes) -> Parser:
    """The parser for a file, by its extension and its bytes; cheap enough for the request that uploads it.

    Raises `UnsupportedFile` for an unknown extension and for bytes that are not what the name says, and
    `ParseFailed` (`empty_file`) for 0 bytes.
    """
    extension = PurePosixPath(name).suffix.lower()
    parser = _BY_EXTENSION.get(extension)
    if parser is None:
        kinds = ", ".join(known.label for known in PARSERS[:-1])
        what = f"Files that end in {extension}" if extension else "Files without an extension"
        raise UnsupportedFile(f"{what} cannot be read yet. {kinds} and {PARSERS[-1].label} files can.")
    if not data:
        raise ParseFailed("empty_file", f"{base_name(name)} is empty: it has 0 bytes.")
    refuse_binary(name, data)
    return parser


def parse(name: str, data: bytes) -> ParsedDocument:
    """The text of a file. CPU bound: off the event loop.

    Raises `UnsupportedFile` as `choose_parser` does, and `ParseFailed` where no text can be read.
    """
    return choose_parser(name, data).parse(name, data)
