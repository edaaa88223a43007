"""When two questions are the same question."""

import unicodedata

_ALIKE = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u201c": '"', "\u201d": '"'})


def normalised(question: str) -> str:
    """The question without what nobody hears: case, kinds of quotation marks, blanks and its final punctuation."""
    text = unicodedata.normalize("NFKC", question).translate(_ALIKE).casefold()
    return " ".join(text.split()).rstrip(" .?!\u2026")
