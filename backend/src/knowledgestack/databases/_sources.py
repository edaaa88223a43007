"""Which tables and columns a statement reads, and how its result's columns are declared, as far as its text tells."""

from collections.abc import Iterator, Mapping

from knowledgestack.databases._grammar import Name, ParsedStatement
from knowledgestack.databases._relations import RelationFact


def reading(statement: ParsedStatement, named: Mapping[Name, RelationFact]) -> tuple[list[str], list[str]]:
    """`schema.table` and `schema.table.column`, each sorted."""
    read = [(name, named[name]) for name in statement.tables if name in named]
    columns = {column for pair in statement.columns for column in _columns(statement, pair, read)}
    return sorted({fact.full_name for _, fact in read}), sorted(columns)


def _columns(statement: ParsedStatement, column: Name, read: list[tuple[Name, RelationFact]]) -> Iterator[str]:
    qualifier, name = column
    behind = statement.sources.get(qualifier) if qualifier is not None else None
    for table, fact in read:
        if behind is not None and table not in behind:
            continue
        names = fact.columns if name == "*" else [name]
        yield from (f"{fact.full_name}.{found}" for found in names if found in fact.columns)
