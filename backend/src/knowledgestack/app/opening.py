"""Opens an installation whose processes were just started: migrates, fills the demo workspace, prints the link.

The supervisor runs it as a process of its own: what it imports takes 120 MB, which end with it.
"""

import asyncio
import http.client
import sys
import time
from uuid import UUID

import asyncpg

from knowledgestack.app._terminal import print_text, say, step
from knowledgestack.app.container import Container, build_container
from knowledgestack.app.migrations import migrate
from knowledgestack.app.welcome import demo_database, seed_demo, sign_in_link
from knowledgestack.core.config import Settings, load_settings
from knowledgestack.core.errors import AppError, Unavailable
from knowledgestack.core.identity import Actor
from knowledgestack.core.logging import configure_logging
from knowledgestack.demo.database.seeding import DemoDatabaseSeeder
from knowledgestack.demo.seed import DemoSeeder

_READY_SECONDS = 120.0
_POLL_SECONDS = 0.1
_CATALOGUE_POLLS = 100


def main() -> None:
    """`python -m knowledgestack.app.opening STARTED`, the moment of the supervisor's start on the monotonic clock."""
    settings = load_settings()
    configure_logging("error")
    try:
        began = time.monotonic()
        if migrate(settings.database_url):
            say("Brought the database up to date", time.monotonic() - began)
        _wait_until_ready(settings)
        say("Started the API and the worker", time.monotonic() - began)
        asyncio.run(_welcome(settings, started=float(sys.argv[1])))
    except AppError as error:
        sys.exit(error.detail)


def _wait_until_ready(settings: Settings) -> None:
    deadline = time.monotonic() + _READY_SECONDS
    while not _is_ready(settings.port):
        if time.monotonic() > deadline:
            raise Unavailable(f"The API or the worker was not ready within {_READY_SECONDS:.0f} s.")
        time.sleep(_POLL_SECONDS)


def _is_ready(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/api/health/ready")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


async def _welcome(settings: Settings, *, started: float) -> None:
    container = build_container(settings)
    try:
        began = time.monotonic()
        seeder, actor = await seed_demo(container)
        await _make_demo_database(container, actor)
        await _wait_until_indexed(seeder, began)
        link = await sign_in_link(container, None)
    finally:
        await container.close()
    say("Ready", time.monotonic() - started)
    print_text(f"\nOpen this link. It signs you in once, within 15 minutes (make link prints another):\n\n  {link}\n")
    print_text(f"Logs: {settings.data_dir / 'logs'}   End with Ctrl-C\n")


async def _make_demo_database(container: Container, actor: Actor) -> None:
    """Without it the installation opens all the same: documents can be asked, and the next start tries again."""
    seeder = demo_database(container)
    try:
        if seeder is None or not await seeder.is_needed(actor):
            return
        with step("Made and connected the demo company's database"):
            connection_id = await seeder.seed(actor)
            if connection_id is not None:
                await _wait_until_read(seeder, actor, connection_id)
    except (AppError, asyncpg.PostgresError, OSError) as error:
        say(f"The demo company's database is missing, the next start tries again: {error}")


async def _wait_until_read(seeder: DemoDatabaseSeeder, actor: Actor, connection_id: UUID) -> None:
    """Give the worker a moment to read the catalogue, so that who opens the link finds the tables."""
    for _ in range(_CATALOGUE_POLLS):
        if await seeder.is_read(actor, connection_id):
            return
        await asyncio.sleep(_POLL_SECONDS)


async def _wait_until_indexed(seeder: DemoSeeder, began: float) -> None:
    total, waiting, failed = await seeder.progress()
    if not waiting:
        return
    say(f"Indexing the demo company's handbook ({total} documents)")
    while waiting:
        await asyncio.sleep(_POLL_SECONDS)
        total, waiting, failed = await seeder.progress()
    say(f"Indexed {total} documents" + (f", {failed} of them failed" if failed else ""), time.monotonic() - began)


if __name__ == "__main__":
    main()
