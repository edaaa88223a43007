"""The worker's side: a small ASGI application that embeds for processes without the bundled model."""

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec
import numpy as np

from knowledgestack.models.embedder_protocol import EMBED_PATH, MAX_REQUEST_BYTES, MAX_TEXTS, VECTORS_MEDIA_TYPE
from knowledgestack.models.embedding import EmbeddingModel

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

_decode_texts = msgspec.json.Decoder(list[str]).decode


class _Refused(Exception):
    def __init__(self, status: int) -> None:
        self.status = status


def embedder_app(model: EmbeddingModel, token: str) -> AsgiApp:
    """Answers `POST /embed`: a JSON list of texts in, rows of little-endian float32 out, to who has the token."""
    expected = f"Bearer {token}".encode()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _acknowledge_lifespan(receive, send)
            return
        try:
            _check(scope, expected)
            texts = _texts(await _read(receive))
        except _Refused as refused:
            await _answer(send, refused.status, b"")
            return
        vectors = await model.embed(texts)
        await _answer(send, 200, vectors.astype("<f4").tobytes() if texts else np.zeros(0, dtype="<f4").tobytes())

    return app


def _check(scope: Scope, expected: bytes) -> None:
    given = dict(scope["headers"]).get(b"authorization", b"")
    if not hmac.compare_digest(given, expected):
        raise _Refused(401)
    if (scope["method"], scope["path"]) != ("POST", EMBED_PATH):
        raise _Refused(404)


def _texts(body: bytes) -> list[str]:
    try:
        texts = _decode_texts(body)
    except msgspec.DecodeError as error:
        raise _Refused(400) from error
    if len(texts) > MAX_TEXTS:
        raise _Refused(413)
    return texts


async def _read(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MAX_REQUEST_BYTES:
            raise _Refused(413)
        if not message.get("more_body", False):
            return bytes(body)


async def _answer(send: Send, status: int, body: bytes) -> None:
    headers = [(b"content-type", VECTORS_MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _acknowledge_lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": message["type"] + ".complete"})
        if message["type"] == "lifespan.shutdown":
            return
