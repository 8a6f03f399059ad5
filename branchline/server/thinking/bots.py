"""How bots choose: each kind in processes of its own, so that nobody waits for another's thoughts.

Bots that answer at once share a pool with the scoring of games. Those that take their time have another, and less time
each when many tables wait. A bot of the service's owner has a process to itself, which it may ruin. Whatever a bot does
wrong, the game goes on: `path` makes that move, and the table is told.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures.process import BrokenProcessPool
from typing import NamedTuple

from branchline.bots import kernel_number
from branchline.bots.registry import parse
from branchline.notation import write_action
from branchline.server.tables.roster import Offered, Roster
from branchline.server.thinking import jobs
from branchline.server.thinking.askers import Asker, Priority, TooBusy
from branchline.server.thinking.pool import Pool
from branchline.view import View

QUICK_SECONDS = 10.0  # no bot of ours that takes no seconds takes a tenth of one
MOST_WAIT = 2.0  # seconds that tables should wait for a bot that takes its time
LEAST_SECONDS = 0.05
BOTS_ONLY_SECONDS = 0.25  # at most at a table with only bots, while people's tables ask: they would wait for it
QUIET_SECONDS = 60.0  # people's tables ask no more if they have not for so long
OVERRUN = 1.1  # of the seconds given, and some more for the way to and fro on a busy machine
ON_THE_WAY = 2.0


class Chosen(NamedTuple):
    """A line, and why it is not the bot's own, or ""."""

    line: str
    fault: str = ""


class Bots:
    """Who chooses for the bots at the tables: `quick` and `slow` are for ours, `own` by id for the owner's."""

    def __init__(
        self, roster: Roster, quick: Pool, slow: Pool, own: Mapping[str, Pool], *, seconds: float, threads: int
    ) -> None:
        self.roster = roster
        self.seconds = seconds
        self.on_choice: Callable[[str, float, str], None] | None = None
        self._quick, self._slow, self._own = quick, slow, own
        self._threads = threads
        self._kinds: dict[str, str | None] = {}
        self._people_asked = -QUIET_SECONDS  # for a bot that takes its time, by the steady clock

    async def choose(self, view: View, bot: str, seed: int, asker: Asker) -> Chosen:
        """What a bot chooses; one that fails is replaced for this move by `path`, and that by the first legal line."""
        began = time.perf_counter()
        found = self.roster.find(bot)
        line, fault = await self._try(view, found, seed, asker) if found else ("", "missing")
        if self.on_choice:
            self.on_choice(bot if found else "other", time.perf_counter() - began, fault)
        return Chosen(line) if line else Chosen(await self._stand_in(view, seed, asker), fault)

    async def _stand_in(self, view: View, seed: int, asker: Asker) -> str:
        path = self.roster.find("path")
        line, _ = await self._try(view, path, seed, asker) if path else ("", "")
        return line or write_action(view.legal_actions()[0])

    async def _try(self, view: View, bot: Offered, seed: int, asker: Asker) -> tuple[str, str]:
        """The line a bot chooses and "", or "" and what is wrong with it."""
        assert view.reader is not None
        pool, seconds, limit = self._place(bot, asker)
        what = (view.map.id, parse(bot.spec).bare, seed, view.reader, view.to_bytes(), seconds, self._threads)
        try:
            return await pool.run(asker, jobs.choose, *what, seconds=limit), ""
        except asyncio.CancelledError:
            raise
        except Exception as error:
            return "", _fault(error)

    def kind(self, bot: str) -> str | None:
        """Whether a bot is a quick or a slow one of ours; None for others."""
        if bot not in self._kinds:  # to look it up may search all installed packages
            self._kinds[bot] = self._found_kind(bot)
        return self._kinds[bot]

    def _found_kind(self, bot: str) -> str | None:
        found = self.roster.find(bot)
        if found is None or found.own:
            return None
        return "quick" if kernel_number(found.spec) is not None else "slow"

    def _place(self, bot: Offered, asker: Asker) -> tuple[Pool, float | None, float]:
        """Where a bot thinks, for how many seconds, and after how many it is given up."""
        if not bot.own and kernel_number(bot.spec) is not None:
            return self._quick, None, QUICK_SECONDS
        pool = self._own[bot.id] if bot.own else self._slow
        most = min(parse(bot.spec).seconds or self.seconds, self.seconds, self._most(asker))
        seconds = max(LEAST_SECONDS, min(most, MOST_WAIT * pool.count / (pool.turns.crowd(asker) + 1)))
        return pool, seconds, OVERRUN * seconds + ON_THE_WAY

    def _most(self, asker: Asker) -> float:
        now = time.monotonic()
        if asker.priority == Priority.PEOPLE:
            self._people_asked = now
            return self.seconds
        return BOTS_ONLY_SECONDS if now - self._people_asked < QUIET_SECONDS else self.seconds


def _fault(error: Exception) -> str:
    """What is wrong with a bot, beginning with a word that metrics count."""
    match error:
        case TooBusy():
            return "busy"
        case TimeoutError():
            return "slow"
        case BrokenProcessPool():
            return "died"
        case jobs.BotFailed():
            return str(error)
        case _:  # it could not even be loaded
            return f"crashed: {type(error).__name__}: {error}"
