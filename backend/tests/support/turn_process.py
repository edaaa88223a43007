"""A process that answers one turn and never comes to an end, so that a test can kill it."""

import asyncio
import json
import sys
from typing import Any
from uuid import UUID

from knowledgestack.core.identity import Actor, Role
from knowledgestack.core.ids import new_id
from knowledgestack.db.engine import Database
from knowledgestack.models.chat import TextDelta
from tests.support.chat import ChatWorld
from tests.support.frames import read_until
from tests.support.scripted_model import ScriptedModel


async def main(database_url: str, user_id: UUID, workspace_id: UUID, chat_id: UUID) -> None:
    actor = Actor(
        user_id=user_id, session_id=new_id(), instance_owner=False, workspace_id=workspace_id, role=Role.OWNER
    )
    unused: Any = None
    world = ChatWorld(Database(database_url), unused, unused, actor, chat_id, chat_id)
    async with world.process(ScriptedModel([TextDelta("One"), 600.0])) as process:
        stream = await process.start(actor, chat_id)
        frames = await read_until(stream, "delta")
        sys.stdout.write(frames[0]["turnId"] + "\n")
        sys.stdout.flush()
        async for _ in stream:
            pass


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], *map(UUID, json.loads(sys.argv[2]))))
