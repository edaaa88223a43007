"""Words that an answer repeats from a verified query: they were checked by a person and rest on no cell."""

import re
from collections.abc import Iterable, Sequence

from knowledgestack.chat.contracts import Figure


def outside_of(given: Iterable[str], answer: str, figures: Sequence[Figure]) -> list[Figure]:
    """The figures that do not lie in a stretch of the answer which repeats one of the given texts whole."""
    spans = [match.span() for text in given if text.strip() for match in _pattern(text).finditer(answer)]
    return [figure for figure in figures if not any(start <= figure.start < end for start, end in spans)]


def _pattern(text: str) -> re.Pattern[str]:
    """The text with any spaces between its words and with the backslashes that Markdown wants."""
    words = ("".join(rf"\\?{re.escape(character)}" for character in word) for word in text.split())
    return re.compile(r"\s+".join(words))
