"""All runs of this process: started, stored from time to time, found again, stopped, and swept up after others."""

import asyncio
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any
from uuid import UUID

import structlog

from knowledgestack.chat._closing import SERVER_LOST
from knowledgestack.chat._repository import ProcessRepository
from knowledgestack.chat._task import RunServices, TurnTask
from knowledgestack.chat.runs import TurnRun
from knowledgestack.core.errors import AppError

_log = structlog.get_logger(__name__)

_SAVE_SECONDS = 0.5
_RENEW_SECONDS = 1.0
_WAIT_FOR_EACH_SECOND_OF_SAVING = 3
_SWEEP_SECONDS = 5.0
_CLOSE_SECONDS = 15.0


class TurnRuns:
    """Lives as long as the process. `open` before the first turn, `close` when the process ends."""

    def __init__(self, services: RunServices) -> None:
        self._services = services
        self._runs: dict[UUID, TurnRun] = {}
        self._renewed: dict[UUID, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._housekeeping: list[asyncio.Task[None]] = []
        self._busy = asyncio.Event()
        self._step = asyncio.Event()
        self._closing = False
        self._store_from = 0.0

    async def open(self) -> None:
        """Fail the turns that a dead process left, and keep house until `close`."""
        await self.sweep()
        self._housekeeping = [asyncio.create_task(self._keep_saving()), asyncio.create_task(self._keep_sweeping())]

    def stop(self) -> None:
        """Begin to end every run with an error frame, and let no new one go far: the process is about to end."""
        self._closing = True
        for run in self._runs.values():
            run.stop("server_stopping")

    async def close(self) -> None:
        """End every run with an error frame and free its lease."""
        self.stop()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_CLOSE_SECONDS)
        for task in self._housekeeping:
            task.cancel()
        await asyncio.gather(*self._housekeeping, return_exceptions=True)
        self._housekeeping = []

    def start(self, task: TurnTask) -> TurnRun:
        """Begin to answer; the first frame is there when this returns."""
        run = TurnRun(self._services, task, self._step.set)
        turn_id = task.started.turn_id
        self._runs[turn_id] = run
        self._renewed[turn_id] = time.monotonic()
        self._busy.set()
        self._track(self._drive(turn_id, run))
        if self._closing:
            run.stop("server_stopping")
        return run

    def find(self, turn_id: UUID) -> TurnRun | None:
        """The run of a turn that this process answers now."""
        return self._runs.get(turn_id)

    async def sweep(self) -> None:
        """Fail the turns of processes that are gone; those of live ones have a lease."""
        try:
            async with self._services.database.transaction() as tx:
                failed = await ProcessRepository(tx).fail_stale(*SERVER_LOST, but=list(self._runs))
        except AppError as error:
            _log.warning("sweep_failed", code=error.code)
            return
        for turn_id in failed:
            _log.warning("turn_lost", turn_id=str(turn_id))

    async def save(self) -> None:
        """Store what the runs have added, renew their leases and hear what others ask of them.

        Long answers take long to store: then the leases alone are renewed in between.
        """
        now = time.monotonic()
        rows = self._due(now, store=now >= self._store_from)
        if not rows:
            return
        try:
            async with self._services.database.transaction() as tx:
                answers = await ProcessRepository(tx).save_runs(list(rows.values()))
        except AppError as error:
            _log.warning("runs_not_saved", code=error.code)
            for run in map(self._runs.get, rows):
                if run is not None:
                    run.save_failed()
            return
        self._store_from = max(self._store_from, now + _WAIT_FOR_EACH_SECOND_OF_SAVING * (time.monotonic() - now))
        for turn_id in rows:
            if run := self._runs.get(turn_id):
                self._renewed[turn_id] = now
                self._heed(run, answers.get(turn_id))

    def _due(self, now: float, *, store: bool) -> dict[UUID, dict[str, Any]]:
        """The runs that have something to store or a lease to renew, as rows to save."""
        rows: dict[UUID, dict[str, Any]] = {}
        for turn_id, run in self._runs.items():
            run.log.beat()
            changes = run.unsaved() if store else {}
            if changes or now - self._renewed[turn_id] >= _RENEW_SECONDS:
                rows[turn_id] = {"id": turn_id, "workspace_id": run.task.actor.workspace_id, **changes}
        return rows

    def _heed(self, run: TurnRun, answer: tuple[bool, bool] | None) -> None:
        if answer is None:
            run.stop("row_lost")
            return
        stop_requested, watched = answer
        if stop_requested:
            run.stop("stopped")
        run.end_if_orphaned(watched=watched)

    async def _drive(self, turn_id: UUID, run: TurnRun) -> None:
        try:
            await run.execute()
        finally:
            del self._runs[turn_id]
            del self._renewed[turn_id]
            if not self._runs:
                self._busy.clear()

    async def _keep_saving(self) -> None:
        while True:
            await self._busy.wait()
            with suppress(TimeoutError):
                async with asyncio.timeout(_SAVE_SECONDS):
                    await self._step.wait()
            self._step.clear()
            await _survive(self.save())

    async def _keep_sweeping(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            await _survive(self.sweep())

    def _track(self, work: Coroutine[Any, Any, None]) -> None:
        # The event loop holds tasks weakly: without this a run could vanish.
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _survive(work: Coroutine[Any, Any, None]) -> None:
    """Housekeeping goes on whatever one round of it meets: without it every lease of the process runs out."""
    try:
        await work
    except Exception:  # noqa: BLE001
        _log.exception("housekeeping_failed")
