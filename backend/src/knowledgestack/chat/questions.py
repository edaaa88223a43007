"""Questions that a person may ask next, made from the headings of the documents themselves."""

import re
from collections.abc import Iterable

from knowledgestack.chat.contracts import Suggestion
from knowledgestack.chat.language import Language
from knowledgestack.documents.facts import DocumentHeading
from knowledgestack.lexicon.terms import content_terms

_ABOUT: dict[Language, str] = {
    "en": "What does “{title}” say about {topic}?",
    "it": "Che cosa dice «{title}» su {topic}?",
}
_ABOUT_ALL: dict[Language, str] = {
    "en": "What do our documents say about {topic}?",
    "it": "Che cosa dicono i nostri documenti su {topic}?",
}
_HOW = {"how to ": "How do I {topic}?", "come ": "Come si fa a {topic}?"}
_NUMBERING = re.compile(r"^(?:[0-9]+(?:\.[0-9]+)*[.)]?|[A-Z][.)]|[§#]\s*[0-9.]*)\s+")
_MARKUP = re.compile(r"[*_`]|\[(?P<label>[^\]]*)\]\([^)]*\)")
_LETTERS = re.compile(r"[^\W\d_]")
_SUBTITLE = re.compile(r":\s|\s[(–-]")
_ENGLISH_QUESTIONS = ("what", "how", "who", "whose", "which", "when", "where", "why")
_ITALIAN_QUESTIONS = ("che", "cosa", "chi", "come", "quale", "quali", "quando", "quanto", "dove", "perché")
_QUESTION_WORDS = frozenset((*_ENGLISH_QUESTIONS, *_ITALIAN_QUESTIONS))
_LONGEST_TOPIC = 70
_LONGEST_TITLE = 50
_MOST_WORDS = 9

_GENERIC_WORDS = """
about abstract acknowledgements asked ask compute computed count force go long many people short thing things works
acknowledgements agenda appendix background bibliography change log changelog changes conclusion
conclusions contact contacts content contents definitions details documentation example examples faq
frequently asked questions general getting started glossary history home index information intro introduction links
miscellaneous more next steps note notes notice other overview preface purpose question questions readme
reference references related related documents related pages resources revision history scope see also
status summary table of contents terms todo usage version versions
appendice approfondimenti bibliografia breve cenni generali conclusione conclusioni contatti contenuti contenuto
dettagli documenti correlati domande frequenti esempi esempio generale generalità glossario indice informazioni
introduzione nota note panoramica premessa prossimi passi riepilogo riferimenti riferimento scopo sommario storia
storico versioni vedi anche
"""
_GENERIC = frozenset(content_terms(_GENERIC_WORDS, "en") + content_terms(_GENERIC_WORDS, "it"))


def suggested_questions(headings: Iterable[DocumentHeading], language: Language, *, limit: int) -> list[Suggestion]:
    """One question of each document in turn, until there are `limit`; generic headings ask nothing.

    The title of a document asks only where its sections do not.
    """
    by_document: dict[object, list[Suggestion]] = {}
    seen: set[str] = set()
    for heading in sorted(headings, key=_is_title):
        topic = topic_of(heading)
        if topic is None or topic.casefold() in seen:
            continue
        seen.add(topic.casefold())
        by_document.setdefault(heading.document_id, []).append(
            Suggestion(question=_ask(topic, heading, language), document_id=heading.document_id, heading=heading.text)
        )
    chosen: list[Suggestion] = []
    queues = list(by_document.values())
    while queues and len(chosen) < limit:
        chosen += [queue.pop(0) for queue in queues]
        queues = [queue for queue in queues if queue]
    return chosen[:limit]


def follow_up_questions(
    headings: Iterable[DocumentHeading], language: Language, *, asked: str, limit: int
) -> list[str]:
    """Questions on what the cited documents also hold, the one just asked left out."""
    sections = [heading for heading in headings if not _is_title(heading)]
    suggestions = suggested_questions(sections, language, limit=limit + 1)
    return [item.question for item in suggestions if item.question.casefold() != asked.strip().casefold()][:limit]


def topic_of(heading: DocumentHeading) -> str | None:
    """What a heading is about, ready to stand in a question; None where it names nothing in particular."""
    text = _MARKUP.sub(lambda match: match["label"] or "", heading.text)
    text = _NUMBERING.sub("", " ".join(text.split())).strip(" .:–-")
    if not _LETTERS.search(text) or len(text) > _LONGEST_TOPIC or len(text.split()) > _MOST_WORDS:
        return None
    says_something = all(set(content_terms(text, language)) - _GENERIC for language in ("en", "it"))
    return text if says_something else None


def _is_title(heading: DocumentHeading) -> bool:
    return len(heading.path) < 2 and heading.text.strip() == heading.title.strip()


def _ask(topic: str, heading: DocumentHeading, language: Language) -> str:
    if topic.endswith("?"):
        return topic
    for opening, question in _HOW.items():
        if topic.casefold().startswith(opening):
            return question.format(topic=topic[len(opening) :])
    title = _SUBTITLE.split(heading.title.strip(), maxsplit=1)[0]
    alone = _is_title(heading) or len(title) > _LONGEST_TITLE
    return (_ABOUT_ALL if alone else _ABOUT)[language].format(topic=_in_a_sentence(topic), title=title)


def _in_a_sentence(topic: str) -> str:
    """The first letter made small, unless the first word is an acronym, a code or one of several names."""
    first, *others = topic.split(" ")
    named = any(word[:1].isupper() for word in others if len(word) > 3)
    plain = first[:1].isupper() and (len(first) == 1 or first[1:].islower())
    asking = first.casefold() in _QUESTION_WORDS
    return topic[:1].lower() + topic[1:] if asking or (plain and not named) else topic
