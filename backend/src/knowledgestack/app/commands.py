"""What each verb of the command does."""

import argparse
import sys

import msgspec
from granian.constants import Interfaces
from granian.server import Server

from knowledgestack.app.asgi import build_app
from knowledgestack.app.container import Container, build_container
from knowledgestack.app.local_profile import local_environment
from knowledgestack.app.migrations import migrate
from knowledgestack.app.up import up as supervise
from knowledgestack.app.welcome import LocalWelcome, sign_in_link
from knowledgestack.app.worker import run_worker
from knowledgestack.core.config import Settings, load_settings
from knowledgestack.core.logging import configure_logging
from knowledgestack.evaluation.command import run_evaluation
from knowledgestack.http.openapi import openapi_document

_GRACE_SECONDS = 30
_LOOPBACK, _ANYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104
_UNUSED = {"DATABASE_URL": "postgresql://unused", "TOKEN_ENCRYPTION_KEY": "A" * 43}


def up(*, with_parent: bool) -> None:
    async def welcome(settings: Settings) -> LocalWelcome:
        return LocalWelcome(build_container(settings))

    supervise(welcome, with_parent=with_parent)


def serve_api() -> None:
    settings = load_settings()
    Server(
        "knowledgestack.app.asgi:create_app",
        address=_LOOPBACK if settings.profile == "local" else _ANYWHERE,
        port=settings.port,
        interface=Interfaces.ASGI,
        factory=True,
        workers=1,
        workers_kill_timeout=_GRACE_SECONDS,
        log_access=False,
        websockets=False,
    ).serve()


def work() -> None:
    settings = load_settings()
    configure_logging(settings.log_level)
    run_worker(settings)


def migrate_database() -> None:
    migrate(load_settings().database_url)


def print_openapi() -> None:
    app = build_app(build_container(load_settings(_UNUSED)))
    document = msgspec.json.encode(openapi_document(app), order="sorted")
    sys.stdout.write(msgspec.json.format(document, indent=2).decode() + "\n")


async def print_link(email: str | None) -> None:
    container = _local_container()
    try:
        print(await sign_in_link(container, email))
    finally:
        await container.close()


async def seed_demo() -> None:
    welcome = LocalWelcome(_local_container())
    try:
        await welcome.seed()
    finally:
        await welcome.close()


async def evaluate(arguments: argparse.Namespace) -> None:
    container = _local_container()
    try:
        await run_evaluation(container, arguments.collection, as_json=arguments.json)
    finally:
        await container.close()


def _local_container() -> Container:
    settings = load_settings(local_environment())
    configure_logging(settings.log_level)
    return build_container(settings)
