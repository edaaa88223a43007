"""Marks verified queries stale when the schema that they use changes."""

from typing import Any
from uuid import UUID

from knowledgestack.db.engine import Transaction
from knowledgestack.verified_queries._repository import VerifiedQueryRepository
from knowledgestack.verified_queries._schema import completed, difference


async def mark_stale(tx: Transaction, workspace_id: UUID, connection_id: UUID) -> None:
    """Compare what the connection's queries use with the catalogue as it stands in `tx`.

    A query that is stale stays so until somebody tests or changes it.
    """
    queries = VerifiedQueryRepository(tx, workspace_id)
    rows = [row for row in await queries.lock_of_connection(connection_id) if row.state == "current"]
    facts = await queries.table_facts(connection_id, sorted({table for row in rows for table in row.used}))
    seen: list[tuple[UUID, str | None, dict[str, Any]]] = []
    for row in rows:
        reason = difference(row.used, facts)
        used = row.used if reason is not None else completed(row.used, facts)
        if reason is not None or used != row.used:
            seen.append((row.id, reason, used))
    if seen:
        await queries.keep_comparisons(seen)
