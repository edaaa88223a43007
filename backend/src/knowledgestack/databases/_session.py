"""The session in which a statement runs: what it is set to, how its transaction begins, and how it is left behind.

Every text here is our own and fixed; a statement of a person never passes through the simple protocol.
"""

from __future__ import annotations

from collections import OrderedDict
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
from asyncpg.prepared_stmt import PreparedStatement

from knowledgestack.databases._inflow import Inflow

TIME_ZONE = "UTC"
_SEARCH_PATH = "pg_catalog, public, pg_temp"
_KEPT_STATEMENTS = 32
_GRACE_SECONDS = 2
_STALLED_READER_SECONDS = 60

_FIXED = {
    "default_transaction_read_only": "on",
    "standard_conforming_strings": "on",
    "search_path": _SEARCH_PATH,
    "DateStyle": "ISO, MDY",
    "IntervalStyle": "postgres",
    "TimeZone": TIME_ZONE,
    "bytea_output": "hex",
    "extra_float_digits": "1",
    "xmloption": "content",
    "transform_null_equals": "off",
    # A child's CHECK is evaluated by the planner otherwise, whatever it calls.
    "constraint_exclusion": "off",
    "row_security": "on",
    "lock_timeout": "2000",
    "idle_in_transaction_session_timeout": str(_STALLED_READER_SECONDS * 1000),
    "max_parallel_workers_per_gather": "0",
    "work_mem": "16MB",
    "jit": "off",
}

_LOOK = """
SELECT pg_backend_pid(), clock_timestamp(),
       (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()),
       current_setting('default_transaction_read_only'), current_setting('standard_conforming_strings'),
       current_setting('search_path'), current_setting('TimeZone')
"""
# What ROLLBACK does not undo: locks of the session. The settings are reset although it undoes them.
_LEAVE = "ROLLBACK; SELECT pg_catalog.pg_advisory_unlock_all(); RESET ALL"


def startup_settings(seconds: float) -> dict[str, str]:
    """What the connection is opened with."""
    return {**_FIXED, "statement_timeout": str(_milliseconds(seconds)), "application_name": "knowledgestack"}


class Session:
    """One open connection. `direct` is false behind a transaction pooler, which keeps no setting and no statement."""

    def __init__(
        self,
        connection: asyncpg.Connection[Any],
        seconds: float,
        revision: int,
        look: asyncpg.Record,
        guards: frozenset[str],
    ) -> None:
        self.connection = connection
        self.revision = revision
        self.pid: int = look[0]
        self.backend_start: datetime | None = look[2]
        self._clock_ahead: timedelta = look[1] - datetime.now(UTC)
        as_asked = tuple(look)[3:7] == ("on", "on", _SEARCH_PATH, TIME_ZONE)
        self.direct = as_asked and self.pid == connection.get_server_pid()
        self._seconds = seconds
        self._guards = guards
        self.inflow = Inflow.of(connection)
        self._statements: OrderedDict[str, PreparedStatement[Any]] = OrderedDict()

    @classmethod
    async def open(cls, connection: asyncpg.Connection[Any], seconds: float, revision: int) -> Session:
        """Look at where the connection leads. Raises what asyncpg raises."""
        look = await connection.fetchrow(_LOOK)
        assert look is not None
        guards = frozenset([name for name in _guards(seconds) if await _can_set(connection, name, seconds)])
        return cls(connection, seconds, revision, look, guards)

    def server_time(self) -> datetime:
        """The present by the clock of the server."""
        return datetime.now(UTC) + self._clock_ahead

    async def begin(self, seconds: float) -> None:
        """A read-only transaction whose statements may last `seconds`."""
        self.inflow.ease()
        settings = {name: value for name, value in _guards(seconds).items() if name in self._guards}
        if not self.direct:
            settings |= startup_settings(seconds)
        elif seconds != self._seconds:
            settings["statement_timeout"] = str(_milliseconds(seconds))
        local = "".join(f"; SET LOCAL {name} = '{value}'" for name, value in settings.items())
        await self.connection.execute(f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY{_spelled(local)}")

    async def leave(self) -> None:
        """Undo everything: the transaction, locks, cursors and settings."""
        self.inflow.ease()
        await self.connection.execute(_LEAVE)
        if not self.direct:
            self._statements.clear()

    async def prepared(self, sql: str) -> PreparedStatement[Any]:
        """The statement, kept on the connection so that a known text is parsed once."""
        statement = self._statements.get(sql)
        if statement is not None:
            self._statements.move_to_end(sql)
            return statement
        statement = await self.connection.prepare(sql)
        self._statements[sql] = statement
        if len(self._statements) > _KEPT_STATEMENTS:
            self._statements.popitem(last=False)
        return statement


def _guards(seconds: float) -> dict[str, str]:
    """Settings that only some servers, platforms and roles know, so that they cannot be asked for when connecting."""
    return {
        "transaction_timeout": str(_milliseconds(seconds + 2 * _GRACE_SECONDS)),
        "client_connection_check_interval": "1000",
        "temp_file_limit": "1GB",
    }


async def _can_set(connection: asyncpg.Connection[Any], name: str, seconds: float) -> bool:
    try:
        await connection.execute(f"BEGIN; SET LOCAL {name} = '{_guards(seconds)[name]}'; ROLLBACK")
    except asyncpg.PostgresError:
        await connection.execute("ROLLBACK")
        return False
    return True


def _spelled(local: str) -> str:
    # A list of schemas is a list, not one quoted name.
    return local.replace(f"'{_SEARCH_PATH}'", _SEARCH_PATH)


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))
