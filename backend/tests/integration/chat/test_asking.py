"""What is refused before the first frame, and what a chat holds after several questions."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from knowledgestack.chat.contracts import ChatChange, NewChat, NewTurnFeedback, TurnScope
from knowledgestack.core.errors import AppError, Conflict, InvalidRequest, NotFound
from knowledgestack.core.ids import new_id
from tests.support.chat import ChatWorld, chat_world, search_for
from tests.support.frames import kinds, read_frames, read_until, text_of
from tests.support.knowledge import add_document, add_workspace
from tests.support.scripted_model import ScriptedModel, said


@pytest.fixture
async def world(database_url: str) -> AsyncGenerator[ChatWorld]:
    async with chat_world(database_url) as made:
        yield made


SLOW = [*said("One ")[:-1], 30.0, *said("two.")]


@pytest.mark.parametrize(
    "fields",
    [
        {"question": "  \n "},
        {"question": "x" * 1_000_001},
        {"question": "a\0b"},
        {"model_id": "no-such-model"},
        {"parent_turn_id": new_id()},
        {"scope": TurnScope(source_ids=[new_id()])},
        {"scope": TurnScope(document_ids=[new_id()])},
        {"scope": TurnScope(database_connection_ids=[new_id()])},
        {"key": "k" * 201},
    ],
    ids=lambda fields: next(iter(fields)),
)
async def test_what_cannot_be_asked_is_refused_and_changes_nothing(world: ChatWorld, fields: dict[str, Any]) -> None:
    async with world.process(ScriptedModel(said("No."))) as process:
        chat_id = await world.new_chat(process)
        with pytest.raises(InvalidRequest):
            await process.start(world.actor, chat_id, **fields)
        assert (await process.chats.read_chat(world.actor, chat_id)).turns == []


async def test_a_million_characters_can_be_asked(world: ChatWorld) -> None:
    model = ScriptedModel(said("Long."))
    async with world.process(model) as process:
        frames = await process.ask(world.actor, await world.new_chat(process), " " + "a" * 1_000_000)
    assert kinds(frames)[-1] == "done"


async def test_a_chat_answers_one_question_at_a_time(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(SLOW)) as process:
        chat_id = await world.new_chat(process)
        stream = await process.start(world.actor, chat_id)
        await read_until(stream, "delta")
        with pytest.raises(Conflict) as refused:
            await process.start(world.actor, chat_id, "And this?")
        assert refused.value.code == "turn_running"


async def test_of_two_questions_at_once_one_is_answered(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(SLOW)) as process:
        chat_id = await world.new_chat(process)
        outcomes = await asyncio.gather(
            *(process.start(world.actor, chat_id, f"Question {number}") for number in range(5)), return_exceptions=True
        )
        refused = [outcome for outcome in outcomes if isinstance(outcome, Conflict)]
        assert len(refused) == 4
        assert [turn.turn_index for turn in (await process.chats.read_chat(world.actor, chat_id)).turns] == [0]


async def test_the_same_key_gives_the_same_turn(world: ChatWorld) -> None:
    model = ScriptedModel(said("Hello."))
    async with world.process(model) as process:
        chat_id = await world.new_chat(process)
        first = await process.ask(world.actor, chat_id, key="k1")
        again = await process.ask(world.actor, chat_id, key="k1")
        detail = await process.chats.read_chat(world.actor, chat_id)
        assert again[0]["turn"]["id"] == first[0]["turnId"] == str(detail.turns[0].id)
        assert kinds(again) == ["snapshot", "done"]
        assert len(detail.turns) == 1


async def test_the_same_key_gives_the_same_turn_when_its_model_and_scope_are_gone(world: ChatWorld) -> None:
    fields: dict[str, Any] = {"key": "k", "model_id": "old", "scope": TurnScope(document_ids=[world.document_id])}
    async with world.process(ScriptedModel(said("Yes."), model_id="old")) as process:
        chat_id = await world.new_chat(process)
        first = await process.ask(world.actor, chat_id, **fields)
    await world.indexer.delete(world.actor.workspace_id, world.document_id)
    async with world.process(ScriptedModel(said("No."), model_id="new")) as process:
        again = await process.ask(world.actor, chat_id, **fields)
        with pytest.raises(NotFound):
            await process.start(replace(world.actor, user_id=new_id()), chat_id, **fields)
    assert kinds(again) == ["snapshot", "done"]
    assert again[0]["turn"]["id"] == first[0]["turnId"]


async def test_the_same_key_while_it_runs_joins_the_stream(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(SLOW)) as process:
        chat_id = await world.new_chat(process)
        first = await process.start(world.actor, chat_id, key="k1")
        second = await process.start(world.actor, chat_id, key="k1")
        turn_id = (await read_until(first, "delta"))[0]["turnId"]
        assert (await read_until(second, "delta"))[0]["turnId"] == turn_id


async def test_a_later_question_follows_the_shown_path(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(said("Yes."))) as process:
        chat_id = await world.new_chat(process)

        async def ask(question: str, **fields: Any) -> UUID:
            return UUID((await process.ask(world.actor, chat_id, question, **fields))[0]["turnId"])

        async def shown() -> list[str]:
            return [turn.question for turn in (await process.chats.read_chat(world.actor, chat_id)).turns]

        first, second = await ask("one"), await ask("two")
        await ask("three")
        assert await shown() == ["one", "two", "three"]
        edited = await ask("two, edited", parent_turn_id=first)
        assert await shown() == ["one", "two, edited"]
        detail = await process.chats.read_chat(world.actor, chat_id)
        assert detail.turns[1].versions == [second, edited]
        assert [turn.turn_index for turn in detail.turns] == [0, 1]
        await process.chats.show_version(world.actor, chat_id, second)
        assert await shown() == ["one", "two", "three"]
        await ask("anew", parent_turn_id=None)
        assert await shown() == ["anew"]
        assert (await process.chats.show_version(world.actor, chat_id, first)).turns[-1].question == "two, edited"
        with pytest.raises(NotFound):
            await process.chats.show_version(world.actor, chat_id, new_id())


async def test_a_scope_limits_what_is_searched(world: ChatWorld) -> None:
    text = "# Travel\n\n## Return ticket\n\nThe return window of a train ticket is one day."
    other, _ = await add_document(world.indexer, world.actor.workspace_id, world.source_id, "travel.md", text)
    model = ScriptedModel(search_for("return window"), said("One day [1]."))
    async with world.process(model) as process:
        chat_id = await world.new_chat(process)
        frames = await process.ask(world.actor, chat_id, scope=TurnScope(document_ids=[other]))
        detail = await process.chats.read_chat(world.actor, chat_id)
    assert {citation.document_id for citation in detail.turns[0].citations} == {other}
    assert next(f for f in frames if f["type"] == "step")["displayText"] == "Searching 1 document for “return window”"
    assert detail.turns[0].scope == TurnScope(document_ids=[other])


async def test_nobody_else_sees_or_touches_a_chat(world: ChatWorld) -> None:
    stranger = await add_workspace(world.database)
    neighbours = [stranger, replace(stranger, workspace_id=world.actor.workspace_id)]
    async with world.process(ScriptedModel(SLOW)) as process:
        chat_id = await world.new_chat(process)
        stream = await process.start(world.actor, chat_id)
        turn_id = UUID((await read_until(stream, "delta"))[0]["turnId"])
        chats = process.chats
        for other in neighbours:
            attempts = [
                chats.read_chat(other, chat_id),
                chats.change_chat(other, chat_id, ChatChange(title="Mine")),
                chats.delete_chat(other, chat_id),
                chats.show_version(other, chat_id, turn_id),
                chats.attach_turn(other, chat_id, turn_id, None),
                chats.stop_turn(other, chat_id, turn_id),
                chats.rate_turn(other, chat_id, turn_id, NewTurnFeedback(rating="up")),
                process.start(other, chat_id, "Whose chat is this?"),
            ]
            for attempt in attempts:
                with pytest.raises(NotFound):
                    await attempt
            assert (await chats.list_chats(other, None, None)).items == []
        own = await chats.create_chat(stranger, NewChat())
        with pytest.raises(InvalidRequest):
            await process.start(stranger, own.id, scope=TurnScope(document_ids=[world.document_id]))
        with pytest.raises(InvalidRequest):
            await process.start(stranger, own.id, parent_turn_id=turn_id)
        with pytest.raises(NotFound):
            await chats.attach_turn(stranger, own.id, turn_id, None)
        assert (await chats.read_chat(world.actor, chat_id)).turns[0].state == "running"


async def test_chats_are_listed_in_pages_the_last_asked_first(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(said("Yes."))) as process:
        ids = [(await process.chats.create_chat(world.actor, NewChat(title=f"Chat {n}"))).id for n in range(5)]
        await process.ask(world.actor, ids[0])
        titles: list[str | None] = []
        cursor = None
        while True:
            page = await process.chats.list_chats(world.actor, cursor, 2)
            titles += [chat.title for chat in page.items]
            cursor = page.next_cursor
            if cursor is None:
                break
    assert titles == ["Chat 0", "Chat 4", "Chat 3", "Chat 2", "Chat 1"]


async def test_a_chat_is_renamed_and_deleted(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(said("Yes."))) as process:
        chat_id = await world.new_chat(process)
        renamed = await process.chats.change_chat(world.actor, chat_id, ChatChange(title=" New  name "))
        assert renamed.title == "New name"
        for title in ("", " ", "x" * 201):
            with pytest.raises(InvalidRequest):
                await process.chats.change_chat(world.actor, chat_id, ChatChange(title=title))
        await process.chats.delete_chat(world.actor, chat_id)
        with pytest.raises(NotFound):
            await process.chats.read_chat(world.actor, chat_id)


async def test_an_answer_is_rated_and_rated_anew(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(said("Yes."))) as process:
        chat_id = await world.new_chat(process)
        turn_id = UUID((await process.ask(world.actor, chat_id))[0]["turnId"])
        for rating in ("up", "down"):
            await process.chats.rate_turn(world.actor, chat_id, turn_id, NewTurnFeedback(rating=rating, reason="Old."))
            assert (await process.chats.read_chat(world.actor, chat_id)).turns[0].feedback == rating
        with pytest.raises(AppError):
            await process.chats.rate_turn(
                world.actor, chat_id, turn_id, NewTurnFeedback(rating="up", reason="x" * 2_001)
            )


async def test_an_empty_chat_proposes_questions_of_its_own_documents(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(said("Yes."))) as process:
        english = await process.chats.suggestions(world.actor, "en")
        italian = await process.chats.suggestions(world.actor, "it")
    assert [item.question for item in english.items] == [
        "What does “Returns” say about return window?",
        "What does “Returns” say about damaged machines?",
    ]
    assert {item.document_id for item in english.items} == {world.document_id}
    assert italian.items[0].question == "Che cosa dice «Returns» su return window?"


async def test_a_stopped_answer_keeps_its_text_and_the_next_question_can_be_asked(world: ChatWorld) -> None:
    async with world.process(ScriptedModel(SLOW, said("Next."))) as process:
        chat_id = await world.new_chat(process)
        stream = await process.start(world.actor, chat_id)
        turn_id = UUID((await read_until(stream, "delta"))[0]["turnId"])
        await process.chats.stop_turn(world.actor, chat_id, turn_id)
        rest = await read_frames(stream)
        assert (rest[-1]["type"], rest[-1]["reason"]) == ("done", "stopped")
        turn = (await process.chats.read_chat(world.actor, chat_id)).turns[0]
        assert (turn.state, turn.answer) == ("stopped", "One ")
        assert text_of(await process.ask(world.actor, chat_id, "Go on")) == "Next."
        await process.chats.stop_turn(world.actor, chat_id, turn_id)
