"""Every request has an id: in its log lines, in its answer's header and in its problem."""

from typing import cast

import structlog
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from knowledgestack.core.ids import new_id

_STATE_KEY = "request_id"


def request_id(scope: Scope) -> str:
    return cast(str, scope["state"].get(_STATE_KEY, ""))


def request_id_middleware(app: ASGIApp) -> ASGIApp:
    """Give each HTTP request an id of ours; one sent by a client is not trusted."""

    async def middleware(scope: Scope, receive: Receive, send: Send) -> None:
        identifier = new_id().hex
        scope["state"][_STATE_KEY] = identifier

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), (b"x-request-id", identifier.encode())]
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=identifier):
            await app(scope, receive, send_with_id)

    return middleware
