"""What drives a game on when no person has to: bots choose, and what is over is scored."""

from __future__ import annotations

import asyncio
import time
from hashlib import sha256

from branchline.fair import bot_seed
from branchline.server.live.table import Elsewhere, LiveTable, Unwritten
from branchline.server.operate.logs import log
from branchline.server.tables import commands
from branchline.server.tables.outcome import MoveRefused
from branchline.server.tables.state import Playing, people
from branchline.server.thinking.askers import Asker, Priority
from branchline.server.thinking.thinking import Thinking

LONGEST_WAIT = 5.0  # seconds between tries while the store fails


class BotPlayer:
    """Plays for the bots of all live tables; one task a table, and only while it has something to do."""

    def __init__(self, thinking: Thinking, pause: float) -> None:
        self._thinking = thinking
        self._pause = pause

    def wake(self, live: LiveTable) -> None:
        """Let bots play, and end what is over."""
        if not isinstance(live.table, Playing) or (live.bots is not None and not live.bots.done()):
            return
        self._thinking.expect(chair.bot for chair in live.table.chairs if chair.bot)
        if live.table.course.game.is_over or _next_seat(live.table) is not None:
            live.bots = asyncio.create_task(self._play(live))

    async def _play(self, live: LiveTable) -> None:
        wait = 0.1
        while not live.is_closed:
            try:
                if not await self._step(live):
                    return
                wait = 0.1
            except (asyncio.CancelledError, Elsewhere):
                return
            except MoveRefused as refused:
                if not refused.stale:
                    log().error("a bot was refused", table=live.id, clause=refused.clause, reason=refused.reason)
                    return
            except Unwritten:  # nothing was changed: the same again, when the store may be back
                await asyncio.sleep(wait)
                wait = min(wait * 2, LONGEST_WAIT)
            except Exception:  # a fault of ours: the game stays where its log says, and the next reader wakes it again
                log().exception("a game's bots stopped", table=live.id)
                return

    async def _step(self, live: LiveTable) -> bool:
        """One move of a bot, or the score of what is over; False if there is nothing to do."""
        table = live.table
        if not isinstance(table, Playing):
            return False
        if table.course.game.is_over:
            result = await self._thinking.score(table.agreed.map.id, table.course.game.position.to_bytes())
            await live.do(commands.End(result=result))
            return False
        seat = _next_seat(table)
        if seat is None:
            return False
        await live.do(await self._choice(live, table, seat))
        return True

    async def _choice(self, live: LiveTable, table: Playing, seat: int) -> commands.BotMove:
        bot, asked = table.bot_of(seat), table.course.asked[seat]
        assert bot is not None
        began = time.monotonic()
        view = table.course.game.view(seat)
        chosen = await self._thinking.choose(view, bot, _chance(table, seat), _asker(table))
        if live.readers:  # people want to see what a bot does
            await asyncio.sleep(max(0.0, self._pause - (time.monotonic() - began)))
        return commands.BotMove(seat=seat, seq=asked, line=chosen.line, fault=bool(chosen.fault))


def _next_seat(table: Playing) -> int | None:
    return next((seat for seat in table.course.game.to_act if table.bot_of(seat)), None)


def _chance(table: Playing, seat: int) -> int:
    """A bot's own chance; at a chosen deal the same each time, so that a deal can be played again."""
    agreed, moves = table.agreed, table.course.seq
    if agreed.options.fixed_deal:
        return bot_seed(sha256(str(table.dealt.seed).encode()).digest(), "chosen", seat, moves)
    return bot_seed(agreed.server_seed, agreed.id, seat, moves)


def _asker(table: Playing) -> Asker:
    """For whom a bot thinks; where only bots sit, nobody waits for it."""
    return Asker(table.owner, priority=Priority.PEOPLE if people(table) else Priority.BOTS_ONLY)
