"""Opens an installation whose processes were just started: migrates, fills the demo workspace, prints the link.

The supervisor runs it as a process of its own: what it imports takes 120 MB, which end with it.
"""

import asyncio
import http.client
import sys
import time

from knowledgestack.app._terminal import print_text, say
from knowledgestack.app.container import build_container
from knowledgestack.app.migrations import migrate
from knowledgestack.app.welcome import seed_demo, sign_in_link
from knowledgestack.core.config import Settings, load_settings
from knowledgestack.core.errors import AppError, Unavailable
from knowledgestack.core.logging import configure_logging
from knowledgestack.demo.seed import DemoSeeder

_READY_SECONDS = 120.0
_POLL_SECONDS = 0.1


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
        seeder = await seed_demo(container)
        await _wait_until_indexed(seeder, began)
        link = await sign_in_link(container, None)
    finally:
        await container.close()
    say("Ready", time.monotonic() - started)
    print_text(f"\nOpen this link. It signs you in once, within 15 minutes (make link prints another):\n\n  {link}\n")
    print_text(f"Logs: {settings.data_dir / 'logs'}   End with Ctrl-C\n")


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
