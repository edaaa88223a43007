"""What the worker does for sources."""

from knowledgestack.core.errors import NotFound
from knowledgestack.db.engine import Database
from knowledgestack.jobs.port import JobHandler
from knowledgestack.sources._repository import InstanceSources
from knowledgestack.sources.passes import DeleteOriginals, Passes, RequestSync, SyncSource
from knowledgestack.sources.sync import SyncRunner
from knowledgestack.storage.objects import ObjectStore


class SourceJobs:
    """The handlers of this package's jobs."""

    def __init__(self, database: Database, store: ObjectStore, passes: Passes, runner: SyncRunner) -> None:
        self._database = database
        self._store = store
        self._passes = passes
        self._runner = runner

    def handlers(self) -> tuple[JobHandler, ...]:
        return (
            JobHandler(SyncSource, self._runner.run),
            JobHandler(RequestSync, self._request_sync),
            JobHandler(DeleteOriginals, self._delete_originals),
        )

    async def recover(self) -> None:
        """Called as a worker starts: a pass whose job was lost gets one again."""
        async with self._database.transaction() as tx:
            for workspace_id, pass_id in await InstanceSources(tx).active_passes():
                await self._passes.enqueue(tx, workspace_id, pass_id)

    async def _request_sync(self, job: RequestSync) -> None:
        async with self._database.transaction() as tx:
            try:
                await self._passes.request(tx, job.workspace_id, job.source_id)
            except NotFound:  # the source was deleted meanwhile: nothing is left to read
                return

    async def _delete_originals(self, job: DeleteOriginals) -> None:
        await self._store.delete(job.keys)
