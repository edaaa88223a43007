"""A catalogue is put together once for everybody who asks, and nobody holds a connection meanwhile."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from knowledgestack.catalogue import _cache
from knowledgestack.catalogue._cache import LoadedCatalogues
from knowledgestack.catalogue._repository import CatalogueRepository
from knowledgestack.catalogue._search import TableSearch
from knowledgestack.catalogue.reading import RelinkDatabase
from knowledgestack.catalogue.schema import TableFacts
from knowledgestack.databases.targets import TargetLoader
from tests.support.catalogue import CatalogueWorld
from tests.support.connections import registered
from tests.support.knowledge import add_document
from tests.support.waiting import eventually


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    """The connections whose tables are read out of the application's database, one entry for each time."""
    read: list[UUID] = []
    tables = CatalogueRepository.tables

    async def counted(self: CatalogueRepository, connection_id: UUID) -> list[TableFacts]:
        read.append(connection_id)
        return await tables(self, connection_id)

    monkeypatch.setattr(CatalogueRepository, "tables", counted)
    return read


async def test_requests_at_once_read_a_changed_catalogue_once(world: CatalogueWorld, readings: list[UUID]) -> None:
    await world.read()
    readings.clear()
    answers = await asyncio.gather(*(world.get("/tables", q="orders") for _ in range(8)))
    assert all(answer == answers[0] for answer in answers)
    assert readings == [world.connection_id]


async def test_one_who_leaves_does_not_stop_what_others_wait_for(world: CatalogueWorld, readings: list[UUID]) -> None:
    await world.read()
    target = await TargetLoader(world.app.container.database).load(world.actor.workspace_id, world.connection_id)
    readings.clear()
    catalogues = LoadedCatalogues(world.app.container.database)
    first, second = (asyncio.create_task(catalogues.load(target)) for _ in range(2))

    async def begun() -> bool:
        return bool(readings)

    await eventually(begun, every=0)
    first.cancel()
    assert len((await second).tables) == 7
    assert readings == [world.connection_id]


async def test_no_connection_is_held_while_the_index_is_built(
    world: CatalogueWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.read()
    database = world.app.container.database
    target = await TargetLoader(database).load(world.actor.workspace_id, world.connection_id)
    held: list[Any] = []
    build = TableSearch.__init__

    def watched(self: TableSearch, *arguments: Any) -> None:
        held.append(database.engine.pool.checkedout())  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
        build(self, *arguments)

    monkeypatch.setattr(TableSearch, "__init__", watched)
    await LoadedCatalogues(database).load(target)
    assert held == [0]


async def test_large_catalogues_make_room_for_each_other(
    world: CatalogueWorld, readings: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.read()
    other = UUID((await registered(world.client, world.target, name="Other"))["id"])
    await world.app.container.catalogue_reader.read(world.actor.workspace_id, other)
    database = world.app.container.database
    targets = [await TargetLoader(database).load(world.actor.workspace_id, one) for one in (world.connection_id, other)]
    monkeypatch.setattr(_cache, "_MOST_COLUMNS", 20)
    catalogues = LoadedCatalogues(database)
    readings.clear()
    for target in (targets[0], targets[0], targets[1], targets[1], targets[0]):
        assert len((await catalogues.load(target)).tables) == 7
    assert readings == [world.connection_id, other, world.connection_id]


async def test_linking_many_documents_anew_changes_what_lists_show_once(world: CatalogueWorld) -> None:
    await world.read()
    workspace_id = world.actor.workspace_id
    for number in range(3):
        text = f"The table `ordh` holds orders of kind {number}, one row for each.\n"
        await add_document(world.indexer, workspace_id, world.source_id, f"{number}.md", text)
    before = await _stamp(world)
    job = RelinkDatabase(workspace_id=workspace_id, connection_id=world.connection_id)
    await world.app.container.document_linker.relink(job)
    assert len((await world.get("/document-links"))["items"]) == 3
    assert await _stamp(world) == before + 1
    await world.app.container.document_linker.relink(job)
    assert await _stamp(world) == before + 1


async def _stamp(world: CatalogueWorld) -> int:
    return (await world.rows("SELECT stamp FROM catalogues WHERE connection_id = $1", world.connection_id))[0][0]
