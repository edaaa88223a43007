"""Server-sent events as raw bytes (WHATWG HTML, section 9.2)."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterable, Mapping
from types import TracebackType
from typing import Any, Protocol

import structlog
from litestar import Litestar, Request
from litestar.background_tasks import BackgroundTask, BackgroundTasks
from litestar.datastructures import Cookie
from litestar.enums import MediaType
from litestar.response import Stream
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import Message, Receive, Send

_log = structlog.get_logger(__name__)

EVENT_STREAM = "text/event-stream"
HEARTBEAT = b": keep\n\n"
HEARTBEAT_SECONDS = 15.0
SLOW_READER_SECONDS = 30.0


def encode_event(event: str, event_id: int, data: bytes) -> bytes:
    """One event. `data` is JSON as msgspec writes it: one line, so that no text in it can end the event."""
    return b"event: %b\nid: %d\ndata: %b\n\n" % (event.encode(), event_id, data)


class Chunks(Protocol):
    """Bytes as they come, and the way to end what makes them."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...

    def aclose(self) -> Awaitable[None]: ...


def event_stream(events: Chunks) -> Stream:
    """The response that sends the events as they come and is never buffered on its way."""
    return byte_stream(events, EVENT_STREAM, {"Cache-Control": "no-cache"})


def byte_stream(chunks: Chunks, media_type: str, headers: dict[str, str]) -> Stream:
    """The response that sends the chunks as they come and ends what makes them when its client leaves or stalls."""
    return _WatchedStream(chunks, media_type, headers)


class _WatchedResponse(ASGIStreamingResponse):
    """Ends when the client stops reading: a full socket would otherwise hold the stream for ever."""

    chunks: Chunks

    async def send_body(self, send: Send, receive: Receive) -> None:
        watch = _SendWatch(send)
        try:
            async with watch:
                await super().send_body(watch.send, receive)
        finally:
            # The framework leaves it to the garbage collector, and then a reader that is gone still counts.
            await self.chunks.aclose()


class _SendWatch:
    """Ends the task that sends when one send takes longer than `SLOW_READER_SECONDS`.

    One timer serves the whole stream: a timeout around every send would cost more than the send.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting_since: float | None = None
        self._timeout = asyncio.timeout(None)
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> None:
        await self._timeout.__aenter__()
        self._look_again(SLOW_READER_SECONDS)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if self._timer is not None:
            self._timer.cancel()
        try:
            await self._timeout.__aexit__(kind, error, trace)
        except TimeoutError:
            _log.info("slow_reader_cut")
            return True
        return False

    async def send(self, message: Message) -> None:
        self._waiting_since = self._loop.time()
        await self._send(message)
        self._waiting_since = None

    def _look(self) -> None:
        waited = 0.0 if self._waiting_since is None else self._loop.time() - self._waiting_since
        if waited >= SLOW_READER_SECONDS:
            self._timeout.reschedule(self._loop.time())
        else:
            self._look_again(SLOW_READER_SECONDS - waited)

    def _look_again(self, seconds: float) -> None:
        self._timer = self._loop.call_later(max(seconds, 0.05), self._look)


class _WatchedStream(Stream):
    def __init__(self, chunks: Chunks, media_type: str, headers: dict[str, str]) -> None:
        super().__init__(aiter(chunks), media_type=media_type, headers={**headers, "X-Accel-Buffering": "no"})
        self._chunks = chunks

    def to_asgi_response(
        self,
        app: Litestar | None,
        request: Request[Any, Any, Any],
        *,
        background: BackgroundTask | BackgroundTasks | None = None,
        cookies: Iterable[Cookie] | None = None,
        encoded_headers: Iterable[tuple[bytes, bytes]] | None = None,
        headers: dict[str, str] | None = None,
        is_head_response: bool = False,
        media_type: MediaType | str | None = None,
        status_code: int | None = None,
        type_encoders: Mapping[Any, Any] | None = None,
    ) -> ASGIStreamingResponse:
        response = _WatchedResponse(
            background=background,
            cookies=cookies,
            encoded_headers=encoded_headers,
            headers={**(headers or {}), **self.headers},
            is_head_response=is_head_response,
            iterator=aiter(self._chunks),
            media_type=self.media_type,
            status_code=status_code,
        )
        response.chunks = self._chunks
        return response
