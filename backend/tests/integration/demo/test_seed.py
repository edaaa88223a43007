"""The demo company in its workspace: there once, changed only where the handbook changed."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from knowledgestack.core.identity import Actor, Person
from knowledgestack.core.ids import new_id
from knowledgestack.demo import seed as seeding
from knowledgestack.demo.handbook_pages import HandbookPage, read_handbook
from knowledgestack.demo.seed import WORKSPACE_NAME, DemoSeeder
from knowledgestack.documents.contracts import Document
from tests.support.app import RunningApp, running_app


@asynccontextmanager
async def installation(database_url: str, data_dir: Path) -> AsyncGenerator[RunningApp]:
    async with running_app(database_url, data_dir) as app:
        await app.container.model_service.ensure_embedding_models()
        yield app


def seeder(running: RunningApp) -> DemoSeeder:
    made = running.container
    return DemoSeeder(
        made.database, made.workspace_service, made.upload_service, made.document_service, made.auth_service
    )


async def owner(running: RunningApp) -> Person:
    user_id = await running.container.auth_service.instance_owner_id()
    return Person(user_id=user_id, session_id=new_id(), instance_owner=True)


async def demo_documents(running: RunningApp) -> tuple[Actor, dict[str, Document]]:
    person = await owner(running)
    page = await running.container.workspace_service.list_workspaces(person, None, None)
    (workspace,) = [one for one in page.items if one.name == WORKSPACE_NAME]
    actor = Actor(person.user_id, person.session_id, True, workspace.id, workspace.role)
    (source,) = (await running.container.source_service.list_sources(actor, None, None)).items
    listed = await running.container.document_service.list_for_source(actor, source.id, limit=200)
    return actor, {document.name: document for document in listed.items}


async def test_the_owner_finds_every_page_of_the_handbook_in_a_workspace_of_the_company(
    database_url: str, tmp_path: Path
) -> None:
    async with installation(database_url, tmp_path) as running:
        await seeder(running).seed()
        _, documents = await demo_documents(running)
        assert set(documents) == {page.name for page in read_handbook()}
        assert len(documents) == 24
        assert await seeder(running).progress() == (24, 24, 0)
        client = await running.sign_in()
        opened = (await client.get("/api/auth/session")).json()["activeWorkspace"]
        assert (opened["name"], opened["role"]) == (WORKSPACE_NAME, "owner")


async def test_before_the_first_run_there_is_nothing_to_wait_for(database_url: str, tmp_path: Path) -> None:
    async with installation(database_url, tmp_path) as running:
        assert await seeder(running).progress() == (0, 0, 0)


async def test_a_second_run_changes_nothing(database_url: str, tmp_path: Path) -> None:
    async with installation(database_url, tmp_path) as running:
        await seeder(running).seed()
        before = await demo_documents(running)
        await seeder(running).seed()
        assert (await demo_documents(running))[1] == before[1]


async def test_a_deleted_page_stays_away_and_a_new_version_replaces_only_what_it_changed(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with installation(database_url, tmp_path) as running:
        await seeder(running).seed()
        actor, before = await demo_documents(running)
        await running.container.document_service.delete(actor, before["18-travel-and-expenses.md"].id)
        await seeder(running).seed()
        _, now = await demo_documents(running)
        assert "18-travel-and-expenses.md" not in now

        changed = HandbookPage("23-discounts.md", b"# Discounts\n\nNobody gives any.\n", "new")
        pages = [changed if page.name == changed.name else page for page in read_handbook()]
        monkeypatch.setattr(seeding, "read_handbook", lambda: pages)
        await seeder(running).seed()
        _, after = await demo_documents(running)
        assert after["23-discounts.md"].updated_at > before["23-discounts.md"].updated_at
        untouched = [name for name in now if name != "23-discounts.md"]
        assert [after[name] for name in untouched] == [now[name] for name in untouched]
