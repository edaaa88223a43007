"""The installation at rest and its guarded route: memory of each process, CPU of GET /api/auth/session.

Memory is the proportional set size (PSS) where the kernel tells it, so that pages which processes share count once.
CPU counts the processes of the API alone; each request reads session, membership and role by one statement. Requests
come over 32 connections at once, as in the reference that the goal was taken from.
"""

import asyncio
import json
import os
import signal
import statistics
import tempfile
from pathlib import Path
from typing import Any

import httpx
import psutil

from knowledgestack.app.postgres import EmbeddedPostgres
from tests.support.local_profile import LocalProfile, local_environ

RESULT = Path(__file__).parent / "results" / "api.json"
CONNECTIONS = 32
REQUESTS = 3_200
ROUNDS = 5
GOALS = {"session_route_cpu_microseconds": 450, "api_megabytes": 250, "stack_megabytes": 1_200}


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="ks-bench-") as folder:
        data_dir = Path(folder)
        profile = LocalProfile(local_environ(data_dir))
        try:
            result = _measure(profile.wait_for_link(), profile.process.pid)
        finally:
            profile.end(signal.SIGINT)
            EmbeddedPostgres(data_dir).remove()
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


def _measure(link: str, supervisor: int) -> dict[str, Any]:
    origin, _, token = link.partition("/enter#")
    with httpx.Client(base_url=origin, headers={"Origin": origin}, trust_env=False) as client:
        client.post("/api/auth/enter", json={"token": token}).raise_for_status()
        memory = _memory(supervisor)
        api = _family(supervisor, "api")
        cookies = dict(client.cookies)
        rounds = [asyncio.run(_session_route(origin, cookies, api)) for _ in range(ROUNDS)]
    figures = {
        "session_route_cpu_microseconds": round(statistics.median(rounds)),
        "api_megabytes": memory["api"],
        "stack_megabytes": sum(memory.values()),
    }
    return {
        "figures": figures,
        "spread": {"session_route_cpu_microseconds": [round(min(rounds)), round(max(rounds))]},
        "megabytes_by_process": memory,
        "goals": GOALS,
        "met": {name: figures[name] <= goal for name, goal in GOALS.items()},
        "load_average": os.getloadavg(),
    }


async def _session_route(origin: str, cookies: dict[str, str], api: list[psutil.Process]) -> float:
    """CPU microseconds of the API for one request."""
    async with httpx.AsyncClient(base_url=origin, cookies=cookies, trust_env=False) as client:

        async def ask(count: int) -> None:
            for _ in range(count):
                (await client.get("/api/auth/session")).raise_for_status()

        await asyncio.gather(*(ask(2) for _ in range(CONNECTIONS)))
        before = _cpu_seconds(api)
        await asyncio.gather(*(ask(REQUESTS // CONNECTIONS) for _ in range(CONNECTIONS)))
        await asyncio.sleep(0.2)  # what runs behind the last answer is counted too
    return (_cpu_seconds(api) - before) / REQUESTS * 1e6


def _cpu_seconds(processes: list[psutil.Process]) -> float:
    return sum(sum(process.cpu_times()[:2]) for process in processes)


def _memory(supervisor: int) -> dict[str, int]:
    """Megabytes of each part of the installation, at rest."""
    cluster = str((Path(psutil.Process(supervisor).environ()["KS_DATA_DIR"]) / "postgres").resolve())
    parts = {
        "supervisor": [psutil.Process(supervisor)],
        "api": _family(supervisor, "api"),
        "worker": _family(supervisor, "worker"),
        "postgres": [process for process in psutil.process_iter() if _is_ours(process, cluster)],
    }
    return {name: round(sum(map(_bytes, processes)) / 1e6) for name, processes in parts.items()}


def _family(supervisor: int, verb: str) -> list[psutil.Process]:
    for child in psutil.Process(supervisor).children():
        if child.cmdline()[-1:] == [verb]:
            return [child, *child.children(recursive=True)]
    raise RuntimeError(f"the supervisor runs no {verb}")


def _is_ours(process: psutil.Process, cluster: str) -> bool:
    """Whether it is the server of this cluster or one of its processes."""
    try:
        lines = [process.cmdline(), *(parent.cmdline() for parent in process.parents())]
    except psutil.Error:
        return False
    return any(line and line[0].endswith("postgres") and cluster in line for line in lines)


def _bytes(process: psutil.Process) -> int:
    try:
        full = process.memory_full_info()
        return getattr(full, "pss", 0) or full.rss
    except psutil.Error:
        return 0


if __name__ == "__main__":
    main()
