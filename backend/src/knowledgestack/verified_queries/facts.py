"""What tools and the list ask of verified queries."""

import asyncio
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec

from knowledgestack.core.errors import NotFound
from knowledgestack.core.identity import ROLE_PERMISSIONS, Actor, Permission, require
from knowledgestack.db.engine import Database
from knowledgestack.verified_queries._fit import fit_all
from knowledgestack.verified_queries._repository import Candidate, VerifiedQueryRepository
from knowledgestack.verified_queries._vectors import QuestionVectors
from knowledgestack.verified_queries._wording import normalised
from knowledgestack.verified_queries.contracts import VerifiedQuery
from knowledgestack.verified_queries.ports import EmbeddingModels


class FoundVerifiedQuery(msgspec.Struct, frozen=True):
    """`score` compares the finds of one search; `fits` says that this one answers the question, which one at most
    does. What is stale never fits."""

    verified_query: VerifiedQuery
    score: float
    fits: bool


class VerifiedQueryFacts:
    """Verified queries of the actor's workspace."""

    def __init__(self, database: Database, models: EmbeddingModels) -> None:
        self._database = database
        self._vectors = QuestionVectors(database, models)

    async def find(
        self, actor: Actor, question: str, connection_ids: Sequence[UUID] | None = None, limit: int = 5
    ) -> list[FoundVerifiedQuery]:
        """The nearest by meaning and words, best first; of all databases where `connection_ids` is None."""
        require(actor, Permission.READ_DATABASES)
        async with self._database.transaction() as tx:
            candidates = await VerifiedQueryRepository(tx, actor.workspace_id).candidates(connection_ids)
        vector, known = await self._vectors.compare(actor.workspace_id, question, candidates)
        # Reading the texts of a full workspace for the first time takes most of a second.
        fits = await asyncio.to_thread(fit_all, question, vector, known, _repeats(candidates))
        order = sorted(range(len(fits)), key=lambda index: (not fits[index].fits, -fits[index].score))[:limit]
        async with self._database.transaction() as tx:
            rows = await VerifiedQueryRepository(tx, actor.workspace_id).find_many([candidates[i].id for i in order])
        return [
            FoundVerifiedQuery(
                verified_query_of(rows[candidates[index].id], actor),
                round(fits[index].score, 3),
                fits[index].fits and rows[candidates[index].id].state == "current",
            )
            for index in order
            if candidates[index].id in rows
        ]

    async def newest(self, actor: Actor, connection_ids: Sequence[UUID], limit: int) -> list[VerifiedQuery]:
        """Those of these databases, the one changed last first."""
        require(actor, Permission.READ_DATABASES)
        async with self._database.transaction() as tx:
            rows = await VerifiedQueryRepository(tx, actor.workspace_id).list_newest(connection_ids, None, limit)
        return [verified_query_of(row, actor) for row in rows]

    async def read(self, actor: Actor, verified_query_id: UUID) -> VerifiedQuery:
        """Raise `NotFound` for an unknown or foreign id."""
        require(actor, Permission.READ_DATABASES)
        async with self._database.transaction() as tx:
            row = await VerifiedQueryRepository(tx, actor.workspace_id).find(verified_query_id)
        if row is None:
            raise NotFound("This verified query does not exist, or not in this workspace.")
        return verified_query_of(row, actor)


def _repeats(candidates: Sequence[Candidate]) -> frozenset[int]:
    """The places of queries whose question another one of their database asks too: a current one wins, then the newest.

    They would lie within the lead of one another, and none would answer.
    """
    best: dict[tuple[UUID, str], int] = {}
    order = sorted(
        range(len(candidates)), key=lambda at: (candidates[at].state == "current", candidates[at].updated_at, at)
    )
    for at in order:
        best[candidates[at].connection_id, normalised(candidates[at].question)] = at
    return frozenset(range(len(candidates))) - frozenset(best.values())


def verified_query_of(row: Any, actor: Actor) -> VerifiedQuery:
    return VerifiedQuery(
        id=row.id,
        database_connection_id=row.database_connection_id,
        database=row.database,
        question=row.question,
        description=row.description,
        sql=row.sql,
        tables=row.tables,
        state=row.state,
        stale_reason=row.stale_reason,
        created_by=row.created_by,
        created_by_name=row.created_by_name,
        created_at=row.created_at,
        updated_at=row.updated_at,
        last_tested_at=row.last_tested_at,
        may_edit=may_edit(row.created_by, actor),
    )


def may_edit(created_by: UUID | None, actor: Actor) -> bool:
    """People change what they saved themselves; owners of the workspace change all."""
    granted = ROLE_PERMISSIONS[actor.role]
    own = created_by == actor.user_id and Permission.VERIFY_QUERIES in granted
    return own or Permission.MANAGE_ANY_VERIFIED_QUERY in granted
