"""Looking at sources, renaming, pausing and deleting them, and who may."""

import asyncio
from dataclasses import replace

import pytest

from knowledgestack.core.errors import AppError, Conflict, Forbidden, InvalidRequest, NotFound
from knowledgestack.core.identity import Role
from knowledgestack.sources.contracts import SourceChange
from tests.support.knowledge import add_source, add_workspace
from tests.support.sources import Library
from tests.support.waiting import eventually

GUIDE = b"# Warranty\n\nRefurbished machines carry a warranty of twelve months.\n"


async def test_a_new_workspace_has_no_source_until_the_first_upload(shelf: Library) -> None:
    assert (await shelf.sources.list_sources(shelf.actor, None, None)).items == []

    await shelf.upload(("a.md", GUIDE))
    await shelf.upload(("b.md", GUIDE))

    assert [source.provider for source in (await shelf.sources.list_sources(shelf.actor, None, None)).items] == [
        "upload"
    ]


async def test_sources_and_passes_come_in_pages(shelf: Library) -> None:
    made = [await add_source(shelf.database, shelf.actor.workspace_id) for _ in range(3)]
    first = await shelf.sources.list_sources(shelf.actor, None, 2)
    second = await shelf.sources.list_sources(shelf.actor, first.next_cursor, 2)
    assert [source.id for source in [*first.items, *second.items]] == made
    assert second.next_cursor is None

    passes = []
    for _ in range(3):
        passes.append((await shelf.sources.start_sync(shelf.actor, made[0])).pass_id)
        await shelf.sources.cancel_sync(shelf.actor, made[0])
    newest = await shelf.sources.list_passes(shelf.actor, made[0], None, 2)
    oldest = await shelf.sources.list_passes(shelf.actor, made[0], newest.next_cursor, 2)
    assert [one.id for one in [*newest.items, *oldest.items]] == passes[::-1]
    assert (await shelf.sources.list_sources(shelf.actor, None, 1)).items[0].newest_pass == newest.items[0]


async def test_the_catalogue_names_what_can_be_uploaded(shelf: Library) -> None:
    catalogue = shelf.sources.catalogue(shelf.actor)

    assert {".md", ".txt", ".csv", ".json", ".html"} <= set(catalogue.uploads.file_extensions)
    assert catalogue.uploads.max_bytes == 1_000_000
    assert catalogue.providers == []


async def test_a_source_of_another_workspace_is_unknown(shelf: Library) -> None:
    source_id = (await shelf.upload(("a.md", GUIDE))).source_id
    stranger = await add_workspace(shelf.database)

    for attempt in (
        shelf.sources.start_sync(stranger, source_id),
        shelf.sources.cancel_sync(stranger, source_id),
        shelf.sources.list_passes(stranger, source_id, None, None),
        shelf.sources.change(stranger, source_id, SourceChange(name="Mine")),
        shelf.sources.delete(stranger, source_id),
    ):
        with pytest.raises(NotFound):
            await attempt
    assert (await shelf.source()).name == "Uploads"


@pytest.mark.parametrize("role", [Role.VIEWER, Role.MEMBER])
async def test_only_owners_manage_sources_and_viewers_start_nothing(shelf: Library, role: Role) -> None:
    source_id = (await shelf.upload(("a.md", GUIDE))).source_id
    person = replace(shelf.actor, role=role)

    with pytest.raises(Forbidden):
        await shelf.sources.delete(person, source_id)
    with pytest.raises(Forbidden):
        await shelf.sources.change(person, source_id, SourceChange(name="Mine"))
    start = shelf.sources.start_sync(person, source_id)
    with pytest.raises(Forbidden if role is Role.VIEWER else Conflict):
        await start


@pytest.mark.parametrize("name", ["", "   ", "x" * 101])
async def test_a_name_that_says_nothing_is_refused(shelf: Library, name: str) -> None:
    source_id = (await shelf.upload(("a.md", GUIDE))).source_id

    with pytest.raises(InvalidRequest) as refusal:
        await shelf.sources.change(shelf.actor, source_id, SourceChange(name=name))
    assert refusal.value.errors[0].path == "name"


async def test_a_source_can_be_renamed(shelf: Library) -> None:
    source_id = (await shelf.upload(("a.md", GUIDE))).source_id

    changed = await shelf.sources.change(shelf.actor, source_id, SourceChange(name=" Handbook "))

    assert changed.name == "Handbook"


async def test_a_paused_source_keeps_files_and_reads_them_when_it_resumes(shelf: Library) -> None:
    source_id = (await shelf.upload(("a.md", GUIDE), ("b.md", GUIDE + b"x"))).source_id
    paused = await shelf.sources.change(shelf.actor, source_id, SourceChange(paused=True))
    assert paused.state == "paused"
    assert paused.newest_pass is not None
    assert paused.newest_pass.state == "cancelled"
    with pytest.raises(Conflict) as refusal:
        await shelf.sources.start_sync(shelf.actor, source_id)
    assert refusal.value.code == "source_paused"
    assert await shelf.states() == {"a.md": "queued", "b.md": "queued"}

    async with shelf.worker():
        await shelf.sources.change(shelf.actor, source_id, SourceChange(paused=False))
        await shelf.ended_pass()

    assert await shelf.states() == {"a.md": "ready", "b.md": "ready"}
    assert (await shelf.source()).state == "active"


async def test_deleting_a_source_leaves_no_row_and_no_byte(shelf: Library) -> None:
    source_id = (await shelf.upload(("a.md", GUIDE), ("b.md", GUIDE + b"x"))).source_id
    async with shelf.worker():
        await shelf.ended_pass()
        await shelf.sources.delete(shelf.actor, source_id)
        await eventually(lambda: _no_files(shelf))
    for table in ("sources", "uploaded_files", "sync_passes", "documents", "document_chunks", "chunk_vectors"):
        assert await shelf.count(table) == 0, table

    again = await shelf.upload(("a.md", GUIDE))
    assert again.source_id != source_id


async def test_deleting_while_files_arrive_leaves_what_arrived_later_whole(shelf: Library) -> None:
    source_id = (await shelf.upload(("a.md", GUIDE))).source_id

    async def arrive(number: int) -> None:
        await shelf.upload((f"{number}.md", GUIDE + str(number).encode()))

    async with shelf.worker():
        await asyncio.gather(*(arrive(number) for number in range(8)), shelf.sources.delete(shelf.actor, source_id))
        if await shelf.count("sources"):
            await shelf.ended_pass()
        kept = await shelf.count("uploaded_files")
        await eventually(lambda: _files(shelf, kept))
    assert await shelf.count("documents") == kept
    assert set((await shelf.states()).values()) <= {"ready"}


async def test_deleting_a_source_twice_at_once_is_one_deletion(shelf: Library) -> None:
    source_id = (await shelf.upload(("a.md", GUIDE))).source_id

    answers = await asyncio.gather(
        *(shelf.sources.delete(shelf.actor, source_id) for _ in range(2)), return_exceptions=True
    )

    assert sorted(isinstance(answer, AppError) for answer in answers) == [False, True]


async def _no_files(shelf: Library) -> bool:
    return shelf.kept_files() == []


async def _files(shelf: Library, count: int) -> bool:
    return len(shelf.kept_files()) == count


async def test_a_source_that_rests_takes_no_file_and_no_retry(shelf: Library) -> None:
    outcome = await shelf.upload(("broken.md", b"  "))
    async with shelf.worker():
        await shelf.ended_pass()
    before = await shelf.states()
    await shelf.sources.change(shelf.actor, outcome.source_id, SourceChange(paused=True))

    with pytest.raises(Conflict) as retried:
        await shelf.documents.retry(shelf.actor, outcome.documents[0].id)
    with pytest.raises(Conflict) as uploaded:
        await shelf.upload(("other.md", b"# Other"))

    assert (retried.value.code, uploaded.value.code) == ("source_paused", "source_paused")
    assert await shelf.states() == before == {"broken.md": "failed"}
    assert shelf.kept_files() == [b"  "]
