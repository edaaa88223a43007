"""Fixtures of every test. A test asks for `database_url` and gets a migrated database of its own."""

from collections.abc import Generator

import pytest
from hypothesis import settings

from tests.support.database import Databases, postgres_server, run

# A busy machine is slow, not wrong: the time of one example says nothing.
settings.register_profile("knowledgestack", deadline=None)
settings.load_profile("knowledgestack")


@pytest.fixture(scope="session")
def databases() -> Generator[Databases]:
    with postgres_server() as server_url:
        made = Databases(server_url)
        run(made.prepare())
        yield made
        run(made.close())


@pytest.fixture
def database_url(databases: Databases) -> Generator[str]:
    url = run(databases.clone())
    yield url
    run(databases.drop(url))
