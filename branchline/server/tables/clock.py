"""Clocks: seconds left by seat, as a value. `now` is the steady time of who plays, which never goes back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from branchline.server import wire

GRACE = 30.0  # what a player who ran out of time gets on coming back, at the least
MOST_LAG = 0.5  # seconds of a slow network that are given back for a turn: no more than that can be lied about


@dataclass(frozen=True, slots=True)
class Clock:
    """The clocks of one game, as they stood at `since`."""

    option: wire.ClockOption
    left_then: tuple[float, ...]
    used: tuple[float, ...]  # since the seat last moved
    running: frozenset[int]
    since: float

    @classmethod
    def begin(cls, option: wire.ClockOption, players: int, now: float) -> Clock:
        first = float(option.pool) if option.kind == "live" else option.days * 86400
        return cls(option, (first,) * players, (0.0,) * players, frozenset(), now)

    def left(self, now: float) -> list[float]:
        gone = max(0.0, now - self.since)
        return [max(0.0, n - gone) if seat in self.running else n for seat, n in enumerate(self.left_then)]

    def counted(self, now: float) -> Clock:
        """The time since the last count, taken from the clocks that run."""
        left = self.left(now)
        used = tuple(used + was - n for used, was, n in zip(self.used, self.left_then, left, strict=True))
        return replace(self, left_then=tuple(left), used=used, since=now)

    def run(self, seats: Iterable[int], now: float) -> Clock:
        """From now on the clocks of these seats run and no others."""
        return replace(self.counted(now), running=frozenset(seats))

    def moved(self, seat: int, now: float, turn_over: bool, lag: float = 0.0) -> Clock:
        """A seat has chosen: the increment and what the network took of a turn, or the days for the next move."""
        clock = self.counted(now)
        left = clock.left_then[seat]
        if self.option.kind == "days":
            left = self.option.days * 86400
        elif turn_over:
            left += self.option.increment + max(0.0, min(lag, MOST_LAG, clock.used[seat]))
        return replace(clock, left_then=_put(clock.left_then, seat, left), used=_put(clock.used, seat, 0.0))

    def forgive(self, seat: int, now: float) -> Clock:
        """Back after running out of time."""
        return self.at_least(seat, GRACE if self.option.kind == "live" else self.option.days * 86400, now)

    def at_least(self, seat: int, seconds: float, now: float) -> Clock:
        """So much time at the least for a seat."""
        clock = self.counted(now)
        return replace(clock, left_then=_put(clock.left_then, seat, max(clock.left_then[seat], seconds)))

    def next_out(self, now: float) -> float | None:
        """Seconds until the first running clock is out."""
        left = self.left(now)
        return min((left[seat] for seat in self.running), default=None)

    def out(self, now: float) -> list[int]:
        """The seats whose running clock is out."""
        left = self.left(now)
        return [seat for seat in sorted(self.running) if left[seat] <= 0]

    def wire(self, now: float) -> wire.ClockWire:
        return wire.ClockWire([round(n, 1) for n in self.left(now)], sorted(self.running), now)


def _put(values: tuple[float, ...], seat: int, value: float) -> tuple[float, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
