"""The global guard: every route is closed unless it carries the public mark."""

from typing import Any, cast

from litestar.connection import ASGIConnection, Request
from litestar.handlers import BaseRouteHandler

from knowledgestack.auth.session import SignedIn, signed_in_from_row
from knowledgestack.auth.tokens import hash_token
from knowledgestack.core.errors import NotSignedIn
from knowledgestack.core.identity import Actor, Person
from knowledgestack.db.guard_pool import GuardPool
from knowledgestack.http.security import SAFE_METHODS, require_body_type, require_same_origin

PUBLIC: dict[str, Any] = {"public": True}
"""The mark of a route that runs without a session: `opt=PUBLIC`."""

BODY_TYPE_OPTION = "body_type"
_SIGNED_IN = "signed_in"
_WORKSPACE_HEADER = "x-workspace-id"


class SessionGuard:
    """Checks where an unsafe request comes from, then whose session it carries."""

    def __init__(self, pool: GuardPool, cookie_name: str, origins: frozenset[str]) -> None:
        self._pool = pool
        self._cookie_name = cookie_name
        self._origins = origins

    async def __call__(self, connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
        cookie = connection.cookies.get(self._cookie_name)
        if cast(dict[str, Any], connection.scope)["method"] not in SAFE_METHODS:
            require_same_origin(connection.headers, self._origins, cookie_signed_in=cookie is not None)
            require_body_type(connection.headers, handler.opt.get(BODY_TYPE_OPTION, "application/json"))
        if handler.opt.get("public"):
            return
        token_hash = hash_token(cookie or "")
        row = None if token_hash is None else await self._pool.find_session(token_hash)
        if row is None:
            raise NotSignedIn("Sign in first.")
        connection.scope["state"][_SIGNED_IN] = signed_in_from_row(row)


async def provide_signed_in(request: Request[Any, Any, Any]) -> SignedIn:
    return request.scope["state"][_SIGNED_IN]


async def provide_person(request: Request[Any, Any, Any]) -> Person:
    return (await provide_signed_in(request)).person()


async def provide_actor(request: Request[Any, Any, Any]) -> Actor:
    return (await provide_signed_in(request)).actor(request.headers.get(_WORKSPACE_HEADER))
