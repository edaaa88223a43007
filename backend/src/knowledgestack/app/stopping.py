"""Hearing that the process is to end before the server waits for its streams to end by themselves."""

import asyncio
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def on_stop_signal(callback: Callable[[], None]) -> Generator[None]:
    """Call `callback` on the running event loop at the first SIGTERM or SIGINT; the server's own handling goes on.

    The server's handler hangs on the event loop's wake-up, which a handler set here leaves alone. Only the main
    thread can hear signals: elsewhere, as in tests, nothing is heard.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def heard(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(callback)
        own = before[signal.Signals(number)]
        if callable(own):
            own(number, frame)

    for number in _SIGNALS:
        signal.signal(number, heard)
    try:
        yield
    finally:
        for number, own in before.items():
            signal.signal(number, own)
