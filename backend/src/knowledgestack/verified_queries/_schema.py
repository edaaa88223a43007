"""What of a schema a verified query uses, and whether it is still so."""

from collections.abc import Mapping, Sequence

from knowledgestack.catalogue.schema import TableFacts

# The catalogue does not hold them, and they are the server's.
_SYSTEM = ("pg_catalog.", "information_schema.")

Used = dict[str, dict[str, str | None]]
"""The types of the columns that are read, by `schema.table` and column; null where the catalogue did not know it."""


def used_by(tables: Sequence[str], columns: Sequence[str], facts: Mapping[str, TableFacts]) -> Used:
    """What a statement reads that named these `schema.table` and `schema.table.column`."""
    used: Used = {table: {} for table in tables if not table.startswith(_SYSTEM)}
    for name in columns:
        table, _, column = name.rpartition(".")
        if table in used:
            used[table][column] = _type_of(facts.get(table), column)
    return used


def difference(used: Used, facts: Mapping[str, TableFacts]) -> str | None:
    """The first thing that is gone or has another type, in words; None where all is as it was."""
    for table, columns in used.items():
        known = facts.get(table)
        if known is None:
            return f"The table {table} is gone."
        for column, was in columns.items():
            now = _type_of(known, column)
            if now is None:
                return f"The column {table}.{column} is gone."
            if was is not None and now != was:
                return f"The column {table}.{column} was {was} and is {now}."
    return None


def completed(used: Used, facts: Mapping[str, TableFacts]) -> Used:
    """The same with the types that were not known."""
    return {
        table: {column: was or _type_of(facts.get(table), column) for column, was in columns.items()}
        for table, columns in used.items()
    }


def _type_of(table: TableFacts | None, column: str) -> str | None:
    if table is None:
        return None
    return next((one.type for one in table.columns if one.name == column and one.readable), None)
