"""Content terms of a text: what indexing, search and the gate all mean by "a word"."""

import re
import threading
import unicodedata
from collections.abc import Collection, Mapping
from functools import lru_cache

import snowballstemmer

from knowledgestack.lexicon._stopwords import STOPWORDS

# ISO 639-1 code → name of the snowball stemmer and of PostgreSQL 18's text search configuration, which agree.
_CONFIGS = {
    "ar": "arabic",
    "hy": "armenian",
    "eu": "basque",
    "ca": "catalan",
    "da": "danish",
    "nl": "dutch",
    "en": "english",
    "et": "estonian",
    "fi": "finnish",
    "fr": "french",
    "de": "german",
    "el": "greek",
    "hi": "hindi",
    "hu": "hungarian",
    "id": "indonesian",
    "ga": "irish",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "no": "norwegian",
    "nb": "norwegian",
    "nn": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "es": "spanish",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
_DEFAULT_CONFIG = "english"

# Scripts written without spaces: Han, kana, Hangul, Thai, Lao, Khmer, Myanmar. Their runs become bigrams.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TERM = re.compile(
    # A code keeps its joints: SL-0726, RMA-2024.3, 10.5, 2026-11-02.
    rf"(?P<joined>[^\W_{_UNSPACED}]+(?:[-_./:,][^\W_{_UNSPACED}]+)+)"
    rf"|(?P<unspaced>[{_UNSPACED}]+)"
    rf"|(?P<word>[^\W_{_UNSPACED}]+(?:['\u2019][^\W\d_{_UNSPACED}]+)*)"
)
_HAS_DIGIT = re.compile(r"\d")
_JOINT = re.compile(r"[-_./:,]")

_stemmers = threading.local()


def text_search_config(language: str) -> str:
    """The PostgreSQL text search configuration that stems `language` (ISO 639-1); English where none does."""
    return _CONFIGS.get(language, _DEFAULT_CONFIG)


@lru_cache(maxsize=50_000)
def _stem(config: str, word: str) -> str:
    # The same few thousand words make up most text, and to stem one takes 0.1 ms. A stemmer holds the word it works
    # on, so each thread has its own.
    stemmer = getattr(_stemmers, config, None)
    if stemmer is None:
        stemmer = snowballstemmer.stemmer(config)
        setattr(_stemmers, config, stemmer)
    return stemmer.stemWord(word)


def content_terms(text: str, language: str) -> list[str]:
    """The terms of `text` in reading order, repeats kept: casefolded, stemmed, without stopwords.

    Codes with a digit and a joint (SL-0726) stay whole and unstemmed; unspaced scripts give bigrams (a lone
    character stays). `language` is an ISO 639-1 code; "und" reads as English.
    """
    stopwords = STOPWORDS.get(language, STOPWORDS["en"])
    config = text_search_config(language)
    terms: list[str] = []
    for match in _TERM.finditer(unicodedata.normalize("NFKC", text).casefold()):
        kind, token = match.lastgroup, match.group()
        if kind == "unspaced":
            terms.extend(_bigrams(token))
        elif kind == "joined" and _HAS_DIGIT.search(token):
            terms.append(token)
        else:
            parts = _JOINT.split(token) if kind == "joined" else [token]
            terms.extend(_stem(config, word) for part in parts for word in _words(part, stopwords))
    return terms


def _bigrams(run: str) -> list[str]:
    return [run[index : index + 2] for index in range(len(run) - 1)] or [run]


def _words(token: str, stopwords: frozenset[str]) -> list[str]:
    """The word without what an apostrophe joins to it: l'azienda → azienda, company's → company, don't → nothing."""
    token = token.replace("\u2019", "'")
    if token in stopwords:
        return []
    if "'" in token:
        return [part for part in token.split("'") if len(part) > 1 and part not in stopwords]
    return [token] if token and token not in stopwords else []


def coverage(query_terms: Collection[str], text_terms: Collection[str], idf: Mapping[str, float]) -> float:
    """The share of the query's term weight that the text holds, 0 to 1; 0 for a query without terms.

    Each distinct query term weighs its `idf`. One that `idf` does not know occurs nowhere and weighs as much as
    the rarest: a question about what the documents never name must not look covered.
    """
    wanted = set(query_terms)
    if not wanted:
        return 0.0
    rarest = max(idf.values(), default=1.0)
    weights = {term: idf.get(term, rarest) for term in wanted}
    total = sum(weights.values())
    if total <= 0.0:
        return 0.0
    return sum(weights[term] for term in wanted.intersection(text_terms)) / total
