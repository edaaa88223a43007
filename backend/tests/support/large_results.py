"""A chat whose turns have read large results, put straight into the database."""

from uuid import UUID

import msgspec
import sqlalchemy as sa

from knowledgestack.chat.contracts import QueryRows
from knowledgestack.databases.contracts import QueryColumn
from tests.support.chat import ChatWorld
from tests.support.labelled_figures import REGIONS

# The cells are hashes, which do not become small where the database packs them.
_ADD = """
INSERT INTO turns (id, workspace_id, chat_id, user_id, parent_turn_id, turn_index, question, model_id, state, parts,
                   query_results, last_seq)
SELECT CAST(lpad(to_hex(place + 1), 32, '0') AS uuid), CAST(:workspace_id AS uuid), CAST(:chat_id AS uuid),
       CAST(:user_id AS uuid), CASE WHEN place > 0 THEN CAST(lpad(to_hex(place), 32, '0') AS uuid) END, place,
       'Question ' || place, 'scripted', 'done', jsonb_build_array('Answer ' || place),
       (SELECT jsonb_agg(CAST(:result AS jsonb) || jsonb_build_object(
            'mark', 'Q' || result, 'sql', 'SELECT ' || place || ' + ' || result, 'rowCount', CAST(:rows AS integer),
            'rows', (SELECT jsonb_agg(jsonb_build_array(repeat('x', 68) || md5(place || ' ' || result || ' ' || row)))
                     FROM generate_series(1, CAST(:rows AS integer)) AS row)) ORDER BY result)
        FROM generate_series(1, CAST(:results AS integer)) AS result), 9
FROM generate_series(0, CAST(:turns AS integer) - 1) AS place
"""
_RESULT = QueryRows(
    mark="",
    step_id="step-1",
    title="Orders",
    database_connection_id=UUID(int=0),
    database="Warehouse",
    sql="",
    columns=[QueryColumn(name="hash", type="text")],
    rows=[],
    row_count=0,
    truncated=False,
    truncated_reason=None,
    duration_ms=1,
    receipt=REGIONS.receipt,
)


def turn_id_at(place: int) -> UUID:
    """The id of the turn at a place of the chat, counted from 0."""
    return UUID(int=place + 1)


async def add_large_turns(world: ChatWorld, chat_id: UUID, *, turns: int, results: int = 1, rows: int = 10_000) -> None:
    """Each row is about 100 bytes of a result, so that a result of 10,000 rows is about 1 MB."""
    who = {"workspace_id": world.actor.workspace_id, "chat_id": chat_id, "user_id": world.actor.user_id}
    async with world.database.transaction() as tx:
        await tx.execute(
            sa.text(_ADD),
            {**who, "result": msgspec.json.encode(_RESULT).decode(), "turns": turns, "results": results, "rows": rows},
        )
        await tx.execute(
            sa.text("UPDATE chats SET shown_turn_id = :shown, title = 'Large' WHERE id = :chat_id"),
            {"shown": turn_id_at(turns - 1), "chat_id": chat_id},
        )
