"""What the worker does for sources."""

from datetime import timedelta

from knowledgestack.core.errors import NotFound
from knowledgestack.db.engine import Database
from knowledgestack.jobs.port import JobHandler
from knowledgestack.sources._keys import ORIGINALS_FOLDER, workspace_of
from knowledgestack.sources._repository import InstanceSources
from knowledgestack.sources.passes import DeleteOriginals, Passes, RequestSync, SweepOriginals, SyncSource
from knowledgestack.sources.sync import SyncRunner
from knowledgestack.storage.objects import ObjectStore

# An upload writes its bytes first and their row last; one that takes longer than this is no upload any more.
_UPLOAD_IS_OVER_AFTER = timedelta(days=1)


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
            JobHandler(SweepOriginals, self._sweep_originals),
        )

    async def recover(self) -> None:
        """Called as a worker starts: a pass whose job was lost gets one again, bytes without a row are looked for."""
        async with self._database.transaction() as tx:
            await self._passes.sweep_originals(tx)
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

    async def _sweep_originals(self, _: SweepOriginals) -> None:
        async for keys in self._store.list_old(ORIGINALS_FOLDER, _UPLOAD_IS_OVER_AFTER):
            async with self._database.transaction() as tx:
                unknown = await InstanceSources(tx).unknown_keys(list({workspace_of(key) for key in keys}), keys)
            await self._store.delete(unknown)
