"""Taking back what all have seen: one asks, all other people at the table must agree."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import msgspec

from branchline.server import wire
from branchline.server.course import before_last_turn, game_after

if TYPE_CHECKING:
    from branchline.server.rooms import Room


class TakeBack:
    """The vote of one room, if there is one."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.vote: wire.Vote | None = None
        self._back_to = 0  # the entry the vote would go back to; its number tells of silent choices, so nobody is told

    async def hear(self, seat: int, agree: bool | None) -> str:
        """Ask for one's last turn again, or answer who asks; "" or why not."""
        if not self.room.table.takebacks or self.room.course is None or self.room.table.state != "playing":
            return "moves cannot be taken back at this table"
        if agree is None:
            return await self._ask_back(seat)
        if self.vote is None or seat == self.vote.seat:
            return "nobody asks to take a move back"
        if not agree:
            self.drop()
            return ""
        self.vote = msgspec.structs.replace(self.vote, agreed=sorted({*self.vote.agreed, seat}))
        await self._count_votes()
        return ""

    async def _ask_back(self, seat: int) -> str:
        async with self.room.lock:
            if self.vote is not None:
                return "somebody asks already to take a move back"
            if self.room.course is None:
                return "moves cannot be taken back at this table"
            log = self.room.service.desk.log(self.room.table.id)
            to = await asyncio.to_thread(before_last_turn, self.room.course.game, log, seat)
            if to is None:
                return "you have no move to take back"
            self.vote, self._back_to = wire.Vote(seat, [], True), to
        await self._count_votes()
        return ""

    async def _count_votes(self) -> None:
        vote = self.vote
        if vote is None:
            return
        people = {seat for seat, chair in enumerate(self.room.table.chairs) if chair.user}
        if not people - {vote.seat} - self.room.presence.proxied <= set(vote.agreed):
            self.room.tell_all(vote)
            return
        received = time.perf_counter()
        async with self.room.lock:
            if self.vote is not vote or self.room.course is None:
                return
            log = self.room.service.desk.log(self.room.table.id)
            trial = self.room.course.copy()
            game = await asyncio.to_thread(game_after, trial.game, log, self._back_to)
            self.room.snapshot_seq = 0
            done = trial.back(vote.seat, self._back_to, game)
            reason = await self.room.commit(vote.seat, trial, [done], None, received)
            if reason:
                self.room.tell_all(wire.Trouble(reason))

    def drop(self) -> None:
        """The vote is over, or nothing can come of it any more."""
        if self.vote is not None:
            self.room.tell_all(msgspec.structs.replace(self.vote, open=False))
            self.vote = None
