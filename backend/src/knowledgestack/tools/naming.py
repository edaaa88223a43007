"""Databases and tables as a model names them."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Protocol
from uuid import UUID

from knowledgestack.agent.session import ToolSession
from knowledgestack.core.errors import InvalidRequest
from knowledgestack.databases.facts import DatabaseFacts, KnownDatabase
from knowledgestack.databases.identifiers import quoted

_PLAIN_NAME = re.compile(r"[a-z_][a-z0-9_]*\Z")
# Words that a statement cannot have as a bare name (PostgreSQL's reserved key words).
_RESERVED_WORDS = """
    all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation
    column concurrently constraint create cross current_catalog current_date current_role current_schema current_time
    current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze
    from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit
    localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references
    returning right select session_user similar some symmetric system_user table tablesample then to trailing true union
    unique user using variadic verbose when where window with
"""
_RESERVED = frozenset(_RESERVED_WORDS.split())


class DatabaseScope(Protocol):
    """What the question is limited to; an empty list limits nothing."""

    @property
    def source_ids(self) -> list[UUID]: ...
    @property
    def document_ids(self) -> list[UUID]: ...
    @property
    def database_connection_ids(self) -> list[UUID]: ...


DatabaseSession = ToolSession[DatabaseScope]


def limits_documents(session: DatabaseSession) -> bool:
    """Whether some documents of the workspace lie outside of the question, and may not be quoted."""
    return bool(session.scope.source_ids or session.scope.document_ids)


class TurnDatabases:
    """The databases that a question may look at, found by name."""

    def __init__(self, facts: DatabaseFacts) -> None:
        self._facts = facts

    async def all(self, session: DatabaseSession) -> list[KnownDatabase]:
        """Those of the workspace that lie in the scope of the question, by name."""
        known = await self._facts.databases(session.actor.workspace_id)
        chosen = session.scope.database_connection_ids
        return [database for database in known if not chosen or database.id in chosen]

    async def named(self, session: DatabaseSession, name: str) -> KnownDatabase:
        """Raise `InvalidRequest` with the names there are for one that none of them has."""
        if not name.strip():
            raise InvalidRequest("The database is not named: call list_databases first and use one of its names.")
        known = await self.all(session)
        exact = [database for database in known if database.name == name]
        alike = [database for database in known if database.name.casefold() == name.strip().casefold()]
        for found in (exact, alike):
            if len(found) == 1:
                return found[0]
        names = ", ".join(f"“{database.name}”" for database in known) or "none"
        raise InvalidRequest(f"There is no database named “{name[:100]}” here. The databases are: {names}.")


def sql_name(*parts: str) -> str:
    """A name as it has to stand in a statement; the schema `public` is left out."""
    shown = parts[1:] if len(parts) > 1 and parts[0] == "public" else parts
    return ".".join(_as_sql(part) for part in shown)


def closest_words(word: str, known: Iterable[str], *, most: int = 3) -> list[str]:
    """The known names that look most like a word, whatever their case."""
    names = {name.casefold(): name for name in known}
    return [names[found] for found in get_close_matches(word.casefold(), names, n=most, cutoff=0.5)]


def _as_sql(name: str) -> str:
    if _PLAIN_NAME.match(name) and name not in _RESERVED:
        return name
    return quoted(name)
