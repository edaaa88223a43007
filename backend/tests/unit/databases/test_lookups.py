"""Statements that are checked at once share what is known of the target, and none passes on what is not known yet."""

import asyncio
from typing import Any

import pytest

from knowledgestack.databases._catalogue_sql import CODE, FUNCTIONS_BY_NAME
from knowledgestack.databases._grammar import parse
from knowledgestack.databases._lookups import TargetFacts
from knowledgestack.databases.errors import SqlRejected

_LOCK = (2880, "pg_catalog", "pg_advisory_lock", "v", False, "internal", "f", 1, 0, False, False, None, [], None, None)
_WRITES = (20001, "public", "writes", "v", False, "plpgsql", "f", 2, 0, False, False, None, [], None, None)
_CALL = parse("SELECT pg_advisory_lock(7)")
_OPERATOR = parse("SELECT 1 <~~> 2")


class _Server:
    """Answers the look-ups of the fence; the gated one stays on its way until the gate opens."""

    def __init__(self, gated: str) -> None:
        self._gated = gated
        self.asked = asyncio.Event()
        self.gate = asyncio.Event()

    async def fetch(self, sql: str, *_: object) -> list[Any]:
        if sql == self._gated:
            self.asked.set()
            await self.gate.wait()
        if sql == FUNCTIONS_BY_NAME:
            return [_LOCK]
        if sql == CODE:
            return [("operator", "public", "<~~>", 20001, None)]
        return [_WRITES] if "p.oid = ANY" in sql else []


_GATED = [pytest.param(FUNCTIONS_BY_NAME, _CALL, id="function"), pytest.param(CODE, _OPERATOR, id="operator")]


@pytest.mark.parametrize(("gated", "statement"), _GATED)
async def test_two_checks_at_once_both_refuse(gated: str, statement: Any) -> None:
    server: Any = _Server(gated)
    known = TargetFacts()
    first = asyncio.create_task(known.check(server, statement))
    await server.asked.wait()
    second = asyncio.create_task(known.check(server, statement))
    for _ in range(5):
        await asyncio.sleep(0)
    server.gate.set()
    ended = await asyncio.gather(first, second, return_exceptions=True)
    assert [type(one) for one in ended] == [SqlRejected, SqlRejected]


@pytest.mark.parametrize(("gated", "statement"), _GATED)
async def test_a_check_that_was_cancelled_leaves_nothing_behind_that_lets_the_next_pass(
    gated: str, statement: Any
) -> None:
    server: Any = _Server(gated)
    known = TargetFacts()
    first = asyncio.create_task(known.check(server, statement))
    await server.asked.wait()
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    server.gate.set()
    for _ in range(3):
        with pytest.raises(SqlRejected):
            await known.check(server, statement)
