"""The two ways in which PgQueuer's statements reach the database: inside a transaction of ours, or in the worker."""

import asyncio
from collections.abc import Callable
from typing import Any, Self

import asyncpg
from pgqueuer.core.tm import TaskManager
from pgqueuer.ports.driver import NotifyCallback

from knowledgestack.db.engine import Transaction


class _Driver:
    def __init__(self) -> None:
        self._shutdown = asyncio.Event()
        self._tasks = TaskManager()

    @property
    def shutdown(self) -> asyncio.Event:
        return self._shutdown

    @property
    def tm(self) -> TaskManager:
        return self._tasks

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None: ...


class TransactionDriver(_Driver):
    """Runs statements through SQLAlchemy's connection.

    SQLAlchemy sends BEGIN lazily: a statement on the raw connection that came first would be committed at once.
    """

    def __init__(self, tx: Transaction) -> None:
        super().__init__()
        self._tx = tx

    async def fetch(self, query: str, *args: object) -> list[dict[str, object]]:
        result = await self._tx.exec_driver_sql(query, args)
        return [dict(row) for row in result.mappings()]

    async def execute(self, query: str, *args: object) -> str:
        await self._tx.exec_driver_sql(query, args)
        return ""

    async def notify(self, channel: str, payload: str) -> None:
        await self._tx.exec_driver_sql("SELECT pg_notify($1, $2)", (channel, payload))

    async def add_listener(self, channel: str, callback: NotifyCallback) -> None:
        raise NotImplementedError("a transaction does not listen")


class WorkerDriver(_Driver):
    """Statements over a small pool, notifications over one connection of their own.

    `on_lost` is called when PostgreSQL goes away, so that the runner can begin again with new connections.
    """

    def __init__(self, dsn: str, on_lost: Callable[[], None]) -> None:
        super().__init__()
        self._dsn = dsn
        self._on_lost = on_lost
        self._pool: asyncpg.Pool[Any] | None = None
        self._listening: asyncpg.Connection[Any] | None = None

    async def open(self) -> None:
        """Raise OSError or asyncpg's errors where PostgreSQL does not answer."""
        self._pool = await asyncpg.create_pool(self._dsn, min_size=1, max_size=3, timeout=5, command_timeout=30)
        self._listening = await asyncpg.connect(self._dsn, timeout=5)
        self._listening.add_termination_listener(lambda _: self._on_lost())

    async def close(self) -> None:
        if self._listening is not None and not self._listening.is_closed():
            self._listening.terminate()
        if self._pool is not None:
            self._pool.terminate()

    async def fetch(self, query: str, *args: object) -> list[dict[str, object]]:
        try:
            return [dict(row) for row in await self._connected().fetch(query, *args)]
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            self._on_lost()
            raise

    async def execute(self, query: str, *args: object) -> str:
        return await self._connected().execute(query, *args)

    async def notify(self, channel: str, payload: str) -> None:
        await self._connected().execute("SELECT pg_notify($1, $2)", channel, payload)

    async def add_listener(self, channel: str, callback: NotifyCallback) -> None:
        def relay(_connection: Any, _pid: Any, _channel: Any, payload: Any) -> None:
            callback(payload)

        if self._listening is None:
            raise RuntimeError("the driver is not open")
        await self._listening.add_listener(channel, relay)

    def _connected(self) -> "asyncpg.Pool[Any]":
        if self._pool is None:
            raise RuntimeError("the driver is not open")
        return self._pool
