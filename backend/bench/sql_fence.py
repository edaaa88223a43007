"""The fence against bare asyncpg on the same queries in one run, and what a large result costs.

CPU is that of this process and of the server's backends of this run, which are on the same machine. `known` is the
same text again; `new` is a text that differs each time, so that it is parsed, looked up, described and planned anew.
Bare asyncpg runs the text on one connection with its own cache of prepared statements.
"""

import asyncio
import gc
import itertools
import json
import os
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import psutil
import uvloop

from knowledgestack.databases.runner import StatementRunner
from knowledgestack.databases.targets import Target
from tests.support.database import execute, postgres_server, with_database
from tests.support.sql_target import target_for

RESULT = Path(__file__).parent / "results" / "sql_fence.json"
GOALS = {
    "new_text_cpu_milliseconds": 1.0,
    "known_report_times_bare": 3.0,
    "known_lookup_times_bare": 3.0,
    "thousand_rows_cpu_milliseconds": 4.0,
    "ten_million_rows_milliseconds": 100.0,
    "ten_million_rows_megabytes_grown": 50.0,
}
QUERIES = {
    "lookup": "SELECT id, region, total FROM orders WHERE id = 4711",
    "report": "SELECT region, date_trunc('month', placed) AS month, count(*), sum(total) FROM orders"
    " WHERE placed >= '2026-01-01' GROUP BY 1, 2 ORDER BY 1, 2",
}
THOUSAND = "SELECT * FROM wide LIMIT 1000"
ROUNDS, REPEATS = 7, 200
_NAME = f"ks_bench_{os.getpid()}"
_FILL = """
CREATE TABLE orders AS
SELECT n AS id, 'region ' || n % 7 AS region, n * 1.5 AS total, date '2025-06-01' + n % 400 AS placed
FROM generate_series(1, 20000) n;
CREATE UNIQUE INDEX ON orders (id);
CREATE TABLE wide AS SELECT {columns} FROM generate_series(1, 1000) n;
CREATE TABLE large AS SELECT n AS id, 'name ' || n AS name, n * 1.5 AS amount FROM generate_series(1, 10000000) n;
ANALYZE
"""
_KINDS = ("n", "n * 1.5", "'text ' || n", "date '2026-01-01' + n % 300", "now() + n * interval '1 second'")


class Meter:
    """CPU seconds of this process and of the backends that its connections have."""

    def __init__(self) -> None:
        self.backends: list[int] = []

    def seconds(self) -> tuple[float, float]:
        # The kernel's own nanoseconds: the ticks of psutil are longer than many of these queries together.
        spent = [int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for pid in self.backends]
        return time.process_time(), sum(spent) / 1e9


async def measured(meter: Meter, work: Callable[[int], Awaitable[object]], repeats: int) -> tuple[float, float]:
    """CPU microseconds of one call: of this process, and with the server's."""
    gc.collect()
    client, server = meter.seconds()
    for number in range(repeats):
        await work(number)
    client_after, server_after = meter.seconds()
    own = (client_after - client) / repeats * 1e6
    return own, own + (server_after - server) / repeats * 1e6


async def bench(url: str) -> dict[str, Any]:
    meter, target = Meter(), target_for(url)

    async def connect(target: Target, settings: Mapping[str, str]) -> Any:
        del target
        opened = await asyncpg.connect(url, server_settings=dict(settings), statement_cache_size=0)
        meter.backends.append(opened.get_server_pid())
        return opened

    runner = StatementRunner(connect, seconds=60)
    bare = await asyncpg.connect(url)
    meter.backends.append(bare.get_server_pid())
    fresh = itertools.count()
    rounds: dict[str, list[tuple[float, float]]] = {}
    for _ in range(ROUNDS):
        for name, sql in QUERIES.items():
            kinds: dict[str, Callable[[int], Awaitable[object]]] = {
                "bare": lambda _, sql=sql: bare.fetch(sql),
                "known": lambda _, sql=sql: runner.run(target, sql),
                "new": lambda _, sql=sql: runner.run(target, f"{sql} LIMIT {next(fresh) + 10_000}"),
            }
            for kind, work in kinds.items():
                rounds.setdefault(f"{name}_{kind}", []).append(await measured(meter, work, REPEATS))
        work = lambda _: _to_json(runner, target)  # noqa: E731
        rounds.setdefault("thousand_rows", []).append(await measured(meter, work, 30))
    client = {name: round(statistics.median(own for own, _ in each)) for name, each in rounds.items()}
    whole = {name: round(statistics.median(both for _, both in each)) for name, each in rounds.items()}
    large = await _large(runner, target)
    await runner.close()
    await bare.close()
    return {
        "figures": {
            "new_text_cpu_milliseconds": round(client["lookup_new"] / 1000, 2),
            "known_report_times_bare": round(whole["report_known"] / whole["report_bare"], 2),
            "known_lookup_times_bare": round(whole["lookup_known"] / whole["lookup_bare"], 2),
            "thousand_rows_cpu_milliseconds": round(client["thousand_rows"] / 1000, 2),
            **large,
        },
        "goals": GOALS,
        "client_cpu_microseconds": client,
        "client_and_server_cpu_microseconds": whole,
        "rounds": ROUNDS,
        "load": os.getloadavg(),
    }


async def _to_json(runner: StatementRunner, target: Target) -> bytes:
    answer = await runner.run(target, THOUSAND)
    assert len(answer.rows) == 1000
    return msgspec.json.encode(answer.rows)


async def _large(runner: StatementRunner, target: Target) -> dict[str, float]:
    """A whole SELECT * of ten million rows, each time under a text never seen; memory is the growth of this process."""
    process = psutil.Process()
    before = process.memory_info().rss
    walls: list[float] = []
    for number in range(9):
        began = time.perf_counter()
        answer = await runner.run(target, f"SELECT *, {number} AS attempt FROM large")
        walls.append((time.perf_counter() - began) * 1000)
        assert len(answer.rows) == 1000
        assert answer.truncated_reason == "rows"
    return {
        "ten_million_rows_milliseconds": round(statistics.median(walls), 1),
        "ten_million_rows_megabytes_grown": round((process.memory_info().rss - before) / 1e6, 1),
    }


def main() -> None:
    with postgres_server() as server_url:
        url = with_database(server_url, _NAME)
        columns = ", ".join(f"{_KINDS[number % len(_KINDS)]} AS c{number}" for number in range(20))
        asyncio.run(execute(server_url, f"CREATE DATABASE {_NAME}"))
        try:
            asyncio.run(execute(url, *_FILL.format(columns=columns).split(";\n")))
            result = uvloop.run(bench(url))
        finally:
            asyncio.run(execute(server_url, f"DROP DATABASE {_NAME} WITH (FORCE)"))
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
