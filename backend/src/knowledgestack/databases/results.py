"""What a tool says of a result that it has read, for whoever shows and keeps it."""

from uuid import UUID

import msgspec

from knowledgestack.databases.contracts import QueryResult

RESULT_SERIES = "Q"
"""Results are marked Q1, Q2, …, in the order in which a turn reads them."""


class ResultRead(msgspec.Struct, frozen=True):
    """A statement was answered. `title` names the result in words, `sql` is the text that was run."""

    mark: str
    title: str | None
    database_connection_id: UUID
    database: str
    sql: str
    result: QueryResult
