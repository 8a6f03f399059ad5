"""Who is missed at a table: a person away for too long is played for by a bot, if others wait."""

from __future__ import annotations

import asyncio
from typing import Protocol

from branchline.server.tables import commands
from branchline.server.tables.away import missed
from branchline.server.tables.state import Table


class Attended(Protocol):
    """A table whose attendance is watched."""

    table: Table

    def here(self) -> frozenset[str]: ...

    def later(self, command: commands.Any) -> None: ...

    @property
    def grace(self) -> float: ...


class Attendance:
    """The timers of the people who are away; they run from the moment that somebody waits."""

    def __init__(self) -> None:
        self.away: dict[str, asyncio.TimerHandle] = {}

    def watch(self, live: Attended) -> None:
        """Look who is here: who has come back is missed no longer, who is away is missed from now on."""
        now = missed(live.table, live.here())
        for user in [user for user in self.away if user not in now]:
            self.away.pop(user).cancel()
        for user, seat in now.items():
            if user not in self.away:
                loop = asyncio.get_running_loop()
                self.away[user] = loop.call_later(live.grace, self._gone, live, user, seat)

    def _gone(self, live: Attended, user: str, seat: int) -> None:
        self.away.pop(user, None)
        live.later(commands.Gone(seat=seat))

    def close(self) -> None:
        for timer in self.away.values():
            timer.cancel()
        self.away.clear()
