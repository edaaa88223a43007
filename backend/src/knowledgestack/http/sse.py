"""Server-sent events as raw bytes (WHATWG HTML, section 9.2)."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

from litestar import Litestar, Request
from litestar.background_tasks import BackgroundTask, BackgroundTasks
from litestar.datastructures import Cookie
from litestar.enums import MediaType
from litestar.response import Stream
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import Message, Receive, Send

EVENT_STREAM = "text/event-stream"
HEARTBEAT = b": keep\n\n"
HEARTBEAT_SECONDS = 15.0
SLOW_READER_SECONDS = 30.0


def encode_event(event: str, event_id: int, data: bytes) -> bytes:
    """One event. `data` is JSON as msgspec writes it: one line, so that no text in it can end the event."""
    return b"event: %b\nid: %d\ndata: %b\n\n" % (event.encode(), event_id, data)


def event_stream(events: AsyncIterator[bytes]) -> Stream:
    """The response that sends the events as they come and is never buffered on its way."""
    return _EventStream(events)


class SlowReader(Exception):
    """The client took nothing for `SLOW_READER_SECONDS`, so its stream was cut."""


class _WatchedResponse(ASGIStreamingResponse):
    """Ends when the client stops reading: a full socket would otherwise hold the stream for ever."""

    async def send_body(self, send: Send, receive: Receive) -> None:
        async def watched(message: Message) -> None:
            try:
                async with asyncio.timeout(SLOW_READER_SECONDS):
                    await send(message)
            except TimeoutError as error:
                raise SlowReader from error

        await super().send_body(watched, receive)


class _EventStream(Stream):
    def __init__(self, events: AsyncIterator[bytes]) -> None:
        super().__init__(events, headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"})
        self._events = events

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
        return _WatchedResponse(
            background=background,
            cookies=cookies,
            encoded_headers=encoded_headers,
            headers={**(headers or {}), **self.headers},
            is_head_response=is_head_response,
            iterator=self._events,
            media_type=EVENT_STREAM,
            status_code=status_code,
        )
