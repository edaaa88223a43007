"""Whether this installation can answer: database, migrations and a worker seen lately."""

import asyncpg

from knowledgestack.app.migrations import current_revision, expected_revision
from knowledgestack.core.errors import Unavailable
from knowledgestack.db.engine import Database
from knowledgestack.jobs.heartbeat import worker_seen_lately


class Readiness:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def check(self) -> None:
        """Raise `Unavailable` naming the first part that is not ready."""
        try:
            revision = await current_revision(self._database.dsn)
        except (OSError, asyncpg.PostgresError) as error:
            raise Unavailable("The database does not answer.") from error
        if revision != expected_revision():
            raise Unavailable("The database is being brought up to date.")
        async with self._database.transaction() as tx:
            if not await worker_seen_lately(tx):
                raise Unavailable("No worker was seen in the last 30 seconds. Documents wait until one runs.")
