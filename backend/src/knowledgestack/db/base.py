"""Bases of the tables. Packages refer to each other's tables by name, never by relationship()."""

from datetime import datetime
from typing import Any
from uuid import UUID

from advanced_alchemy.base import CommonTableAttributes, orm_registry
from sqlalchemy import DateTime, func
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from knowledgestack.core.ids import new_id

metadata = orm_registry.metadata

Timestamp = DateTime(timezone=True)


class PlainTable(CommonTableAttributes, DeclarativeBase):
    """A table that declares its own primary key."""

    __abstract__ = True
    registry = orm_registry

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)


class UUIDv7Table(PlainTable):
    """A table whose key is a UUIDv7 named `id`, made by the application."""

    __abstract__ = True

    id: Mapped[UUID] = mapped_column(default=new_id, primary_key=True, sort_order=-100)


def created_at_column() -> Mapped[datetime]:
    return mapped_column(Timestamp, server_default=func.now())
