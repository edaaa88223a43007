"""What every parser takes and gives."""

from enum import StrEnum
from pathlib import PurePosixPath
from typing import Protocol

import msgspec

from knowledgestack.core.errors import AppError


class DocumentType(StrEnum):
    """The kind of a document, as people choose it."""

    MARKDOWN = "markdown"
    TEXT = "text"
    CSV = "csv"
    JSON = "json"
    HTML = "html"


class ParseFailed(AppError):
    """The file is of a known kind, but no text could be read from it.

    Codes: `empty_file` (0 bytes), `no_text` (nothing to read in it), `undecodable` (no character encoding fits),
    `too_large` (more than its parser can hold in memory).
    """

    status, code, title = 422, "parse_failed", "The file could not be read"

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail, code=code)


class ParsedDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a document and what was learned on the way.

    `text` is what is stored, shown and cited: lines end in "\\n", no NUL, no byte order mark. Markdown, HTML and CSV
    are Markdown (a CSV file is one table), JSON is indented JSON, text is as written. `notes` are sentences for a
    person.
    """

    type: DocumentType
    title: str
    text: str
    encoding: str
    notes: tuple[str, ...] = ()


class Parser(Protocol):
    """One kind of file. `extensions` are lower case with their dot."""

    @property
    def type(self) -> DocumentType: ...
    @property
    def label(self) -> str: ...
    @property
    def extensions(self) -> tuple[str, ...]: ...

    def parse(self, name: str, data: bytes) -> ParsedDocument:
        """Read `data`, which is not empty and no known binary format; raises `ParseFailed`."""
        ...


def base_name(name: str) -> str:
    """The last segment of a file name that may hold folders."""
    return PurePosixPath(name).name or name


def title_from_name(name: str) -> str:
    """The file's name without folders and extension, never empty."""
    return PurePosixPath(name).stem or name


def document(kind: DocumentType, title: str, text: str, encoding: str, notes: tuple[str, ...] = ()) -> ParsedDocument:
    """The result of a parser; raises `ParseFailed` where there is nothing to read."""
    if not text.strip():
        raise ParseFailed("no_text", "There is no text in this file.")
    return ParsedDocument(type=kind, title=title, text=text, encoding=encoding, notes=notes)
