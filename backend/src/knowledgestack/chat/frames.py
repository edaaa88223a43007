"""The frames of one run in memory: numbered, merged, and read by any number of followers."""

import asyncio
import time
from collections.abc import AsyncGenerator
from typing import Any, TypeVar

import msgspec

from knowledgestack.chat.contracts import DeltaFrame, DoneFrame, ErrorFrame, Frame, RowsFrame
from knowledgestack.http.sse import HEARTBEAT, HEARTBEAT_SECONDS, encode_event

DELTAS_PER_SECOND = 20
_DELTA_SECONDS = 1 / DELTAS_PER_SECOND

_F = TypeVar("_F", bound=Frame | RowsFrame)
_encoder = msgspec.json.Encoder()


def frame_bytes(frame: Frame | RowsFrame) -> bytes:
    """The frame as a server-sent event."""
    tag = frame.__struct_config__.tag
    assert isinstance(tag, str)
    return encode_event(tag, frame.seq, _encoder.encode(frame))


class FrameLog:
    """Frames as bytes, in the order of their seq. A follower keeps only its place, so a slow one costs nothing.

    Text is merged: at most `DELTAS_PER_SECOND` delta frames are made a second, and one of any other kind comes
    after all text before it. `parts` is the text that frames have shown, by part.
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.followers = 0
        self.left_at = time.monotonic()
        self.closed = False
        self._frames: list[bytes] = []
        self._news = asyncio.Event()
        self._pending: list[str] = []
        self._pending_part = 0
        self._delta_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._frame_at = time.monotonic()

    @property
    def last_seq(self) -> int:
        return len(self._frames) - 1

    def add(self, kind: type[_F], **fields: object) -> _F:
        """Make the next frame; text that waits goes before it."""
        self.flush()
        return self._append(kind, fields)

    def add_text(self, part: int, text: str) -> None:
        """Append text to a part; it is shown within 1 / `DELTAS_PER_SECOND` seconds."""
        if part != self._pending_part:
            self.flush()
            self._pending_part = part
        self._pending.append(text)
        if self._timer is not None:
            return
        wait = self._delta_at + _DELTA_SECONDS - time.monotonic()
        if wait <= 0:
            self.flush()
        else:
            self._timer = asyncio.get_running_loop().call_later(wait, self.flush)

    def flush(self) -> None:
        """Show the text that waits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._pending:
            return
        text = "".join(self._pending)
        self._pending.clear()
        self._delta_at = time.monotonic()
        self.parts += [""] * (self._pending_part + 1 - len(self.parts))
        self.parts[self._pending_part] += text
        self._append(DeltaFrame, {"part": self._pending_part, "text": text})

    def beat(self) -> None:
        """Called every second or so: wakes the followers for a heartbeat when nothing else did."""
        if time.monotonic() - self._frame_at >= HEARTBEAT_SECONDS - 1:
            self._frame_at = time.monotonic()
            self._wake()

    async def follow(self, after: int = -1) -> AsyncGenerator[bytes]:
        """Yield the frames after the seq `after` until the log is closed, a heartbeat comment in long silence."""
        place = after + 1
        self.followers += 1
        try:
            while True:
                frames = self._frames[place:]
                place += len(frames)
                if frames:
                    yield frames[0] if len(frames) == 1 else b"".join(frames)
                    continue
                if self.closed:
                    return
                await self._news.wait()
                if len(self._frames) <= place and not self.closed:
                    yield HEARTBEAT
        finally:
            self.followers -= 1
            self.left_at = time.monotonic()

    def _append(self, kind: type[_F], fields: dict[str, object]) -> _F:
        # Which fields a kind has is for the caller to know.
        make: Any = kind
        frame: _F = make(seq=len(self._frames), **fields)
        self._frames.append(frame_bytes(frame))
        self._frame_at = time.monotonic()
        self.closed = isinstance(frame, DoneFrame | ErrorFrame)
        self._wake()
        return frame

    def _wake(self) -> None:
        # Waiters are woken by set(); clear() makes the next wait() wait again.
        self._news.set()
        self._news.clear()
