"""One asks, all other people at the table must agree; bots do, and people for whom a bot plays are not waited for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import msgspec

from branchline.server import wire
from branchline.server.parts import Part
from branchline.server.said import Said, trouble

if TYPE_CHECKING:
    from branchline.server.rooms import Room


class Votes(Part, ABC):
    """The vote of one room on one kind of thing, if there is one."""

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self.vote: wire.Vote | None = None

    @abstractmethod
    async def agreed(self, vote: wire.Vote) -> str:
        """Do what all agreed to, with the room's lock held; "" or why it cannot be done."""

    async def answer(self, seat: int, agree: bool) -> str:
        """Say yes or no to who asks; "" or why not."""
        if self.vote is None or seat == self.vote.seat:
            return Said("nobody_asks", "nobody asks for that")
        if not agree:
            self.drop()
            return ""
        self.vote = msgspec.structs.replace(self.vote, agreed=sorted({*self.vote.agreed, seat}))
        await self.count()
        return ""

    async def count(self) -> None:
        """Tell of the vote, or do what it is about if nobody is missing."""
        vote = self.vote
        if vote is None:
            return
        people = {seat for seat, chair in enumerate(self.room.table.chairs) if chair.user}
        if not people - {vote.seat} - self.room.presence.proxied <= set(vote.agreed):
            self.room.tell_all(vote)
            return
        async with self.room.lock:
            if self.vote is not vote or self.room.course is None:
                return
            reason = await self.agreed(vote)
            if reason:
                self.room.tell_all(trouble(reason))

    def drop(self) -> None:
        """The vote is over, or nothing can come of it any more."""
        if self.vote is not None:
            self.room.tell_all(msgspec.structs.replace(self.vote, open=False))
            self.vote = None
