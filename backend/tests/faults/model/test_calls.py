"""Faults 10 to 12: a model server that is busy, broken or not there, over both wires."""

import logging
import socket
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from knowledgestack.core.config import ChatWire
from knowledgestack.models.chat import (
    AssistantMessage,
    Completed,
    ModelRequest,
    TextDelta,
    ToolCall,
    ToolResult,
    UserMessage,
)
from knowledgestack.models.server_model import CHAT_WIRES, ServerModel, open_client
from tests.support.fake_model import (
    FakeModel,
    Refuse,
    Report,
    Say,
    say,
)
from tests.support.model_calls import FAST, KEY, REQUEST, WORDS, ask


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
