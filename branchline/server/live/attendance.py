"""Who is missed at a table: a person away for too long is played for by a bot, if others wait."""

from __future__ import annotations

import asyncio
from typing import Protocol

from branchline.server.tables import commands
from branchline.server.tables.state import Playing, Table, people


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
        self._away: dict[str, asyncio.TimerHandle] = {}

    def watch(self, live: Attended) -> None:
        """Look who is here: who has come back is missed no longer, who is away is missed from now on."""
        missed = _missed(live.table, live.here())
        for user in [user for user in self._away if user not in missed]:
            self._away.pop(user).cancel()
        for user, seat in missed.items():
            if user not in self._away:
                loop = asyncio.get_running_loop()
                self._away[user] = loop.call_later(live.grace, self._gone, live, user, seat)

    def _gone(self, live: Attended, user: str, seat: int) -> None:
        self._away.pop(user, None)
        live.later(commands.Gone(seat=seat))

    def close(self) -> None:
        for timer in self._away.values():
            timer.cancel()
        self._away.clear()


def _missed(table: Table, here: frozenset[str]) -> dict[str, int]:
    """Whom to miss, with their seats: nobody in a game of days, in a pause, or while no person waits."""
    if not isinstance(table, Playing) or table.agreed.options.clock.kind == "days" or table.paused:
        return {}
    if not here & set(people(table)):
        return {}
    seats = enumerate(table.chairs)
    return {c.user: s for s, c in seats if c.user and c.user not in here and s not in table.proxied}
