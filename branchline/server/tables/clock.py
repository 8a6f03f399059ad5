"""Clocks: seconds left by seat, counted only while the service runs."""

from __future__ import annotations

from collections.abc import Iterable

from branchline.server import wire

GRACE = 30.0  # what a player who ran out of time gets on coming back, at the least
MOST_LAG = 0.5  # seconds of a slow network that are given back for a turn: no more than that can be lied about


class Clock:
    """The clocks of one game. `now` is given by the caller: seconds of a clock that never goes back."""

    def __init__(self, option: wire.ClockOption, players: int, now: float) -> None:
        self.option = option
        first = float(option.pool) if option.kind == "live" else option.days * 86400
        self._left = [first] * players
        self._used = [0.0] * players  # since the seat last moved
        self._running: set[int] = set()
        self._since = now

    def left(self, now: float) -> list[float]:
        gone = now - self._since
        return [max(0.0, left - gone) if seat in self._running else left for seat, left in enumerate(self._left)]

    def set_left(self, left: Iterable[float]) -> None:
        """As it stood when it was last written down."""
        self._left = list(left)

    def _count(self, now: float) -> None:
        """Take the time since the last count from the clocks that run."""
        left = self.left(now)
        self._used = [used + was - n for used, was, n in zip(self._used, self._left, left, strict=True)]
        self._left = left
        self._since = now

    def stop(self, now: float) -> None:
        self._count(now)
        self._running = set()

    def run(self, seats: Iterable[int], now: float) -> None:
        """From now on the clocks of these seats run and no others."""
        self._count(now)
        self._running = set(seats)

    def moved(self, seat: int, now: float, turn_over: bool, lag: float = 0.0) -> None:
        """A seat has chosen: the increment and what the network took of a turn, or the days for the next move."""
        self._count(now)
        if self.option.kind == "days":
            self._left[seat] = self.option.days * 86400
        elif turn_over:
            self._left[seat] += self.option.increment + max(0.0, min(lag, MOST_LAG, self._used[seat]))
        self._used[seat] = 0.0

    def forgive(self, seat: int, now: float) -> None:
        """Back after running out of time."""
        self._count(now)
        least = GRACE if self.option.kind == "live" else self.option.days * 86400
        self._left[seat] = max(self._left[seat], least)

    def wait_for(self, seat: int, seconds: float, now: float) -> None:
        """So much time at the least: the owner is away."""
        self._count(now)
        self._left[seat] = max(self._left[seat], seconds)

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
