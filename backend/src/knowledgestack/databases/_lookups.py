"""What the target's catalogue says about the names of a statement, and the verdict that follows.

Facts are kept for seconds, as the owner may replace a view or a function at any time. A name that is unknown to the
catalogue is left to the server, which knows it neither.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Any, TypeVar

import asyncpg
import msgspec

from knowledgestack.databases import _functions, _relations, _sources
from knowledgestack.databases._catalogue_sql import (
    CODE,
    FUNCTIONS_BY_NAME,
    FUNCTIONS_BY_OID,
    RELATIONS,
    TYPE_NAMES,
)
from knowledgestack.databases._functions import FunctionFact
from knowledgestack.databases._grammar import FunctionUse, Name, ParsedStatement, parse_body, parse_constants
from knowledgestack.databases._relations import RelationFact
from knowledgestack.databases.errors import SqlRejected

KEPT_SECONDS = 5
_SEARCHED = ("pg_catalog", "public")
_DEEPEST = 16

Fact = TypeVar("Fact", FunctionFact, RelationFact)


class Reading(msgspec.Struct, frozen=True):
    """What an allowed statement reads: `schema.table`, and `schema.table.column` as far as the text tells.

    `facts` are what the catalogue says of the relations that it names.
    """

    tables: list[str]
    columns: list[str]
    facts: dict[Name, RelationFact]


class _Task(msgspec.Struct, frozen=True):
    """A statement to judge. `inside` says of what it is the text; the statement of a person is inside nothing."""

    statement: ParsedStatement
    inside: str | None = None
    in_view: bool = False


class TargetFacts:
    """What is known of one database, shared by all statements on it; one check at a time reads and renews it."""

    def __init__(self) -> None:
        self._checking = asyncio.Lock()
        self._since = float("-inf")
        self._functions: dict[str, list[FunctionFact]] = {}
        self._functions_by_oid: dict[int, FunctionFact] = {}
        self._relations: dict[str, list[RelationFact]] = {}
        self._code: dict[tuple[str, str], list[tuple[str, int, str | None]]] | None = None
        self._type_names: dict[int, str] = {}
        self._approved: set[int] = set()

    async def check(self, connection: asyncpg.Connection[Any], statement: ParsedStatement) -> Reading:
        """Raise SqlRejected unless all that the statement names, views and SQL functions followed, only reads."""
        async with self._checking:
            return await self._check(connection, statement)

    async def _check(self, connection: asyncpg.Connection[Any], statement: ParsedStatement) -> Reading:
        self._expire()
        tasks = [_Task(statement)]
        approving: set[int] = set()
        for _ in range(_DEEPEST):
            await self._load(connection, tasks)
            following: list[_Task] = []
            for task in tasks:
                following += await self._judge(connection, task, approving)
            tasks = following
            if not tasks:
                break
        else:
            raise SqlRejected("The views and functions of this statement are nested too deeply to be checked.")
        self._approved |= approving
        named = {name: fact for name in statement.relations if (fact := self._first(name)) is not None}
        return Reading(*_sources.reading(statement, named), named)

    def elsewhere(self, statement: ParsedStatement) -> list[str]:
        """Relations of other schemas that have the names of relations which the server will not find."""
        missing = [name for schema, name in statement.tables if schema is None and self._first((None, name)) is None]
        return sorted(fact.full_name for name in missing for fact in self._relations.get(name, []))

    async def type_names(self, connection: asyncpg.Connection[Any], oids: Iterable[int]) -> dict[int, str]:
        """PostgreSQL's own names of these types."""
        wanted = set(oids)
        names = {oid: name for oid, name in self._type_names.items() if oid in wanted}
        if missing := wanted - names.keys():
            rows = await connection.fetch(TYPE_NAMES, list(missing))
            names.update({row[0]: row[1] for row in rows})
            self._type_names.update(names)
        return names

    def _expire(self) -> None:
        if time.monotonic() - self._since <= KEPT_SECONDS:
            return
        self._since = time.monotonic()
        self._code = None
        for kept in (self._functions, self._functions_by_oid, self._relations, self._type_names, self._approved):
            kept.clear()

    # Facts

    async def _load(self, connection: asyncpg.Connection[Any], tasks: list[_Task]) -> None:
        names = {use.name for task in tasks for use in task.statement.functions}
        names |= {name for task in tasks for _, name in task.statement.attributes}
        await self._load_functions(connection, names)
        relations = {name for task in tasks for _, name in task.statement.relations}
        if missing := _spellings(relations) - self._relations.keys():
            for row in await connection.fetch(RELATIONS, list(missing)):
                self._relations.setdefault(row[2], []).append(RelationFact(*row))
        if self._code is None:
            # Nothing is kept before all has arrived: a check that ends early must leave no half of the facts.
            rows = await connection.fetch(CODE)
            self._code = {}
            for kind, schema, name, oid, text in rows:
                self._code.setdefault((kind, name), []).append((schema, oid, text))

    async def _load_functions(self, connection: asyncpg.Connection[Any], names: set[str]) -> None:
        missing = _spellings(names) - self._functions.keys()
        if not missing:
            return
        # What does not exist is not kept: somebody may make it the next moment.
        for row in await connection.fetch(FUNCTIONS_BY_NAME, list(missing)):
            fact = FunctionFact(*row)
            self._functions.setdefault(fact.name, []).append(fact)
            self._functions_by_oid[fact.oid] = fact

    async def _by_oid(self, connection: asyncpg.Connection[Any], oids: Iterable[int]) -> list[FunctionFact]:
        wanted = [oid for oid in oids if oid]
        missing = [oid for oid in wanted if oid not in self._functions_by_oid]
        if missing:
            for row in await connection.fetch(FUNCTIONS_BY_OID, missing):
                self._functions_by_oid[row[0]] = FunctionFact(*row)
        if any(oid not in self._functions_by_oid for oid in wanted):
            raise SqlRejected("A function behind this statement was dropped just now. Run the statement again.")
        return [self._functions_by_oid[oid] for oid in wanted]

    def _first(self, name: Name) -> RelationFact | None:
        found = {fact.schema: fact for fact in self._relations.get(name[1], [])}
        schemas = _SEARCHED if name[0] is None else (name[0],)
        return next((found[schema] for schema in schemas if schema in found), None)

    # Verdicts

    async def _judge(self, connection: asyncpg.Connection[Any], task: _Task, approving: set[int]) -> list[_Task]:
        try:
            return await self._judged(connection, task, approving)
        except SqlRejected as refusal:
            if task.inside is None:
                raise
            raise SqlRejected(f"{task.inside} is not usable here. {refusal.detail}") from None

    async def _judged(self, connection: asyncpg.Connection[Any], task: _Task, approving: set[int]) -> list[_Task]:
        following: list[_Task] = []
        statement = task.statement
        for name in statement.relations:
            following += self._relation(name, approving)
        for use in statement.functions:
            facts = [fact for fact in self._overloads(use) if fact.takes(use.arguments)]
            following += await self._called(connection, facts, task, approving)
        for name in statement.attributes:
            if not self._is_column(statement, name):
                facts = [fact for fact in self._overloads(FunctionUse(None, name[1], 1)) if fact.takes(1)]
                following += await self._called(connection, facts, task, approving)
        code = [("operator", name) for name in statement.operators]
        types = self._possible_types(statement)
        arguments = self._argument_types(statement)
        code += [("type", name) for name in types | arguments]
        values = self._column_types(statement) | arguments
        code += [("source", name) for name in types | values]
        code += [("implicit", name) for name in values]
        if task.inside is None:
            everywhere = [oid for _, oid, _ in (self._code or {}).get(("everywhere", ""), [])]
            following += await self._parts(connection, everywhere, approving)
        for kind, name in code:
            following += await self._hidden(connection, kind, name, approving)
        return following

    def _relation(self, name: Name, approving: set[int]) -> list[_Task]:
        following: list[_Task] = []
        for fact in _visible(self._relations, name):
            if sentence := _relations.refusal(fact):
                raise SqlRejected(sentence)
            if (fact.view is None and not fact.expressions) or not self._is_new(fact.oid, approving):
                continue
            inside = f"The {'table' if fact.view is None else 'view'} {fact.full_name}"
            following += [_Task(constant, inside) for constant in parse_constants(fact.expressions)]
            if fact.view is not None:
                following += [_Task(body, inside, in_view=True) for body in _bodies(fact.view, inside)]
        return following

    async def _called(
        self, connection: asyncpg.Connection[Any], facts: list[FunctionFact], task: _Task, approving: set[int]
    ) -> list[_Task]:
        following: list[_Task] = []
        for fact in facts:
            if sentence := _functions.refusal(fact, in_view=task.in_view):
                raise SqlRejected(sentence)
            following += await self._inside(connection, fact, approving)
        return following

    async def _inside(
        self, connection: asyncpg.Connection[Any], fact: FunctionFact, approving: set[int]
    ) -> list[_Task]:
        """What an SQL function or an aggregate of the target is made of."""
        if fact.built_in or fact.extension is not None or not self._is_new(fact.oid, approving):
            return []
        inside = f"The function {fact.schema}.{fact.name}"
        if fact.body is not None:
            texts = [_statements_of(fact.body)] + ([f"SELECT {fact.default_values}"] if fact.default_values else [])
            return [_Task(body, inside) for text in texts for body in _bodies(text, inside)]
        return await self._parts(connection, fact.parts or [], approving)

    async def _parts(
        self, connection: asyncpg.Connection[Any], oids: Iterable[int], approving: set[int]
    ) -> list[_Task]:
        following: list[_Task] = []
        for part in await self._by_oid(connection, oids):
            if sentence := _functions.refusal_of_part(part):
                raise SqlRejected(sentence)
            following += await self._inside(connection, part, approving)
        return following

    async def _hidden(
        self, connection: asyncpg.Connection[Any], kind: str, name: Name, approving: set[int]
    ) -> list[_Task]:
        """The functions behind an operator of the target, or behind the casts and checks of a type of the target."""
        following: list[_Task] = []
        for schema, oid, text in (self._code or {}).get((kind, name[1]), []):
            if schema not in (_SEARCHED if name[0] is None else (name[0],)):
                continue
            if text is None:
                following += await self._parts(connection, [oid], approving)
            elif self._is_new(oid, approving):
                inside = f"The type {schema}.{name[1]}"
                following += [_Task(body, inside) for body in _bodies(f"SELECT {_check_of(text)}", inside)]
        return following

    def _possible_types(self, statement: ParsedStatement) -> set[Name]:
        names = set(statement.types)
        # f(x) and x.f may also mean a cast to a type of that name.
        names |= {(use.schema, use.name) for use in statement.functions if use.arguments in (1, -1)}
        names |= {(None, name) for _, name in statement.attributes}
        # A row of a table is given as the type to fill.
        if any("populate_record" in use.name for use in statement.functions):
            names |= statement.relations
        return names | {(schema, name.lstrip("_")) for schema, name in names if name.startswith("_")}

    def _column_types(self, statement: ParsedStatement) -> set[Name]:
        """The types of the target that its relations give values of."""
        facts = [fact for name in statement.relations for fact in _visible(self._relations, name)]
        return {value_type for fact in facts for value_type in fact.value_types}

    def _argument_types(self, statement: ParsedStatement) -> set[Name]:
        """The types that the target's own functions take and give; a value is turned into one without being asked."""
        facts = [fact for use in statement.functions for fact in self._overloads(use) if not fact.built_in]
        names = {name for fact in facts for name in fact.types}
        return {(schema, name) for name in names for schema, _, _ in self._code_of(name)}

    def _code_of(self, name: str) -> list[tuple[str, int, str | None]]:
        kinds = ("type", "source", "implicit")
        return [entry for kind in kinds for entry in (self._code or {}).get((kind, name), [])]

    def _overloads(self, use: FunctionUse) -> list[FunctionFact]:
        return _visible(self._functions, (use.schema, use.name))

    def _is_column(self, statement: ParsedStatement, name: Name) -> bool:
        """Whether `qualifier.name` is surely a column: everything of that name is a table which has it."""
        behind = statement.sources.get(name[0] or "", [None])
        facts = [self._first(source) if source is not None else None for source in behind]
        return all(fact is not None and name[1] in fact.columns for fact in facts)

    def _is_new(self, oid: int, approving: set[int]) -> bool:
        if oid in self._approved or oid in approving:
            return False
        approving.add(oid)
        return True


def _visible(facts: dict[str, list[Fact]], name: Name) -> list[Fact]:
    schemas = _SEARCHED if name[0] is None else (name[0],)
    return [fact for spelling in _spellings({name[1]}) for fact in facts.get(spelling, []) if fact.schema in schemas]


def _spellings(names: set[str]) -> set[str]:
    # A server with a single-byte encoding folds the case of letters that the parser leaves alone.
    return names | {name.lower() for name in names if not name.isascii()}


def _bodies(text: str, inside: str) -> list[ParsedStatement]:
    try:
        return parse_body(text)
    except SqlRejected:
        raise SqlRejected(f"{inside} is not usable here: its text holds more than SELECT.") from None


def _statements_of(body: str) -> str:
    """The SELECTs of a function's body in the three ways in which it may be written."""
    text = body.strip()
    if text.upper().startswith("RETURN "):
        return f"SELECT {text[len('RETURN ') :]}"
    if text.upper().startswith("BEGIN ATOMIC"):
        return text[len("BEGIN ATOMIC") :].rstrip().removesuffix("END")
    return text


def _check_of(definition: str) -> str:
    return definition.removeprefix("CHECK ").removesuffix(" NOT VALID")
