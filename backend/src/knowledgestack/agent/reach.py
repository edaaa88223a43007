"""How far the tools of one turn reach; chat counts it, the tools are built from it."""

from typing import Literal
from uuid import UUID

import msgspec


class TurnReach(msgspec.Struct, frozen=True, kw_only=True):
    """What a turn's tools are built for.

    `source_count` and `database_count` count what the scope of the question lets them look at, `document_count` is 0
    where all documents of the sources are searched. `gated` is false for an answerer that judges each sentence itself.
    `chat_id` and `turn_id` say for whom statements are run.
    """

    language: Literal["en", "it"]
    source_count: int
    document_count: int = 0
    database_count: int = 0
    gated: bool = True
    chat_id: UUID | None = None
    turn_id: UUID | None = None
