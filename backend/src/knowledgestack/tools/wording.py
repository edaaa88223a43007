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
    list_databases: str
    list_tables: str
    find_tables: str
    describe_tables: str
    find_values: str
    execute_sql: str
    execute_titled: str
    find_verified: str
    run_verified: str

    def searching(self, query: str, *, source_count: int, document_count: int) -> str:
        """What is searched and for what; the documents are named where the question is limited to some."""
        shown = shortened(query)
        count, noun = (document_count, self.document) if document_count else (source_count, self.source)
        if not count:
            return self.search_everywhere.format(query=shown)
        return self.search.format(query=shown, count=count, noun=noun[0] if count == 1 else noun[1])


def shortened(text: str) -> str:
    """What a model wrote, on one line that a step has room for."""
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_QUERY else text[: _LONGEST_QUERY - 1].rstrip() + "…"


ENGLISH = Wording(
    search="Searching {count} {noun} for “{query}”",
    search_everywhere="Searching for “{query}”",
    source=("source", "sources"),
    document=("document", "documents"),
    list_databases="Looking which databases there are",
    list_tables="Listing the tables of {database}",
    find_tables="Looking in {database} for tables on “{words}”",
    describe_tables="Reading the columns of {tables} in {database}",
    find_values="Looking for “{word}” in the values of {database}",
    execute_sql="Running a query on {database}",
    execute_titled="Running a query on {database}: {title}",
    find_verified="Looking for a verified query that answers “{question}”",
    run_verified="Running the verified query",
)
ITALIAN = Wording(
    search="Cerco “{query}” in {count} {noun}",
    search_everywhere="Cerco “{query}”",
    source=("fonte", "fonti"),
    document=("documento", "documenti"),
    list_databases="Guardo quali database ci sono",
    list_tables="Elenco le tabelle di {database}",
    find_tables="Cerco in {database} le tabelle su “{words}”",
    describe_tables="Leggo le colonne di {tables} in {database}",
    find_values="Cerco “{word}” tra i valori di {database}",
    execute_sql="Eseguo una query su {database}",
    execute_titled="Eseguo una query su {database}: {title}",
    find_verified="Cerco una query verificata che risponda a “{question}”",
    run_verified="Eseguo la query verificata",
)
WORDINGS = {"en": ENGLISH, "it": ITALIAN}
