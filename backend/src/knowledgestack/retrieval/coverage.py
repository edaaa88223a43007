"""How much of a question's words a passage holds, sentence by sentence."""

import math
from collections.abc import Mapping, Sequence

import msgspec

from knowledgestack.lexicon.sentences import Span, split_sentences
from knowledgestack.lexicon.terms import content_terms, coverage


class BestSentence(msgspec.Struct, frozen=True):
    """The sentence that holds most of the question's term weight, and the share it holds, 0 to 1."""

    span: Span
    coverage: float


def inverse_frequencies(frequencies: Mapping[str, int], chunk_count: int) -> dict[str, float]:
    """The idf of BM25: ln(1 + (N - df + 0.5) / (df + 0.5)), N and df in chunks."""
    return {
        term: math.log(1.0 + (max(chunk_count - frequency, 0) + 0.5) / (frequency + 0.5))
        for term, frequency in frequencies.items()
    }


def best_sentence(
    text: str, language: str, context: Sequence[str], question: frozenset[str], idf: Mapping[str, float]
) -> BestSentence:
    """The best sentence of `text`; the words of `context` (title, headings) count for each of its sentences."""
    shared = frozenset(term for part in context for term in content_terms(part, language)) & question
    best = BestSentence(Span(0, len(text)), coverage(question, shared, idf))
    for span in split_sentences(text, language):
        held = shared.union(content_terms(text[span.start : span.end], language))
        share = coverage(question, held, idf)
        if share > best.coverage:
            best = BestSentence(span, share)
    return best
