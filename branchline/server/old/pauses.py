"""A pause: one asks, all other people agree, and the clocks stand still until somebody wants to go on or plays."""

from __future__ import annotations

from branchline.server import wire
from branchline.server.said import Said
from branchline.server.votes import Votes


class Pause(Votes):
    """The vote of one room on a pause, if there is one."""

    async def hear(self, seat: int, agree: bool | None, resume: bool) -> str:
        """Ask for a pause, answer who asks, or end it; "" or why not."""
        room = self.room
        if room.table.options.clock.kind != "live" or room.course is None or room.table.state != "playing":
            return Said("no_clock", "there is no clock to pause at this table")
        if resume:
            async with room.lock:
                if not room.presence.paused:
                    return Said("clocks_run", "the clocks are running")
                return await room.presence.pause(False)
        if agree is not None:
            return await self.answer(seat, agree)
        if room.presence.paused:
            return Said("paused", "the clocks stand still already")
        if self.vote is not None:
            return Said("pause_asked", "somebody asks already for a pause")
        self.vote = wire.Vote("pause", seat, [], True)
        await self.count()
        return ""

    async def agreed(self, vote: wire.Vote) -> str:
        self.drop()
        return await self.room.presence.pause(True)
