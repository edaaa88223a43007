from collections.abc import Generator

import pytest

from tests.support.database import Databases
from tests.support.quillmoor import Quillmoor, quillmoor_on


@pytest.fixture(scope="session")
def quillmoor(databases: Databases) -> Generator[Quillmoor]:
    with quillmoor_on(databases.server_url) as made:
        yield made
