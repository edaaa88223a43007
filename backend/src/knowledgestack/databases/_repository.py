"""Statements on database connections and on the log of what ran on them. Every time is the database's."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import IntegrityError

from knowledgestack.core.errors import Conflict, NotFound
from knowledgestack.core.ids import new_id
from knowledgestack.databases._models import DatabaseConnectionRow, DatabaseStatementRow
from knowledgestack.databases.contracts import StatementOrigin, StatementOutcome
from knowledgestack.db.repository import InstanceRepository, WorkspaceRepository

_LOST = "The process that ran this statement ended before it was answered."

_STATEMENTS = """
SELECT s.*, u.name AS user_name
FROM database_statements s LEFT JOIN users u ON u.id = s.user_id
WHERE s.workspace_id = :workspace_id
  AND (CAST(:connection_id AS uuid) IS NULL OR s.database_connection_id = :connection_id)
  AND (CAST(:user_id AS uuid) IS NULL OR s.user_id = :user_id)
  AND (CAST(:outcome AS text) IS NULL OR s.outcome = :outcome)
  AND (CAST(:before AS uuid) IS NULL OR s.id < :before)
ORDER BY s.id DESC LIMIT :limit
"""
_ADD_STATEMENT = """
INSERT INTO database_statements
    (id, workspace_id, database_connection_id, database, user_id, chat_id, turn_id, origin, sql, lease_until)
VALUES (:id, :workspace_id, :connection_id, :database, :user_id, :chat_id, :turn_id, :origin, :sql,
    now() + make_interval(secs => :lease_seconds))
RETURNING started_at
"""
_CLOSE_LOST = """
UPDATE database_statements SET outcome = 'cancelled', detail = :detail
WHERE workspace_id = :workspace_id AND outcome = 'running' AND lease_until < now()
"""

_CLOSE_EVERY_LOST = """
UPDATE database_statements SET outcome = 'cancelled', detail = :detail WHERE outcome = 'running' AND lease_until < now()
"""
_IDENTITY = "SELECT system_identifier, CAST(current_database() AS text) FROM pg_control_system()"


class NewStatement(msgspec.Struct, frozen=True, kw_only=True):
    """Who sends which statement where, and from what."""

    connection_id: UUID
    database: str
    user_id: UUID
    chat_id: UUID | None
    turn_id: UUID | None
    origin: StatementOrigin
    sql: str


class ConnectionRepository(WorkspaceRepository):
    """Database connections of one workspace."""

    async def page(self, after: tuple[str, UUID] | None, limit: int) -> list[Any]:
        """Connections by name."""
        name, key = DatabaseConnectionRow.name, DatabaseConnectionRow.id
        statement = self.select(DatabaseConnectionRow).order_by(name, key).limit(limit)
        if after is not None:
            statement = statement.where(sa.tuple_(name, key) > sa.tuple_(*after))
        return list(await self.tx.execute(statement))

    async def read(self, connection_id: UUID, *, lock: bool = False) -> Any:
        """The row; raise `NotFound` where there is none."""
        statement = self.select(DatabaseConnectionRow).where(DatabaseConnectionRow.id == connection_id)
        row = (await self.tx.execute(statement.with_for_update() if lock else statement)).one_or_none()
        if row is None:
            raise NotFound("There is no such database connection.")
        return row

    async def named(self, name: str) -> Any | None:
        """The row of exactly this name, locked."""
        statement = self.select(DatabaseConnectionRow).where(DatabaseConnectionRow.name == name)
        return (await self.tx.execute(statement.with_for_update())).one_or_none()

    async def put(self, name: str, values_for: Callable[[UUID], dict[str, Any]]) -> UUID:
        """Store the connection of this name, in place of the one that has it; return its id."""
        while True:
            row = await self.named(name)
            if row is not None:
                await self.change(row.id, revision=row.revision + 1, **values_for(row.id))
                return row.id
            connection_id = new_id()
            values = {"id": connection_id, "workspace_id": self.workspace_id, **_stamped(values_for(connection_id))}
            added = postgresql.insert(DatabaseConnectionRow).values(values).on_conflict_do_nothing()
            # Nothing is added where somebody else registered the name meanwhile: theirs is then replaced.
            if (await self.tx.execute(added)).rowcount:
                return connection_id

    async def change(self, connection_id: UUID, **values: Any) -> None:
        """Raise `Conflict` where another connection has the new name."""
        statement = self.update(DatabaseConnectionRow).where(DatabaseConnectionRow.id == connection_id)
        try:
            await self.tx.execute(statement.values(_stamped(values)))
        except IntegrityError as error:
            raise Conflict("Another connection of this workspace has this name.", code="name_taken") from error

    async def stamp(self, connection_id: UUID, revision: int, values: dict[str, Any]) -> None:
        """Write how the database answered, unless the connection was changed since."""
        statement = self.update(DatabaseConnectionRow).where(
            DatabaseConnectionRow.id == connection_id, DatabaseConnectionRow.revision == revision
        )
        await self.tx.execute(statement.values(_stamped(values)))

    async def stamp_opened(self, connection_id: UUID, revision: int, failure: str | None) -> None:
        """Write that the database opened, or why not, unless the connection was changed since."""
        now = sa.func.now()
        values: dict[str, Any] = {"state": "unreachable", "state_message": failure, "last_checked_at": now}
        if failure is None:
            values |= {"state": "reachable", "last_reached_at": now}
        statement = self.update(DatabaseConnectionRow).where(
            DatabaseConnectionRow.id == connection_id, DatabaseConnectionRow.revision == revision
        )
        await self.tx.execute(statement.values(values))

    async def remove(self, connection_id: UUID) -> None:
        """Raise `NotFound` where there is none."""
        statement = self.delete(DatabaseConnectionRow).where(DatabaseConnectionRow.id == connection_id)
        if not (await self.tx.execute(statement)).rowcount:
            raise NotFound("There is no such database connection.")


def _stamped(values: dict[str, Any]) -> dict[str, Any]:
    """The values with the times of a check, where they tell of one; a latency is there where the database answered."""
    if "state" not in values:
        return values
    times = {"last_checked_at": sa.func.now()}
    if values.get("latency_ms") is not None:
        times["last_reached_at"] = sa.func.now()
    return {**values, **times}


class EveryStatementRepository(InstanceRepository):
    """The log of every workspace, for a process that starts."""

    async def close_lost(self) -> None:
        """Close the lines whose process ended while it ran them."""
        await self.tx.execute(sa.text(_CLOSE_EVERY_LOST), {"detail": _LOST})


class OwnDatabaseRepository(InstanceRepository):
    """What the application's own database says of itself."""

    async def identity(self) -> tuple[int, str]:
        """The server's system identifier and the name of the database."""
        row = await self.tx.execute(sa.text(_IDENTITY))
        found = row.one()
        return found[0], found[1]


class StatementRepository(WorkspaceRepository):
    """The log of statements of one workspace."""

    async def add(self, new: NewStatement, lease_seconds: float) -> UUID:
        """Write the line of a statement that begins now; return its id."""
        statement_id = new_id()
        values = {**msgspec.structs.asdict(new), "id": statement_id, "lease_seconds": lease_seconds}
        await self.run_sql(_ADD_STATEMENT, **values)
        return statement_id

    async def extend(self, statement_id: UUID, lease_seconds: float) -> None:
        """Say that the statement still runs."""
        lease = sa.func.now() + sa.func.make_interval(0, 0, 0, 0, 0, 0, lease_seconds)
        await self.tx.execute(self._line(statement_id).values(lease_until=lease))

    async def close(self, statement_id: UUID, outcome: StatementOutcome, **values: Any) -> None:
        """Write what became of a statement; who ran it knows better than who found its lease run out."""
        await self.tx.execute(self._line(statement_id).values(outcome=outcome, **values))

    async def close_lost(self) -> None:
        """Close the lines whose process ended while it ran them."""
        await self.run_sql(_CLOSE_LOST, detail=_LOST)

    async def page(
        self,
        connection_id: UUID | None,
        user_id: UUID | None,
        outcome: StatementOutcome | None,
        before: UUID | None,
        limit: int,
    ) -> list[Any]:
        """Lines newest first, with the name of who sent them."""
        rows = await self.run_sql(
            _STATEMENTS, connection_id=connection_id, user_id=user_id, outcome=outcome, before=before, limit=limit
        )
        return list(rows)

    def _line(self, statement_id: UUID) -> sa.Update:
        return self.update(DatabaseStatementRow).where(DatabaseStatementRow.id == statement_id)
