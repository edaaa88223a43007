"""Same-origin rules for unsafe methods, and the security headers of every answer."""

from litestar.datastructures import Headers, MutableScopeHeaders
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

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def security_headers_middleware(app: ASGIApp) -> ASGIApp:
    """Set the headers; a handler that needs a stricter policy has already set its own."""

    async def middleware(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableScopeHeaders.from_message(message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                if "content-security-policy" not in headers:
                    headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
                if scope["path"].startswith("/api/") and "cache-control" not in headers:
                    headers["Cache-Control"] = "no-store"
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
