"""Who is away from a table, and since when. After a while all hear that they are missed."""

from __future__ import annotations

import asyncio
from typing import Protocol

from branchline.server.tables import commands
from branchline.server.tables.away import missed
from branchline.server.tables.state import Table, people


class Attended(Protocol):
    """A table whose attendance is watched."""

    table: Table

    def here(self) -> frozenset[str]: ...

    def later(self, command: commands.Any) -> None: ...

    def now(self) -> float: ...

    @property
    def grace(self) -> float: ...


class Attendance:
    """Since when people are away, as far as this process knows; and timers that say when they are missed."""

    def __init__(self) -> None:
        self._left: dict[str, float] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._missed: set[str] = set()  # whose timer has run out

    def watch(self, live: Attended) -> None:
        """Look who is here: who has come back is missed no longer, who is away is missed after a while."""
        here, now = live.here(), live.now()
        seated = set(people(live.table))
        self._left = {user: self._left.get(user, now) for user in seated - here}
        absent = missed(live.table, here)
        self._missed &= set(absent)
        for user in [user for user in self._timers if user not in absent]:
            self._timers.pop(user).cancel()
        for user, seat in absent.items():
            if user not in self._timers and user not in self._missed:
                wait = max(0.0, self._left[user] + live.grace - now) + 0.01
                self._timers[user] = asyncio.get_running_loop().call_later(wait, self._gone, live, user, seat)

    def away(self, now: float) -> dict[str, float]:
        """The people who are not here, and for how many seconds."""
        return {user: now - left for user, left in self._left.items()}

    def _gone(self, live: Attended, user: str, seat: int) -> None:
        self._timers.pop(user, None)
        self._missed.add(user)
        live.later(commands.Gone(seat=seat))

    @property
    def awaits(self) -> set[str]:
        """Who will be missed when a timer runs out."""
        return set(self._timers)

    def close(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
