"""What a database holds, as people read and describe it."""

from uuid import UUID

from knowledgestack.catalogue.contracts import (
    CatalogueChangePage,
    CatalogueStatus,
    CompletionList,
    DescriptionChange,
    DescriptionFile,
    DescriptionsImported,
    SampleRows,
    TableDetail,
    TablePage,
)
from knowledgestack.core.errors import NotFound
from knowledgestack.core.identity import Actor, Permission, require
from knowledgestack.db.engine import Database


class CatalogueService:
    """The verbs of the catalogue's routes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list_tables(
        self, actor: Actor, connection_id: UUID, words: str | None, cursor: str | None, limit: int | None
    ) -> TablePage:
        await self._check(actor, connection_id, Permission.READ_DATABASES)
        return TablePage(items=[], next_cursor=None)

    async def read_table(self, actor: Actor, connection_id: UUID, schema: str, table: str) -> TableDetail:
        await self._check(actor, connection_id, Permission.READ_DATABASES)
        raise NotFound("This database has no such table.")

    async def read_sample(self, actor: Actor, connection_id: UUID, schema: str, table: str) -> SampleRows:
        await self._check(actor, connection_id, Permission.READ_DATABASES)
        raise NotFound("This database has no such table.")

    async def change_description(
        self,
        actor: Actor,
        connection_id: UUID,
        schema: str,
        table: str,
        column: str | None,
        change: DescriptionChange,
    ) -> TableDetail:
        await self._check(actor, connection_id, Permission.DESCRIBE_TABLES)
        raise NotFound("This database has no such table.")

    async def export_descriptions(self, actor: Actor, connection_id: UUID) -> DescriptionFile:
        await self._check(actor, connection_id, Permission.READ_DATABASES)
        return DescriptionFile(items=[])

    async def import_descriptions(
        self, actor: Actor, connection_id: UUID, file: DescriptionFile
    ) -> DescriptionsImported:
        await self._check(actor, connection_id, Permission.DESCRIBE_TABLES)
        return DescriptionsImported(applied=0, unknown=[])

    async def read_status(self, actor: Actor, connection_id: UUID) -> CatalogueStatus:
        await self._check(actor, connection_id, Permission.READ_DATABASES)
        raise NotFound("This database connection does not exist.")

    async def refresh(self, actor: Actor, connection_id: UUID) -> CatalogueStatus:
        await self._check(actor, connection_id, Permission.MANAGE_DATABASES)
        raise NotFound("This database connection does not exist.")

    async def list_changes(
        self, actor: Actor, connection_id: UUID, cursor: str | None, limit: int | None
    ) -> CatalogueChangePage:
        await self._check(actor, connection_id, Permission.READ_DATABASES)
        return CatalogueChangePage(items=[], next_cursor=None)

    async def list_completions(self, actor: Actor, connection_id: UUID) -> CompletionList:
        await self._check(actor, connection_id, Permission.READ_DATABASES)
        return CompletionList(items=[], complete=True)

    async def _check(self, actor: Actor, connection_id: UUID, permission: Permission) -> None:
        require(actor, permission)
        raise NotFound("This database connection does not exist.")
