"""Statements on verified queries."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from pgvector import HalfVector

from knowledgestack.catalogue.schema import TableFacts
from knowledgestack.db.repository import WorkspaceRepository
from knowledgestack.verified_queries._models import VerifiedQueryRow

_READ = """
SELECT v.id, v.database_connection_id, c.name AS database, v.question, v.description, v.sql, v.tables, v.used, v.state,
       v.stale_reason, v.created_by, u.name AS created_by_name, v.created_at, v.updated_at, v.last_tested_at
FROM verified_queries v
JOIN database_connections c ON c.workspace_id = :workspace_id AND c.id = v.database_connection_id
LEFT JOIN users u ON u.id = v.created_by
WHERE v.workspace_id = :workspace_id
"""
_ONE = _READ + " AND v.id = :id"
_MANY = _READ + " AND v.id = ANY(CAST(:ids AS uuid[]))"
_LIST = (
    _READ
    + """
  AND (CAST(:connection_ids AS uuid[]) IS NULL OR v.database_connection_id = ANY(CAST(:connection_ids AS uuid[])))
  AND (CAST(:before AS timestamptz) IS NULL
       OR (v.updated_at, v.id) < (CAST(:before AS timestamptz), CAST(:last AS uuid)))
ORDER BY v.updated_at DESC, v.id DESC LIMIT :limit
"""
)
_CANDIDATES = """
SELECT v.id, v.question, v.description, v.state, v.embedding_model_id, v.embedding, v.database_connection_id,
       v.updated_at
FROM verified_queries v
WHERE v.workspace_id = :workspace_id
  AND (CAST(:connection_ids AS uuid[]) IS NULL OR v.database_connection_id = ANY(CAST(:connection_ids AS uuid[])))
ORDER BY v.id
"""
_ACTIVE_MODEL = "SELECT embedding_model_id FROM workspace_embedding_sets WHERE workspace_id = :workspace_id AND active"
_COUNT = "SELECT count(*) FROM verified_queries WHERE workspace_id = :workspace_id"
_CONNECTION = (
    "SELECT name FROM database_connections WHERE workspace_id = :workspace_id AND id = :connection_id FOR NO KEY UPDATE"
)
_ASKED = """
SELECT id, question FROM verified_queries
WHERE workspace_id = :workspace_id AND database_connection_id = :connection_id
ORDER BY updated_at DESC, id DESC
"""
_KEEP_VECTORS = """
UPDATE verified_queries v SET embedding = CAST(made.vector AS halfvec), embedding_model_id = :model_id
FROM unnest(CAST(:ids AS uuid[]), CAST(:questions AS text[]), CAST(:vectors AS text[])) AS made (id, question, vector)
WHERE v.workspace_id = :workspace_id AND v.id = made.id AND v.question = made.question
"""
_COMPARE = """
UPDATE verified_queries v
SET used = CAST(seen.used AS jsonb), stale_reason = seen.reason,
    state = CASE WHEN seen.reason IS NULL THEN 'current' ELSE 'stale' END
FROM unnest(CAST(:ids AS uuid[]), CAST(:reasons AS text[]), CAST(:used AS text[])) AS seen (id, reason, used)
WHERE v.workspace_id = :workspace_id AND v.id = seen.id
"""
_FACTS = """
SELECT facts FROM catalogue_tables
WHERE workspace_id = :workspace_id AND connection_id = :connection_id
  AND (schema_name, table_name) IN (SELECT * FROM unnest(CAST(:schemas AS text[]), CAST(:names AS text[])))
"""
_OF_CONNECTION = """
SELECT id, tables, used, state FROM verified_queries
WHERE workspace_id = :workspace_id AND database_connection_id = :connection_id
ORDER BY id FOR UPDATE
"""


class Candidate(msgspec.Struct, frozen=True):
    """A verified query as it is compared; `embedding` was made by `model_id`."""

    id: UUID
    question: str
    description: str
    state: str
    model_id: UUID | None
    embedding: HalfVector | None
    connection_id: UUID
    updated_at: datetime


class VerifiedQueryRepository(WorkspaceRepository):
    """Verified queries of one workspace."""

    async def find(self, query_id: UUID) -> Any | None:
        return (await self.run_sql(_ONE, id=query_id)).one_or_none()

    async def find_many(self, ids: Sequence[UUID]) -> dict[UUID, Any]:
        return {row.id: row for row in await self.run_sql(_MANY, ids=list(ids))}

    async def list_newest(
        self, connection_ids: Sequence[UUID] | None, after: tuple[datetime, UUID] | None, limit: int
    ) -> Sequence[Any]:
        before, last = after or (None, None)
        ids = None if connection_ids is None else list(connection_ids)
        return (await self.run_sql(_LIST, connection_ids=ids, before=before, last=last, limit=limit)).all()

    async def count(self) -> int:
        return (await self.run_sql(_COUNT)).scalar_one()

    async def lock_connection(self, connection_id: UUID) -> bool:
        """Whether the connection is there; until the transaction ends it stays and nobody saves queries of it."""
        return (await self.run_sql(_CONNECTION, connection_id=connection_id)).scalar() is not None

    async def add(self, **values: Any) -> None:
        await self.insert(VerifiedQueryRow, **values)

    async def asked(self, connection_id: UUID) -> Sequence[Any]:
        """Id and question of every query of the connection, the one changed last first."""
        return (await self.run_sql(_ASKED, connection_id=connection_id)).all()

    async def change(self, query_id: UUID, *, while_sql: str | None = None, **values: Any) -> bool:
        """Whether there is such a query, with this SQL where `while_sql` says one."""
        statement = self.update(VerifiedQueryRow).where(VerifiedQueryRow.id == query_id)
        if while_sql is not None:
            statement = statement.where(VerifiedQueryRow.sql == while_sql)
        return (await self.tx.execute(statement.values(**values))).rowcount > 0

    async def keep_vectors(self, model_id: UUID, made: Sequence[tuple[UUID, str, HalfVector]]) -> None:
        """Keep the vectors of (id, question), save where a query has got another question meanwhile."""
        await self.run_sql(
            _KEEP_VECTORS,
            model_id=model_id,
            ids=[query_id for query_id, _, _ in made],
            questions=[question for _, question, _ in made],
            vectors=[vector.to_text() for _, _, vector in made],
        )

    async def keep_comparisons(self, seen: Sequence[tuple[UUID, str | None, dict[str, Any]]]) -> None:
        """Keep why a query is stale, None where it is current, and the types of the columns that it uses."""
        await self.run_sql(
            _COMPARE,
            ids=[query_id for query_id, _, _ in seen],
            reasons=[reason for _, reason, _ in seen],
            used=[msgspec.json.encode(used).decode() for _, _, used in seen],
        )

    async def remove(self, query_id: UUID) -> None:
        await self.tx.execute(self.delete(VerifiedQueryRow).where(VerifiedQueryRow.id == query_id))

    async def candidates(self, connection_ids: Sequence[UUID] | None) -> list[Candidate]:
        """Every verified query of these connections, of all where None."""
        ids = None if connection_ids is None else list(connection_ids)
        return [Candidate(*row) for row in await self.run_sql(_CANDIDATES, connection_ids=ids)]

    async def active_model(self) -> UUID | None:
        """The embedding model that the workspace's search uses."""
        return (await self.run_sql(_ACTIVE_MODEL)).scalar()

    async def table_facts(self, connection_id: UUID, tables: Sequence[str]) -> dict[str, TableFacts]:
        """What the catalogue says of these `schema.table`; those it does not have are left out."""
        # A dot may stand in either name.
        pairs = [(table[:at], table[at + 1 :]) for table in tables for at, mark in enumerate(table) if mark == "."]
        rows = await self.run_sql(
            _FACTS,
            connection_id=connection_id,
            schemas=[schema for schema, _ in pairs],
            names=[name for _, name in pairs],
        )
        facts = [msgspec.convert(row.facts, TableFacts) for row in rows]
        return {f"{table.schema}.{table.name}": table for table in facts}

    async def lock_of_connection(self, connection_id: UUID) -> Sequence[Any]:
        return (await self.run_sql(_OF_CONNECTION, connection_id=connection_id)).all()
