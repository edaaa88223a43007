"""The session alone, without grammar and look-ups: what the server itself refuses in it, and what is undone."""

import contextlib
from typing import Any

import asyncpg
import pytest

from knowledgestack.databases._pool import Pool
from knowledgestack.databases.errors import SqlTimeout
from tests.support.sql_target import Fence, SqlTarget


def pool_of(fence: Fence) -> Pool:
    return fence.runner._pool  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO shop.written VALUES ('x')",
        "DELETE FROM shop.orders",
        "CREATE TABLE made (a int)",
        "CREATE TEMP TABLE made (a int)",
        "SELECT * FROM shop.written FOR UPDATE",
        "SELECT public.write_row()",
        "COMMIT; BEGIN READ WRITE; INSERT INTO shop.written VALUES ('x')",
        "SET TRANSACTION READ WRITE; INSERT INTO shop.written VALUES ('x')",
        "SELECT 1; SELECT 2",
    ],
)
async def test_the_session_alone_writes_nothing(fence: Fence, sql: str) -> None:
    with pytest.raises(
        (asyncpg.ReadOnlySQLTransactionError, asyncpg.PostgresSyntaxError, asyncpg.InsufficientPrivilegeError)
    ):
        async with pool_of(fence).lease(fence.target, 2) as lease:
            await (await lease.session.prepared(sql)).fetch()
    assert await fence.left_behind() == []


async def test_whatever_a_statement_could_set_or_take_is_undone(fence: Fence) -> None:
    async with pool_of(fence).lease(fence.target, 2) as lease:
        before = await _settings(lease.session.connection)
    async with pool_of(fence).lease(fence.target, 2) as lease:
        connection = lease.session.connection
        await connection.fetch(
            "SELECT set_config(name, setting, false) FROM (VALUES ('work_mem', '1GB'),"
            " ('statement_timeout', '0'), ('default_transaction_read_only', 'off'), ('search_path', 'shop'),"
            " ('standard_conforming_strings', 'off'), ('TimeZone', 'Asia/Tokyo')) AS wanted(name, setting)"
        )
        await connection.fetch("SELECT pg_advisory_lock(1), pg_try_advisory_lock_shared(2)")
        await connection.fetch("SELECT pg_advisory_xact_lock(3)")
        await (await connection.prepare("LISTEN something")).fetch()
    assert await fence.left_behind() == []
    async with pool_of(fence).lease(fence.target, 2) as lease:
        assert await _settings(lease.session.connection) == before
        assert await lease.session.connection.fetch("SELECT * FROM pg_listening_channels()") == []
    assert len(fence.opened) == 1


async def test_a_large_object_made_in_a_read_only_transaction_is_rolled_back(fence: Fence) -> None:
    async with pool_of(fence).lease(fence.target, 2) as lease:
        # From PostgreSQL 16 on the server refuses it.
        with contextlib.suppress(asyncpg.PostgresError):
            await lease.session.connection.fetch("SELECT lo_create(0)")
    assert await fence.left_behind() == []


async def test_the_session_begins_as_the_statement_needs_it(fence: Fence) -> None:
    async with fence.runner.read_only(fence.target) as connection:
        found = dict(
            await connection.fetch(
                "SELECT name, setting FROM pg_settings WHERE name = ANY($1)",
                [
                    "transaction_read_only",
                    "default_transaction_read_only",
                    "transaction_isolation",
                    "standard_conforming_strings",
                    "statement_timeout",
                    "client_encoding",
                    "TimeZone",
                    "max_parallel_workers_per_gather",
                ],
            )
        )
    assert found == {
        "transaction_read_only": "on",
        "default_transaction_read_only": "on",
        "transaction_isolation": "repeatable read",
        "standard_conforming_strings": "on",
        "statement_timeout": "3000",
        "client_encoding": "UTF8",
        "TimeZone": "UTC",
        "max_parallel_workers_per_gather": "0",
    }


async def test_behind_a_pooler_that_ignores_what_was_asked_for_the_session_is_the_same(sql_target: SqlTarget) -> None:
    fence = Fence(sql_target, superuser=False, seconds=2, ignore_settings=True)
    async with pool_of(fence).lease(fence.target, 2) as lease:
        assert not lease.session.direct
        assert await lease.session.connection.fetchrow(
            "SELECT current_setting('statement_timeout'), current_setting('TimeZone'), current_setting('search_path'),"
            " current_setting('transaction_read_only'), current_setting('standard_conforming_strings')"
        ) == ("2s", "UTC", "pg_catalog, public, pg_temp", "on", "on")
    assert (await fence.runner.run(fence.target, r"SELECT 'a\', 'b'")).rows == [["a\\", "b"]]
    with pytest.raises(SqlTimeout):
        await fence.runner.run(fence.target, "SELECT count(*) FROM generate_series(1, 1000000000)")
    await fence.runner.close()


async def test_our_own_statements_have_the_deadline_too(ordinary: Fence) -> None:
    with pytest.raises(SqlTimeout):
        async with ordinary.runner.read_only(ordinary.target) as connection:
            await connection.fetch("SELECT pg_sleep(30)")
    assert await ordinary.left_behind() == []


async def test_settings_that_the_server_keeps_for_a_role_do_not_weaken_the_session(ordinary: Fence) -> None:
    role = ordinary.target.username
    for setting in ("standard_conforming_strings = off", "statement_timeout = 0", "search_path = shop, public"):
        await ordinary.value(f'ALTER ROLE "{role}" SET {setting}')
    try:
        answer = await ordinary.runner.run(ordinary.target, r"SELECT 'a\', 'b'")
        assert answer.rows == [["a\\", "b"]]
        with pytest.raises(SqlTimeout):
            await ordinary.runner.run(ordinary.target, "SELECT count(*) FROM generate_series(1, 1000000000)")
    finally:
        await ordinary.value(f'ALTER ROLE "{role}" RESET ALL')


async def _settings(connection: "asyncpg.Connection[Any]") -> list[asyncpg.Record]:
    return await connection.fetch(
        "SELECT name, setting FROM pg_settings WHERE name <> 'transaction_timeout' ORDER BY 1"
    )
