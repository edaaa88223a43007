"""Names of uploaded files: data that people typed, never a path of this machine (decision 32)."""

import unicodedata

from knowledgestack.core.errors import InvalidRequest

MAX_NAME_LENGTH = 1_024
MAX_SEGMENT_LENGTH = 255
# Marks that turn the reading direction can make `gpj.exe` look like `exe.jpg`.
_DIRECTION_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})


def clean_file_name(raw: str) -> str:
    """The name in NFC; raise `InvalidRequest` with the code `invalid_name` where it breaks a rule.

    A name is one or more segments joined by `/`, the relative path within a dropped folder.
    """
    name = unicodedata.normalize("NFC", raw)
    problem = _problem_of(name)
    if problem:
        raise InvalidRequest(f"This file name is not accepted: {problem}", code="invalid_name")
    return name


def _problem_of(name: str) -> str | None:
    segments = name.split("/")
    rules = (
        (name.startswith("/"), "it begins with a slash. Use a name within the folder."),
        (
            any(not part.strip() or part in {".", ".."} for part in segments),
            "a part of it is empty, a dot or two dots.",
        ),
        ("\\" in name, "it holds a backslash."),
        (any(map(_is_unseen, name)), "it holds control characters or marks that turn the reading direction."),
        (
            len(name) > MAX_NAME_LENGTH or any(len(part) > MAX_SEGMENT_LENGTH for part in segments),
            f"it is longer than {MAX_SEGMENT_LENGTH} characters.",
        ),
    )
    return next((problem for broken, problem in rules if broken), None)


def _is_unseen(character: str) -> bool:
    return character in _DIRECTION_MARKS or unicodedata.category(character) in _UNSEEN_CATEGORIES
