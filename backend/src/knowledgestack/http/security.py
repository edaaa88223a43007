"""Same-origin rules for unsafe methods, and the security headers of every answer."""

from litestar.datastructures import Headers
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from knowledgestack.core.errors import Forbidden

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
)
_API_HEADERS = (*_HEADERS, (b"cache-control", b"no-store"))


def security_headers_middleware(app: ASGIApp) -> ASGIApp:
    """Set the headers; one that a handler has set already, such as a stricter policy, stays."""

    async def middleware(scope: Scope, receive: Receive, send: Send) -> None:
        wanted = _API_HEADERS if scope["path"].startswith("/api/") else _HEADERS

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                present = {name.lower() for name, _ in headers}
                message["headers"] = [*headers, *(pair for pair in wanted if pair[0] not in present)]
            await send(message)

        await app(scope, receive, send_with_headers)

    return middleware


def require_same_origin(headers: Headers, origins: frozenset[str], *, cookie_signed_in: bool) -> None:
    """Raise `Forbidden` for an unsafe request that another site may have caused.

    A request signed in by the cookie has to state its origin by `Origin` or `Sec-Fetch-Site`; whichever of them is
    sent has to be right. Without the cookie nothing is demanded, but a foreign origin is still refused.
    """
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    foreign = (origin is not None and origin not in origins) or (site is not None and site != "same-origin")
    unstated = origin is None and site is None
    if foreign or (unstated and cookie_signed_in):
        raise Forbidden("This request did not come from KnowledgeStack's own pages.", code="forbidden")


def require_body_type(headers: Headers, accepted: str) -> None:
    """Raise `Forbidden` unless a body, where there is one, is of the accepted media type.

    A form that another site submits can only be of the three simple types, never JSON.
    """
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    media_type = headers.get("content-type", "").split(";")[0].strip().lower()
    if (has_body or media_type) and media_type != accepted:
        raise Forbidden(f"The body of this request has to be {accepted}.", code="forbidden")
