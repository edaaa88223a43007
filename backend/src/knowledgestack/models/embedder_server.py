"""The worker's door to its local model: the API asks here, so that only workers hold the model in memory.

Request: POST /embed, `Authorization: Bearer <token>`, body `{"texts": [...]}`. Answer: little-endian float32, row
after row, with `X-Embedding-Rows` and `X-Embedding-Dimensions`.
"""

import hmac
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, NamedTuple

import msgspec

from knowledgestack.models.embedding import EmbeddingModel

EMBED_PATH = "/embed"
ROWS_HEADER = "x-embedding-rows"
DIMENSIONS_HEADER = "x-embedding-dimensions"

# Queries come here, never documents.
_MOST_BODY_BYTES = 1024 * 1024
_MOST_TEXTS = 64

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class EmbedRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts to embed, 64 at most."""

    texts: list[str]


class EmbedResponse(NamedTuple):
    """Status, headers and body of an answer; an error's body is a short sentence."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


def _refusal(status: HTTPStatus) -> EmbedResponse:
    return EmbedResponse(status, [(b"content-type", b"text/plain")], status.phrase.encode())


async def handle_embed(model: EmbeddingModel, token: str, authorization: str | None, body: bytes) -> EmbedResponse:
    """Answer one request. The token is compared in constant time before the body is read as JSON."""
    expected = f"Bearer {token}".encode()
    if not hmac.compare_digest((authorization or "").encode(), expected):
        return _refusal(HTTPStatus.UNAUTHORIZED)
    try:
        texts = msgspec.json.decode(body, type=EmbedRequest).texts
    except msgspec.DecodeError:
        return _refusal(HTTPStatus.BAD_REQUEST)
    if not 1 <= len(texts) <= _MOST_TEXTS:
        return _refusal(HTTPStatus.BAD_REQUEST)
    vectors = await model.embed(texts)
    headers = [
        (b"content-type", b"application/octet-stream"),
        (ROWS_HEADER.encode(), str(vectors.shape[0]).encode()),
        (DIMENSIONS_HEADER.encode(), str(vectors.shape[1]).encode()),
    ]
    return EmbedResponse(HTTPStatus.OK, headers, vectors.astype("<f4").tobytes())


def embedder_app(model: EmbeddingModel, token: str) -> Callable[[Scope, Receive, Send], Awaitable[None]]:
    """A minimal ASGI application around `handle_embed`, for the worker to serve on loopback."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
            return
        if scope["type"] != "http":
            return
        if scope["method"] != "POST" or scope["path"] != EMBED_PATH:
            response = _refusal(HTTPStatus.NOT_FOUND)
        else:
            body = await _read_body(receive)
            authorization = dict(scope["headers"]).get(b"authorization")
            if body is None:
                response = _refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            else:
                text = authorization.decode("latin-1") if authorization else None
                response = await handle_embed(model, token, text, body)
        await _send_response(send, response)

    return app


async def _read_body(receive: Receive) -> bytes | None:
    """The body, or None where it is larger than a query can be or its sender is gone."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        part = message.get("body", b"")
        size += len(part)
        if size > _MOST_BODY_BYTES:
            return None
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


async def _send_response(send: Send, response: EmbedResponse) -> None:
    headers = [*response.headers, (b"content-length", str(len(response.body)).encode())]
    await send({"type": "http.response.start", "status": int(response.status), "headers": headers})
    await send({"type": "http.response.body", "body": response.body})


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
