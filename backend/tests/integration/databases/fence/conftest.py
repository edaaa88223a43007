"""The fence on each server that is here, as an ordinary role and as a superuser."""

from collections.abc import AsyncGenerator, Generator

import pytest

from tests.support.database import postgres_server, run
from tests.support.sql_target import POSTGRES_15, Fence, SqlTarget, postgres_15


@pytest.fixture(scope="session", params=["own", "15"])
def sql_target(request: pytest.FixtureRequest) -> Generator[SqlTarget]:
    if request.param == "15" and not POSTGRES_15.exists():
        pytest.skip("PostgreSQL 15 is not installed here.")
    with postgres_15() if request.param == "15" else postgres_server() as server_url:
        target = SqlTarget(server_url)
        run(target.make())
        yield target
        run(target.drop())


@pytest.fixture(params=["ordinary", "superuser"])
async def fence(request: pytest.FixtureRequest, sql_target: SqlTarget) -> AsyncGenerator[Fence]:
    made = Fence(sql_target, superuser=request.param == "superuser")
    yield made
    await made.runner.close()


@pytest.fixture
async def ordinary(sql_target: SqlTarget) -> AsyncGenerator[Fence]:
    made = Fence(sql_target, superuser=False)
    yield made
    await made.runner.close()
