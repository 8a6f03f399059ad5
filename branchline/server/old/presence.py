"""Who plays a seat: its owner, or a bot while the owner is away or out of time."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING

from branchline.server.clocks import Clock
from branchline.server.course import Course
from branchline.server.holidays import end_of
from branchline.server.parts import Part
from branchline.server.said import Said
from branchline.server.store import Statement, StoreFailed

if TYPE_CHECKING:
    from branchline.server.rooms import Room


class Presence(Part):
    """The absent, the late and the clocks of one room."""

    def __init__(self, room: Room, clock: Clock | None) -> None:
        super().__init__(room)
        self.clock = clock
        self.proxied: set[int] = set()  # a bot plays until the owner is back
        self.clock_out: set[int] = set()
        self.paused = False
        self._absent: dict[int, asyncio.TimerHandle] = {}
        self._alarm: asyncio.TimerHandle | None = None

    def came(self, seat: int | None) -> None:
        """A reader opened a stream: an owner has the seat back, unless time ran out."""
        if seat is None:
            return
        timer = self._absent.pop(seat, None)
        if timer:
            timer.cancel()
        if seat in self.proxied and seat not in self.clock_out:
            self.proxied.discard(seat)
            self.run_clock()
        self.miss_others()

    def miss_others(self) -> None:
        """Who is away is missed from the moment that somebody waits."""
        if any(connection.seat is not None for connection in self.room.connections):
            for seat, chair in enumerate(self.room.table.chairs):
                if chair.user and not self.is_here(seat):
                    self.went(seat)

    def went(self, seat: int) -> None:
        """A minute to come back; then a bot plays on for the others' sake. Nobody waits in a game of days."""
        if self.room.table.state != "playing" or self.room.table.options.clock.kind == "days" or seat in self._absent:
            return
        loop = asyncio.get_running_loop()
        self._absent[seat] = loop.call_later(self.room.service.options.grace, self._gone, seat)

    def is_here(self, seat: int) -> bool:
        return any(c.seat == seat for c in self.room.connections)

    def _others_here(self, seat: int) -> bool:
        return any(c.seat is not None and c.seat != seat for c in self.room.connections)

    def _gone(self, seat: int) -> None:
        self._absent.pop(seat, None)
        if self.is_here(seat) or not self._others_here(seat) or self.paused or self.room.table.state != "playing":
            return
        self.proxied.add(seat)
        self.run_clock()
        self.room.tell_table()
        self.room.driver.go_on()

    def take_back(self, seat: int) -> None:
        """The owner plays again."""
        if seat in self.clock_out and self.clock:
            self.clock.forgive(seat, time.monotonic())
        self.clock_out.discard(seat)
        self.proxied.discard(seat)
        self.run_clock()
        self.room.tell_table()
        for connection in self.room.connections:
            self.room.resync(connection)

    def clock_after(self, seat: int, trial: Course, silent: bool, lag: float) -> str | None:
        """The clocks as they will stand once the move is made, to be written down with it."""
        if self.clock is None:
            return None
        if not silent:  # all read the clocks: one that jumps would tell of a silent choice
            self.clock.moved(seat, time.monotonic(), seat not in trial.game.to_act, lag)
        return json.dumps([round(n, 2) for n in self.clock.left(time.monotonic())])

    async def pause(self, paused: bool) -> str:
        """Stop all clocks, or let them go on; written down, so that after a restart a pause costs nobody time."""
        assert self.clock is not None
        stand = {"at": time.time(), "left": self.clock.left(time.monotonic()), "paused": paused}
        try:
            await self.room.service.store.write(
                ("UPDATE tables SET clock = ? WHERE id = ?", (json.dumps(stand), self.room.table.id))
            )
        except StoreFailed as error:
            self.room.service.log.error("the store failed", table=self.room.table.id, reason=str(error))
            return Said("unwritten", "it could not be written down: try again")
        if paused:
            self.paused = True
            self.room.tell_table()
        else:
            self.go_on()
        self.run_clock()
        for connection in self.room.connections:
            self.room.resync(connection)
        return ""

    def write_go_on(self) -> list[Statement]:
        """What to write with a move that ends a pause."""
        return [("UPDATE tables SET clock = NULL WHERE id = ?", (self.room.table.id,))] if self.paused else []

    def go_on(self) -> None:
        """The pause is over; who is away is missed again."""
        if self.paused:
            self.paused = False
            self.room.tell_table()
            self.miss_others()

    def run_clock(self) -> None:
        """Let the clocks of the people who have to choose run, and wake when one is out."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
        if self.clock is None or self.room.course is None:
            return
        now = time.monotonic()
        if self.paused or self.room.table.state != "playing" or self.room.course.game.is_over:
            self.clock.stop(now)
            return
        seats = [s for s in self.room.course.game.to_act if self.room.table.chairs[s].user and s not in self.proxied]
        self.clock.run(seats, now)
        wait = self.clock.next_out(now)
        if wait is not None:
            self._alarm = asyncio.get_running_loop().call_later(min(wait, 86400) + 0.05, self._ring)

    def _ring(self) -> None:
        assert self.clock is not None
        for seat in self.clock.out(time.monotonic()):
            holiday = self.holiday(seat)
            if holiday:
                self.clock.wait_for(seat, end_of(holiday) - time.time(), time.monotonic())
                continue
            self.clock_out.add(seat)
            self.proxied.add(seat)
        self.run_clock()
        self.room.tell_table()
        self.room.driver.go_on()

    def holiday(self, seat: int) -> str | None:
        """The last day of the holiday of a seat's owner; only a game of days waits for that."""
        user = self.room.table.chairs[seat].user
        if user is None or self.room.table.options.clock.kind != "days":
            return None
        return self.room.service.holiday(user)

    def close(self) -> None:
        for timer in (*self._absent.values(), *([self._alarm] if self._alarm else [])):
            timer.cancel()
