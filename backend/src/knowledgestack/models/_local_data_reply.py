"""What the database tools wrote, read back into values."""

import re
from html import unescape

import msgspec

_TAG = r"(?P<attributes>(?:\s+[\w-]+=\"[^\"]*\")*)\s*>"
_LIST = re.compile(rf"<verified_queries{_TAG}")
_QUERY = re.compile(rf"<verified_query{_TAG}\n(?P<text>.*?)\n</verified_query>", re.DOTALL)
_TABLES = re.compile(rf"<tables{_TAG}\n?(?P<text>.*?)\n?</tables>", re.DOTALL)
_RESULT = re.compile(rf"<result{_TAG}\n(?P<text>.*?)\n</result>", re.DOTALL)
_ATTRIBUTE = re.compile(r"([\w-]+)=\"([^\"]*)\"")
_ESCAPE = re.compile(r"\\([\\|nr])")
_ESCAPED = {"\\": "\\", "|": "|", "n": "\n", "r": "\r"}
_TABLE_LINE = re.compile(r"(?P<name>\S+) \((?P<facts>[^()]*)\)(?:: (?P<summary>.*))?")
_DESCRIBED = re.compile(rf"<table{_TAG}\n(?P<text>.*?)\n</table>", re.DOTALL)
_NOTE = re.compile(r"- (?P<thing>.+?): \u201c(?P<quote>.*)\u201d \[(?P<number>\d+)\] \((?P<heading>.*)\)")


class VerifiedEntry(msgspec.Struct, frozen=True):
    id: str
    database: str
    fits: bool
    question: str
    description: str
    stale: str


class FittingTable(msgspec.Struct, frozen=True):
    database: str
    name: str
    summary: str


class VerifiedReply(msgspec.Struct, frozen=True):
    """The result of a search; `tables` are there where no query fits."""

    queries: tuple[VerifiedEntry, ...]
    tables: tuple[FittingTable, ...]

    @property
    def fitting(self) -> VerifiedEntry | None:
        return next((query for query in self.queries if query.fits), None)


class ResultReply(msgspec.Struct, frozen=True):
    """The result of a run; `row_count` counts all rows, of which `rows` may be the first alone."""

    query: VerifiedEntry
    mark: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]
    row_count: int
    cut: bool


class TableNote(msgspec.Struct, frozen=True):
    """What a document says of `thing`, a column or the table itself."""

    table: str
    thing: str
    quote: str
    number: int


def parse_verified(text: str) -> VerifiedReply | None:
    """The search result in `text`; None where it is something else, such as the tool's correction."""
    if _LIST.match(text) is None:
        return None
    return VerifiedReply(
        queries=tuple(_entry(match) for match in _QUERY.finditer(text)),
        tables=tuple(
            FittingTable(_attributes(block).get("database", ""), line["name"], line["summary"] or "")
            for block in _TABLES.finditer(text)
            for line in map(_TABLE_LINE.match, block["text"].split("\n"))
            if line is not None
        ),
    )


def parse_result(text: str) -> ResultReply | None:
    """The result in `text`; None where the query did not run."""
    query, block = _QUERY.match(text), _RESULT.search(text)
    if query is None or block is None:
        return None
    attributes = _attributes(block)
    header, *lines = block["text"].split("\n")
    return ResultReply(
        query=_entry(query),
        mark=attributes.get("mark", ""),
        columns=tuple(cell or "" for cell in _cells(header)),
        types=tuple(attributes.get("types", "").split("|")),
        rows=tuple(_cells(line) for line in lines),
        row_count=int(attributes.get("rows", "0")),
        cut="cut" in attributes,
    )


def parse_notes(text: str) -> tuple[TableNote, ...]:
    """What the documents say of the tables that were described."""
    return tuple(
        TableNote(_attributes(block).get("name", ""), note["thing"], note["quote"], int(note["number"]))
        for block in _DESCRIBED.finditer(text)
        for note in map(_NOTE.match, block["text"].split("\n"))
        if note is not None
    )


def _entry(match: re.Match[str]) -> VerifiedEntry:
    attributes = _attributes(match)
    told = dict(line.split(": ", 1) for line in match["text"].split("\nSQL:\n", 1)[0].split("\n") if ": " in line)
    return VerifiedEntry(
        id=attributes.get("id", ""),
        database=attributes.get("database", ""),
        fits=attributes.get("fits") == "yes",
        question=unescape(told.get("Question", "")),
        description=unescape(told.get("Description", "")),
        stale=unescape(told.get("Stale", "")),
    )


def _cells(line: str) -> tuple[str | None, ...]:
    return tuple(_cell(cell) for cell in line.split(" | "))


def _cell(written: str) -> str | None:
    if written == "NULL":
        return None
    if written in {'""', '"NULL"'}:
        return written[1:-1]
    return _ESCAPE.sub(lambda match: _ESCAPED[match[1]], written).replace("&lt;", "<")


def _attributes(match: re.Match[str]) -> dict[str, str]:
    return {name: unescape(value) for name, value in _ATTRIBUTE.findall(match["attributes"])}
