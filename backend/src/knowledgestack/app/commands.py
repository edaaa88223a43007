"""What each verb of the command does.

A verb imports what it needs when it runs: the supervisor and the server's main process then start at once and stay
small, while the whole application takes a second and 100 MB to import.
"""

import argparse
import sys
from typing import TYPE_CHECKING

import msgspec

from knowledgestack.app.local_profile import local_environment
from knowledgestack.core.config import Profile, load_settings
from knowledgestack.core.logging import configure_logging

if TYPE_CHECKING:
    from knowledgestack.app.container import Container

_GRACE_SECONDS = 30
_LOOPBACK, _ANYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104
_UNUSED = {"DATABASE_URL": "postgresql://unused", "TOKEN_ENCRYPTION_KEY": "A" * 43}


def up(*, with_parent: bool) -> None:
    from knowledgestack.app.up import up as supervise

    supervise(with_parent=with_parent)


def serve_api() -> None:
    from granian.constants import Interfaces
    from granian.server import Server

    settings = load_settings()
    Server(
        "knowledgestack.app.asgi:create_app",
        address=_LOOPBACK if settings.profile is Profile.LOCAL else _ANYWHERE,
        port=settings.port,
        interface=Interfaces.ASGI,
        factory=True,
        workers=1,
        workers_kill_timeout=_GRACE_SECONDS,
        log_access=False,
        websockets=False,
    ).serve()


def work() -> None:
    from knowledgestack.app.worker import run_worker

    settings = load_settings()
    configure_logging(settings.log_level)
    run_worker(settings)


def migrate_database() -> None:
    from knowledgestack.app.migrations import migrate

    migrate(load_settings().database_url)


def print_openapi() -> None:
    from knowledgestack.app.asgi import build_app
    from knowledgestack.app.container import build_container
    from knowledgestack.http.openapi import openapi_document

    app = build_app(build_container(load_settings(_UNUSED)))
    document = msgspec.json.encode(openapi_document(app), order="sorted")
    sys.stdout.write(msgspec.json.format(document, indent=2).decode() + "\n")


async def print_link(email: str | None) -> None:
    from knowledgestack.app.welcome import sign_in_link

    container = _local_container()
    try:
        print(await sign_in_link(container, email))
    finally:
        await container.close()


async def fill_demo() -> None:
    from knowledgestack.app.welcome import demo_database, seed_demo

    container = _local_container()
    try:
        _, actor = await seed_demo(container)
        if (database := demo_database(container)) is not None:
            await database.seed(actor)
    finally:
        await container.close()


async def evaluate(arguments: argparse.Namespace) -> None:
    from knowledgestack.app.container import build_container
    from knowledgestack.evaluation.retrieval import evaluate_retrieval, render
    from knowledgestack.models.local_embedding import LocalMiniLM

    settings = load_settings(local_environment())
    container = build_container(settings, LocalMiniLM)
    try:
        report = await evaluate_retrieval(arguments.collection, container.database, container.model_service)
    finally:
        await container.close()
    print(msgspec.json.encode(report).decode() if arguments.json else render(report))


def _local_container() -> "Container":
    from knowledgestack.app.container import build_container

    settings = load_settings(local_environment())
    configure_logging(settings.log_level)
    return build_container(settings)
