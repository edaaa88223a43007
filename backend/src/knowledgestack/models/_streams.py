"""Reading a server's stream: silence and cuts become failures, and fields are checked where they enter."""

from collections.abc import AsyncGenerator
from typing import TypeVar

import openai
from openai import AsyncStream

from knowledgestack.models._failures import cut, silence

Event = TypeVar("Event")

SILENCE_SECONDS = 60.0


async def read_stream(stream: AsyncStream[Event]) -> AsyncGenerator[Event]:
    """Yield the events and close the response however the reading ends.

    The HTTP client's read timeout measures the silence; here it gets its name, because the stream had opened.
    """
    async with stream:
        try:
            async for event in stream:
                yield event
        except openai.APITimeoutError:
            seconds = stream.response.request.extensions.get("timeout", {}).get("read")
            raise silence(seconds or SILENCE_SECONDS) from None
        except openai.APIConnectionError:
            raise cut() from None


def text_of(part: object, field: str) -> str:
    """A field that has to be text; raise TypeError otherwise, because the client's types promise but do not check."""
    value = getattr(part, field)
    if not isinstance(value, str):
        raise TypeError(f"{field} is not text")
    return value
