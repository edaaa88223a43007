"""Whether this process runs, and whether all that it needs is ready."""

from litestar import Controller, get
from litestar.di import NamedDependency

from knowledgestack.app.readiness import Readiness
from knowledgestack.auth.guard import PUBLIC
from knowledgestack.core.contract import StatusOk


class HealthController(Controller):
    path = "/api/health"
    tags = ("health",)

    @get(opt=PUBLIC, operation_id="readHealth", sync_to_thread=False)
    def read_health(self) -> StatusOk:
        return StatusOk()

    @get("/ready", opt=PUBLIC, operation_id="readReadiness")
    async def read_readiness(self, readiness: NamedDependency[Readiness]) -> StatusOk:
        await readiness.check()
        return StatusOk()
