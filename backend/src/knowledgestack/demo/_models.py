"""What was put into the demo workspace: pages of the handbook, the database."""

from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from knowledgestack.db.base import PlainTable


class DemoPageRow(PlainTable):
    """A page as it was last seeded. A page that a person deleted stays away until the handbook changes it."""

    __tablename__ = "demo_pages"
    __table_args__ = (sa.PrimaryKeyConstraint("workspace_id", "name", name="pk_demo_pages"),)

    workspace_id: Mapped[UUID] = mapped_column(sa.ForeignKey("workspaces.id", ondelete="CASCADE"))
    name: Mapped[str]
    source_id: Mapped[UUID]
    content_hash: Mapped[str]


class DemoDatabaseRow(PlainTable):
    """The version of the demo company's database and its connection, which a person may have deleted since."""

    __tablename__ = "demo_databases"

    workspace_id: Mapped[UUID] = mapped_column(sa.ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True)
    version: Mapped[str]
    connection_id: Mapped[UUID]
