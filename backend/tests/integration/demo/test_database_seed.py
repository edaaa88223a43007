"""The demo company's database in its workspace: there once, made again only where it changed, gone where removed."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import pytest

from knowledgestack.core.identity import Actor
from knowledgestack.databases.contracts import DatabaseConnection, DatabaseConnectionChange
from knowledgestack.demo.database import seeding
from knowledgestack.demo.database.loading import new_password
from knowledgestack.demo.database.questions import read_checked_questions
from knowledgestack.demo.database.seeding import CONNECTION_NAME, DemoDatabaseSeeder
from knowledgestack.demo.seed import DemoSeeder
from tests.support.app import RunningApp, running_app
from tests.support.database import execute
from tests.support.quillmoor import quillmoor_names


@dataclass
class Demo:
    app: RunningApp
    actor: Actor
    seeder: DemoDatabaseSeeder
    database: str

    async def connections(self) -> list[DatabaseConnection]:
        return (await self.app.container.connection_service.list_connections(self.actor, None, None)).items


@asynccontextmanager
async def demo(database_url: str, data_dir: Path) -> AsyncGenerator[Demo]:
    async with quillmoor_names(database_url) as (name, role), running_app(database_url, data_dir) as app:
        made = app.container
        await made.model_service.ensure_embedding_models()
        pages = DemoSeeder(
            made.database, made.workspace_service, made.upload_service, made.document_service, made.auth_service
        )
        seeder = DemoDatabaseSeeder(
            made.database,
            made.connection_service,
            made.verified_query_service,
            database_url,
            name=name,
            role=role,
        )
        yield Demo(app, await pages.seed(), seeder, name)


async def test_the_database_is_made_once_and_connected_as_a_role_that_only_reads(
    database_url: str, tmp_path: Path
) -> None:
    async with demo(database_url, tmp_path) as made:
        assert await made.seeder.is_needed(made.actor)
        connection_id = await made.seeder.seed(made.actor)
        (connection,) = await made.connections()
        assert (connection.id, connection.name, connection.state) == (connection_id, CONNECTION_NAME, "reachable")
        assert connection.audit is not None
        assert connection.audit.verdict == "read_only"
        questions = await made.app.container.verified_query_service.list(made.actor, connection_id, limit=50)
        assert {one.question for one in questions.items} == {one.question for one in read_checked_questions()}

        assert not await made.seeder.is_needed(made.actor)
        assert await made.seeder.seed(made.actor) == connection_id
        assert await made.connections() == [connection]


async def test_a_connection_that_a_person_deleted_stays_away(database_url: str, tmp_path: Path) -> None:
    async with demo(database_url, tmp_path) as made:
        connection_id = await made.seeder.seed(made.actor)
        assert connection_id is not None
        await made.app.container.connection_service.delete(made.actor, connection_id)
        assert not await made.seeder.is_needed(made.actor)
        assert await made.seeder.seed(made.actor) is None
        assert await made.connections() == []


async def test_a_new_version_and_a_lost_database_are_made_again_under_the_same_connection(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with demo(database_url, tmp_path) as made:
        connection_id = await made.seeder.seed(made.actor)
        assert connection_id is not None
        service = made.app.container.connection_service
        await service.change(made.actor, connection_id, DatabaseConnectionChange(description="Ours"))
        await execute(database_url, f"DROP DATABASE {made.database} WITH (FORCE)")
        assert await made.seeder.is_needed(made.actor)
        assert await made.seeder.seed(made.actor) == connection_id

        monkeypatch.setattr(seeding, "DATA_VERSION", "next")
        assert await made.seeder.is_needed(made.actor)
        assert await made.seeder.seed(made.actor) == connection_id
        assert not await made.seeder.is_needed(made.actor)
        (connection,) = await made.connections()
        assert (connection.description, connection.state) == ("Ours", "reachable")
        questions = await made.app.container.verified_query_service.list(made.actor, connection_id, limit=50)
        assert len(questions.items) == len(read_checked_questions())


async def test_a_server_that_took_another_port_is_followed(database_url: str, tmp_path: Path) -> None:
    async with demo(database_url, tmp_path) as made:
        connection_id = await made.seeder.seed(made.actor)
        (before,) = await made.connections()
        await execute(database_url, f"UPDATE database_connections SET port = 1 WHERE id = '{connection_id}'")
        assert await made.seeder.is_needed(made.actor)
        assert await made.seeder.seed(made.actor) == connection_id
        (after,) = await made.connections()
        assert (after.port, after.state) == (before.port, "reachable")


async def test_the_reader_cannot_open_the_database_of_the_application(database_url: str, tmp_path: Path) -> None:
    async with demo(database_url, tmp_path) as made:
        await made.seeder.seed(made.actor)
        role = f"{made.database}_reader"
        password = await new_password(database_url, role)
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await asyncpg.connect(database_url, user=role, password=password)
