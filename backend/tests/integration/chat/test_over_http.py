"""The chat's routes on a real server on loopback, read by a real client."""

import asyncio
import json
import socket
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

import httpx
import pytest
import uvicorn
from litestar import Litestar
from litestar.di import Provide

from knowledgestack.chat.controller import ChatController
from knowledgestack.core.ids import new_id
from knowledgestack.http.problems import EXCEPTION_HANDLERS
from knowledgestack.models.chat import ChatModel, TextDelta
from tests.support.chat import ChatProcess, ChatWorld, chat_world, search_for
from tests.support.frames import kinds, parse_frames, text_of
from tests.support.scripted_model import ScriptedModel, said
from tests.support.waiting import eventually


@dataclass
class Served:
    client: httpx.AsyncClient
    port: int
    process: ChatProcess

    async def new_chat(self) -> str:
        return (await self.client.post("/api/chat", json={})).json()["id"]


@asynccontextmanager
async def served(world: ChatWorld, model: ScriptedModel | ChatModel) -> AsyncGenerator[Served]:
    async with world.process(model) as process:
        app = Litestar(
            [ChatController],
            dependencies={
                "actor": Provide(lambda: world.actor, sync_to_thread=False),
                "chat_service": Provide(lambda: process.chats, sync_to_thread=False),
            },
            exception_handlers=EXCEPTION_HANDLERS,
            request_max_body_size=8 * 1024 * 1024,
            logging_config=None,
        )
        server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, lifespan="off"))
        serving = asyncio.create_task(server.serve())
        await eventually(lambda: _is_started(server))
        port = server.servers[0].sockets[0].getsockname()[1]
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            yield Served(client, port, process)
        await process.runs.close()
        server.should_exit = True
        await serving
        # A transport that was cut with bytes in it closes a turn of the loop after its client has gone.
        await asyncio.sleep(0.1)


async def _is_started(server: uvicorn.Server) -> bool:
    return server.started


@pytest.fixture
async def world(database_url: str) -> AsyncGenerator[ChatWorld]:
    async with chat_world(database_url) as made:
        yield made


async def test_a_question_is_answered_as_an_event_stream(world: ChatWorld) -> None:
    async with served(world, ScriptedModel(search_for("return window"), said("30 days [1]."))) as api:
        chat_id = await api.new_chat()
        answer = await api.client.post(
            f"/api/chat/{chat_id}/turns",
            json={"question": "What is the return window?"},
            headers={"Accept-Language": "it", "Idempotency-Key": "k1"},
        )
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert (answer.headers["cache-control"], answer.headers["x-accel-buffering"]) == ("no-cache", "no")
        frames = parse_frames(answer.content)
        assert (kinds(frames)[0], kinds(frames)[-1]) == ("started", "done")
        assert text_of(frames) == "30 days [1]."
        assert "fonte" in next(frame["displayText"] for frame in frames if frame["type"] == "step")
        stream = await api.client.get(f"/api/chat/{chat_id}/turns/{frames[0]['turnId']}/stream", params={"after": 2})
        assert kinds(parse_frames(stream.content)) == ["snapshot", "done"]
        shown = (await api.client.get(f"/api/chat/{chat_id}")).json()
        assert shown["turns"][0]["citations"][0]["documentState"] == "current"
        assert (await api.client.get("/api/chat")).json()["items"][0]["id"] == chat_id
        assert (await api.client.get("/api/chat/suggestions")).json()["items"]


async def test_the_first_frame_comes_before_the_model_has_said_anything(world: ChatWorld) -> None:
    async with served(world, ScriptedModel([30.0])) as api:
        chat_id = await api.new_chat()
        started = time.perf_counter()
        async with api.client.stream("POST", f"/api/chat/{chat_id}/turns", json={"question": "Hello"}) as answer:
            first = await anext(answer.aiter_bytes())
        assert first.startswith(b"event: started\nid: 0\n")
        # The goal of 50 ms is measured by the bench; here a slow machine must not fail the test.
        assert time.perf_counter() - started < 2


async def test_what_is_refused_is_a_problem_and_no_stream(world: ChatWorld) -> None:
    async with served(world, ScriptedModel([TextDelta("One"), 30.0])) as api:
        chat_id = await api.new_chat()
        turns = f"/api/chat/{chat_id}/turns"
        foreign = f"/api/chat/{new_id()}"
        async with api.client.stream("POST", turns, json={"question": "Hello"}) as answer:
            await anext(answer.aiter_bytes())
            refused = [
                (await api.client.post(turns, json={"question": "Again"}), 409, "turn_running"),
                (await api.client.post(turns, json={"question": " "}), 400, "invalid_request"),
                (await api.client.post(turns, json={"question": "a" * 1_000_001}), 400, "invalid_request"),
                (await api.client.post(turns, json={"question": "a", "modelId": "x"}), 400, "invalid_request"),
                (await api.client.post(turns, json={"question": "a", "extra": 1}), 400, "invalid_request"),
                (await api.client.post(f"{foreign}/turns", json={"question": "a"}), 404, "not_found"),
                (await api.client.get(foreign), 404, "not_found"),
                (await api.client.get(f"{foreign}/turns/{new_id()}/stream"), 404, "not_found"),
                (await api.client.get("/api/chat", params={"cursor": "junk"}), 400, "invalid_request"),
            ]
        for response, status, code in refused:
            assert response.headers["content-type"].startswith("application/problem+json")
            assert (response.status_code, response.json()["code"]) == (status, code)


async def test_a_browser_that_leaves_does_not_end_the_run(world: ChatWorld) -> None:
    async with served(world, ScriptedModel([TextDelta("One"), 1.0, *said(" two.")])) as api:
        chat_id = await api.new_chat()
        async with api.client.stream("POST", f"/api/chat/{chat_id}/turns", json={"question": "Hello"}) as answer:
            first = await anext(answer.aiter_bytes())
        turn_id = UUID(parse_frames(first)[0]["turnId"])
        run = api.process.runs.find(turn_id)
        assert run is not None

        async def left() -> bool:
            return run.log.followers == 0

        await eventually(left)
        again = await api.client.get(f"/api/chat/{chat_id}/turns/{turn_id}/stream")
        assert text_of(parse_frames(again.content)) == "One two."


async def test_a_reader_that_stops_reading_is_cut_and_the_run_goes_on(world: ChatWorld, monkeypatch) -> None:
    monkeypatch.setattr("knowledgestack.http.sse.SLOW_READER_SECONDS", 0.5)
    flood = [event for _ in range(80) for event in (TextDelta("x" * 100_000), 0.02)]
    async with served(world, ScriptedModel([*flood, 2.0, *said("end")])) as api:
        chat_id = await api.new_chat()
        narrow = socket.create_connection(("127.0.0.1", api.port))
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        reader, writer = await asyncio.open_connection(sock=narrow, limit=1024)
        body = json.dumps({"question": "Flood"}).encode()
        writer.write(
            f"POST /api/chat/{chat_id}/turns HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        await reader.readuntil(b"event: started")
        turn_id = UUID((await api.client.get(f"/api/chat/{chat_id}")).json()["turns"][0]["id"])
        run = api.process.runs.find(turn_id)
        assert run is not None

        async def cut() -> bool:
            return run.log.followers == 0

        await eventually(cut)
        assert not run.log.closed
        whole = await api.client.get(f"/api/chat/{chat_id}/turns/{turn_id}/stream")
        assert kinds(parse_frames(whole.content))[-1] == "done"
        writer.transport.abort()
