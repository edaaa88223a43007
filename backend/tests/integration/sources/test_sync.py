"""The rules of a pass, on a provider in memory (requirements 60 to 69)."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from knowledgestack.core.errors import Conflict, Unavailable
from knowledgestack.jobs import runner as jobs_runner
from knowledgestack.models.embedding import EmbeddingUnavailable
from knowledgestack.sources import sync
from knowledgestack.sources.contracts import SyncPass
from tests.support.knowledge import add_source
from tests.support.provider import FakeProvider
from tests.support.sources import Library
from tests.support.waiting import eventually


def page(subject: str) -> str:
    return f"# {subject}\n\nEverything that a new colleague has to know about {subject} stands here.\n"


def provider_of(*names: str) -> FakeProvider:
    return FakeProvider(pages={name: page(name) for name in names})


async def run_pass(shelf: Library, source_id: UUID, provider: FakeProvider) -> SyncPass:
    started = await shelf.sources.start_sync(shelf.actor, source_id)
    async with shelf.worker(provider.connect):
        return await shelf.ended_pass(started.pass_id)


@pytest.fixture
async def source_id(shelf: Library) -> UUID:
    return await add_source(shelf.database, shelf.actor.workspace_id)


async def test_a_pass_pages_through_the_listing_and_counts(shelf: Library, source_id: UUID) -> None:
    provider = provider_of(*(f"{number:03}.md" for number in range(103)))

    ended = await run_pass(shelf, source_id, provider)

    assert provider.cursors == [None, "100"]
    assert (ended.state, ended.found, ended.new, ended.changed, ended.unchanged) == ("completed", 103, 103, 0, 0)
    assert set((await shelf.states()).values()) == {"ready"}


async def test_a_second_pass_reads_only_what_changed(shelf: Library, source_id: UUID) -> None:
    provider = provider_of("a.md", "b.md")
    await run_pass(shelf, source_id, provider)
    fetched: list[str] = []
    provider.on_fetch = fetched.append
    provider.pages["c.md"] = page("c.md")

    ended = await run_pass(shelf, source_id, provider)

    assert (ended.new, ended.unchanged, fetched) == (1, 2, ["c.md"])


async def test_the_source_is_stamped_with_the_start_of_the_pass(shelf: Library, source_id: UUID) -> None:
    ended = await run_pass(shelf, source_id, provider_of("a.md"))

    assert (await shelf.source()).last_synced_at == ended.started_at
    seen = (await shelf.rows("SELECT last_seen_at FROM documents"))[0].last_seen_at
    assert ended.started_at is not None
    assert ended.finished_at is not None
    assert seen == ended.started_at < ended.finished_at


async def test_what_the_provider_confirms_to_be_gone_is_deleted_one_at_a_time(shelf: Library, source_id: UUID) -> None:
    provider = provider_of(*(f"{number:02}.md" for number in range(12)))
    await run_pass(shelf, source_id, provider)
    del provider.pages["03.md"], provider.pages["07.md"]

    ended = await run_pass(shelf, source_id, provider)

    assert (ended.deleted, provider.asked) == (2, ["03.md", "07.md"])
    assert {"03.md", "07.md"}.isdisjoint(await shelf.states())


async def test_a_listing_that_leaves_out_a_live_page_deletes_nothing(shelf: Library, source_id: UUID) -> None:
    provider = provider_of(*(f"{number:02}.md" for number in range(12)))
    await run_pass(shelf, source_id, provider)
    provider.hidden = {"05.md"}

    ended = await run_pass(shelf, source_id, provider)

    assert (ended.deleted, provider.asked, len(await shelf.states())) == (0, ["05.md"], 12)


async def test_when_a_fifth_is_missing_the_pass_stops_and_asks(shelf: Library, source_id: UUID) -> None:
    provider = provider_of(*(f"{number:02}.md" for number in range(10)))
    await run_pass(shelf, source_id, provider)
    provider.pages = {name: text for name, text in provider.pages.items() if name > "02.md"}

    ended = await run_pass(shelf, source_id, provider)

    assert (ended.state, ended.deleted, provider.asked) == ("failed", 0, [])
    assert ended.message is not None
    assert ended.message.startswith("3 of 10 documents are missing")
    assert (await shelf.source()).state == "error"


async def test_a_listing_that_goes_round_deletes_nothing(shelf: Library, source_id: UUID) -> None:
    provider = provider_of("a.md")
    await run_pass(shelf, source_id, provider)
    provider.pages.clear()
    provider.endless = True
    stamped = (await shelf.source()).last_synced_at

    class Round(FakeProvider):
        async def list_page(self, cursor: str | None, limit: int):
            return (await super().list_page("0", limit)).__class__(documents=[], next_cursor="5")

    ended = await run_pass(shelf, source_id, Round(pages={}))

    assert (ended.state, ended.message) == ("failed", "The listing of this source is incomplete. Nothing was deleted.")
    assert await shelf.count("documents") == 1
    assert (await shelf.source()).last_synced_at == stamped


async def test_a_page_that_vanishes_between_list_and_fetch_is_left_for_the_next_pass(
    shelf: Library, source_id: UUID
) -> None:
    provider = provider_of("a.md", "b.md")
    provider.on_fetch = lambda name: provider.pages.pop("b.md", None) if name == "b.md" else None

    ended = await run_pass(shelf, source_id, provider)

    assert (ended.state, ended.failed) == ("completed", 0)
    assert (await shelf.states())["a.md"] == "ready"


async def test_a_poison_document_is_tried_three_times_and_the_others_finish(
    shelf: Library, source_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync, "WAITS_BEFORE_RETRY", (0.01, 0.01))
    provider = provider_of("a.md", "b.md", "c.md")
    provider.pages["b.md"] += "\nPOISON\n"
    tries: list[str] = []
    embed = shelf.model.embed

    async def break_on_poison(texts: list[str]):
        if any("POISON" in text for text in texts):
            tries.append("b.md")
            raise RuntimeError("the model cannot take this")
        return await embed(texts)

    monkeypatch.setattr(shelf.model, "embed", break_on_poison)

    ended = await run_pass(shelf, source_id, provider)

    assert len(tries) == 3
    assert (ended.state, ended.failed) == ("completed_with_errors", 1)
    assert ended.message == "Completed with errors: 1 document could not be indexed."
    assert await shelf.states() == {"a.md": "ready", "b.md": "failed", "c.md": "ready"}
    assert (await run_pass(shelf, source_id, provider)).unchanged == 3
    assert len(tries) == 3


async def test_a_model_that_does_not_answer_stops_the_pass_and_the_rest_waits(
    shelf: Library, source_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync, "WAITS_BEFORE_RETRY", ())
    shelf.model.error = EmbeddingUnavailable("The embedding model does not answer.")
    provider = provider_of(*(f"{number}.md" for number in range(6)))

    ended = await run_pass(shelf, source_id, provider)

    assert ended.state == "failed"
    states = list((await shelf.states()).values())
    assert (states.count("failed"), states.count("queued")) == (3, 3)
    shelf.model.error = None
    assert (await run_pass(shelf, source_id, provider)).state == "completed"
    assert set((await shelf.states()).values()) == {"ready"}


async def test_an_outage_is_waited_for_however_often_it_is_met(
    shelf: Library, source_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_runner, "FIRST_RETRY_SECONDS", 0.01)
    provider = provider_of("a.md", "b.md")
    outages = 0

    def fail(_: str) -> None:
        nonlocal outages
        outages += 1
        if outages <= 7:
            raise Unavailable("The source does not answer now.")

    provider.on_fetch = fail

    ended = await run_pass(shelf, source_id, provider)

    assert (ended.state, ended.message, outages) == ("completed", None, 9)
    assert set((await shelf.states()).values()) == {"ready"}


async def test_progress_is_written_while_the_pass_runs(shelf: Library, source_id: UUID) -> None:
    provider = provider_of("a.md", "b.md", "c.md")
    shelf.model.error = None
    reached, go_on = asyncio.Event(), asyncio.Event()
    fetch = provider.fetch

    async def slow(external_id: str):
        if external_id == "c.md":
            reached.set()
            await go_on.wait()
        return await fetch(external_id)

    provider.fetch = slow  # type: ignore[method-assign]
    await shelf.sources.start_sync(shelf.actor, source_id)
    async with shelf.worker(provider.connect):
        await asyncio.wait_for(reached.wait(), 10)
        running = (await shelf.source()).newest_pass
        assert running is not None
        assert (running.state, running.found, running.new) == ("running", 3, 3)
        assert await shelf.states() == {"a.md": "ready", "b.md": "ready", "c.md": "queued"}
        go_on.set()
        await shelf.ended_pass()


async def test_a_running_pass_stops_when_asked(shelf: Library, source_id: UUID) -> None:
    provider = provider_of("a.md", "b.md")
    reached = asyncio.Event()

    async def hang(external_id: str):
        reached.set()
        await asyncio.Event().wait()

    provider.fetch = hang  # type: ignore[method-assign]
    started = await shelf.sources.start_sync(shelf.actor, source_id)
    async with shelf.worker(provider.connect):
        await asyncio.wait_for(reached.wait(), 10)
        await shelf.sources.cancel_sync(shelf.actor, source_id)
        ended = await shelf.ended_pass(started.pass_id)
    assert (ended.state, ended.message) == ("cancelled", "Stopped before it was complete.")
    assert (await shelf.source()).last_synced_at is None
    assert await shelf.count("documents") == 2


async def test_a_waiting_pass_is_stopped_at_once_and_never_runs(shelf: Library, source_id: UUID) -> None:
    await shelf.sources.start_sync(shelf.actor, source_id)

    await shelf.sources.cancel_sync(shelf.actor, source_id)

    assert (await shelf.ended_pass()).state == "cancelled"
    async with shelf.worker(provider_of("a.md").connect):
        await eventually(lambda: _no_jobs(shelf))
    assert await shelf.count("documents") == 0


async def test_a_second_sync_is_told_that_one_is_running(shelf: Library, source_id: UUID) -> None:
    answers = await asyncio.gather(
        *(shelf.sources.start_sync(shelf.actor, source_id) for _ in range(5)), return_exceptions=True
    )

    refused = [answer for answer in answers if isinstance(answer, Conflict)]
    assert [refusal.code for refusal in refused] == ["already_running"] * 4
    assert await shelf.count("sync_passes") == 1


async def test_a_pass_delivered_twice_runs_once(shelf: Library, source_id: UUID) -> None:
    provider = provider_of("a.md")
    started = await shelf.sources.start_sync(shelf.actor, source_id)
    job = sync.SyncSource(workspace_id=shelf.actor.workspace_id, pass_id=started.pass_id)
    runner = shelf.handlers(provider.connect).handlers()[0]

    results = await asyncio.gather(runner.run(job), runner.run(job), return_exceptions=True)

    assert sum(isinstance(result, sync.RetryLater) for result in results) <= 1
    assert await shelf.count("documents") == 1
    await runner.run(job)
    assert (await shelf.ended_pass()).found == 1


async def test_a_lease_that_ran_out_is_taken_over_and_the_pass_keeps_its_start(shelf: Library, source_id: UUID) -> None:
    started = await shelf.sources.start_sync(shelf.actor, source_id)
    began = (
        await shelf.rows(
            "UPDATE sync_passes SET state = 'running', attempts = 1, lease_owner = id,"
            " started_at = now() - interval '1 hour', lease_until = now() - interval '1 minute' RETURNING started_at"
        )
    )[0].started_at

    async with shelf.worker(provider_of("a.md").connect):
        ended = await shelf.ended_pass(started.pass_id)

    assert (ended.state, ended.started_at) == ("completed", began)


async def test_a_pass_that_stops_its_worker_again_and_again_is_given_up(shelf: Library, source_id: UUID) -> None:
    started = await shelf.sources.start_sync(shelf.actor, source_id)
    await shelf.rows("UPDATE sync_passes SET attempts = 5, state = 'running' RETURNING id")

    async with shelf.worker(provider_of("a.md").connect):
        ended = await shelf.ended_pass(started.pass_id)

    assert ended.state == "failed"
    assert ended.message == "This sync stopped 5 times before it was complete. Start it again."


async def test_a_pass_whose_job_was_lost_gets_one_when_a_worker_starts(shelf: Library, source_id: UUID) -> None:
    await shelf.sources.start_sync(shelf.actor, source_id)
    await shelf.rows("DELETE FROM pgqueuer RETURNING id")

    await shelf.handlers().recover()
    await shelf.handlers().recover()

    assert len(await shelf.rows("SELECT id FROM pgqueuer WHERE entrypoint = 'sync_source'")) == 1


async def test_an_edit_time_in_the_future_does_not_index_again_for_ever(shelf: Library, source_id: UUID) -> None:
    provider = provider_of("a.md")
    provider.edited_at = datetime(2126, 1, 1, tzinfo=UTC)
    await run_pass(shelf, source_id, provider)

    assert (await run_pass(shelf, source_id, provider)).unchanged == 1

    provider.edited_at += timedelta(seconds=1)
    assert (await run_pass(shelf, source_id, provider)).changed == 1


async def _no_jobs(shelf: Library) -> bool:
    return await shelf.count("pgqueuer") == 0
