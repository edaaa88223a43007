"""The scoped helper that every statement on a workspace's rows starts from."""

from functools import lru_cache
from typing import Any, ClassVar, Protocol
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.orm import InstrumentedAttribute

from knowledgestack.db.engine import Transaction


class WorkspaceTable(Protocol):
    """A mapped class whose rows belong to one workspace."""

    workspace_id: Any
    __table__: ClassVar[Any]


class WorkspaceRepository:
    """Statements on the rows of one workspace, in one transaction.

    Subclasses build every statement with these methods; a test refuses any other way.
    """

    def __init__(self, tx: Transaction, workspace_id: UUID) -> None:
        self.tx = tx
        self.workspace_id = workspace_id

    def select(self, table: type[WorkspaceTable], *columns: Any) -> sa.Select[*tuple[Any, ...]]:
        """SELECT the columns (all of the table where none is named) of this workspace's rows."""
        selected = columns or tuple(table.__table__.c)
        return sa.select(*selected).select_from(table.__table__).where(self._scope(table))

    def update(self, table: type[WorkspaceTable]) -> sa.Update:
        return sa.update(table.__table__).where(self._scope(table))

    def delete(self, table: type[WorkspaceTable]) -> sa.Delete:
        return sa.delete(table.__table__).where(self._scope(table))

    async def insert(self, table: type[WorkspaceTable], **values: Any) -> None:
        await self.tx.execute(sa.insert(table.__table__).values(workspace_id=self.workspace_id, **values))

    async def run_sql(self, statement: str, **parameters: Any) -> sa.CursorResult[Any]:
        """Run a statement written by hand; it has to bind `:workspace_id`."""
        if ":workspace_id" not in statement:
            raise ValueError("a statement of a workspace binds :workspace_id")
        return await self.tx.execute(_parsed(statement), {"workspace_id": self.workspace_id, **parameters})

    def _scope(self, table: type[WorkspaceTable]) -> sa.ColumnElement[bool]:
        column: InstrumentedAttribute[UUID] = table.workspace_id
        return column == self.workspace_id


@lru_cache(maxsize=512)
def _parsed(statement: str) -> sa.TextClause:
    """Finding the parameters in a long statement costs more than running a short one, so it is done once."""
    return sa.text(statement)


class InstanceRepository:
    """Statements on rows that belong to the installation or to a person, not to a workspace."""

    def __init__(self, tx: Transaction) -> None:
        self.tx = tx
