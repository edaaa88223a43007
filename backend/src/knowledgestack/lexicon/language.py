"""The language of a text, or an honest "und" where it is too short to tell."""

import re
from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

UNDETERMINED = "und"

# A text is judged by its first pages: more changes no answer and costs CPU.
_SAMPLE_CHARACTERS = 6_000
# Calibrated on questions and headings of two to twelve words: below 0.4 the first guess is wrong as often as right.
_LEAST_CONFIDENCE = 0.4
_LEAST_LETTERS = 8

_NOT_PROSE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+|\]\([^)\s]*\)|<[^>\n]{1,200}>", re.DOTALL)


@cache
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def detect(text: str) -> str:
    """ISO 639-1 code of the text's language (639-3 where no two-letter code exists), "und" when unsure."""
    sample = _NOT_PROSE.sub(" ", text[: _SAMPLE_CHARACTERS * 2])[:_SAMPLE_CHARACTERS]
    letters = sum(map(str.isalpha, sample))
    if letters == 0 or (letters < _LEAST_LETTERS and sample.isascii()):
        return UNDETERMINED
    language, confidence = _identifier().classify(sample)
    return language if confidence >= _LEAST_CONFIDENCE and language != "zxx" else UNDETERMINED
