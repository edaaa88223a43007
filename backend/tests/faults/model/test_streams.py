"""Faults 13 to 15: a model's stream that is cut off, malformed or silent, over both wires."""

import asyncio
import time

import pytest

from knowledgestack.core.config import ChatWire
from knowledgestack.models.chat import (
    Completed,
    ModelRequest,
    TextDelta,
    ToolCall,
    UserMessage,
)
from knowledgestack.models.server_model import CHAT_WIRES, ServerModel, open_client
from tests.support.fake_model import (
    Cut,
    FakeModel,
    Hang,
    Raw,
    Report,
    StopShort,
    event,
    say,
)
from tests.support.model_calls import FAST, KEY, REQUEST, Outcome, ask
from tests.support.waiting import eventually


@pytest.mark.parametrize("abort", [True, False])
async def test_13_a_stream_cut_before_any_token_is_tried_once_more(
    fake: FakeModel, model: ServerModel, abort: bool
) -> None:
    fake.plan(Cut(abort=abort), say("Two years."))
    assert (await ask(model)).text == "Two years."
    fake.plan(Cut(abort=abort), Cut(abort=abort), say("never"))
    assert (await ask(model)).code == "model_cut"
    assert len(fake.received) == 4


@pytest.mark.parametrize("abort", [True, False])
async def test_13_a_stream_cut_after_tokens_fails_with_the_text_kept(
    fake: FakeModel, model: ServerModel, abort: bool
) -> None:
    fake.plan(Cut(("Two ",), abort=abort), say("never"))
    outcome = await ask(model)
    assert (outcome.text, outcome.code) == ("Two ", "model_cut")
    assert len(fake.received) == 1


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Report("server_error", pieces=("Two ",)), "model_unreachable"),
        (Report("server_error", pieces=("Two ",), as_event=True), "model_unreachable"),
        (Report("context_length_exceeded", pieces=("Two ",)), "model_context_overflow"),
        (StopShort("max_output_tokens", ("Two ",)), "model_incomplete"),
        (StopShort("content_filter", ("Two ",)), "model_refused"),
    ],
)
async def test_13_a_failure_inside_the_stream_is_no_answer(
    fake: FakeModel, model: ServerModel, reply: Report | StopShort, code: str
) -> None:
    fake.plan(reply)
    outcome = await ask(model)
    assert (outcome.text, outcome.code) == ("Two ", code)
    assert not any(isinstance(answered, Completed) for answered in outcome.events)


def split(data: bytes, size: int) -> tuple[bytes, ...]:
    return tuple(data[start : start + size] for start in range(0, len(data), size))


def responses_stream(text: str) -> bytes:
    response = {"id": "r", "object": "response", "model": "fake-large", "output": [], "status": "completed"}
    return b"".join(
        [
            event("response.output_text.delta", delta=text, item_id="m", output_index=0, content_index=0),
            event("response.completed", response=response),
        ]
    )


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param(split(responses_stream("für Größe 漢字 👩‍🔬"), 1), id="utf-8 split in every place"),
        pytest.param((responses_stream("für Größe 漢字 👩‍🔬").replace(b"\n", b"\r\n"),), id="crlf"),
        pytest.param((b": ping\n\n" * 50 + responses_stream("für Größe 漢字 👩‍🔬"),), id="comments"),
        pytest.param((b"\xef\xbb\xbf" + responses_stream("für Größe 漢字 👩‍🔬"),), id="byte order mark"),
        pytest.param(
            (responses_stream("für Größe 漢字 👩‍🔬").replace(b', "', b',\ndata: "'),), id="several data lines"
        ),
        pytest.param(
            (event("response.new_thing", delta="x") + b"id: 7\nretry: 5\n" + responses_stream("für Größe 漢字 👩‍🔬"),),
            id="unknown events",
        ),
    ],
)
async def test_14_odd_but_valid_streams_are_read(
    fake: FakeModel, responses_model: ServerModel, pieces: tuple[bytes, ...]
) -> None:
    fake.plan(Raw(pieces))
    outcome = await ask(responses_model)
    assert outcome.failure is None
    assert outcome.text == "für Größe 漢字 👩‍🔬"


async def test_14_a_line_of_a_megabyte_is_read(fake: FakeModel, responses_model: ServerModel) -> None:
    fake.plan(Raw(split(responses_stream("y" * 1_000_000), 65_536)))
    assert (await ask(responses_model)).text == "y" * 1_000_000


@pytest.mark.parametrize(
    "garbage",
    [
        pytest.param(b"data: {not json}\n\n", id="invalid json"),
        pytest.param(b"data:\n\n", id="empty data"),
        pytest.param(b"retry: 5\n\n", id="no data at all"),
        pytest.param(b"data: \xff\xfe\n\n", id="invalid utf-8"),
        pytest.param(b"data: []\n\n", id="a list"),
        pytest.param(b"data: 3\n\n", id="a number"),
        pytest.param(b"data: " + b"[" * 100_000 + b"\n\n", id="nested without end"),
        pytest.param(event("response.output_text.delta"), id="delta without text"),
        pytest.param(event("response.output_text.delta", delta=7), id="delta that is a number"),
        pytest.param(event("response.output_item.done", item=None), id="item missing"),
        pytest.param(event("response.output_item.done", item={"type": "function_call"}), id="call without a name"),
        pytest.param(event("response.completed"), id="end without a response"),
        pytest.param(event("response.failed"), id="failure without a response"),
        pytest.param(b"event: x\n" * 5, id="no end"),
        pytest.param(b"\0" * 1_000, id="zeros"),
        pytest.param(b"<html>hello</html>", id="a page"),
    ],
)
async def test_14_garbage_ends_in_one_clean_error(fake: FakeModel, model: ServerModel, garbage: bytes) -> None:
    fake.otherwise = lambda _: Raw((garbage,))
    outcome = await asyncio.wait_for(ask(model), 10)
    assert outcome.code in {"model_malformed", "model_cut"}
    assert len(fake.received) <= 2


@pytest.mark.parametrize("chunk", [{"choices": 3}, {"choices": [{}]}, {"choices": [{"delta": {"content": 5}}]}])
async def test_14_chunks_of_another_shape_end_in_one_clean_error(fake: FakeModel, chunk: dict[str, object]) -> None:
    client = open_client(fake.base_url, KEY)
    model = ServerModel("m", "compatible", True, None, CHAT_WIRES[ChatWire.CHAT_COMPLETIONS], client, FAST)
    fake.otherwise = lambda _: Raw((event("chunk", **chunk),))
    assert (await ask(model)).code in {"model_malformed", "model_cut"}
    await client.close()


async def test_15_silence_ends_the_call(fake: FakeModel, model: ServerModel) -> None:
    fake.plan(Hang(("Two ",)))
    started = time.monotonic()
    outcome = await ask(model)
    assert (outcome.text, outcome.code) == ("Two ", "model_silent")
    assert 0.9 < time.monotonic() - started < 5
    assert await asyncio.to_thread(fake.abandoned.wait, 5)


@pytest.mark.parametrize("reply", [Hang(("Two ",)), Hang(headers_first=False)])
async def test_stopping_the_reader_ends_the_request_within_two_seconds(fake: FakeModel, reply: Hang) -> None:
    fake.plan(reply)
    client = open_client(fake.base_url, KEY)
    model = ServerModel("m", "compatible", True, None, CHAT_WIRES[ChatWire.RESPONSES], client, FAST)
    outcome = Outcome()
    task = asyncio.create_task(ask(model, into=outcome))

    async def waiting() -> bool:
        return bool(outcome.events if reply.headers_first else fake.received)

    await eventually(waiting)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 2)
    if reply.headers_first:
        assert await asyncio.to_thread(fake.abandoned.wait, 2)
    await client.close()


async def test_leaving_the_stream_early_ends_the_request(fake: FakeModel, model: ServerModel) -> None:
    fake.plan(Hang(("Two ",)))
    events = model.stream(REQUEST)
    assert await anext(events) == TextDelta("Two ")
    await events.aclose()  # type: ignore[attr-defined]
    assert await asyncio.to_thread(fake.abandoned.wait, 2)


async def test_fragments_of_calls_come_together_in_every_manner(fake: FakeModel) -> None:
    def chunk(*calls: dict[str, object], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": {"tool_calls": list(calls)}, "finish_reason": finish}
        return event("chunk", id="c", model="m", choices=[choice])

    def part(index: int | None, call_id: str | None, name: str | None, arguments: str) -> dict[str, object]:
        return {"index": index, "id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}

    streams = {
        "by index": [
            chunk(part(0, "a", "f", "{")),
            chunk(part(1, "b", "g", "[")),
            chunk(part(0, None, None, "}")),
            chunk(part(1, None, None, "]")),
        ],
        "every index 0": [chunk(part(0, "a", "f", "{}")), chunk(part(0, "b", "g", "[]"))],
        "no index": [chunk(part(None, "a", "f", "{}")), chunk(part(None, "b", "g", "[]"))],
        "id repeated": [chunk(part(0, "a", "f", "{")), chunk(part(0, "a", None, "}")), chunk(part(1, "b", "g", "[]"))],
    }
    client = open_client(fake.base_url, None)
    model = ServerModel("m", "compatible", True, None, CHAT_WIRES[ChatWire.CHAT_COMPLETIONS], client, FAST)
    for manner, chunks in streams.items():
        fake.plan(Raw((*chunks, chunk(finish="stop"))))
        outcome = await ask(model)
        calls = [made for made in outcome.events if isinstance(made, ToolCall)]
        assert calls == [ToolCall("a", "f", "{}"), ToolCall("b", "g", "[]")], manner
        assert outcome.events[-1] == Completed(input_tokens=0, output_tokens=0, model="m", finish_reason="tool_calls")
    await client.close()


async def test_the_output_limit_has_the_name_that_the_wire_knows(fake: FakeModel, model: ServerModel) -> None:
    fake.plan(say("Two."))
    await ask(model, ModelRequest(instructions="Answer.", messages=(UserMessage("q"),), max_output_tokens=64))
    body = fake.received[0].body
    assert (body.get("max_output_tokens") or body.get("max_tokens")) == 64
    assert "tools" not in body
