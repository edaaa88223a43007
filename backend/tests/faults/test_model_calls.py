"""Faults 10 to 15: a model server that is busy, broken, cut off, malformed or silent, over both wires."""

import asyncio
import logging
import socket
import time
from collections.abc import AsyncGenerator, Generator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from knowledgestack.core.config import ChatWire
from knowledgestack.models._retries import RetryPolicy
from knowledgestack.models.chat import (
    AssistantMessage,
    Completed,
    ModelEvent,
    ModelFailed,
    ModelRequest,
    TextDelta,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from knowledgestack.models.server_model import CHAT_WIRES, ServerModel, open_client
from tests.support.fake_model import (
    Cut,
    FakeModel,
    Hang,
    Raw,
    Refuse,
    Report,
    Say,
    StopShort,
    event,
    fake_model,
    say,
)
from tests.support.waiting import eventually

KEY = "sk-canary-4f9d8b7a"
FAST = RetryPolicy(first_seconds=0.01, longest_seconds=2.0)
REQUEST = ModelRequest(
    instructions="Answer.",
    messages=(UserMessage("How long?"),),
    tools=(ToolSpec("search", "Searches.", {"type": "object", "properties": {}}),),
)
WORDS = [TextDelta("Two "), TextDelta("years.")]


@pytest.fixture(scope="module")
def server() -> Generator[FakeModel]:
    with fake_model() as running:
        yield running


@pytest.fixture
def fake(server: FakeModel) -> FakeModel:
    server.reset()
    return server


@pytest.fixture(params=list(CHAT_WIRES))
async def model(fake: FakeModel, request: pytest.FixtureRequest) -> AsyncGenerator[ServerModel]:
    client = open_client(fake.base_url, KEY, silence_seconds=1.0)
    yield ServerModel("fake-large", "compatible", True, None, CHAT_WIRES[request.param], client, FAST)
    await client.close()


class Outcome:
    def __init__(self) -> None:
        self.events: list[ModelEvent] = []
        self.failure: ModelFailed | None = None

    @property
    def code(self) -> str | None:
        return self.failure.code if self.failure else None

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextDelta))


async def ask(model: ServerModel, request: ModelRequest = REQUEST, into: Outcome | None = None) -> Outcome:
    outcome = into or Outcome()
    try:
        async for answered in model.stream(request):
            outcome.events += [answered]
    except ModelFailed as error:
        outcome.failure = error
    assert KEY not in f"{outcome.failure!r} {getattr(outcome.failure, '__cause__', None)!r}"
    return outcome


async def test_an_answer_streams_and_ends(fake: FakeModel, model: ServerModel) -> None:
    fake.plan(say("Two years."))
    outcome = await ask(model)
    assert outcome.events == [
        *WORDS,
        Completed(input_tokens=10, output_tokens=5, model="fake-large", finish_reason="stop"),
    ]
    body = fake.received[0].body
    assert body["stream"] is True
    assert "previous_response_id" not in body
    if fake.received[0].path.endswith("responses"):
        assert body["store"] is False


async def test_calls_come_whole_after_the_text(fake: FakeModel, model: ServerModel) -> None:
    fake.plan(Say(("Let me look.",), (("search", '{"query": "warranty"}'), ("search", '{"query": "refund"}'))))
    outcome = await ask(model)
    assert outcome.events[0] == TextDelta("Let me look.")
    calls = [answered for answered in outcome.events if isinstance(answered, ToolCall)]
    assert [(made.name, made.arguments) for made in calls] == [
        ("search", '{"query": "warranty"}'),
        ("search", '{"query": "refund"}'),
    ]
    assert len({made.id for made in calls}) == 2
    assert isinstance(outcome.events[-1], Completed)
    assert outcome.events[-1].finish_reason == "tool_calls"


async def test_the_whole_conversation_is_sent_each_time(fake: FakeModel, model: ServerModel) -> None:
    fake.plan(say("Done."))
    made = ToolCall("c1", "search", "{}")
    messages = (UserMessage("q"), AssistantMessage("Looking.", (made,)), ToolResult("c1", "found"))
    await ask(model, ModelRequest(instructions="Answer.", messages=messages, tools=REQUEST.tools))
    body = fake.received[0].body
    if fake.received[0].path.endswith("responses"):
        assert body["instructions"] == "Answer."
        assert body["input"] == [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": "Looking."},
            {"type": "function_call", "call_id": "c1", "name": "search", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": "found"},
        ]
    else:
        assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "tool"]
        assert body["messages"][2]["tool_calls"][0]["id"] == body["messages"][3]["tool_call_id"] == "c1"


async def test_10_a_busy_server_is_asked_again_after_the_seconds_it_names(fake: FakeModel, model: ServerModel) -> None:
    fake.plan(Refuse(429, headers={"Retry-After": "1"}), say("Two years."))
    started = time.monotonic()
    assert (await ask(model)).text == "Two years."
    assert time.monotonic() - started >= 1.0


async def test_10_a_date_to_wait_for_is_understood(fake: FakeModel, model: ServerModel) -> None:
    moment = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
    fake.plan(Refuse(429, headers={"Retry-After": moment}), say("Two years."))
    started = time.monotonic()
    assert (await ask(model)).text == "Two years."
    assert time.monotonic() - started >= 0.9


async def test_10_the_wait_is_capped_and_three_tries_are_the_limit(fake: FakeModel, model: ServerModel) -> None:
    fake.plan(*[Refuse(429, headers={"Retry-After": "86400"})] * 5)
    started = time.monotonic()
    outcome = await ask(model)
    assert outcome.code == "model_rate_limited"
    assert len(fake.received) == 3
    assert time.monotonic() - started < 10


async def test_10_an_empty_account_is_not_asked_again(fake: FakeModel, model: ServerModel) -> None:
    fake.plan(Refuse(429, code="insufficient_quota"))
    assert (await ask(model)).code == "model_quota"
    assert len(fake.received) == 1


@pytest.mark.parametrize("as_event", [False, True])
async def test_11_a_limit_reported_inside_the_stream_is_retried_before_the_first_token(
    fake: FakeModel, model: ServerModel, as_event: bool
) -> None:
    fake.plan(Report("rate_limit_exceeded", as_event=as_event), say("Two years."))
    assert (await ask(model)).text == "Two years."
    assert len(fake.received) == 2


async def test_11_after_the_first_token_nothing_is_retried(fake: FakeModel, model: ServerModel) -> None:
    fake.plan(Report("rate_limit_exceeded", pieces=("Two ",)), say("never"))
    outcome = await ask(model)
    assert (outcome.text, outcome.code) == ("Two ", "model_rate_limited")
    assert len(fake.received) == 1


@pytest.mark.parametrize("status", [408, 500, 502, 503, 529])
async def test_12_a_broken_server_is_asked_three_times(fake: FakeModel, model: ServerModel, status: int) -> None:
    fake.plan(*[Refuse(status)] * 5)
    outcome = await ask(model)
    assert outcome.code == "model_unreachable"
    assert len(fake.received) == 3


async def test_12_a_server_that_comes_back_answers(fake: FakeModel, model: ServerModel) -> None:
    fake.plan(Refuse(502), Refuse(503), say("Two years."))
    assert (await ask(model)).text == "Two years."


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "model_refused"),
        (401, "model_unauthorized"),
        (403, "model_unauthorized"),
        (404, "model_unknown"),
        (422, "model_refused"),
    ],
)
async def test_12_a_refusal_is_final_and_never_shows_the_key(
    fake: FakeModel, model: ServerModel, status: int, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    fake.plan(Refuse(status, message=f"Incorrect API key provided: {KEY}, and sk-abcdef123456 too"))
    outcome = await ask(model)
    assert outcome.code == code
    assert len(fake.received) == 1
    assert fake.received[0].headers["authorization"] == f"Bearer {KEY}"
    assert outcome.failure is not None
    assert "sk-abcdef" not in outcome.failure.detail
    assert KEY not in repr(model)
    own_lines = [record.getMessage() for record in caplog.records if "uvicorn" not in record.name]
    assert not any(KEY in line for line in own_lines)


async def test_12_a_redirect_is_not_followed(fake: FakeModel, model: ServerModel) -> None:
    fake.plan(Refuse(307, headers={"Location": "http://127.0.0.1:1/v1/responses"}))
    outcome = await ask(model)
    assert outcome.code == "model_refused"
    assert "not followed" in outcome.failure.detail if outcome.failure else False


async def test_12_a_page_instead_of_an_error_is_not_quoted(fake: FakeModel, model: ServerModel) -> None:
    fake.plan(Refuse(400, message="x" * 5_000))
    outcome = await ask(model)
    assert outcome.failure is not None
    assert len(outcome.failure.detail) < 400


@pytest.mark.parametrize("wire", list(CHAT_WIRES))
async def test_12_a_closed_port_is_a_sentence_after_three_tries(wire: ChatWire) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    client = open_client(f"http://127.0.0.1:{port}/v1", KEY)
    outcome = await ask(ServerModel("m", "compatible", True, None, CHAT_WIRES[wire], client, FAST))
    assert outcome.code == "model_unreachable"
    await client.close()


async def test_12_an_unknown_name_is_a_sentence() -> None:
    client = open_client("http://nowhere.invalid/v1", KEY)
    outcome = await ask(ServerModel("m", "compatible", True, None, CHAT_WIRES[ChatWire.RESPONSES], client, FAST))
    assert outcome.code == "model_unreachable"
    await client.close()


async def test_12_a_server_without_tls_behind_https_is_a_sentence(fake: FakeModel) -> None:
    client = open_client(f"https://127.0.0.1:{fake.port}/v1", KEY)
    outcome = await ask(ServerModel("m", "compatible", True, None, CHAT_WIRES[ChatWire.RESPONSES], client, FAST))
    assert outcome.code == "model_unreachable"
    await client.close()


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


@pytest.fixture
async def responses_model(fake: FakeModel) -> AsyncGenerator[ServerModel]:
    client = open_client(fake.base_url, KEY, silence_seconds=1.0)
    yield ServerModel("fake-large", "compatible", True, None, CHAT_WIRES[ChatWire.RESPONSES], client, FAST)
    await client.close()


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
