"""The service: what its parts share, its start and its end."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass
from pathlib import Path

from branchline.maps.loader import shipped_maps
from branchline.server.blocks import Blocks
from branchline.server.breath import breath
from branchline.server.chat import Chat
from branchline.server.collector import Collector
from branchline.server.course import Course
from branchline.server.desk import Desk
from branchline.server.facts import facts_of, labels_of, map_of
from branchline.server.fair import Promises
from branchline.server.guests import Guests, load_secret, suggested_name
from branchline.server.holidays import end_of
from branchline.server.limits import Limits
from branchline.server.logs import log
from branchline.server.metrics import Metrics
from branchline.server.pool import Pool
from branchline.server.roster import Roster
from branchline.server.store import Store
from branchline.server.thinking import Thinking
from branchline.server.views import offers_of, view_wire
from branchline.server.workers import finale, load_compiled, prepare_quick

HEARTBEAT_SECONDS = 5.0
SWEEP_SECONDS = 20.0
WARM_AFTER_SECONDS = 5.0  # the page comes first


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """What the command line decides."""

    data: Path
    bot_pause: float = 0.7  # seconds between the moves of bots, so that people can follow
    grace: float = 60.0  # seconds a player may be away before a bot plays on
    workers: int = 1
    thinkers: int = 1  # processes for bots that take their time
    bot_seconds: float = 1.0  # what such a bot may take for a move
    bots: tuple[str, ...] = ()  # bots of the owner's, beside the levels
    warm: bool = False  # load the compiled bots, or compile them, before one is asked
    origins: frozenset[str] = frozenset()  # other addresses the page is served from
    secure: bool = False  # cookies only over https


class Service:
    """One running service on one data folder."""

    def __init__(self, options: ServeOptions, metrics: Metrics | None = None) -> None:
        self.options = options
        self.store = Store(options.data)
        secret = load_secret(options.data)
        self.guests = Guests(secret)
        self.promises = Promises(secret)
        self.metrics = metrics or Metrics()
        self.metrics.watch_store(self.store)
        self.log = log()
        self.roster = Roster(options.bots)
        self.workers = Pool(options.workers, prepare_quick)
        self.thinking = Thinking(self.roster, self.workers, options.thinkers, options.bot_seconds)
        self.files = Pool(1)  # for what strangers send: one that hangs keeps no bot from its move
        self.file_limits = Limits(rate=0.1, burst=5)
        self.blocks = Blocks(self.store, secret)
        self.chat = Chat(self.store)
        self.desk = Desk(self)
        self.requests = Limits(rate=20, burst=100)
        self.started = time.time()
        self._pulse = options.data / "alive"
        self._last_alive = self._pulse.stat().st_mtime if self._pulse.exists() else self.started
        self._names: dict[str, str] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self.metrics.rooms.set_function(lambda: float(len(self.desk.rooms)))
        self.thinking.on_choice = self._bot_chose

    async def start(self) -> None:
        """Begin to count time, wake the games whose clocks press."""
        _learn_maps()
        self.store.read("SELECT 1")  # opens this thread's way to the file
        self.collector = Collector()
        self._tasks = [
            asyncio.create_task(self._beat()),
            asyncio.create_task(self._sweep()),
            asyncio.create_task(self.metrics.watch_loop()),
            asyncio.create_task(self._warm()),
        ]
        for row in self.store.read(
            "SELECT id FROM tables WHERE state = 'playing' AND json_extract(options, '$.clock.kind') = 'live'"
        ):
            await self.desk.room(row["id"])

    def end_streams(self) -> None:
        """Let go of all who look on, so that nothing keeps the service from ending."""
        for room in self.desk.rooms.values():
            for connection in room.connections:
                connection.end()

    async def stop(self) -> None:
        """Finish what is being written, and let go."""
        for task in self._tasks:
            task.cancel()
        for room in self.desk.rooms.values():
            async with room.lock:
                room.close()
        self.workers.close()
        self.collector.close()
        self.thinking.close()
        self.files.close()
        self._pulse.touch()
        await self.store.close()

    async def _beat(self) -> None:
        while True:
            self._pulse.touch()
            await asyncio.sleep(HEARTBEAT_SECONDS)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self.desk.sweep()
                found = self.collector.tidy()
                if found is not None:
                    self.log.warning("much had piled up in memory", found=found, rooms=len(self.desk.rooms))
            except Exception:
                self.log.exception("tidying failed")

    async def _warm(self) -> None:
        try:
            await self.workers.warm()
            if self.options.warm:
                await asyncio.sleep(WARM_AFTER_SECONDS)
                await self.thinking.warm()
                await self.workers.everywhere(load_compiled)
        except Exception:
            self.log.exception("no worker came up")

    def _bot_chose(self, bot: str, seconds: float, fault: str) -> None:
        self.metrics.bot(bot, seconds, fault.partition(":")[0])
        if fault:
            self.log.warning("a bot was replaced for a move", bot=bot, why=fault, seconds=round(seconds, 3))

    def alive_since(self, moment: float) -> float:
        """Seconds the service has been running since a moment: clocks stand still while it does not."""
        before = max(0.0, self._last_alive - moment) if moment < self.started else 0.0
        return before + time.time() - max(moment, self.started)

    async def score(self, map_id: str, position: bytes) -> bytes:
        """The score sheets of a finished game; the search for long paths is not for the event loop."""
        try:
            return await self.workers.run(finale, map_id, position, seconds=60)
        except Exception:
            self.log.exception("scoring in a worker failed")
            return await asyncio.to_thread(finale, map_id, position)

    # ------------------------------------------------------------ users

    def known_name(self, user: str, lang: str = "en") -> tuple[str, bool]:
        """A user's name, and whether they chose it; a guest without one gets the same suggestion each time."""
        if user not in self._names:
            rows = self.store.read("SELECT name FROM users WHERE id = ?", (user,))
            if not rows:
                return suggested_name(random.Random(user), lang), False
            self._remember(user, rows[0]["name"])
        return self._names[user], True

    def language(self, user: str) -> str | None:
        rows = self.store.read("SELECT lang FROM users WHERE id = ?", (user,))
        return rows[0]["lang"] if rows else None

    def holiday(self, user: str) -> str | None:
        """The last day of a user's holiday, if it is not over."""
        rows = self.store.read("SELECT holiday FROM users WHERE id = ?", (user,))
        day: str | None = rows[0]["holiday"] if rows else None
        return day if day is not None and end_of(day) > time.time() else None

    async def set_holiday(self, user: str, day: str | None) -> None:
        await self.user_name(user)
        await self.store.write(("UPDATE users SET holiday = ? WHERE id = ?", (day, user)))
        await self.desk.tell_of(user)

    def _remember(self, user: str, name: str) -> None:
        if len(self._names) > 10_000:
            self._names.clear()
        self._names[user] = name

    async def user_name(self, user: str, lang: str = "en") -> str:
        """A user's name; from now on it is theirs."""
        name, chosen = self.known_name(user, lang)
        if not chosen:
            await breath()
            await self.set_user(user, name, None)
        return name

    async def set_user(self, user: str, name: str | None, lang: str | None) -> None:
        now = time.time()
        current, _ = self.known_name(user)
        await self.store.write(
            (
                "INSERT INTO users (id, name, created, seen, lang) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE"
                " SET name = excluded.name, seen = excluded.seen, lang = coalesce(?, lang)",
                (user, name or current, now, now, lang or "en", lang),
            )
        )
        self._remember(user, name or current)


def _learn_maps() -> None:
    """Make what belongs to a map once, before anybody waits: else the first game of each would."""
    for name in shipped_maps():
        data = map_of(name)
        labels_of(data)
        facts_of(data)
        view = Course.begin(data, data.min_players, 0).game.view(0)
        view_wire(view)
        offers_of(view)
