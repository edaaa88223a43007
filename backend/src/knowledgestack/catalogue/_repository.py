"""Statements on catalogues, their tables, changes and descriptions."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec
import sqlalchemy as sa

from knowledgestack.catalogue._changes import Change
from knowledgestack.catalogue._models import CatalogueChangeRow, CatalogueRow, CatalogueTableRow, DescriptionRow
from knowledgestack.catalogue.schema import Snapshot, TableFacts, Thing, names_hash, thing_of
from knowledgestack.core.ids import new_id
from knowledgestack.db.repository import InstanceRepository, WorkspaceRepository

_CATALOGUE = CatalogueRow.__table__.c
_TABLE = CatalogueTableRow.__table__.c
_CHANGE = CatalogueChangeRow.__table__.c
_DESCRIPTION = DescriptionRow.__table__.c

_REQUEST = """
    INSERT INTO catalogues (workspace_id, connection_id, state) VALUES (:workspace_id, :connection_id, 'reading')
    ON CONFLICT (workspace_id, connection_id)
    DO UPDATE SET state = 'reading', attempts = 0, message = NULL, check_failures = 0, next_check_at = now()
"""
_ADD_TABLES = """
    INSERT INTO catalogue_tables (workspace_id, connection_id, schema_name, table_name, facts)
    SELECT :workspace_id, :connection_id, schema_name, table_name, CAST(facts AS jsonb)
    FROM unnest(CAST(:schemas AS text[]), CAST(:names AS text[]), CAST(:facts AS text[]))
         AS read (schema_name, table_name, facts)
"""
_ADD_CHANGES = """
    INSERT INTO catalogue_changes (id, workspace_id, connection_id, kind, thing, detail)
    SELECT id, :workspace_id, :connection_id, kind, thing, detail
    FROM unnest(CAST(:ids AS uuid[]), CAST(:kinds AS text[]), CAST(:things AS text[]), CAST(:details AS text[]))
         AS noticed (id, kind, thing, detail)
"""
_FORGET_DESCRIPTIONS = """
    DELETE FROM catalogue_descriptions
    WHERE workspace_id = :workspace_id AND connection_id = :connection_id
      AND (schema_name, table_name, column_name) IN (
          SELECT * FROM unnest(CAST(:schemas AS text[]), CAST(:tables AS text[]), CAST(:columns AS text[])))
"""
_ADD_DESCRIPTIONS = """
    INSERT INTO catalogue_descriptions (workspace_id, connection_id, schema_name, table_name, column_name, description,
                                        synonyms, updated_by)
    SELECT :workspace_id, :connection_id, schema_name, table_name, column_name, description,
           ARRAY(SELECT jsonb_array_elements_text(CAST(synonyms AS jsonb))), :user_id
    FROM unnest(CAST(:schemas AS text[]), CAST(:tables AS text[]), CAST(:columns AS text[]),
                CAST(:descriptions AS text[]), CAST(:synonyms AS text[]))
         AS said (schema_name, table_name, column_name, description, synonyms)
    WHERE description IS NOT NULL OR synonyms <> '[]'
"""
_KEPT_DAYS = 180


class Described(msgspec.Struct, frozen=True):
    """What people say of one thing."""

    description: str | None
    synonyms: list[str]


class CatalogueRepository(WorkspaceRepository):
    """The catalogues of one workspace."""

    async def read(self, connection_id: UUID) -> sa.Row[Any] | None:
        return (await self.tx.execute(self._of(connection_id))).one_or_none()

    async def lock(self, connection_id: UUID) -> sa.Row[Any] | None:
        return (await self.tx.execute(self._of(connection_id).with_for_update())).one_or_none()

    async def many(self, connection_ids: Sequence[UUID]) -> list[sa.Row[Any]]:
        query = self.select(CatalogueRow).where(
            _CATALOGUE.connection_id.in_(connection_ids), _CATALOGUE.taken_at.is_not(None)
        )
        return list((await self.tx.execute(query)).all())

    async def with_tables(self) -> list[UUID]:
        """The connections of the workspace whose catalogue has been read."""
        query = self.select(CatalogueRow, _CATALOGUE.connection_id).where(_CATALOGUE.taken_at.is_not(None))
        return list((await self.tx.execute(query.order_by(_CATALOGUE.connection_id))).scalars())

    async def request(self, connection_id: UUID) -> None:
        """Say that the catalogue is to be read."""
        await self.run_sql(_REQUEST, connection_id=connection_id)

    async def change(self, connection_id: UUID, **values: Any) -> None:
        statement = self.update(CatalogueRow).where(_CATALOGUE.connection_id == connection_id).values(**values)
        await self.tx.execute(statement)

    async def begin(self, connection_id: UUID) -> int | None:
        """Count an attempt; return how many there were, None where the connection is gone."""
        statement = (
            self.update(CatalogueRow)
            .where(_CATALOGUE.connection_id == connection_id)
            .values(attempts=_CATALOGUE.attempts + 1)
            .returning(_CATALOGUE.attempts)
        )
        return (await self.tx.execute(statement)).scalar()

    async def checked(self, connection_id: UUID, *, seconds: float) -> None:
        """The database was looked at and nothing has changed."""
        await self.change(
            connection_id, checked_at=sa.func.now(), message=None, check_failures=0, next_check_at=_in(seconds)
        )

    async def unreachable(self, connection_id: UUID, message: str, *, seconds: float) -> None:
        """The database could not be looked at; the next look waits longer each time."""
        wait = sa.func.power(2, sa.func.least(_CATALOGUE.check_failures, 5)) * seconds
        await self.change(
            connection_id, message=message, check_failures=_CATALOGUE.check_failures + 1, next_check_at=_in(wait)
        )

    async def bump(self, connection_id: UUID) -> None:
        """Say that something which lists and searches show has changed."""
        await self.change(connection_id, stamp=_CATALOGUE.stamp + 1)

    async def store(self, connection_id: UUID, snapshot: Snapshot, message: str | None) -> None:
        """Put the snapshot in the place of the one before."""
        tables = snapshot.tables
        await self.tx.execute(self.delete(CatalogueTableRow).where(_TABLE.connection_id == connection_id))
        await self.run_sql(
            _ADD_TABLES,
            connection_id=connection_id,
            schemas=[table.schema for table in tables],
            names=[table.name for table in tables],
            facts=[msgspec.json.encode(table).decode().replace("\\u0000", "") for table in tables],
        )
        await self.change(
            connection_id,
            state="current",
            stamp=_CATALOGUE.stamp + 1,
            fingerprint=snapshot.fingerprint,
            names_hash=names_hash(tables),
            table_count=len(tables),
            row_estimate=sum(table.row_estimate or 0 for table in tables),
            message=message,
            attempts=0,
            check_failures=0,
            taken_at=sa.func.now(),
            checked_at=sa.func.now(),
        )

    async def tables(self, connection_id: UUID) -> list[TableFacts]:
        """Every table in the order of schema and name."""
        query = self.select(CatalogueTableRow, sa.cast(_TABLE.facts, sa.Text)).where(
            _TABLE.connection_id == connection_id
        )
        rows = await self.tx.execute(query.order_by(_TABLE.schema_name, _TABLE.table_name))
        return [msgspec.json.decode(facts, type=TableFacts) for facts in rows.scalars()]

    async def add_changes(self, connection_id: UUID, changes: Sequence[Change]) -> None:
        """Keep what was noticed; what is older than half a year is forgotten."""
        await self.run_sql(
            _ADD_CHANGES,
            connection_id=connection_id,
            ids=[new_id() for _ in changes],
            kinds=[change.kind for change in changes],
            things=[change.thing for change in changes],
            details=[change.detail for change in changes],
        )
        old = _CHANGE.noticed_at < sa.func.now() - sa.func.make_interval(0, 0, 0, _KEPT_DAYS)
        await self.tx.execute(self.delete(CatalogueChangeRow).where(_CHANGE.connection_id == connection_id, old))

    async def changes(self, connection_id: UUID, before: UUID | None, limit: int) -> list[sa.Row[Any]]:
        """Newest first."""
        query = self.select(CatalogueChangeRow).where(_CHANGE.connection_id == connection_id)
        if before is not None:
            query = query.where(_CHANGE.id < before)
        return list((await self.tx.execute(query.order_by(_CHANGE.id.desc()).limit(limit))).all())

    async def descriptions(self, connection_id: UUID) -> dict[Thing, Described]:
        rows = await self.tx.execute(self.select(DescriptionRow).where(_DESCRIPTION.connection_id == connection_id))
        return {thing_of(row): Described(row.description, row.synonyms) for row in rows}

    async def describe(self, connection_id: UUID, said: Mapping[Thing, Described], user_id: UUID) -> None:
        """Keep what people say of these things; nothing said leaves no row."""
        names: dict[str, Any] = {
            "connection_id": connection_id,
            "schemas": [thing.schema for thing in said],
            "tables": [thing.table for thing in said],
            "columns": [thing.column or "" for thing in said],
        }
        descriptions = [described.description for described in said.values()]
        synonyms = [msgspec.json.encode(described.synonyms).decode() for described in said.values()]
        await self.run_sql(_FORGET_DESCRIPTIONS, **names)
        await self.run_sql(_ADD_DESCRIPTIONS, **names, descriptions=descriptions, synonyms=synonyms, user_id=user_id)

    def _of(self, connection_id: UUID) -> sa.Select[*tuple[Any, ...]]:
        return self.select(CatalogueRow).where(_CATALOGUE.connection_id == connection_id)


class EveryCatalogue(InstanceRepository):
    """What the scheduled look asks across workspaces."""

    async def due(self, limit: int) -> Sequence[Any]:
        """Catalogues whose next look is due, the longest waiting first."""
        query = (
            sa.select(
                _CATALOGUE.workspace_id,
                _CATALOGUE.connection_id,
                _CATALOGUE.state,
                _CATALOGUE.fingerprint,
                _CATALOGUE.taken_at,
            )
            .where(_CATALOGUE.next_check_at <= sa.func.now())
            .order_by(_CATALOGUE.next_check_at)
            .limit(limit)
        )
        return (await self.tx.execute(query)).all()


def _in(seconds: Any) -> sa.ColumnElement[Any]:
    return sa.func.now() + sa.func.make_interval(0, 0, 0, 0, 0, 0, seconds)
