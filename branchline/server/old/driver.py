"""What drives a game on when no person has to: bots choose, and what is over is scored."""

from __future__ import annotations

import asyncio
import time
from hashlib import sha256
from typing import TYPE_CHECKING

from branchline.fair import bot_seed
from branchline.server import wire
from branchline.server.parts import Part
from branchline.server.thinking import Chosen

if TYPE_CHECKING:
    from branchline.server.rooms import Room


class Driver(Part):
    """The task of one room's bots; there is one only while it has something to do."""

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self._task: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        return self._task is not None and not self._task.done()

    def close(self) -> None:
        if self._task:
            self._task.cancel()

    def go_on(self) -> None:
        """Let bots play, and end what is over."""
        if self.room.course is None or self.room.table.state != "playing":
            return
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._drive())

    async def _drive(self) -> None:
        try:
            while self.room.course is not None and self.room.table.state == "playing":
                if self.room.course.game.is_over:
                    await self._end()
                    return
                seat = next((s for s in self.room.course.game.to_act if self._bot_of(s)), None)
                if seat is None:
                    return
                await self._bot_move(seat)
        except asyncio.CancelledError:
            raise
        except Exception:  # a fault of ours: the game stays where its log says, and the next reader wakes it again
            self.room.service.log.exception("a game's bots stopped", table=self.room.table.id)

    def _bot_of(self, seat: int) -> str | None:
        return self.room.table.chairs[seat].bot or ("conductor" if seat in self.room.presence.proxied else None)

    def _chance(self, seat: int) -> int:
        """A bot's own chance; at a chosen deal the same each time, so that a deal can be played again."""
        assert self.room.course is not None
        table, moves = self.room.table, self.room.course.seq
        if table.options.fixed_deal:
            return bot_seed(sha256(str(table.seed).encode()).digest(), "chosen", seat, moves)
        return bot_seed(table.server_seed, table.id, seat, moves)

    async def _bot_move(self, seat: int) -> None:
        assert self.room.course is not None
        bot, asked = self._bot_of(seat), self.room.course.asked[seat]
        assert bot is not None
        view = self.room.course.game.view(seat)
        began = time.monotonic()
        chance = self._chance(seat)
        chosen = await self.room.service.thinking.choose(view, bot, chance)
        if self.room.connections:  # people want to see what a bot does
            await asyncio.sleep(max(0.0, self.room.service.options.bot_pause - (time.monotonic() - began)))
        if self._bot_of(seat) is None:  # the owner is back
            return
        by = self._by(seat, chosen)
        reply = await self.room.move(seat, wire.Move(asked, f"bot-{asked}-{self.room.course.seq}", [chosen.line]), by)
        if isinstance(reply, wire.Refused) and not reply.stale:
            raise RuntimeError(f"bot {bot} was refused: {reply.clause} {reply.reason}")

    def _by(self, seat: int, chosen: Chosen) -> str:
        """Who chose: the bot, the stand-in for one that failed, or the one that plays for a person who is away."""
        if not self.room.table.chairs[seat].bot:
            return "proxy"
        return "standin" if chosen.fault else "bot"

    async def _end(self) -> None:
        """Score the game, write the result down, tell everybody."""
        assert self.room.course is not None
        position = self.room.course.game.position.to_bytes()
        result = await self.room.service.score(self.room.table.map.id, position)
        now = time.time()
        await self.room.service.store.write(
            (
                "UPDATE tables SET state = 'over', ended = ?, result = ?, to_act = '[]', updated = ? WHERE id = ?",
                (now, result.decode(), now, self.room.table.id),
            )
        )
        self.room.table.result, self.room.table.ended, self.room.table.state = result, now, "over"
        self.room.presence.run_clock()
        text = self.room.finale()
        for connection in self.room.connections:
            connection.send(text)
        self.room.tell_table()
