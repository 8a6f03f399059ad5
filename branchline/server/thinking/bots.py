"""How bots choose: in other processes, each kind in its own, so that nobody waits for another's thoughts.

Bots that answer at once share the service's workers. Those that take their time have processes of their own, and less
time each when many tables wait. A bot of the service's owner has a process to itself, which it may ruin. Whatever a
bot does wrong, the game goes on: `path` makes that move, and the table is told.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import NamedTuple

from branchline.bots import kernel_number
from branchline.bots.registry import parse
from branchline.notation import write_action
from branchline.server import workers
from branchline.server.pool import Pool
from branchline.server.roster import Offered, Roster
from branchline.view import View

QUICK_SECONDS = 10.0  # no bot of ours that takes no seconds takes a tenth of one
MOST_WAIT = 2.0  # seconds that tables should wait for a bot that takes its time
LEAST_SECONDS = 0.05
OVERRUN = 1.1  # of the seconds given, and one more for the way to and fro on a busy machine
ON_THE_WAY = 1.0


class Chosen(NamedTuple):
    """A line, and why it is not the bot's own, or ""."""

    line: str
    fault: str = ""


class Thinking:
    """The processes of a service in which bots think."""

    def __init__(self, roster: Roster, quick: Pool, thinkers: int = 1, seconds: float = 1.0) -> None:
        self.roster = roster
        self.seconds = seconds
        self._quick = quick
        self._thinkers = Pool(thinkers, workers.prepare_thinker)
        self._own = {bot.id: Pool(1, partial(workers.prepare_own, bot.spec)) for bot in roster.offered if bot.own}
        self._threads = max(1, (os.cpu_count() or 1) // thinkers)
        self.on_choice: Callable[[str, float, str], None] | None = None

    async def choose(self, view: View, bot: str, seed: int) -> Chosen:
        """What a bot chooses; one that fails is replaced for this move by `path`, and that by the first legal line."""
        began = time.perf_counter()
        found = self.roster.find(bot)
        line, fault = "", "missing"
        if found is not None:
            line, fault = await self._try(view, found, seed)
        if self.on_choice:
            self.on_choice(bot if found else "other", time.perf_counter() - began, fault)
        if line:
            return Chosen(line)
        path = self.roster.find("path")
        assert path is not None
        line, _ = await self._try(view, path, seed)
        return Chosen(line or write_action(view.legal_actions()[0]), fault)

    async def _try(self, view: View, bot: Offered, seed: int) -> tuple[str, str]:
        """The line a bot chooses and "", or "" and what is wrong with it. Only its own death is laid to its charge."""
        assert view.reader is not None
        pool, seconds, limit = self._place(bot)
        what = (view.map.id, parse(bot.spec).bare, seed, view.reader, view.to_bytes(), seconds, self._threads)
        try:
            return await pool.run(workers.choose, *what, seconds=limit), ""
        except asyncio.CancelledError:
            raise
        except TimeoutError:
            return "", "slow"
        except BrokenProcessPool:
            return "", "died"
        except workers.BotFailed as failed:
            return "", str(failed)
        except Exception as error:  # it could not even be loaded
            return "", f"crashed: {type(error).__name__}: {error}"

    def _place(self, bot: Offered) -> tuple[Pool, float | None, float]:
        """Where a bot thinks, for how many seconds, and after how many it is given up."""
        if not bot.own and kernel_number(bot.spec) is not None:
            return self._quick, None, QUICK_SECONDS
        pool = self._own[bot.id] if bot.own else self._thinkers
        most = min(parse(bot.spec).seconds or self.seconds, self.seconds)
        seconds = max(LEAST_SECONDS, min(most, MOST_WAIT * pool.count / (pool.asked + 1)))
        return pool, seconds, OVERRUN * seconds + ON_THE_WAY

    async def warm(self) -> None:
        """Compile what is not compiled yet, and be ready to think."""
        await self._thinkers.warm()

    def close(self) -> None:
        for pool in (self._thinkers, *self._own.values()):
            pool.close()
