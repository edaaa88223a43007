"""The language that sentences for a person are written in."""

from typing import Literal

Language = Literal["en", "it"]
_LANGUAGES: dict[str, Language] = {"en": "en", "it": "it"}


def language_of(accept_language: str | None) -> Language:
    """English or Italian, whichever an Accept-Language header prefers (RFC 9110, section 12.5.4)."""
    best: tuple[float, Language] = (0.0, "en")
    for item in (accept_language or "").split(",")[:20]:
        tag, _, weight = item.partition(";")
        language = _LANGUAGES.get(tag.strip().lower().split("-")[0])
        if language is not None:
            best = max(best, (_weight(weight), language), key=lambda choice: choice[0])
    return best[1]


def _weight(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if name != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0
