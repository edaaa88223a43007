"""What people do with verified queries: save, find, change, test and delete them."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from knowledgestack.core.clock import utc_now
from knowledgestack.core.errors import AppError, Conflict, FieldError, Forbidden, InvalidRequest, NotFound
from knowledgestack.core.identity import Actor, Permission, require
from knowledgestack.core.ids import new_id
from knowledgestack.databases.contracts import DESCRIPTION_MAX, QueryResult
from knowledgestack.databases.errors import SqlFailed, SqlRejected, SqlTimeout
from knowledgestack.db.engine import Database
from knowledgestack.http.pagination import clamp_limit, decode_cursor, encode_cursor
from knowledgestack.verified_queries._repository import VerifiedQueryRepository
from knowledgestack.verified_queries._schema import used_by
from knowledgestack.verified_queries._wording import normalised
from knowledgestack.verified_queries.contracts import (
    QUESTION_MAX,
    NewVerifiedQuery,
    VerifiedQuery,
    VerifiedQueryChange,
    VerifiedQueryPage,
    VerifiedQueryTested,
)
from knowledgestack.verified_queries.facts import VerifiedQueryFacts, may_edit, verified_query_of
from knowledgestack.verified_queries.ports import Statements

# Every question is compared with all of a workspace's queries.
MOST_QUERIES = 1_000
_RELEVANT_FROM = 0.35


class VerifiedQueryService:
    """Verified queries of the actor's workspace. A foreign or unknown id raises `NotFound`."""

    def __init__(self, database: Database, statements: Statements, facts: VerifiedQueryFacts) -> None:
        self._database = database
        self._statements = statements
        self._facts = facts

    async def list(
        self,
        actor: Actor,
        connection_id: UUID | None = None,
        words: str | None = None,
        *,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> VerifiedQueryPage:
        """The newest first; with words, those that come near them on one page, the nearest first."""
        require(actor, Permission.READ_DATABASES)
        size = clamp_limit(limit)
        if words is not None and words.strip():
            return await self._search(actor, connection_id, words.strip(), size)
        after: tuple[datetime, UUID] | None = None
        if cursor is not None:
            at, last_id = decode_cursor(cursor, (datetime, UUID))
            after = (at, last_id)
        async with self._database.transaction() as tx:
            queries = VerifiedQueryRepository(tx, actor.workspace_id)
            connections = None if connection_id is None else [connection_id]
            rows = await queries.list_newest(connections, after, size + 1)
        last = rows[size - 1] if len(rows) > size else None
        return VerifiedQueryPage(
            items=[verified_query_of(row, actor) for row in rows[:size]],
            next_cursor=encode_cursor((last.updated_at, last.id)) if last is not None else None,
        )

    async def read(self, actor: Actor, verified_query_id: UUID) -> VerifiedQuery:
        return await self._facts.read(actor, verified_query_id)

    async def save(self, actor: Actor, new: NewVerifiedQuery) -> VerifiedQuery:
        """Run the SQL once, then keep it.

        Raise what the run raises, and `Conflict` where there are too many or one asks the same of this database.
        """
        require(actor, Permission.VERIFY_QUERIES)
        question, description = _question(new.question), _description(new.description)
        result = await self._run(actor, new.database_connection_id, new.sql)
        query_id = new_id()
        async with self._database.transaction() as tx:
            queries = VerifiedQueryRepository(tx, actor.workspace_id)
            if not await queries.lock_connection(new.database_connection_id):
                raise NotFound("This database connection does not exist, or not in this workspace.")
            await _refuse_repeat(queries, new.database_connection_id, question)
            if await queries.count() >= MOST_QUERIES:
                raise Conflict(f"A workspace keeps {MOST_QUERIES:,} verified queries. Delete some to save another.")
            await queries.add(
                id=query_id,
                database_connection_id=new.database_connection_id,
                question=question,
                description=description,
                sql=new.sql,
                created_by=actor.user_id,
                **await _learned(queries, new.database_connection_id, result),
            )
            return verified_query_of(await queries.find(query_id), actor)

    async def change(self, actor: Actor, verified_query_id: UUID, change: VerifiedQueryChange) -> VerifiedQuery:
        """Changed SQL is run before it is kept.

        Raise `Conflict` where the SQL was changed by somebody else meanwhile, or another query asks the same.
        """
        row = await self._find_own(actor, verified_query_id)
        values: dict[str, Any] = {"updated_at": utc_now()}
        if change.question is not msgspec.UNSET:
            values |= {"question": _question(change.question), "embedding": None, "embedding_model_id": None}
        if change.description is not msgspec.UNSET:
            values["description"] = _description(change.description)
        result = None
        if change.sql is not msgspec.UNSET and change.sql != row.sql:
            result = await self._run(actor, row.database_connection_id, change.sql)
            values["sql"] = change.sql
        async with self._database.transaction() as tx:
            queries = VerifiedQueryRepository(tx, actor.workspace_id)
            if change.question is not msgspec.UNSET:
                await queries.lock_connection(row.database_connection_id)
                await _refuse_repeat(queries, row.database_connection_id, values["question"], verified_query_id)
            before = None
            if result is not None:
                before = row.sql
                values |= await _learned(queries, row.database_connection_id, result)
            await _change(queries, verified_query_id, before, values)
            return verified_query_of(await queries.find(verified_query_id), actor)

    async def delete(self, actor: Actor, verified_query_id: UUID) -> None:
        await self._find_own(actor, verified_query_id)
        async with self._database.transaction() as tx:
            await VerifiedQueryRepository(tx, actor.workspace_id).remove(verified_query_id)

    async def test(self, actor: Actor, verified_query_id: UUID) -> VerifiedQueryTested:
        """Run it now. What runs is current from here on; what no longer fits the schema is stale.

        Raise `Conflict` where its SQL was changed while it ran: what was seen is not of the query that stands there.
        """
        require(actor, Permission.VERIFY_QUERIES)
        row = await self._find(actor, verified_query_id)
        try:
            result = await self._run(actor, row.database_connection_id, row.sql)
        except (SqlFailed, SqlRejected, SqlTimeout) as error:
            values: dict[str, Any] = {"last_tested_at": utc_now()}
            if _speaks_of_the_schema(error):
                values |= {"state": "stale", "stale_reason": error.detail}
            kept = await self._store(actor, row, values)
            return VerifiedQueryTested(verified_query=kept, message=error.detail, result=None)
        rows = "1 row" if result.row_count == 1 else f"{result.row_count:,} rows"
        return VerifiedQueryTested(
            verified_query=await self._store(actor, row, {}, result),
            message=f"The query ran: {rows} in {result.duration_ms:,} ms.",
            result=result,
        )

    async def _run(self, actor: Actor, connection_id: UUID, sql: str) -> QueryResult:
        return await self._statements.run(actor, connection_id, sql, origin="verified_query")

    async def _search(self, actor: Actor, connection_id: UUID | None, words: str, size: int) -> VerifiedQueryPage:
        connections = None if connection_id is None else [connection_id]
        found = await self._facts.find(actor, words, connections, limit=MOST_QUERIES)
        plain = words.casefold()
        items = [
            one.verified_query
            for one in found
            if one.score >= _RELEVANT_FROM or plain in _searched(one.verified_query).casefold()
        ]
        return VerifiedQueryPage(items=items[:size], next_cursor=None)

    async def _find(self, actor: Actor, verified_query_id: UUID) -> Any:
        async with self._database.transaction() as tx:
            row = await VerifiedQueryRepository(tx, actor.workspace_id).find(verified_query_id)
        if row is None:
            raise _not_found()
        return row

    async def _find_own(self, actor: Actor, verified_query_id: UUID) -> Any:
        require(actor, Permission.VERIFY_QUERIES)
        row = await self._find(actor, verified_query_id)
        if not may_edit(row.created_by, actor):
            raise Forbidden("Only whoever saved this query or an owner of the workspace can change it.")
        return row

    async def _store(
        self, actor: Actor, ran: Any, values: dict[str, Any], result: QueryResult | None = None
    ) -> VerifiedQuery:
        """Keep what the run of the row `ran` showed, with what its result tells where there is one."""
        async with self._database.transaction() as tx:
            queries = VerifiedQueryRepository(tx, actor.workspace_id)
            if result is not None:
                values = values | await _learned(queries, ran.database_connection_id, result)
            await _change(queries, ran.id, ran.sql, values)
            return verified_query_of(await queries.find(ran.id), actor)


async def _change(
    queries: VerifiedQueryRepository, query_id: UUID, while_sql: str | None, values: dict[str, Any]
) -> None:
    if await queries.change(query_id, while_sql=while_sql, **values):
        return
    if while_sql is None or await queries.find(query_id) is None:
        raise _not_found()
    raise Conflict("The SQL of this query was changed by somebody else while it ran. Look at it and try again.")


async def _refuse_repeat(
    queries: VerifiedQueryRepository, connection_id: UUID, question: str, own_id: UUID | None = None
) -> None:
    """Raise `Conflict` where another query of the database asks the same; the connection is locked."""
    wanted = normalised(question)
    for row in await queries.asked(connection_id):
        if row.id != own_id and normalised(row.question) == wanted:
            raise Conflict(
                f"“{row.question}” is a verified query of this database already. Change that one, or ask differently."
            )


def _speaks_of_the_schema(error: AppError) -> bool:
    """Whether the text itself no longer runs, such as for a column that is gone; data and a busy server may change."""
    return isinstance(error, SqlRejected) or (isinstance(error, SqlFailed) and (error.sqlstate or "").startswith("42"))


async def _learned(queries: VerifiedQueryRepository, connection_id: UUID, result: QueryResult) -> dict[str, Any]:
    """What a run that succeeded tells of the query."""
    tables, columns = result.receipt.tables, result.receipt.columns
    facts = await queries.table_facts(connection_id, tables)
    return {
        "tables": tables,
        "used": used_by(tables, columns, facts),
        "state": "current",
        "stale_reason": None,
        "last_tested_at": utc_now(),
    }


def _question(text: str) -> str:
    question = " ".join(text.split())
    if not question or len(question) > QUESTION_MAX or "\0" in question:
        message = f"The question has 1 to {QUESTION_MAX} characters."
        raise InvalidRequest(message, errors=(FieldError("question", message),))
    return question


def _description(text: str) -> str:
    description = text.strip()
    if len(description) > DESCRIPTION_MAX or "\0" in description:
        message = f"The description has at most {DESCRIPTION_MAX:,} characters."
        raise InvalidRequest(message, errors=(FieldError("description", message),))
    return description


def _searched(query: VerifiedQuery) -> str:
    return "\n".join((query.question, query.description, query.sql))


def _not_found() -> NotFound:
    return NotFound("This verified query does not exist, or not in this workspace.")
