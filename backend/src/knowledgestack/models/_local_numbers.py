"""Cells of numeric columns as people write numbers in the language of the answer."""

import re

import msgspec

from knowledgestack.models._local_data_reply import ResultReply

_NUMERIC = re.compile(r"(?:smallint|integer|bigint|int[248]?|numeric|decimal|real|double precision|float[48])\b")
_DECIMAL = re.compile(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?\Z")
_GROUPS = re.compile(r"(?<=[0-9])(?=(?:[0-9]{3})+\Z)")
_WORD = re.compile(r"[^\W\d_]+")
# Numbers by these names count nothing: they say which one.
_NAMING_WORDS = """
    id ids no nr num number code cd key year yr fy anno codice numero matricola zip plz cap phone serial ref date
"""
_NAMING = frozenset(_NAMING_WORDS.split())
_YEARS = range(1900, 2101)


def with_written_numbers(result: ResultReply, language: str) -> ResultReply:
    """Thousands grouped and decimals marked as the language does, in numeric columns; codes, years and ids stay."""
    if len(result.types) != len(result.columns):
        return result
    counts = [_counts(name, kind) for name, kind in zip(result.columns, result.types, strict=True)]
    return msgspec.structs.replace(result, rows=tuple(_row(row, counts, language) for row in result.rows))


def written(number: str, language: str) -> str:
    """A decimal such as `305589.71` as 305,589.71, in Italian as 305.589,71; any other text as it is."""
    match = _DECIMAL.match(number)
    if match is None:
        return number
    sign, whole, fraction = match[1], match[2], match[3]
    if fraction is None and len(whole) == 4 and int(whole) in _YEARS:
        return number
    group, point = (".", ",") if language == "it" else (",", ".")
    grouped = _GROUPS.sub(group, whole)
    return f"{sign}{grouped}{point}{fraction}" if fraction is not None else f"{sign}{grouped}"


def _counts(name: str, kind: str) -> bool:
    # The last word says what it is: unit_no names a unit, number_of_orders counts them.
    words = _WORD.findall(name.casefold())
    rate = words[-2:-1] == ["per"]
    return _NUMERIC.match(kind) is not None and (rate or _NAMING.isdisjoint(words[-1:]))


def _row(row: tuple[str | None, ...], counts: list[bool], language: str) -> tuple[str | None, ...]:
    return tuple(
        written(cell, language) if cell is not None and at < len(counts) and counts[at] else cell
        for at, cell in enumerate(row)
    )
