"""The local answerer's own words, in the languages of the client. Quotes stay in the language of their document."""

import msgspec


class FrameWords(msgspec.Struct, frozen=True):
    not_found: str
    searched: str
    searched_one: str
    nearest: str
    owner: str
    closest: str
    exception: str
    superseded: str
    versions: str
    updated: str
    more: str
    no_search: str
    search_failed: str


_ENGLISH = FrameWords(
    not_found="This is not in your documents.",
    searched="Searched {sources} sources for “{query}”.",
    searched_one="Searched 1 source for “{query}”.",
    nearest="The nearest headings:",
    owner="owner: {author}",
    closest="I cannot tell for certain. The closest passages in your documents:",
    exception="Exception:",
    superseded="superseded",
    versions="Your documents hold {count} versions:",
    updated="updated {date}",
    more="… and {count} more rows in the document.",
    no_search="I quote from your documents and cannot search them here.",
    search_failed="Your documents could not be searched just now. Ask again in a moment.",
)
_ITALIAN = FrameWords(
    not_found="Questo non è nei tuoi documenti.",
    searched="Cercato in {sources} fonti: «{query}».",
    searched_one="Cercato in 1 fonte: «{query}».",
    nearest="I titoli più vicini:",
    owner="responsabile: {author}",
    closest="Non posso dirlo con certezza. I passaggi più vicini nei tuoi documenti:",
    exception="Eccezione:",
    superseded="superata",
    versions="I tuoi documenti contengono {count} versioni:",
    updated="aggiornato il {date}",
    more="… e altre {count} righe nel documento.",
    no_search="Cito dai tuoi documenti e qui non posso cercarvi.",
    search_failed="Non è stato possibile cercare nei tuoi documenti. Riprova tra poco.",
)


def frame_words(language: str) -> FrameWords:
    """Italian for Italian questions, English for all others."""
    return _ITALIAN if language == "it" else _ENGLISH
