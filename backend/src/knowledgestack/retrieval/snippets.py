"""The few lines of a passage that the Search page shows, with the words that matched."""

import re

from knowledgestack.documents.contracts import TextRange
from knowledgestack.lexicon.terms import content_terms
from knowledgestack.retrieval.hits import SearchHit

_LENGTH = 280
_WORD = re.compile(r"[^\W_]+(?:[-_./:'’][^\W_]+)*")


def snippet(hit: SearchHit) -> tuple[str, list[TextRange]]:
    """About 280 code points from the best sentence on, and the ranges in them of the question's words."""
    start, end = _window(hit.text, hit.best_sentence)
    cut = hit.text[start:end].rstrip()
    return cut, [
        TextRange(start=match.start(), end=match.end())
        for match in _WORD.finditer(cut)
        if not hit.question_terms.isdisjoint(content_terms(match.group(), hit.language))
    ]


def _window(text: str, sentence: TextRange) -> tuple[int, int]:
    """From the sentence on, ending between words."""
    end = min(len(text), sentence.start + _LENGTH)
    if end < len(text):
        space = text.rfind(" ", sentence.start + _LENGTH // 2, end)
        end = space if space >= 0 else end
    return sentence.start, end
