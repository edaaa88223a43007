"""Puts the demo company's database on the embedded server and connects it in the demo workspace."""

from urllib.parse import urlsplit
from uuid import UUID

from knowledgestack.core.errors import NotFound, Unavailable
from knowledgestack.core.identity import Actor
from knowledgestack.databases.contracts import (
    DatabaseConnection,
    DatabaseConnectionChange,
    DatabaseConnectionSaved,
    NewDatabaseConnection,
)
from knowledgestack.databases.service import ConnectionService
from knowledgestack.db.engine import Database
from knowledgestack.demo._repository import DemoDatabaseRepository
from knowledgestack.demo.database.loading import (
    DATABASE_NAME,
    READER_ROLE,
    close_to_others,
    database_exists,
    make_database,
    new_password,
)
from knowledgestack.demo.database.questions import read_checked_questions, read_sql
from knowledgestack.demo.database.tables import DATA_VERSION
from knowledgestack.verified_queries.contracts import NewVerifiedQuery
from knowledgestack.verified_queries.service import VerifiedQueryService

CONNECTION_NAME = "BRAMBLE"
_DESCRIPTION = (
    "The ERP of Quillmoor Machines, live since 1994: customers, orders, returns, machines, subscriptions, invoices, "
    "service visits, stock and telemetry. Its names are short and not commented; the handbook explains them."
)


class DemoDatabaseSeeder:
    """Works under the account of `server_url`, the application's own database on a server that it alone uses.

    A database or a connection that a person took away stays away.
    """

    def __init__(
        self,
        database: Database,
        connections: ConnectionService,
        verified_queries: VerifiedQueryService,
        server_url: str,
        *,
        name: str = DATABASE_NAME,
        role: str = READER_ROLE,
    ) -> None:
        self._database = database
        self._connections = connections
        self._verified_queries = verified_queries
        self._server_url = server_url
        self._name = name
        self._role = role

    async def is_needed(self, actor: Actor) -> bool:
        """Whether `seed` would have anything to do."""
        seeded = await self._seeded(actor)
        if seeded is None:
            return True
        connection = await self._connection(actor, seeded[1])
        if connection is None:
            return False
        return not await self._is_made(seeded[0]) or self._has_moved(connection)

    async def seed(self, actor: Actor) -> UUID | None:
        """Make what is missing or of an earlier version; answers the connection, where it is still there.

        Raises `Unavailable` where the database that was made does not open.
        """
        seeded = await self._seeded(actor)
        connection = await self._connection(actor, seeded[1]) if seeded else None
        if seeded is not None and connection is None:
            return None
        is_made = seeded is not None and await self._is_made(seeded[0])
        if is_made and connection is not None and not self._has_moved(connection):
            return connection.id
        if not is_made:
            await close_to_others(self._server_url)
            await make_database(self._server_url, self._name, self._role)
        connection = await self._connect(actor, connection)
        if not is_made:
            await self._save_questions(actor, connection.id)
        async with self._database.transaction() as tx:
            await DemoDatabaseRepository(tx, actor.workspace_id).record(DATA_VERSION, connection.id)
        return connection.id

    async def is_read(self, actor: Actor, connection_id: UUID) -> bool:
        """Whether the catalogue of the database has been read."""
        connection = await self._connection(actor, connection_id)
        return connection is None or connection.holdings is not None

    async def _seeded(self, actor: Actor) -> tuple[str, UUID] | None:
        async with self._database.transaction() as tx:
            return await DemoDatabaseRepository(tx, actor.workspace_id).seeded()

    async def _connection(self, actor: Actor, connection_id: UUID) -> DatabaseConnection | None:
        try:
            return await self._connections.read(actor, connection_id)
        except NotFound:
            return None

    async def _is_made(self, version: str) -> bool:
        return version == DATA_VERSION and await database_exists(self._server_url, self._name)

    def _has_moved(self, connection: DatabaseConnection) -> bool:
        """Whether the server took another port than the one that was stored. Other hosts are a person's choice."""
        host, port = self._place()
        return connection.host == host and connection.port != port

    def _place(self) -> tuple[str, int]:
        parts = urlsplit(self._server_url)
        return parts.hostname or "127.0.0.1", parts.port or 5432

    async def _connect(self, actor: Actor, connection: DatabaseConnection | None) -> DatabaseConnection:
        host, port = self._place()
        password = await new_password(self._server_url, self._role)
        if connection is None:
            saved = await self._connections.create(
                actor,
                NewDatabaseConnection(
                    name=CONNECTION_NAME,
                    description=_DESCRIPTION,
                    host=host,
                    port=port,
                    database=self._name,
                    username=self._role,
                    password=password,
                    tls="off",
                ),
            )
        else:
            change = DatabaseConnectionChange(host=host, port=port, password=password)
            saved = await self._connections.change(actor, connection.id, change)
        return _opened(saved)

    async def _save_questions(self, actor: Actor, connection_id: UUID) -> None:
        page = await self._verified_queries.list(actor, connection_id, limit=200)
        known = {one.question for one in page.items}
        for one in read_checked_questions():
            if one.question not in known:
                new = NewVerifiedQuery(
                    database_connection_id=connection_id,
                    question=one.question,
                    description=one.description,
                    sql=read_sql(one.query),
                )
                await self._verified_queries.save(actor, new)


def _opened(saved: DatabaseConnectionSaved) -> DatabaseConnection:
    if saved.database_connection is None:
        raise Unavailable(f"The demo company's database does not open: {saved.message}")
    return saved.database_connection
