"""What the person who waits reads about a step, in their language."""

from dataclasses import dataclass

_LONGEST_QUERY = 120


@dataclass(frozen=True, slots=True)
class Wording:
    """Sentences of one language; `source` and `document` are singular and plural."""

    search: str
    search_everywhere: str
    source: tuple[str, str]
    document: tuple[str, str]

    def searching(self, query: str, *, source_count: int, document_count: int) -> str:
        """What is searched and for what; the documents are named where the question is limited to some."""
        query = " ".join(query.split())
        shown = query if len(query) <= _LONGEST_QUERY else query[: _LONGEST_QUERY - 1].rstrip() + "…"
        count, noun = (document_count, self.document) if document_count else (source_count, self.source)
        if not count:
            return self.search_everywhere.format(query=shown)
        return self.search.format(query=shown, count=count, noun=noun[0] if count == 1 else noun[1])


ENGLISH = Wording(
    search="Searching {count} {noun} for “{query}”",
    search_everywhere="Searching for “{query}”",
    source=("source", "sources"),
    document=("document", "documents"),
)
ITALIAN = Wording(
    search="Cerco “{query}” in {count} {noun}",
    search_everywhere="Cerco “{query}”",
    source=("fonte", "fonti"),
    document=("documento", "documenti"),
)
WORDINGS = {"en": ENGLISH, "it": ITALIAN}
