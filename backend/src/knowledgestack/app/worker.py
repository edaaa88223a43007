"""The worker process: runs jobs and embeds for the API, which never loads the local model itself."""

import asyncio
import contextlib
import copy
import signal
from functools import partial
from uuid import UUID

import structlog
from granian.constants import Interfaces
from granian.server.embed import Server

from knowledgestack.app.container import build_container
from knowledgestack.app.migrations import wait_for_revision
from knowledgestack.core.config import Settings
from knowledgestack.core.crypto import KeyRing
from knowledgestack.core.ids import new_id
from knowledgestack.jobs.runner import JobRunner
from knowledgestack.models.embedder_server import embedder_app
from knowledgestack.models.embedding import EmbeddingModel
from knowledgestack.models.local_embedding import LocalMiniLM

_log = structlog.get_logger(__name__)

_ADDRESS_RETRY_SECONDS = 5.0


def run_worker(settings: Settings) -> None:
    """Work until SIGTERM or SIGINT; then what runs has a few seconds to end, and what does not waits for the next."""
    asyncio.run(_work(settings))


async def _work(settings: Settings) -> None:
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    ready = asyncio.create_task(wait_for_revision(settings.database_url))
    if not await _unless_stopped(ready, stop):
        return
    model = await _loaded_model()
    container = build_container(settings, partial(_under_id, model))
    serving = asyncio.create_task(_serve_embedder(settings, model))
    try:
        await container.source_jobs.recover()
        await JobRunner(container.database, container.job_handlers(), container.job_schedules()).run(stop)
    finally:
        serving.cancel()
        await asyncio.wait({serving})
        await container.close()


async def _loaded_model() -> LocalMiniLM:
    """Loaded before anybody asks: the first question does not wait for it, and its copies share what is loaded."""
    model = LocalMiniLM(new_id())
    await model.embed(["ready"])
    return model


def _under_id(model: LocalMiniLM, model_id: UUID) -> LocalMiniLM:
    """The one loaded model, under the id of a row."""
    twin = copy.copy(model)
    twin.id = model_id
    return twin


async def _serve_embedder(settings: Settings, model: EmbeddingModel) -> None:
    """Answer at the embedder's address. Where another worker of this machine has it, wait to take its place."""
    keys = KeyRing(settings.encryption_key, settings.previous_encryption_keys)
    app = embedder_app(model, keys.derive("embedder"))
    host, _, port = settings.embedder_address.rpartition(":")
    while True:
        server = Server(
            app, address=host, port=int(port), interface=Interfaces.ASGINL, log_enabled=False, websockets=False
        )
        try:
            await server.serve()
        except asyncio.CancelledError:
            server.stop()
            raise
        except (RuntimeError, OSError) as error:
            _log.warning("embedder_address_taken", address=settings.embedder_address, error=str(error).split("\n")[0])
        await asyncio.sleep(_ADDRESS_RETRY_SECONDS)


async def _unless_stopped(task: "asyncio.Task[None]", stop: asyncio.Event) -> bool:
    """Wait for the task; False where the process was told to stop first."""
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if task.done():
        task.result()
        return True
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    return False
