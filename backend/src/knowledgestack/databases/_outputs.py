"""How the columns of a result are declared: `numeric(10,2)` rather than `numeric`, where a column is a table's own.

The server's description of a statement names the type alone. The declaration is added only where the outermost SELECT
reads tables directly and names the column; anything computed keeps the type.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from knowledgestack.databases._relations import RelationFact

Name = tuple[str | None, str]
"""A schema or a qualifier, where the text gives one, and a name."""
Node = dict[str, Any]


class Outputs(msgspec.Struct, frozen=True):
    """`tables` maps what may qualify a column to its table; `columns` are `(qualifier, column)`, None if computed."""

    tables: dict[str, Name]
    columns: list[Name | None]


NOTHING = Outputs({}, [])


def outputs_of(select: Node) -> Outputs:
    """What the outermost SELECT takes straight from tables; nothing where it reads anything else."""
    tables: dict[str, Name] = {}
    sources: list[Node] = list(select.get("fromClause", []))
    while sources:
        ((kind, node),) = sources.pop().items()
        if kind == "JoinExpr":
            sources += [node["larg"], node["rarg"]]
            continue
        alias: Node = node.get("alias", {})
        if kind != "RangeVar" or "colnames" in alias:
            return NOTHING
        tables[alias.get("aliasname", node["relname"])] = (node.get("schemaname"), node["relname"])
    if "withClause" in select or "targetList" not in select:
        return NOTHING
    return Outputs(tables, [_column(target["ResTarget"].get("val", {})) for target in select["targetList"]])


def declared(outputs: Outputs, facts: Mapping[Name, RelationFact], types: Sequence[str]) -> list[str]:
    """The types of the result, in order, as declared where they are known to be."""
    tables = {alias: facts[name] for alias, name in outputs.tables.items() if name in facts}
    found: list[str | None] = []
    for column in outputs.columns:
        if column is None:
            found.append(None)
        elif column[1] != "*":
            found.append(_declaration(tables, column))
        elif len(tables) == 1:
            found += next(iter(tables.values())).types
        else:
            return list(types)
    if len(found) != len(types):
        return list(types)
    return [named if named and _bare(named) == given else given for named, given in zip(found, types, strict=True)]


def _column(value: Node) -> Name | None:
    fields: list[Node] = value.get("ColumnRef", {}).get("fields", [])
    if not 1 <= len(fields) <= 2:
        return None
    names = [field.get("String", {}).get("sval", "*") for field in fields]
    return names[0] if len(names) > 1 else None, names[-1]


def _declaration(tables: Mapping[str, RelationFact], column: Name) -> str | None:
    qualifier, name = column
    places = tables.values() if qualifier is None else [tables[qualifier]] if qualifier in tables else []
    found = {fact.types[fact.columns.index(name)] for fact in places if name in fact.columns}
    return found.pop() if len(found) == 1 else None


def _bare(declaration: str) -> str:
    before, _, rest = declaration.partition("(")
    return before + rest.partition(")")[2] if rest else before
