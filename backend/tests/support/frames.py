"""Reading a stream of frames as a browser does."""

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

Frames = list[dict[str, Any]]


def parse_frames(events: bytes) -> Frames:
    """The frames of a stream's bytes; comments are left out."""
    frames: Frames = []
    for block in events.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":"))
        if fields:
            frame = json.loads(fields["data"])
            assert (fields["event"], int(fields["id"])) == (frame["type"], frame["seq"])
            frames.append(frame)
    return frames


async def read_frames(stream: AsyncIterator[bytes]) -> Frames:
    return parse_frames(b"".join([chunk async for chunk in stream]))


async def read_until(stream: AsyncIterator[bytes], kind: str) -> Frames:
    """The frames up to the first of a kind; the stream stays open."""
    frames: Frames = []
    async for chunk in stream:
        frames += parse_frames(chunk)
        if any(frame["type"] == kind for frame in frames):
            return frames
    raise AssertionError(f"the stream ended without {kind}: {[frame['type'] for frame in frames]}")


def kinds(frames: Frames) -> list[str]:
    return [frame["type"] for frame in frames]


def text_of(frames: Frames, part: int | None = None) -> str:
    """The text of a part, of the last one where none is named."""
    deltas = [frame for frame in frames if frame["type"] == "delta"]
    part = max((frame["part"] for frame in deltas), default=0) if part is None else part
    return "".join(frame["text"] for frame in deltas if frame["part"] == part)


def numbered(frames: Frames) -> Sequence[int]:
    return [frame["seq"] for frame in frames]
