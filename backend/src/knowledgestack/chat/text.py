"""Text from a model or a person, before it is stored and sent."""

import re

# PostgreSQL stores no NUL, and half a surrogate pair cannot be written as UTF-8.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def storable(text: str) -> str:
    """The text with what no database and no stream can hold replaced by U+FFFD."""
    return text if text.isascii() and "\0" not in text else _UNSTORABLE.sub("\ufffd", text)


def is_storable(text: str) -> bool:
    return _UNSTORABLE.search(text) is None
