"""Clocks: seconds left by seat, counted only while the service runs."""

from __future__ import annotations

from collections.abc import Iterable

from branchline.server import wire

GRACE = 30.0  # what a player who ran out of time gets on coming back, at the least


class Clock:
    """The clocks of one game. `now` is given by the caller: seconds of a clock that never goes back."""

    def __init__(self, option: wire.ClockOption, players: int, now: float) -> None:
        self.option = option
        first = float(option.pool) if option.kind == "live" else option.days * 86400
        self._left = [first] * players
        self._running: set[int] = set()
        self._since = now

    def left(self, now: float) -> list[float]:
        gone = now - self._since
        return [max(0.0, left - gone) if seat in self._running else left for seat, left in enumerate(self._left)]

    def set_left(self, left: Iterable[float]) -> None:
        """As it stood when it was last written down."""
        self._left = list(left)

    def stop(self, now: float) -> None:
        self._left = self.left(now)
        self._running = set()
        self._since = now

    def run(self, seats: Iterable[int], now: float) -> None:
        """From now on the clocks of these seats run and no others."""
        self._left = self.left(now)
        self._running = set(seats)
        self._since = now

    def moved(self, seat: int, now: float, turn_over: bool) -> None:
        """A seat has chosen: the increment for a turn, or the days for the next move."""
        self._left = self.left(now)
        self._since = now
        if self.option.kind == "days":
            self._left[seat] = self.option.days * 86400
        elif turn_over:
            self._left[seat] += self.option.increment

    def forgive(self, seat: int, now: float) -> None:
        """Back after running out of time."""
        self._left = self.left(now)
        self._since = now
        least = GRACE if self.option.kind == "live" else self.option.days * 86400
        self._left[seat] = max(self._left[seat], least)

    def next_out(self, now: float) -> float | None:
        """Seconds until the first running clock is out."""
        left = self.left(now)
        return min((left[seat] for seat in self._running), default=None)

    def out(self, now: float) -> list[int]:
        """The seats whose running clock is out."""
        left = self.left(now)
        return [seat for seat in self._running if left[seat] <= 0]

    def wire(self, now: float, server_time: float) -> wire.ClockWire:
        return wire.ClockWire([round(n, 1) for n in self.left(now)], sorted(self._running), server_time)
