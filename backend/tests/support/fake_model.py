"""A model server on loopback that a test scripts: both wires, embeddings, and every way to fail."""

import asyncio
import hashlib
import json
import socket
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from litestar import Litestar, Request, Response, get, post
from litestar.response import Stream

Json = dict[str, Any]


@dataclass(frozen=True)
class Say:
    """Streams the pieces as text; `calls` are (name, arguments) of tool calls that follow it."""

    pieces: tuple[str, ...] = ()
    calls: tuple[tuple[str, str], ...] = ()
    pause_seconds: float = 0.0
    input_tokens: int = 10
    output_tokens: int = 5


@dataclass(frozen=True)
class Cut:
    """Streams the pieces and ends without a final event; `abort` breaks the connection, else it ends politely."""

    pieces: tuple[str, ...] = ()
    abort: bool = True


@dataclass(frozen=True)
class Hang:
    """Streams the pieces and then says nothing until the reader leaves; `headers_first` opens the stream at once."""

    pieces: tuple[str, ...] = ()
    headers_first: bool = True


@dataclass(frozen=True)
class Refuse:
    """An HTTP error with OpenAI's error body."""

    status: int
    code: str | None = None
    message: str = "refused by the script"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """Streams the pieces and then reports a failure inside the stream, as `response.failed` or as an error event."""

    code: str
    message: str = "reported by the script"
    pieces: tuple[str, ...] = ()
    as_event: bool = False


@dataclass(frozen=True)
class StopShort:
    """Streams the pieces and ends at a limit: max_output_tokens or content_filter."""

    reason: str = "max_output_tokens"
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True)
class Raw:
    """Sends these bytes as an event stream, piece by piece."""

    pieces: tuple[bytes, ...]


Reply = Say | Cut | Hang | Refuse | Report | StopShort | Raw


@dataclass
class Received:
    path: str
    headers: dict[str, str]
    body: Json


def say(text: str, *calls: tuple[str, str]) -> Say:
    """Text word by word, then the calls."""
    return Say(tuple(word for word in text.replace(" ", " \0").split("\0") if word), calls)


def call(name: str, arguments: object) -> Say:
    return Say((), ((name, arguments if isinstance(arguments, str) else json.dumps(arguments)),))


class FakeModel:
    """The script and what was received. `port` and `base_url` say where it listens."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.base_url = f"http://127.0.0.1:{port}/v1"
        self.reset()

    def reset(self) -> None:
        """Forget script and history; for tests that share one server."""
        self.models: list[Json] = [{"id": "fake-large", "object": "model"}, {"id": "fake-small", "object": "model"}]
        self.dimensions = 8
        self.responses_supported = True
        self.received: list[Received] = []
        self.abandoned = threading.Event()
        self.script: deque[Reply] = deque()
        self.otherwise: Callable[[Json], Reply] = lambda _: say("Nothing is scripted.")
        self.embedding: Callable[[Json], tuple[int, Json]] = self.embed
        self._calls = 0

    def plan(self, *replies: Reply) -> None:
        self.script.extend(replies)

    def next_reply(self, body: Json) -> Reply:
        return self.script.popleft() if self.script else self.otherwise(body)

    def embed(self, body: Json) -> tuple[int, Json]:
        """Deterministic vectors: equal texts give equal vectors."""
        inputs = body["input"] if isinstance(body["input"], list) else [body["input"]]
        data = [
            {"object": "embedding", "index": index, "embedding": self.vector(text)} for index, text in enumerate(inputs)
        ]
        return 200, {
            "object": "list",
            "data": data,
            "model": body["model"],
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }

    def vector(self, text: str) -> list[float]:
        digest = hashlib.shake_256(text.encode()).digest(self.dimensions)
        return [byte / 128 - 1 + 1e-3 for byte in digest]

    def call_id(self) -> str:
        self._calls += 1
        return f"call_{self._calls}"

    def paths(self) -> list[str]:
        return [received.path for received in self.received]


@contextmanager
def fake_model() -> Generator[FakeModel]:
    """A running fake model server; it ends with the block."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    fake = FakeModel(listener.getsockname()[1])
    config = uvicorn.Config(
        _app(fake), log_config=None, log_level="critical", lifespan="off", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + 10
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.005)
    try:
        yield fake
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


def _app(fake: FakeModel) -> Litestar:
    async def record(request: Request[Any, Any, Any]) -> Json:
        body = json.loads(await request.body() or b"{}")
        fake.received.append(Received(request.url.path, dict(request.headers), body))
        return body

    @get("/v1/models")
    async def models(request: Request[Any, Any, Any]) -> Json:
        await record(request)
        return {"object": "list", "data": fake.models}

    @post("/v1/responses", status_code=200)
    async def responses(request: Request[Any, Any, Any]) -> Response[Any]:
        body = await record(request)
        if not fake.responses_supported:
            return _error(Refuse(404, message="no such route"))
        return await _answer(fake, body, _ResponsesWire(body.get("model", "")))

    @post("/v1/chat/completions", status_code=200)
    async def chat_completions(request: Request[Any, Any, Any]) -> Response[Any]:
        body = await record(request)
        return await _answer(fake, body, _ChatWire(body.get("model", "")))

    @post("/v1/embeddings", status_code=200)
    async def embeddings(request: Request[Any, Any, Any]) -> Response[Any]:
        status, answer = fake.embedding(await record(request))
        text = json.dumps(answer)
        return Response(text.encode(), status_code=status, media_type="application/json")

    return Litestar([models, responses, chat_completions, embeddings], openapi_config=None, logging_config=None)


async def _answer(fake: FakeModel, body: Json, wire: "_Wire") -> Response[Any]:
    reply = fake.next_reply(body)
    if isinstance(reply, Refuse):
        return _error(reply)
    if isinstance(reply, Hang) and not reply.headers_first:
        try:
            await asyncio.sleep(30)
        finally:
            fake.abandoned.set()
    return Stream(_watched(fake, _frames(fake, reply, wire)), media_type="text/event-stream")


async def _watched(fake: FakeModel, frames: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    try:
        async for frame in frames:
            yield frame
    except (asyncio.CancelledError, GeneratorExit):
        fake.abandoned.set()
        raise


async def _frames(fake: FakeModel, reply: Reply, wire: "_Wire") -> AsyncIterator[bytes]:
    if not isinstance(reply, Raw | Refuse):
        yield wire.opening()
        for piece in reply.pieces:
            yield wire.text(piece)
            await asyncio.sleep(reply.pause_seconds if isinstance(reply, Say) else 0)
    if isinstance(reply, Hang):
        await asyncio.sleep(30)
    for frame in _last_frames(fake, reply, wire):
        yield frame
        await asyncio.sleep(0)
    if isinstance(reply, Cut) and reply.abort:
        raise ConnectionResetError("the script breaks the connection")


def _last_frames(fake: FakeModel, reply: Reply, wire: "_Wire") -> Iterable[bytes]:
    match reply:
        case Say():
            return wire.ending(reply, [(fake.call_id(), *named) for named in reply.calls])
        case Report():
            return [wire.failure(reply)]
        case StopShort():
            return [wire.stop_short(reply)]
        case Raw():
            return reply.pieces
        case _:
            return []


def _error(reply: Refuse) -> Response[Any]:
    body = {"error": {"message": reply.message, "type": reply.code, "code": reply.code, "param": None}}
    return Response(body, status_code=reply.status, headers=reply.headers, media_type="application/json")


def event(kind: str, **fields: object) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, 'sequence_number': 0, **fields})}\n\n".encode()


class _Wire:
    def __init__(self, model: str) -> None:
        self.model = model

    def opening(self) -> bytes:
        raise NotImplementedError

    def text(self, piece: str) -> bytes:
        raise NotImplementedError

    def ending(self, reply: Say, calls: list[tuple[str, str, str]]) -> Iterable[bytes]:
        raise NotImplementedError

    def failure(self, reply: Report) -> bytes:
        raise NotImplementedError

    def stop_short(self, reply: StopShort) -> bytes:
        raise NotImplementedError


class _ResponsesWire(_Wire):
    def response(self, status: str, **fields: object) -> Json:
        return {
            "id": "resp_1",
            "object": "response",
            "created_at": 0,
            "model": self.model,
            "output": [],
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "status": status,
            **fields,
        }

    def opening(self) -> bytes:
        return event("response.created", response=self.response("in_progress"))

    def text(self, piece: str) -> bytes:
        return event("response.output_text.delta", item_id="m", output_index=0, content_index=0, delta=piece)

    def ending(self, reply: Say, calls: list[tuple[str, str, str]]) -> Iterable[bytes]:
        for index, (call_id, name, arguments) in enumerate(calls):
            item = {"type": "function_call", "id": f"fc_{index}", "call_id": call_id, "name": name}
            yield event("response.output_item.added", output_index=index, item={**item, "arguments": ""})
            yield event("response.output_item.done", output_index=index, item={**item, "arguments": arguments})
        usage = {
            "input_tokens": reply.input_tokens,
            "output_tokens": reply.output_tokens,
            "total_tokens": reply.input_tokens + reply.output_tokens,
        }
        yield event("response.completed", response=self.response("completed", usage=usage))

    def failure(self, reply: Report) -> bytes:
        error = {"code": reply.code, "message": reply.message}
        if reply.as_event:
            return event("error", **error, param=None)
        return event("response.failed", response=self.response("failed", error=error))

    def stop_short(self, reply: StopShort) -> bytes:
        details = {"reason": reply.reason}
        return event("response.incomplete", response=self.response("incomplete", incomplete_details=details))


class _ChatWire(_Wire):
    def chunk(self, delta: Json, finish: str | None = None, **fields: object) -> bytes:
        choices = [] if "usage" in fields else [{"index": 0, "delta": delta, "finish_reason": finish}]
        chunk = {
            "id": "c",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": self.model,
            "choices": choices,
            **fields,
        }
        return f"data: {json.dumps(chunk)}\n\n".encode()

    def opening(self) -> bytes:
        return self.chunk({"role": "assistant", "content": ""})

    def text(self, piece: str) -> bytes:
        return self.chunk({"content": piece})

    def ending(self, reply: Say, calls: list[tuple[str, str, str]]) -> Iterable[bytes]:
        for index, (call_id, name, arguments) in enumerate(calls):
            half = len(arguments) // 2
            function = {"name": name, "arguments": arguments[:half]}
            yield self.chunk(
                {"tool_calls": [{"index": index, "id": call_id, "type": "function", "function": function}]}
            )
            yield self.chunk({"tool_calls": [{"index": index, "function": {"arguments": arguments[half:]}}]})
        yield self.chunk({}, "tool_calls" if calls else "stop")
        usage = {
            "prompt_tokens": reply.input_tokens,
            "completion_tokens": reply.output_tokens,
            "total_tokens": reply.input_tokens + reply.output_tokens,
        }
        yield self.chunk({}, usage=usage)
        yield b"data: [DONE]\n\n"

    def failure(self, reply: Report) -> bytes:
        return f"data: {json.dumps({'error': {'code': reply.code, 'message': reply.message}})}\n\n".encode()

    def stop_short(self, reply: StopShort) -> bytes:
        return self.chunk({}, "length" if reply.reason == "max_output_tokens" else reply.reason)
