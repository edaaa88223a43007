"""The wire of verified queries: questions whose SQL a person has checked."""

from datetime import datetime
from typing import Literal
from uuid import UUID

import msgspec

from knowledgestack.core.contract import Contract
from knowledgestack.databases.contracts import QueryResult

VerifiedQueryState = Literal["current", "stale"]

QUESTION_MAX = 500


class VerifiedQuery(Contract):
    """`state` is stale when a table or column that the SQL reads has changed; `stale_reason` says which."""

    id: UUID
    database_connection_id: UUID
    database: str
    question: str
    description: str
    sql: str
    tables: list[str]
    state: VerifiedQueryState
    stale_reason: str | None
    created_by: UUID | None
    created_by_name: str | None
    created_at: datetime
    updated_at: datetime
    last_tested_at: datetime
    may_edit: bool


class VerifiedQueryPage(Contract):
    items: list[VerifiedQuery]
    next_cursor: str | None


class NewVerifiedQuery(Contract):
    """The SQL is run once through the fence before it is stored."""

    database_connection_id: UUID
    question: str
    sql: str
    description: str = ""


class VerifiedQueryChange(Contract):
    question: str | msgspec.UnsetType = msgspec.UNSET
    sql: str | msgspec.UnsetType = msgspec.UNSET
    description: str | msgspec.UnsetType = msgspec.UNSET


class VerifiedQueryTested(Contract):
    """`result` is null where the SQL did not run; then `message` says why."""

    verified_query: VerifiedQuery
    message: str
    result: QueryResult | None
