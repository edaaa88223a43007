"""Reads the files of a multipart body as they arrive, so that no file is ever held whole."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from email.message import Message

from multipart import (
    MultipartError,
    MultipartSegment,
    ParserLimitReached,
    PushMultipartParser,
)

from knowledgestack.core.errors import InvalidRequest, TooLarge
from knowledgestack.sources.uploads import IncomingFile

FIELD = "files"
_MAX_PARTS = 1_000


async def read_files(
    headers: Mapping[str, str], body: AsyncIterator[bytes], max_bytes: int
) -> AsyncGenerator[IncomingFile]:
    """The files of the body in order; each has to be used up, or left alone, before the next is asked for.

    Raises `TooLarge` for a body of more than `max_bytes`, before reading where its length is announced, and
    `InvalidRequest` for a body that is no multipart form or holds no file.
    """
    announced = headers.get("content-length", "")
    if announced.isdigit() and int(announced) > max_bytes:
        raise _too_large(max_bytes)
    content_type = Message()
    content_type["content-type"] = headers.get("content-type", "")
    boundary = content_type.get_boundary()
    if content_type.get_content_type() != "multipart/form-data" or not boundary:
        raise InvalidRequest("Send the files as a multipart form with the field `files`.")
    events = _events(boundary, body, max_bytes)
    found = False
    async for event in events:
        if isinstance(event, MultipartSegment) and event.name == FIELD and event.filename is not None:
            found = True
            yield IncomingFile(name=event.filename, chunks=_content(events))
    if not found:
        raise InvalidRequest("There is no file in this request.")


async def _content(events: AsyncIterator[MultipartSegment | bytes | None]) -> AsyncGenerator[bytes]:
    async for event in events:
        if event is None:
            return
        if not isinstance(event, MultipartSegment) and event:
            yield event


async def _events(
    boundary: str, body: AsyncIterator[bytes], max_bytes: int
) -> AsyncGenerator[MultipartSegment | bytes | None]:
    """A segment at its start, its bytes, and None at its end."""
    received = 0
    try:
        with PushMultipartParser(boundary, max_segment_count=_MAX_PARTS) as parser:
            async for chunk in body:
                received += len(chunk)
                if received > max_bytes:
                    raise _too_large(max_bytes)
                for event in parser.parse(chunk):
                    yield bytes(event) if isinstance(event, bytearray | memoryview) else event
                if parser.closed:
                    return
    except ParserLimitReached as error:
        raise InvalidRequest(f"Send at most {_MAX_PARTS:,} files at once.") from error
    except MultipartError as error:
        raise InvalidRequest("The upload was cut off or is malformed. Send it again.") from error


def _too_large(max_bytes: int) -> TooLarge:
    return TooLarge(f"The upload is larger than {max_bytes / 1024**2:,.0f} MB. Send fewer or smaller files.")
