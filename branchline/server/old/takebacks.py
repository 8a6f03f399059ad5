"""Taking back what all have seen: one asks, all other people at the table must agree."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from branchline.server import wire
from branchline.server.course import before_last_turn, game_after
from branchline.server.said import Said
from branchline.server.votes import Votes

if TYPE_CHECKING:
    from branchline.server.rooms import Room

NO_TAKEBACKS = Said("no_takebacks", "moves cannot be taken back at this table")


class TakeBack(Votes):
    """The vote of one room on a move, if there is one."""

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self._back_to = 0  # the entry the vote would go back to; its number tells of silent choices, so nobody is told

    async def hear(self, seat: int, agree: bool | None) -> str:
        """Ask for one's last turn again, or answer who asks; "" or why not."""
        if not self.room.table.takebacks or self.room.course is None or self.room.table.state != "playing":
            return NO_TAKEBACKS
        return await self._ask_back(seat) if agree is None else await self.answer(seat, agree)

    async def _ask_back(self, seat: int) -> str:
        async with self.room.lock:
            if self.vote is not None:
                return Said("back_asked", "somebody asks already to take a move back")
            if self.room.course is None:
                return NO_TAKEBACKS
            log = await asyncio.to_thread(self.room.service.desk.log, self.room.table.id)
            to = await asyncio.to_thread(before_last_turn, self.room.course.game, log, seat)
            if to is None:
                return Said("no_turn_back", "you have no move to take back")
            self.vote, self._back_to = wire.Vote("back", seat, [], True), to
        await self.count()
        return ""

    async def agreed(self, vote: wire.Vote) -> str:
        assert self.room.course is not None
        received = time.perf_counter()
        log = await asyncio.to_thread(self.room.service.desk.log, self.room.table.id)
        trial = self.room.course.copy()
        game = await asyncio.to_thread(game_after, trial.game, log, self._back_to)
        self.room.snapshot_seq = 0
        done = trial.back(vote.seat, self._back_to, game)
        return await self.room.commit(vote.seat, trial, [done], None, received)
