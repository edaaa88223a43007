"""A workspace with a connected database and documents about it, and the work that a worker would do."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx

from knowledgestack.core.identity import Actor, Role
from knowledgestack.core.ids import new_id
from knowledgestack.documents.indexing import DocumentIndexer
from tests.support.app import RunningApp, running_app
from tests.support.connections import PATH, owner, registered
from tests.support.knowledge import FakeEmbedding, FakeModels, add_document, add_models, add_source
from tests.support.target import TargetDatabase, target_database

SHOP = (
    "CREATE TYPE rank AS ENUM ('new', 'regular', 'gold')",
    "CREATE TABLE region (rgc smallint PRIMARY KEY, nm text NOT NULL)",
    "INSERT INTO region VALUES (10, 'North'), (41, 'Skerries'), (42, 'Long Isle')",
    """CREATE TABLE ordh (ono int PRIMARY KEY, rgc smallint NOT NULL REFERENCES region, st text NOT NULL DEFAULT 'A',
                          net_m bigint, rank rank, UNIQUE (ono, st))""",
    "INSERT INTO ordh SELECT n, 10, 'A', n, 'new' FROM generate_series(1, 40) AS n",
    "INSERT INTO ordh VALUES (41, 41, 'Shipped', 5, 'gold')",
    "CREATE TABLE tchm (tno int PRIMARY KEY, nm text, hm_tel text)",
    "INSERT INTO tchm VALUES (1, 'Ada', '555-0100')",
    "CREATE TABLE moves (d date NOT NULL, q int) PARTITION BY RANGE (d)",
    "CREATE TABLE moves_2026 PARTITION OF moves FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')",
    "CREATE VIEW gold_orders AS SELECT ono FROM ordh WHERE rank = 'gold'",
    "COMMENT ON TABLE ordh IS 'Heads of orders'",
    "COMMENT ON COLUMN ordh.st IS 'Status letter'",
    "ANALYZE",
)


@dataclass
class CatalogueWorld:
    """`client` is a browser of the owner of the workspace that `actor` is in."""

    app: RunningApp
    client: httpx.AsyncClient
    target: TargetDatabase
    connection_id: UUID
    actor: Actor
    indexer: DocumentIndexer
    source_id: UUID
    models: FakeModels

    @property
    def path(self) -> str:
        return f"{PATH}/{self.connection_id}"

    async def get(self, address: str, **parameters: Any) -> Any:
        answer = await self.client.get(f"{self.path}{address}", params=parameters)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def read(self) -> None:
        """What the worker does for a catalogue that is to be read."""
        await self.app.container.catalogue_reader.read(self.actor.workspace_id, self.connection_id)

    async def write(self, name: str, text: str) -> UUID:
        """Index a document, with the links that its job finds."""
        document_id, outcome = await add_document(self.indexer, self.actor.workspace_id, self.source_id, name, text)
        assert outcome.state == "ready"
        await self.app.container.document_linker.link_document(self.actor.workspace_id, document_id)
        return document_id

    async def rows(self, sql: str, *parameters: Any) -> list[Any]:
        async with self.app.container.database.transaction() as tx:
            return list((await tx.exec_driver_sql(sql, parameters)).all())


@asynccontextmanager
async def catalogue_world(
    database_url: str, server_url: str, folder: Path, *statements: str
) -> AsyncGenerator[CatalogueWorld]:
    """A connected shop database with `statements` run in it; nothing has been read yet."""
    async with target_database(server_url) as target, running_app(database_url, folder) as app:
        await target.run(*SHOP, *statements)
        await target.run(
            f"GRANT SELECT ON region, ordh, moves, gold_orders TO {target.reader}",
            f"GRANT SELECT (tno, nm) ON tchm TO {target.reader}",
        )
        client = await owner(app)
        made = await registered(client, target)
        session = (await client.get("/api/auth/session")).json()
        actor = Actor(
            user_id=UUID(session["user"]["id"]),
            session_id=new_id(),
            instance_owner=True,
            workspace_id=UUID(session["activeWorkspace"]["id"]),
            role=Role.OWNER,
        )
        container = app.container
        models = await add_models(container.database, FakeEmbedding())
        indexer = DocumentIndexer(container.database, models, container.document_linker.on_indexed)
        source_id = await add_source(container.database, actor.workspace_id)
        yield CatalogueWorld(app, client, target, UUID(made["id"]), actor, indexer, source_id, models)
