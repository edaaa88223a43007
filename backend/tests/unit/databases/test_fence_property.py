"""Random text never reaches the server unless the grammar says that it is one SELECT."""

from collections.abc import Mapping
from typing import Any

import pgparse
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from knowledgestack.core.errors import AppError, Unavailable
from knowledgestack.databases.runner import StatementRunner
from knowledgestack.databases.targets import Target
from tests.support.sql_target import target_for
from tests.unit.databases.test_grammar import TOKENS

TARGET = target_for("postgresql://reader@127.0.0.1:1/none")


class Reached(Exception):
    """The runner asked for a connection."""


def is_one_select(sql: str) -> bool:
    """The grammar's own word, asked without our code."""
    if "\0" in sql:
        return False
    try:
        statements = pgparse.parse(sql)
    except (pgparse.PGQueryError, RecursionError):
        return False
    return len(statements) == 1 and set(statements[0]["stmt"]) == {"SelectStmt"}


@given(st.lists(TOKENS, max_size=25).map(" ".join))
@example("SELECT 1")
@example("SELECT 1; DROP TABLE x")
async def test_random_text_reaches_the_server_only_as_one_select(sql: str) -> None:
    async def connect(target: Target, settings: Mapping[str, str]) -> Any:
        del target, settings
        raise Reached

    runner = StatementRunner(connect, seconds=1)
    reached = False
    try:
        await runner.run(TARGET, sql)
    except Reached:
        reached = True
    except AppError:
        pass
    assert not reached or is_one_select(sql)


async def test_a_target_that_does_not_open_is_said_to_be_unavailable() -> None:
    async def connect(target: Target, settings: Mapping[str, str]) -> Any:
        del target, settings
        message = "It does not answer."
        raise Unavailable(message)

    with pytest.raises(Unavailable):
        await StatementRunner(connect, seconds=1).run(TARGET, "SELECT 1")
