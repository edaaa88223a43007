"""The web application: routes, guard, dependencies and headers, put together once."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Request, Router, get
from litestar.di import Provide
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.response import Response

from knowledgestack.app.client_files import client_files
from knowledgestack.app.container import Container, build_container
from knowledgestack.app.health import HealthController
from knowledgestack.app.migrations import wait_for_revision
from knowledgestack.app.stopping import on_stop_signal
from knowledgestack.auth.controller import AuthController
from knowledgestack.auth.guard import PUBLIC, SessionGuard, provide_actor, provide_person, provide_signed_in
from knowledgestack.catalogue.controller import CatalogueController, DocumentLinkController
from knowledgestack.chat.controller import ChatController
from knowledgestack.core.config import Profile, Settings, load_settings
from knowledgestack.core.logging import configure_logging
from knowledgestack.databases.controller import DatabaseConnectionController, StatementController
from knowledgestack.documents.controller import DocumentController
from knowledgestack.http.disconnect import watch_stopping
from knowledgestack.http.openapi import openapi_document
from knowledgestack.http.problems import EXCEPTION_HANDLERS
from knowledgestack.http.request_id import request_id_middleware
from knowledgestack.http.security import security_headers_middleware
from knowledgestack.models.controller import ChatModelController, ModelSettingsController
from knowledgestack.retrieval.controller import SearchController
from knowledgestack.sources.controller import SourceController
from knowledgestack.verified_queries.controller import VerifiedQueryController
from knowledgestack.workspaces.controller import SessionController, WorkspaceController

_CONTROLLERS = (
    AuthController,
    SessionController,
    WorkspaceController,
    SourceController,
    DocumentController,
    SearchController,
    ChatModelController,
    ModelSettingsController,
    CatalogueController,
    DocumentLinkController,
    VerifiedQueryController,
    ChatController,
    DatabaseConnectionController,
    StatementController,
    HealthController,
)
_JSON_BODY_LIMIT = 8 * 1024 * 1024
"""Bytes. A question of 1,000,000 characters is at most 6 MB of JSON; the upload route sets its own limit."""


def create_app() -> Litestar:
    """What the server runs: settings from the environment."""
    settings = load_settings()
    configure_logging(settings.log_level)
    return build_app(build_container(settings))


def build_app(container: Container) -> Litestar:
    guard = SessionGuard(container.guard_pool, container.session_cookie.name, allowed_origins(container.settings))
    dist = container.settings.frontend_dist
    app = Litestar(
        route_handlers=[*_CONTROLLERS, openapi_route, *([client_files(dist)] if dist else [])],
        guards=[guard],
        dependencies={
            "signed_in": Provide(provide_signed_in),
            "person": Provide(provide_person),
            "actor": Provide(provide_actor),
            **{name: Provide(_constant(value), sync_to_thread=False) for name, value in container.injected().items()},
        },
        exception_handlers=EXCEPTION_HANDLERS,
        openapi_config=OpenAPIConfig(
            title="KnowledgeStack",
            version="1",
            path="/api/openapi",
            render_plugins=[JsonRenderPlugin(path="/litestar.json")],
            openapi_router=Router("/api/openapi", route_handlers=[], include_in_schema=False),
            use_handler_docstrings=True,
        ),
        request_max_body_size=_JSON_BODY_LIMIT,
        lifespan=[_lifespan(container)],
        logging_config=None,
    )
    # Around the router, so that an address that leads nowhere answers with the same headers as every other.
    app.asgi_handler = request_id_middleware(security_headers_middleware(app.asgi_handler))
    return app


@get("/api/openapi.json", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def openapi_route(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    return Response(openapi_document(request.app))


def allowed_origins(settings: Settings) -> frozenset[str]:
    """The origins whose pages may send unsafe requests."""
    origins = {settings.web_app_url}
    if settings.profile is Profile.LOCAL:
        origins |= {f"http://{host}:{settings.port}" for host in ("localhost", "127.0.0.1")}
    return frozenset(origins)


def _constant(value: Any) -> Callable[[], Any]:
    return lambda: value


def _lifespan(container: Container) -> Callable[[Litestar], Any]:
    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncGenerator[None]:
        stopping = watch_stopping(app)

        def stop() -> None:
            container.turn_runs.stop()
            stopping.set()

        await wait_for_revision(container.settings.database_url)
        await container.start_runs()
        try:
            with on_stop_signal(stop):
                yield
        finally:
            await container.close()

    return lifespan
