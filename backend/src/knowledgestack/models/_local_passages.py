"""What the document search tool wrote, read back into values."""

import re
from html import unescape

import msgspec

_ROOT = re.compile(r"<passages(?P<attributes>(?:\s+[\w-]+=\"[^\"]*\")*)\s*>")
_PASSAGE = re.compile(
    r"<passage(?P<attributes>(?:\s+[\w-]+=\"[^\"]*\")+)\s*>\r?\n?(?P<text>.*?)\r?\n?</passage>", re.DOTALL
)
_NEAREST = re.compile(r"<nearest(?P<attributes>(?:\s+[\w-]+=\"[^\"]*\")*)\s*/>")
_ATTRIBUTE = re.compile(r"([\w-]+)=\"([^\"]*)\"")
_ESCAPED_MARK = re.compile(r"&lt;(?=/?passage)")


class Passage(msgspec.Struct, frozen=True):
    """One numbered source. `heading` is the heading path below the title; `cosine` is None for a hit by words."""

    number: int
    title: str
    heading: str
    text: str
    document: str
    author: str
    updated: str
    cosine: float | None
    coverage: float


class NearestPlace(msgspec.Struct, frozen=True):
    title: str
    heading: str
    author: str


class SearchReply(msgspec.Struct, frozen=True):
    """The result of one search. `passages` are best first; empty where the gate let nothing through."""

    query: str
    source_count: int
    passages: tuple[Passage, ...]
    nearest: tuple[NearestPlace, ...]


def parse_reply(text: str) -> SearchReply | None:
    """The search result in `text`; None where it is something else, such as the tool's correction."""
    root = _ROOT.search(text)
    if root is None:
        return None
    attributes = _attributes(root)
    passages = [_passage(match) for match in _PASSAGE.finditer(text, root.end())]
    nearest = [_attributes(match) for match in _NEAREST.finditer(text, root.end())]
    return SearchReply(
        query=attributes.get("query", ""),
        source_count=int(_number(attributes.get("sources")) or 0),
        passages=tuple(passage for passage in passages if passage is not None),
        nearest=tuple(
            NearestPlace(title=one.get("title", ""), heading=one.get("heading", ""), author=one.get("author", ""))
            for one in nearest
        ),
    )


def _attributes(match: re.Match[str]) -> dict[str, str]:
    return {name: unescape(value) for name, value in _ATTRIBUTE.findall(match["attributes"])}


def _passage(match: re.Match[str]) -> Passage | None:
    attributes = _attributes(match)
    number = _number(attributes.get("n"))
    if number is None or number < 1:
        return None
    return Passage(
        number=int(number),
        title=attributes.get("title", ""),
        heading=attributes.get("heading", ""),
        text=_ESCAPED_MARK.sub("<", match["text"]),
        document=attributes.get("document") or attributes.get("title", ""),
        author=attributes.get("author", ""),
        updated=attributes.get("updated", ""),
        cosine=_number(attributes.get("cosine")),
        coverage=_number(attributes.get("coverage")) or 0.0,
    )


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None
