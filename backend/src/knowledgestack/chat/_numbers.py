"""Numbers and dates as people write them: in any locale, with units of scale, rounded."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec

Unit = Literal["", "percent", "points", "basis_points", "times"]

_SEPARATORS = ",.'\u2019\u00a0\u202f\u2009"
_NUMBER = re.compile(
    rf"(?<![\w.,])(?<![^\W\d_]-)(?P<sign>[-\u2212])?"
    rf"(?P<digits>[0-9]{{1,3}}(?:[ {_SEPARATORS}][0-9]{{3}})+(?:[.,][0-9]+)?(?![0-9])"
    rf"|[0-9]+(?:[.,][0-9]+)?)(?P<glued>(?:k|K|M|m|mn|bn|B|x|pp|bp|bps)(?!\w))?(?![\w])"
)
_SCALES = {
    "k": 1e3,
    "thousand": 1e3,
    "mila": 1e3,
    "tausend": 1e3,
    "m": 1e6,
    "mn": 1e6,
    "mio": 1e6,
    "mln": 1e6,
    "million": 1e6,
    "millions": 1e6,
    "milione": 1e6,
    "milioni": 1e6,
    "bn": 1e9,
    "b": 1e9,
    "mrd": 1e9,
    "mld": 1e9,
    "billion": 1e9,
    "billions": 1e9,
    "miliardo": 1e9,
    "miliardi": 1e9,
}
_UNIT_WORDS: tuple[tuple[Unit, str], ...] = (
    ("points", r"percentage[ -]points?|%[ -]?points?|punti percentuali|punto percentuale|pp\b|p\.p\."),
    ("basis_points", r"basis[ -]points?|punti base|bps?\b"),
    ("percent", r"%|percent\b|per cent\b|percento\b|per cento\b|prozent\b"),
    ("times", r"times\b|[x\u00d7](?!\w)|volte\b|mal\b"),
)
_SCALE_WORD = re.compile(
    rf"[ \u00a0\u202f-]?(?P<word>{'|'.join(sorted((w for w in _SCALES if len(w) > 1), key=len, reverse=True))})\b",
    re.IGNORECASE,
)
_LETTER_SCALE = re.compile(r"[ \u00a0\u202f](?P<word>[kKMB])(?!\w)")
_UNIT = re.compile(
    "[ \u00a0\u202f-]?(?:" + "|".join(f"(?P<{name}>{words})" for name, words in _UNIT_WORDS) + ")", re.IGNORECASE
)
_HEDGE = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|over|more than|less than|under|just under"
    r"|just over|some|circa|quasi|oltre|più di|meno di|intorno a|all'incirca|appena)\s+"
    r"(?:[\u20ac$\u00a3]\s?)?|[~\u2248]\s?)\Z",
    re.IGNORECASE,
)

_MONTHS = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "gen feb mar apr mag giu lug ago set ott nov dic",
        "januar februar märz april mai juni juli august september oktober november dezember",
    )
    for number, name in enumerate(names.split(), start=1)
} | {"sept": 9}
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\b\.?"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<year>[0-9]{4})-(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2}))?(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9.]+)?)?\b",
        rf"\b(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th|º|\.)?(?: of)? {_MONTH},?(?: (?P<year>[0-9]{{4}}))?(?![0-9])",
        rf"\b{_MONTH} (?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?![0-9])(?:,? (?P<year>[0-9]{{4}}))?",
        rf"\b{_MONTH},? (?P<year>[0-9]{{4}})\b",
        r"\b(?P<day>[0-9]{1,2})[./](?P<month>[0-9]{1,2})[./](?P<year>[0-9]{4})\b",
        r"\b(?P<hour>[0-2]?[0-9]):(?P<minute>[0-5][0-9])(?::[0-5][0-9])?\b",
    )
)
_YEARS = range(1900, 2101)


class Reading(NamedTuple):
    """One way to read the digits: the number, and how far the number that it stands for may be off."""

    value: float
    tolerance: float


class WrittenNumber(msgspec.Struct, frozen=True):
    """A number of a text, code points [start, end), in every reading that its separators allow.

    `figures` counts the significant digits, `negative` says that a minus stands before it.
    """

    start: int
    end: int
    readings: tuple[Reading, ...]
    unit: Unit
    figures: int
    negative: bool
    year: int | None


class WrittenDate(msgspec.Struct, frozen=True):
    """A date or a time of day; parts that are not written are None."""

    start: int
    end: int
    year: int | None
    month: int | None
    day: int | None
    time: str | None


def find_numbers(text: str, language: str = "") -> list[WrittenNumber | WrittenDate]:
    """Numbers and dates in the order of the text; words of letters and digits, such as FY27, are none.

    In English 1,234 is only one number; in other languages, and where the language is not known, it is two.
    """
    found: list[WrittenNumber | WrittenDate] = []
    dates = find_dates(text)
    for date in dates:
        # Blanks of the same length keep every other code point in its place.
        text = text[: date.start] + " " * (date.end - date.start) + text[date.end :]
    found += dates
    found += _numbers(text, english=language == "en")
    return sorted(found, key=lambda written: written.start)


def find_dates(text: str) -> list[WrittenDate]:
    dates: list[WrittenDate] = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            parts = match.groupdict()
            if parts.get("hour") is not None:
                time = f"{int(parts['hour']):02}:{parts['minute']}"
                dates.append(WrittenDate(match.start(), match.end(), None, None, None, time))
                continue
            month = parts["month"]
            number = int(month) if month.isdecimal() else _MONTHS[month.casefold()]
            day = parts.get("day")
            if number > 12 and day is not None:
                number, day = int(day), month
            if 1 <= number <= 12 and (day is None or 1 <= int(day) <= 31):
                year = parts.get("year")
                end = match.end()
                dates.append(
                    WrittenDate(
                        match.start(), end, int(year) if year else None, number, int(day) if day else None, None
                    )
                )
        for date in dates:
            text = text[: date.start] + " " * (date.end - date.start) + text[date.end :]
    return sorted(dates, key=lambda date: date.start)


def _numbers(text: str, *, english: bool) -> Iterator[WrittenNumber]:
    for match in _NUMBER.finditer(text):
        digits = match["digits"]
        glued = match["glued"] or ""
        end, scale = match.end(), _SCALES.get(glued.casefold(), 1.0)
        word = _SCALE_WORD.match(text, end) or _LETTER_SCALE.match(text, end) if scale == 1 else None
        if word is not None:
            scale, end = _SCALES[word["word"].casefold()], word.end()
        unit, end = _unit(text, match.end("digits") if glued and scale == 1 else end)
        hedged = _HEDGE.search(text[max(0, match.start() - 24) : match.start()]) is not None
        splits = list(_splits(digits, english=english))
        readings = [_reading(whole, fraction, scale, hedged=hedged) for whole, fraction in splits]
        if glued == "m":
            # Metres or minutes as well as millions.
            readings += [_reading(whole, fraction, 1.0, hedged=hedged) for whole, fraction in splits]
        plain = digits.isdecimal() and len(digits) == 4 and scale == 1 and not unit
        yield WrittenNumber(
            match.start(),
            end,
            tuple(readings),
            unit,
            len(re.sub(r"[^0-9]", "", digits).lstrip("0")),
            match["sign"] is not None,
            int(digits) if plain and int(digits) in _YEARS else None,
        )


def _unit(text: str, position: int) -> tuple[Unit, int]:
    match = _UNIT.match(text, position)
    if match is None:
        return "", position
    for unit, _ in _UNIT_WORDS:
        if match[unit] is not None:
            return unit, match.end()
    raise AssertionError("a unit has matched")


def _splits(digits: str, *, english: bool) -> Iterator[tuple[str, str]]:
    """Whole and fraction: 1,234 may be 1234 or 1.234, 1.234,5 is only one number."""
    groups = re.split(rf"[ {_SEPARATORS}]", digits)
    if len(groups) == 1:
        yield digits, ""
        return
    marks = re.findall(rf"[ {_SEPARATORS}]", digits)
    if all(len(group) == 3 for group in groups[1:]) and len(set(marks)) == 1:
        yield "".join(groups), ""
        if len(groups) > 2 or (english and marks[0] == ","):
            return
    if marks[-1] in ",." and (len(marks) == 1 or marks[-1] not in marks[:-1]):
        yield "".join(groups[:-1]), groups[-1]


def _reading(whole: str, fraction: str, scale: float, *, hedged: bool) -> Reading:
    value = float(f"{whole}.{fraction or '0'}") * scale
    step = 10.0 ** -len(fraction) * scale
    if hedged and not fraction:
        step *= 10.0 ** min(len(whole) - len(whole.rstrip("0")), len(whole) - 1)
        return Reading(value, step)
    return Reading(value, step / 2)
