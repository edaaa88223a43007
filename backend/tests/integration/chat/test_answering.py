"""A question becomes a stream of frames and a stored turn that say the same."""

from collections.abc import AsyncGenerator

import pytest
import sqlalchemy as sa

from knowledgestack.agent.budget import BudgetLimits
from knowledgestack.chat.contracts import NewChat
from knowledgestack.models.chat import ModelFailed
from knowledgestack.models.local import LocalAnswerer
from tests.support.chat import ChatWorld, chat_world, search_for
from tests.support.frames import kinds, numbered, text_of
from tests.support.knowledge import add_document
from tests.support.scripted_model import ScriptedModel, said


@pytest.fixture
async def world(database_url: str) -> AsyncGenerator[ChatWorld]:
    async with chat_world(database_url) as made:
        yield made


ANSWER = "An unopened machine can be returned within 30 days of delivery [1]. The fee is 99 percent [1]. Nonsense [7]."


async def test_an_answer_streams_and_is_stored(world: ChatWorld) -> None:
    model = ScriptedModel(search_for("return window", text="I look it up."), said(*ANSWER), said("Return window"))
    async with world.process(model) as process:
        chat_id = await world.new_chat(process)
        frames = await process.ask(world.actor, chat_id)
        detail = await process.chats.read_chat(world.actor, chat_id)
    assert list(numbered(frames)) == list(range(len(frames)))
    assert kinds(frames)[0] == "started"
    assert [kind for kind in kinds(frames) if kind in {"done", "error"}] == ["done"] == kinds(frames)[-1:]
    steps = [(frame["displayText"], frame["state"], frame["part"]) for frame in frames if frame["type"] == "step"]
    assert steps == [
        ("Searching 1 source for “return window”", "running", 0),
        ("Searching 1 source for “return window”", "done", 0),
    ]
    shown = "An unopened machine can be returned within 30 days of delivery [1]. The fee is 99 percent [1]. Nonsense."
    assert text_of(frames) == shown
    assert text_of(frames, 0) == "I look it up."
    (turn,) = detail.turns
    assert (turn.state, turn.reason, turn.answer) == ("done", "answered", shown)
    assert turn.citations[0].title == "Returns"
    assert "30 days" in turn.citations[0].text
    assert turn.citations[0].document_state == "current"
    assert [(shown[figure.start : figure.end], figure.kind, figure.refs) for figure in turn.figures] == [
        ("An unopened machine can be returned within 30 days of delivery [1].", "passage", ["1"]),
        ("The fee is 99 percent [1].", "unsupported", ["1"]),
    ]
    assert detail.chat.title == "Return window"
    assert detail.usage.turn_count == 1
    done = frames[-1]
    assert (done["reason"], done["modelUsed"], done["providerUsed"]) == ("answered", "scripted-1", "test")
    assert done["usage"] == {"inputTokens": 20, "outputTokens": 20, "modelCalls": 2}


async def test_every_token_is_accounted_for(world: ChatWorld) -> None:
    model = ScriptedModel(said("Hello."), said("Greeting"))
    async with world.process(model) as process:
        await process.ask(world.actor, await world.new_chat(process), "Hello")
    async with world.database.transaction() as tx:
        rows = await tx.execute(
            sa.text("SELECT purpose, model, input_tokens, output_tokens FROM token_usage ORDER BY purpose")
        )
    assert [tuple(row) for row in rows] == [("answer", "scripted-1", 10, 10), ("title", "scripted-1", 10, 10)]


async def test_what_was_searched_in_vain_is_told(world: ChatWorld) -> None:
    model = ScriptedModel(search_for("parental leave in Norway"), said("That is not in your documents."))
    async with world.process(model) as process:
        chat_id = await world.new_chat(process)
        frames = await process.ask(world.actor, chat_id, "How long is parental leave in Norway?")
        detail = await process.chats.read_chat(world.actor, chat_id)
    not_found = frames[-1]["notFound"]
    assert not_found["searched"] == {"queries": ["parental leave in Norway"], "sourceCount": 1}
    assert detail.turns[0].not_found is not None
    assert detail.turns[0].citations == []


async def test_follow_ups_come_from_what_the_cited_documents_also_hold(world: ChatWorld) -> None:
    model = ScriptedModel(search_for("restocking fee"), said("It is 12 percent [1]."))
    async with world.process(model) as process:
        frames = await process.ask(world.actor, await world.new_chat(process))
    assert frames[-1]["followUps"] == ["What does “Returns” say about damaged machines?"]


async def test_the_steps_speak_the_language_of_the_screen(world: ChatWorld) -> None:
    model = ScriptedModel(search_for("resi"), said("Sì."))
    async with world.process(model) as process:
        frames = await process.ask(world.actor, await world.new_chat(process), language="it-IT,it;q=0.9,en;q=0.5")
    assert next(frame for frame in frames if frame["type"] == "step")["displayText"] == "Cerco “resi” in 1 fonte"


async def test_an_old_answer_says_when_its_document_has_changed_or_is_gone(world: ChatWorld) -> None:
    model = ScriptedModel(search_for("return window"), said("30 days [1]."))
    async with world.process(model) as process:
        chat_id = await world.new_chat(process)
        await process.ask(world.actor, chat_id)

        async def state() -> str:
            return (await process.chats.read_chat(world.actor, chat_id)).turns[0].citations[0].document_state

        assert await state() == "current"
        await add_document(world.indexer, world.actor.workspace_id, world.source_id, "returns.md", "# Returns\n\nNone.")
        assert await state() == "changed"
        await world.indexer.delete(world.actor.workspace_id, world.document_id)
        assert await state() == "removed"
        turn = (await process.chats.read_chat(world.actor, chat_id)).turns[0]
    assert "30 days" in turn.citations[0].text


async def test_old_marks_are_not_shown_to_the_model_again(world: ChatWorld) -> None:
    model = ScriptedModel(search_for("return window"), said("30 days [1]."), said("Title"), said("Again."))
    async with world.process(model) as process:
        chat_id = await world.new_chat(process)
        await process.ask(world.actor, chat_id, "First?")
        await process.ask(world.actor, chat_id, "Second?")
    assert [message.text for message in model.requests[-1].messages] == ["First?", "30 days.", "Second?"]


async def test_a_title_that_fails_harms_nothing(world: ChatWorld) -> None:
    model = ScriptedModel(said("Hello."), [ModelFailed("No.")])
    async with world.process(model) as process:
        chat_id = await world.new_chat(process)
        frames = await process.ask(world.actor, chat_id, "  Say   hello to\nme ")
        detail = await process.chats.read_chat(world.actor, chat_id)
    assert kinds(frames)[-1] == "done"
    assert detail.chat.title == "Say hello to me"


async def test_what_stands_beside_an_answer_fails_without_it(world: ChatWorld, monkeypatch) -> None:
    def broken(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr("knowledgestack.chat.runs.check_answer", broken)
    async with world.process(ScriptedModel(said("Hello."))) as process:
        chat_id = await world.new_chat(process)
        frames = await process.ask(world.actor, chat_id, "Hello")
        turn = (await process.chats.read_chat(world.actor, chat_id)).turns[0]
    assert (frames[-1]["type"], frames[-1]["reason"]) == ("done", "answered")
    assert (turn.state, turn.answer) == ("done", "Hello.")


async def test_an_answer_that_hit_a_limit_is_not_kept_waiting_for_a_title(world: ChatWorld) -> None:
    model = ScriptedModel(search_for("return window"))
    async with world.process(model, limits=BudgetLimits(model_calls=1)) as process:
        frames = await process.ask(world.actor, await world.new_chat(process))
    assert frames[-1]["reason"] == "model_call_limit"
    assert [frame["title"] for frame in frames if frame["type"] == "title"] == ["What is the return window?"]
    assert not any("name conversations" in request.instructions for request in model.requests)


async def test_a_name_that_a_person_gave_stays(world: ChatWorld) -> None:
    model = ScriptedModel(said("Hello."))
    async with world.process(model) as process:
        chat = await process.chats.create_chat(world.actor, NewChat(title=" My  chat "))
        frames = await process.ask(world.actor, chat.id, "Hello")
        detail = await process.chats.read_chat(world.actor, chat.id)
    assert detail.chat.title == "My chat"
    assert "title" not in kinds(frames)


async def test_without_a_model_the_documents_are_quoted_or_the_answer_is_an_honest_no(world: ChatWorld) -> None:
    async with world.process(LocalAnswerer()) as process:
        found = await world.new_chat(process)
        frames = await process.ask(world.actor, found, "What is the restocking fee?")
        answered = (await process.chats.read_chat(world.actor, found)).turns[0]
        missing = await world.new_chat(process)
        await process.ask(world.actor, missing, "How tall is the Eiffel Tower?")
        refused = (await process.chats.read_chat(world.actor, missing)).turns[0]
    assert kinds(frames)[-1] == "done"
    assert "12 percent" in answered.answer
    assert "[1]" in answered.answer
    assert answered.not_found is None
    assert refused.not_found is not None
    assert refused.not_found.searched.source_count == 1
    assert "[1]" not in refused.answer
