"""Breaking off a bot that takes far too long."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooSlow(BaseException):
    """A decision that is broken off; no `except Exception` of a bot's catches it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TooSlow` in what takes longer; only a main thread can be interrupted, and not everywhere."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"no choice after {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
