"""What differs between two readings of one database."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from knowledgestack.catalogue.contracts import ChangeKind
from knowledgestack.catalogue.schema import ColumnFacts, TableFacts

STRUCTURAL: frozenset[ChangeKind] = frozenset(
    {"table_added", "table_removed", "column_added", "column_removed", "column_changed", "keys_changed"}
)


class Change(NamedTuple):
    """One difference, with a sentence for people; `thing` is `schema.table[.column]`."""

    kind: ChangeKind
    thing: str
    detail: str


def changes_between(before: Sequence[TableFacts], after: Sequence[TableFacts]) -> list[Change]:
    """In the order of names: tables that came and went, then what became of those that stayed."""
    old, new = {table.key: table for table in before}, {table.key: table for table in after}
    found: list[Change] = []
    for key in sorted(old.keys() | new.keys()):
        name = ".".join(key)
        if key not in old:
            found.append(Change("table_added", name, f"{_columns(len(new[key].columns))} so far."))
        elif key not in new:
            found.append(Change("table_removed", name, f"It had {_columns(len(old[key].columns))}."))
        else:
            found.extend(_table_changes(name, old[key], new[key]))
    return found


def _columns(count: int) -> str:
    return "1 column" if count == 1 else f"{count} columns"


def _table_changes(name: str, old: TableFacts, new: TableFacts) -> Iterator[Change]:
    before, after = ({column.name: column for column in table.columns} for table in (old, new))
    if old.kind != new.kind:
        yield Change("table_removed", name, f"It was a {_words(old.kind)} with {_columns(len(old.columns))}.")
        yield Change("table_added", name, f"It is a {_words(new.kind)} with {_columns(len(new.columns))}.")
        return
    for column in after.keys() - before.keys():
        yield Change("column_added", f"{name}.{column}", f"Type {after[column].type}.")
    for column in before.keys() - after.keys():
        yield Change("column_removed", f"{name}.{column}", f"It was {before[column].type}.")
    for column in (column for column in before if column in after):
        detail = _column_detail(before[column], after[column])
        if detail:
            yield Change("column_changed", f"{name}.{column}", detail)
        if before[column].comment != after[column].comment:
            yield Change("comment_changed", f"{name}.{column}", after[column].comment or "The comment was removed.")
    if old.comment != new.comment:
        yield Change("comment_changed", name, new.comment or "The comment was removed.")
    keys = [label for label, differs in _key_differences(old, new) if differs]
    if keys:
        yield Change("keys_changed", name, f"Changed: {', '.join(keys)}.")


def _words(kind: str) -> str:
    return kind.replace("_", " ")


def _column_detail(old: ColumnFacts, new: ColumnFacts) -> str:
    parts: list[str] = []
    if old.type != new.type:
        parts.append(f"Type {old.type} became {new.type}.")
    if old.nullable != new.nullable:
        parts.append("It may be empty now." if new.nullable else "It may no longer be empty.")
    if old.default != new.default:
        parts.append(f"The default is {new.default}." if new.default else "The default was removed.")
    if old.enum_values != new.enum_values:
        parts.append(_enum_detail(old.enum_values or [], new.enum_values or []))
    if old.readable != new.readable:
        parts.append("The role may read it now." if new.readable else "The role may no longer read it.")
    return " ".join(parts)


def _enum_detail(old: Sequence[str], new: Sequence[str]) -> str:
    added, removed = [value for value in new if value not in old], [value for value in old if value not in new]
    parts = [f"new {', '.join(added)}"] * bool(added) + [f"gone {', '.join(removed)}"] * bool(removed)
    return f"Values: {'; '.join(parts) or 'in another order'}."


def _key_differences(old: TableFacts, new: TableFacts) -> Iterator[tuple[str, bool]]:
    yield "primary key", old.primary_key != new.primary_key
    yield "unique keys", sorted(old.unique_keys) != sorted(new.unique_keys)
    yield "foreign keys", sorted(map(repr, old.foreign_keys)) != sorted(map(repr, new.foreign_keys))
