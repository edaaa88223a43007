"""Streams of answers: CPU per frame, gaps with 500 streams at once, memory of an open stream, time to the first frame.

The server is the product's own chat on granian with one worker, over PostgreSQL. The model says twenty words a
second; the client stands in this process. The goals are those of 500 streams that deliver frames (25 readers a run);
500 whole turns (agent, marks, storing twice a second) and a bare stream of the framework are measured beside them.
"""

import asyncio
import json
import os
import socket
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil

from bench.streams_app import WORDS_PER_SECOND
from knowledgestack.db.engine import Database
from tests.support.database import Databases, postgres_server
from tests.support.knowledge import add_workspace

RESULT = Path(__file__).parent / "results" / "streams.json"
STREAMS = int(os.environ.get("BENCH_STREAMS", "500"))
SECONDS = 10
FIRST_FRAMES = 50
READERS_PER_RUN = 25
GOALS = {
    "cpu_microseconds_per_frame": 40,
    "gap_p99_milliseconds": 100,
    "kilobytes_per_stream": 50,
    "first_frame_milliseconds": 50,
}


@dataclass
class Reader:
    """One stream: when each word came, and when the first frame came after the POST, in seconds."""

    port: int
    arrivals: list[float] = field(default_factory=list)
    first_frame: float = 0.0
    ended: bool = False
    first_word: asyncio.Event = field(default_factory=asyncio.Event)

    async def post(self, path: str, body: dict[str, Any]) -> bytes:
        reader, writer = await self.send("POST", path, json.dumps(body).encode())
        answer = await reader.read()
        writer.close()
        return answer.split(b"\r\n\r\n", 1)[1]

    async def read(self, method: str, path: str, body: bytes, opened: Callable[[], None] = lambda: None) -> None:
        started = time.perf_counter()
        reader, writer = await self.send(method, path, body)
        while chunk := await reader.read(65_536):
            now = time.perf_counter()
            if not self.first_frame and b"event: " in chunk:
                self.first_frame = now - started
                opened()
            self.arrivals += [now] * chunk.count(b"event: delta")
            if self.arrivals:
                self.first_word.set()
            self.ended = self.ended or b"event: done" in chunk
            if self.ended:
                break
        writer.close()

    async def send(self, method: str, path: str, body: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        writer.write(head.encode() + b"\r\n" + body)
        return reader, writer


def main() -> None:
    with postgres_server() as server_url:
        result = asyncio.run(_measure(server_url))
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(f"streams: {json.dumps(result['figures'])}, goals {json.dumps(GOALS)}")


async def _measure(server_url: str) -> dict[str, Any]:
    databases = Databases(server_url)
    await databases.prepare()
    url = await databases.clone()
    database = Database(url)
    actor = await add_workspace(database)
    port = _free_port()
    environ = {
        **os.environ,
        "BENCH_DATABASE": url,
        "BENCH_ACTOR": json.dumps([str(actor.user_id), str(actor.workspace_id)]),
        "BENCH_PORT": str(port),
    }
    server = await asyncio.create_subprocess_exec(sys.executable, "-m", "bench.streams_app", env=environ)
    try:
        await _wait_for(port)
        first = await _first_frames(port)
        memory = await _memory(port, server.pid)
        many = await _many(port, server.pid)
    finally:
        server.terminate()
        await server.wait()
        await database.close()
        await databases.drop(url)
        await databases.close()
    figures = {**many["figures"], **memory, **first}
    return {
        "streams": STREAMS,
        "words_per_second": WORDS_PER_SECOND,
        "figures": figures,
        "goals": GOALS,
        "met": {name: figures[name] <= goal for name, goal in GOALS.items()},
        "load_average": os.getloadavg(),
        "details": many["details"],
    }


async def _first_frames(port: int) -> dict[str, float]:
    times: list[float] = []
    for _ in range(FIRST_FRAMES):
        reader = Reader(port)
        await reader.read("POST", await _new_turns_path(port), _question(0))
        times.append(reader.first_frame * 1000)
    return {
        "first_frame_milliseconds": round(statistics.median(times), 1),
        "first_frame_p95_milliseconds": round(_percentile(times, 0.95), 1),
    }


async def _memory(port: int, pid: int) -> dict[str, float]:
    """What one more open stream costs while its run says nothing, the run not counted."""
    path = await _new_turns_path(port)
    opened = asyncio.Event()
    owner = Reader(port)
    running = asyncio.create_task(owner.read("POST", path, _question(300), opened.set))
    await opened.wait()
    chat = json.loads(await _get(port, path.removesuffix("/turns")))
    stream = f"{path}/{chat['turns'][0]['id']}/stream?after=1000000"
    before = _memory_of(pid)
    readers = [await Reader(port).send("GET", stream, b"") for _ in range(STREAMS)]
    await asyncio.sleep(2)
    after = _memory_of(pid)
    for _, writer in readers:
        writer.close()
    await Reader(port).post(f"{path}/{chat['turns'][0]['id']}/stop", {})
    await running
    return {"kilobytes_per_stream": round((after - before) / 1024 / STREAMS, 1)}


Opening = tuple[str, str, bytes]
"""Method, path and body of the request that opens a stream."""


async def _whole(port: int) -> list[Opening]:
    """Every stream with a run of its own: agent, model, marks, storing."""
    return [("POST", await _new_turns_path(port), _question(_lasting(number))) for number in range(STREAMS)]


async def _delivered(port: int) -> tuple[list[Opening], list[asyncio.Task[None]]]:
    """Every run read by `READERS_PER_RUN` streams, so that what is left is the delivery of frames."""
    openings: list[Opening] = []
    owners: list[asyncio.Task[None]] = []
    for _ in range(max(STREAMS // READERS_PER_RUN, 1)):
        path, opened = await _new_turns_path(port), asyncio.Event()
        owners.append(asyncio.create_task(Reader(port).read("POST", path, _question(3 * SECONDS), opened.set)))
        await opened.wait()
        chat = json.loads(await _get(port, path.removesuffix("/turns")))
        openings += [("GET", f"{path}/{chat['turns'][0]['id']}/stream", b"")] * READERS_PER_RUN
    return openings, owners


async def _many(port: int, pid: int) -> dict[str, Any]:
    bare = await _read_all(port, pid, [("GET", f"/bare?seconds={2 * SECONDS}", b"")] * STREAMS)
    openings, owners = await _delivered(port)
    delivered = await _read_all(port, pid, openings)
    await asyncio.gather(*owners)
    whole = await _read_all(port, pid, await _whole(port))
    return {
        "figures": {
            "cpu_microseconds_per_frame": delivered["cpu_microseconds_per_frame"],
            "gap_p99_milliseconds": delivered["gap_p99_milliseconds"],
            "whole_turns_cpu_microseconds_per_frame": whole["cpu_microseconds_per_frame"],
            "whole_turns_gap_p99_milliseconds": whole["gap_p99_milliseconds"],
        },
        "details": {"bare_stream": bare, "frames_delivered": delivered, "whole_turns": whole},
    }


async def _read_all(port: int, pid: int, openings: Sequence[Opening]) -> dict[str, Any]:
    """Open every stream, then watch all of them for `SECONDS`."""
    readers = [Reader(port) for _ in openings]
    slots = asyncio.Semaphore(8)

    async def one(reader: Reader, opening: Opening) -> None:
        await slots.acquire()
        await reader.read(*opening, slots.release)

    tasks = [asyncio.create_task(one(reader, opening)) for reader, opening in zip(readers, openings, strict=True)]
    for reader in readers:
        await reader.first_word.wait()
    start, cpu = time.perf_counter(), _cpu_of(pid)
    await asyncio.sleep(SECONDS)
    end, cpu = time.perf_counter(), _cpu_of(pid) - cpu
    frames = sum(start <= at < end for reader in readers for at in reader.arrivals)
    gaps = [
        (later - earlier) * 1000
        for reader in readers
        for earlier, later in pairwise(reader.arrivals)
        if start <= later < end
    ]
    await asyncio.gather(*tasks)
    return {
        "cpu_microseconds_per_frame": round(cpu / frames * 1e6, 1),
        "server_share_of_one_core": round(cpu / (end - start), 2),
        "frames_per_stream_and_second": round(frames / len(readers) / (end - start), 2),
        "gap_median_milliseconds": round(statistics.median(gaps), 1),
        "gap_p99_milliseconds": round(_percentile(gaps, 0.99), 1),
        "streams_that_ended_well": sum(reader.ended for reader in readers),
    }


def _lasting(number: int) -> float:
    """Seconds that outlive opening and watching; they differ, so that the answers do not all end at once."""
    return 3 * SECONDS + SECONDS * number / STREAMS


def _question(seconds: float) -> bytes:
    return json.dumps({"question": f"Speak for {seconds}"}).encode()


async def _new_turns_path(port: int) -> str:
    # `Connection: close` ends the answer, so the chunked body is the chat alone.
    chat = json.loads(await Reader(port).post("/api/chat", {}))
    return f"/api/chat/{chat['id']}/turns"


async def _get(port: int, path: str) -> bytes:
    reader, writer = await Reader(port).send("GET", path, b"")
    answer = await reader.read()
    writer.close()
    return answer.split(b"\r\n\r\n", 1)[1]


def _processes(pid: int) -> list[psutil.Process]:
    parent = psutil.Process(pid)
    return [parent, *parent.children(recursive=True)]


def _cpu_of(pid: int) -> float:
    return sum(sum(process.cpu_times()[:2]) for process in _processes(pid))


def _memory_of(pid: int) -> int:
    return sum(process.memory_info().rss for process in _processes(pid))


def _percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def _wait_for(port: int) -> None:
    for _ in range(300):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return
    raise TimeoutError("the server did not start")


if __name__ == "__main__":
    main()
