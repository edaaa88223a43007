"""What the local profile says on the terminal: one line an event, with the seconds it took."""

import time
from collections.abc import Generator
from contextlib import contextmanager, suppress


def say(event: str, seconds: float | None = None) -> None:
    took = "" if seconds is None else f"{seconds:8.1f} s"
    print_text(f"{time.strftime('%H:%M:%S')}  {event:<60}{took}".rstrip())


def print_text(text: str) -> None:
    with suppress(OSError):  # a terminal that was closed is no reason to leave the database running
        print(text, flush=True)


@contextmanager
def step(event: str) -> Generator[None]:
    """Tell the event when the block ends well."""
    began = time.monotonic()
    yield
    say(event, time.monotonic() - began)
