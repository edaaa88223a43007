"""Who leaves ends the statement in the database within two seconds, and so does the deadline (faults 7 and SSE)."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import httpx
import pytest

from tests.support.api_process import ApiProcess, api_process
from tests.support.connections import PATH, registered
from tests.support.database import Databases
from tests.support.target import TargetDatabase, target_database
from tests.support.waiting import eventually

ENDLESS = f"SELECT count(*) FROM {', '.join(f'customers AS c{number}' for number in range(9))}"
WIDE = "SELECT repeat('x', 1000000) AS long FROM customers AS a, customers AS b LIMIT 1000"
# More than the buffers between the database and a client that has stopped reading.
LINES = "SELECT a.id, repeat('x', 900) AS text FROM customers AS a, customers AS b, customers AS c"
CANCEL_SECONDS = 2.0
GROWTH_BYTES = 50 * 1024 * 1024


@asynccontextmanager
async def world(
    database_url: str, tmp_path: Path, databases: Databases, **environ: str
) -> AsyncGenerator[tuple[ApiProcess, httpx.AsyncClient, TargetDatabase, str]]:
    with api_process(database_url, tmp_path, 18700, **environ) as api:
        async with target_database(databases.server_url) as target, contextlib.aclosing(await api.owner()) as client:
            made = await registered(client, target)
            yield api, client, target, made["id"]


async def active(target: TargetDatabase) -> int:
    """Statements of the reader that the server works on."""
    connection = await asyncpg.connect(target.admin_url)
    try:
        return await connection.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE usename = $1 AND state <> 'idle'", target.reader
        )
    finally:
        await connection.close()


async def outcomes(client: httpx.AsyncClient) -> list[str]:
    items = (await client.get("/api/database-statements")).json()["items"]
    return [item["outcome"] for item in items]


async def seconds_until_quiet(target: TargetDatabase) -> float:
    began = time.monotonic()

    async def quiet() -> bool:
        return await active(target) == 0

    await eventually(quiet, seconds=10)
    return time.monotonic() - began


async def test_a_client_that_leaves_ends_its_statement(database_url: str, tmp_path: Path, databases: Databases) -> None:
    async with world(database_url, tmp_path, databases) as (api, client, target, connection_id):
        async with api.client() as leaver:
            leaver.cookies = client.cookies
            waiting = asyncio.create_task(leaver.post(f"{PATH}/{connection_id}/queries", json={"sql": ENDLESS}))
            await eventually(lambda: active(target))
            waiting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await waiting
        assert await seconds_until_quiet(target) < CANCEL_SECONDS

        async def closed() -> bool:
            return await outcomes(client) == ["cancelled"]

        await eventually(closed, seconds=5)
        assert (await client.post(f"{PATH}/{connection_id}/queries", json={"sql": "SELECT 1"})).status_code == 200


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
async def test_a_client_that_leaves_ends_its_export(
    database_url: str, tmp_path: Path, databases: Databases, kind: str
) -> None:
    async with world(database_url, tmp_path, databases) as (api, client, target, connection_id):
        async with api.client() as leaver:
            leaver.cookies = client.cookies
            body = {"sql": ENDLESS if kind == "xlsx" else LINES, "format": kind}

            async def read() -> None:
                async with leaver.stream("POST", f"{PATH}/{connection_id}/queries/export", json=body) as answer:
                    async for _ in answer.aiter_raw(1024):
                        await asyncio.Event().wait()

            waiting = asyncio.create_task(read())
            await eventually(lambda: active(target))
            waiting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await waiting
        assert await seconds_until_quiet(target) < CANCEL_SECONDS

        async def closed() -> bool:
            return await outcomes(client) == ["cancelled"]

        await eventually(closed, seconds=5)


async def test_the_deadline_ends_a_statement(database_url: str, tmp_path: Path, databases: Databases) -> None:
    async with world(database_url, tmp_path, databases, KS_SQL_TIMEOUT_SECONDS="1") as (_, client, target, made):
        answer = await client.post(f"{PATH}/{made}/queries", json={"sql": ENDLESS})
        assert (answer.status_code, answer.json()["code"]) == (422, "sql_timeout")
        assert await seconds_until_quiet(target) < CANCEL_SECONDS
        assert await outcomes(client) == ["timeout"]


async def test_a_process_that_is_told_to_end_ends_its_statements(
    database_url: str, tmp_path: Path, databases: Databases
) -> None:
    async with world(database_url, tmp_path, databases) as (api, client, target, connection_id):
        asking = asyncio.create_task(client.post(f"{PATH}/{connection_id}/queries", json={"sql": ENDLESS}))
        await eventually(lambda: active(target))
        for process in (*api.process.children(recursive=True), api.process):
            process.terminate()
        assert await seconds_until_quiet(target) < CANCEL_SECONDS
        answer = await asking
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


async def test_a_killed_process_leaves_no_statement(database_url: str, tmp_path: Path, databases: Databases) -> None:
    async with world(database_url, tmp_path, databases) as (api, client, target, connection_id):
        asking = asyncio.create_task(client.post(f"{PATH}/{connection_id}/queries", json={"sql": ENDLESS}))
        await eventually(lambda: active(target))
        for process in (*api.process.children(recursive=True), api.process):
            process.kill()
        # Nobody is left to cancel it: the target itself looks each second whether its client is there.
        assert await seconds_until_quiet(target) < CANCEL_SECONDS
        with contextlib.suppress(httpx.TransportError):
            await asking


async def test_long_results_do_not_fill_the_memory(database_url: str, tmp_path: Path, databases: Databases) -> None:
    async with world(database_url, tmp_path, databases) as (api, client, _, made):
        small = {"sql": "SELECT id FROM customers"}
        for body in (small, small | {"format": "csv"}, small | {"format": "xlsx"}):
            where = "export" if "format" in body else ""
            assert (await client.post(f"{PATH}/{made}/queries/{where}".rstrip("/"), json=body)).status_code == 200
        before = api.resident()
        peaks = [before]

        async def watch() -> None:
            while True:
                peaks.append(api.resident())
                await asyncio.sleep(0.02)

        watching = asyncio.create_task(watch())
        answer = await client.post(f"{PATH}/{made}/queries", json={"sql": WIDE})
        assert answer.json()["truncated"]
        for kind in ("csv", "xlsx"):
            body = {"sql": LINES, "format": kind}
            async with client.stream("POST", f"{PATH}/{made}/queries/export", json=body) as export:
                assert export.status_code == 200
                read = 0
                async for piece in export.aiter_raw():
                    read += len(piece)
            assert read > (40_000_000 if kind == "csv" else 100_000)
        watching.cancel()
        assert max(peaks) - before < GROWTH_BYTES, f"grew by {(max(peaks) - before) / 1e6:.0f} MB"
