"""How many databases of a workspace are tried at once."""

import asyncio
from collections.abc import Mapping
from typing import Any, cast
from uuid import UUID, uuid4

import pytest

from knowledgestack.core.errors import RateLimited, Unavailable
from knowledgestack.databases._probing import Prober
from knowledgestack.databases.connecting import DatabaseOpener
from knowledgestack.databases.targets import Target
from tests.support.waiting import eventually


class GatedOpener:
    """Opens nothing: each try waits for the gate and then finds nobody."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.waiting = 0

    async def has(self, tries: int) -> bool:
        return self.waiting == tries

    async def open(self, target: Target, settings: Mapping[str, str], *, any_role: bool = False) -> Any:
        self.waiting += 1
        await self.gate.wait()
        raise Unavailable("nobody")


def target(workspace_id: UUID) -> Target:
    return Target(
        workspace_id=workspace_id,
        connection_id=uuid4(),
        revision=0,
        name="Warehouse",
        host="db.example",
        port=5432,
        database="wms",
        username="reader",
        sealed_password=b"",
        tls="verify",
        ca_certificate=None,
        denied_columns=frozenset(),
    )


async def test_a_fifth_database_of_a_workspace_waits_for_none_of_the_four_that_are_tried() -> None:
    opener = GatedOpener()
    prober = Prober(cast("DatabaseOpener", opener))
    crowded, other = uuid4(), uuid4()
    tries = [asyncio.create_task(prober.probe(target(crowded))) for _ in range(4)]
    await eventually(lambda: opener.has(4))
    with pytest.raises(RateLimited) as refusal:
        await prober.probe(target(crowded))
    assert refusal.value.retry_after == 10
    tries.append(asyncio.create_task(prober.probe(target(other))))
    await eventually(lambda: opener.has(5))
    opener.gate.set()
    assert [type(one) for one in await asyncio.gather(*tries, return_exceptions=True)] == [Unavailable] * 5
    with pytest.raises(Unavailable):
        await prober.probe(target(crowded))
