"""The agent's look for questions whose SQL a person has checked, and its way to run one.

A search is a block of one entry for each query that comes near; where none fits, the tables that may hold the answer
follow, a block for each database with a line for each table:

    <verified_queries question="…" count="1">
    <verified_query id="…" database="shop" fits="yes" score="1.02" state="current">
    Question: Returns by region?
    Description: Returned units of the last quarter.
    SQL:
    SELECT …
    </verified_query>
    </verified_queries>
    <tables database="shop" count="3" shown="1">
    returns (table, about 900 rows, 4 columns): what was sent back
    </tables>

A run is the entry of its query, without SQL, before the block of the result as `tools.results` writes it.
"""

from typing import Annotated, Literal
from uuid import UUID

import msgspec

from knowledgestack.agent.reach import TurnReach
from knowledgestack.catalogue.facts import CatalogueFacts
from knowledgestack.core.errors import InvalidRequest
from knowledgestack.databases.facts import KnownDatabase
from knowledgestack.databases.queries import QueryService
from knowledgestack.tools.databases import table_line
from knowledgestack.tools.naming import DatabaseSession, TurnDatabases, limits_documents
from knowledgestack.tools.results import TurnResults, attributes, data_text
from knowledgestack.tools.wording import WORDINGS, shortened
from knowledgestack.verified_queries.contracts import QUESTION_MAX, VerifiedQuery
from knowledgestack.verified_queries.events import NearestQuestions, VerifiedQueryRan
from knowledgestack.verified_queries.facts import FoundVerifiedQuery, VerifiedQueryFacts

_NEAREST = 3
_NEAR_FROM = 0.25
_WORTH_ASKING_FROM = 0.4
_MOST_TABLES = 3
_MOST_QUESTIONS = 30

_Question = Annotated[
    str, msgspec.Meta(min_length=1, max_length=4 * QUESTION_MAX, description="The question in the person's words.")
]


class VerifiedQuestionList:
    """The questions that verified queries answer, for the list of databases."""

    def __init__(self, facts: VerifiedQueryFacts) -> None:
        self._facts = facts

    async def questions(self, session: DatabaseSession, databases: list[KnownDatabase]) -> list[tuple[str, str]]:
        """(database, question) of what still fits its schema, the one changed last first."""
        ids = [database.id for database in databases]
        known = await self._facts.newest(session.actor, ids, limit=_MOST_QUESTIONS)
        return [(query.database, query.question) for query in known if query.state == "current"]


class FindVerifiedQueriesArguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    question: _Question


class FindVerifiedQueries:
    name = "find_verified_queries"
    description = (
        "Finds questions like this one whose SQL a person has checked, and says which one fits, if any does. Prefer a "
        "verified query to SQL of your own: run it with run_verified_query, or take its SQL where a period or a value "
        "differs. One that is stale no longer fits its tables."
    )
    arguments = FindVerifiedQueriesArguments

    def __init__(
        self, databases: TurnDatabases, facts: VerifiedQueryFacts, catalogue: CatalogueFacts, reach: TurnReach
    ) -> None:
        self._databases = databases
        self._facts = facts
        self._catalogue = catalogue
        self._reach = reach

    def display_text(self, arguments: FindVerifiedQueriesArguments) -> str:
        return WORDINGS[self._reach.language].find_verified.format(question=shortened(arguments.question))

    async def run(self, arguments: FindVerifiedQueriesArguments, session: DatabaseSession) -> str:
        databases = await self._databases.all(session)
        found = await self._facts.find(
            session.actor, arguments.question, [database.id for database in databases], limit=_NEAREST
        )
        near = [one for one in found if one.fits or one.score >= _NEAR_FROM]
        head = attributes(question=arguments.question, count=len(near))
        lines = [f"<verified_queries {head}>", *map(_found, near), "</verified_queries>"]
        answered = any(one.fits for one in near)
        worth = _NEAR_FROM if answered else _WORTH_ASKING_FROM
        others = [one.verified_query for one in near if not one.fits and one.score >= worth]
        session.emit(NearestQuestions(tuple(query.question for query in others if query.state == "current")))
        if answered:
            return "\n".join(lines)
        for database in databases:
            lines += await self._tables(session, database, arguments.question)
        return "\n".join(lines)

    async def _tables(self, session: DatabaseSession, database: KnownDatabase, question: str) -> list[str]:
        count = await self._catalogue.table_count(session.actor, database.id)
        quoting = not limits_documents(session)
        tables = await self._catalogue.search_tables(
            session.actor, database.id, question, _MOST_TABLES, quoting=quoting
        )
        if not tables:
            return [f"<tables {attributes(database=database.name, count=count, shown=0)}>", "</tables>"]
        head = attributes(database=database.name, count=count, shown=len(tables))
        return [f"<tables {head}>", *map(table_line, tables), "</tables>"]


class RunVerifiedQueryArguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`id` is the one that find_verified_queries gives."""

    id: UUID


class RunVerifiedQuery:
    name = "run_verified_query"
    description = (
        "Runs a verified query as it is and returns a result with a mark such as Q1; the person sees its rows. Cite "
        "figures by the mark, [Q1], and say which verified question they answer."
    )
    arguments = RunVerifiedQueryArguments

    def __init__(
        self,
        databases: TurnDatabases,
        facts: VerifiedQueryFacts,
        queries: QueryService,
        results: TurnResults,
        reach: TurnReach,
    ) -> None:
        self._databases = databases
        self._facts = facts
        self._queries = queries
        self._results = results
        self._reach = reach

    def display_text(self, arguments: RunVerifiedQueryArguments) -> str:
        return WORDINGS[self._reach.language].run_verified

    async def run(self, arguments: RunVerifiedQueryArguments, session: DatabaseSession) -> str:
        query = await self._facts.read(session.actor, arguments.id)
        databases = await self._databases.all(session)
        if query.database_connection_id not in {database.id for database in databases}:
            raise InvalidRequest("The question is limited to other databases than that of this query.")
        if query.state == "stale":
            raise InvalidRequest(f"This verified query no longer fits its database: {query.stale_reason}")
        self._results.refuse_more()
        result = await self._queries.run(
            session.actor,
            query.database_connection_id,
            query.sql,
            origin="verified_query",
            chat_id=self._reach.chat_id,
            turn_id=self._reach.turn_id,
        )
        shown = self._results.show(
            session,
            result,
            connection_id=query.database_connection_id,
            database=query.database,
            sql=query.sql,
            title=query.question,
        )
        session.emit(VerifiedQueryRan(query.question, query.description))
        return f"{_entry(query, fits='yes', sql=False)}\n{shown}"


def _found(one: FoundVerifiedQuery) -> str:
    return _entry(one.verified_query, fits="yes" if one.fits else "no", score=f"{one.score:.2f}")


def _entry(query: VerifiedQuery, *, fits: Literal["yes", "no"], score: str | None = None, sql: bool = True) -> str:
    head = attributes(id=query.id, database=query.database, fits=fits, score=score, state=query.state)
    lines = [f"<verified_query {head}>", f"Question: {_line(query.question)}"]
    if query.description:
        lines.append(f"Description: {_line(query.description)}")
    if query.stale_reason:
        lines.append(f"Stale: {_line(query.stale_reason)}")
    if sql:
        lines += ["SQL:", data_text(query.sql)]
    return "\n".join([*lines, "</verified_query>"])


def _line(text: str) -> str:
    return data_text(" ".join(text.split()))
