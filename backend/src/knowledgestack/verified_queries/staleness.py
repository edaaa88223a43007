"""Marks verified queries stale when the schema that they use changes."""

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
    for row in rows:
        reason = difference(row.used, facts)
        if reason is not None:
            await queries.change(row.id, state="stale", stale_reason=reason)
        elif (used := completed(row.used, facts)) != row.used:
            await queries.change(row.id, used=used)
