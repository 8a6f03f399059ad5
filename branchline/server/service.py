"""The service put together: which part works with which, how it starts and how it ends. No part knows this module."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from email.utils import parseaddr
from pathlib import Path

from branchline.maps.loader import known_maps
from branchline.server.bus.links import Links
from branchline.server.bus.opening import bus_at
from branchline.server.bus.shares import Shares
from branchline.server.live.all_tables import Tables, price_at
from branchline.server.live.bots import BotPlayer
from branchline.server.live.facts import FactFinder
from branchline.server.live.far import Edge, FarTables, Holder
from branchline.server.live.held import HeldTables
from branchline.server.live.steady import Steady
from branchline.server.live.table import Around, LiveTable
from branchline.server.notices.book import CallBook
from branchline.server.notices.mail import Mailer, read_sender, read_server
from branchline.server.notices.push import PushSender
from branchline.server.notices.reaching import Reaching
from branchline.server.notices.sender import Sender, Sending
from branchline.server.operate.collector import Collector
from branchline.server.operate.logs import log
from branchline.server.operate.metrics import Metrics
from branchline.server.people.carries import Carries
from branchline.server.people.guests import Guests
from branchline.server.people.keys import Keys
from branchline.server.people.people import People
from branchline.server.store.contract import Store, StoreFailed
from branchline.server.store.opening import open_store
from branchline.server.tables.course import Course
from branchline.server.tables.outcome import Outcome
from branchline.server.tables.promises import Promises
from branchline.server.tables.roster import Roster
from branchline.server.thinking.reviewing import Reviewing
from branchline.server.thinking.thinking import Thinking
from branchline.server.transport.bound_settings import BoundSettings
from branchline.server.transport.bounds import Bounds
from branchline.server.wire.facts import facts_of, map_of
from branchline.server.wire.views import offers_of, view_wire

SWEEP_SECONDS = 20.0
SWEEP_SECONDS_SHARED = 4.0  # games of a process that died are taken over
BEAT_SECONDS = 5.0  # between signs of life: so much at the most is given back to a clock after a crash
BEAT_SECONDS_SHARED = 1.0  # other processes wait for it
SILENT_BEATS = 3  # after so many others may have taken over
WARM_AFTER_SECONDS = 5.0  # the page comes first
NOTICE_SECONDS = 1.0  # between looks for notices to send
PUSH_THREADS = 8
MAIL_THREADS = 2
QUESTION_THREADS = 2  # for mails that somebody waits for at a page
PEOPLE = "people"  # what is spread when somebody has changed


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """What the command line decides."""

    data: Path
    address: str = ""  # where this process listens, for who looks at all of them
    database: str = ""  # postgresql://…; without it, one file in the data folder
    bus: str = ""  # redis://…; without it, this process is the only one
    bot_pause: float = 0.7  # seconds between the moves of bots, so that people can follow
    grace: float = 60.0  # seconds a player may be away before the others may vote for a bot
    workers: int = 1
    thinkers: int = 1  # processes for bots that take their time
    bot_seconds: float = 1.0  # what such a bot may take for a move
    bots: tuple[str, ...] = ()  # bots of the owner's, beside the levels
    warm: bool = False  # load the compiled bots, or compile them, before one is asked
    origins: frozenset[str] = frozenset()  # other addresses the page is served from
    secure: bool = False  # cookies only over https
    proxies: tuple[str, ...] = ()  # whose word on addresses is taken
    hosts: tuple[str, ...] = ()  # names the service answers to
    open_days: float = 2.0  # a table nobody started in this time is closed
    abandon_days: float = 30.0  # a game nobody came back to in this time is closed
    smtp: str = ""  # the mail server; without it, without a sender or without an origin there is no mail
    mail_from: str = ""
    call_after: float = 10.0  # seconds after which somebody who does not look is told
    push_allow: tuple[str, ...] = ()  # push services HOST:PORT of a test's own, which need not be public
    bounds: BoundSettings = field(default_factory=BoundSettings)

    @property
    def contact(self) -> str:
        """Whom a push service can turn to."""
        if self.mail_from:
            return f"mailto:{parseaddr(self.mail_from)[1]}"
        origins = [origin for origin in sorted(self.origins) if origin.startswith("https://")]
        named = [f"https://{host}" for host in self.hosts if self.secure]
        return next(iter(origins + named), "mailto:nobody@localhost")  # `admin check` says so

    def mailer(self) -> Mailer | None:
        """Mail, where all that it needs was set."""
        if not (self.smtp and self.mail_from and self.origins):
            return None
        return Mailer(read_server(self.smtp), read_sender(self.mail_from), sorted(self.origins)[0])


@dataclass(slots=True)
class Service:
    """One running process of a service: its parts, and the tasks that keep it going."""

    options: ServeOptions
    store: Store
    links: Links
    shares: Shares
    metrics: Metrics
    steady: Steady
    keys: Keys
    guests: Guests
    carries: Carries
    promises: Promises
    people: People
    roster: Roster
    thinking: Thinking
    reviewing: Reviewing
    tables: Tables
    bounds: Bounds
    calls: CallBook
    sender: Sender
    pools: tuple[ThreadPoolExecutor, ...]  # for notices: each thread waits for somebody far away
    collector: Collector = field(default_factory=Collector)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def start(self) -> None:
        """Begin to count time, wake the games whose clocks press."""
        _learn_maps()
        self.collector.start()
        await self.store.beat(self.steady.now())
        await self.links.open()
        self.shares.start()
        self.tasks = [
            asyncio.create_task(work)
            for work in (self._beat(), self._sweep(), self.keys.watch(), self.metrics.watch_loop(), self._warm())
        ]
        self.tasks.append(asyncio.create_task(self.sender.watch(NOTICE_SECONDS)))
        await self.tables.held.wake_pressing()

    def end_streams(self) -> None:
        """Let go of all who look on, so that nothing keeps the service from ending."""
        if self.tables.far is not None:
            self.tables.far.edge.end_streams()
        for live in list(self.tables.held.live.values()):
            live.end_streams()

    async def stop(self) -> None:
        """Finish what is being written, and let go."""
        for task in self.tasks:
            task.cancel()
        await self.tables.held.close()
        for pool in self.pools:
            pool.shutdown(wait=False, cancel_futures=True)
        self.reviewing.close()
        self.thinking.close()
        self.collector.close()
        self.shares.close()
        await self.links.close()
        try:
            await self.store.beat(self.steady.now())
        except StoreFailed as error:
            log().warning("the last sign of life could not be written", reason=str(error))
        await self.store.close()

    async def _beat(self) -> None:
        """Say that this process lives; after a silence look which tables it still holds."""
        every = BEAT_SECONDS_SHARED if self.options.database else BEAT_SECONDS
        said = time.monotonic()
        while True:
            await asyncio.sleep(every)
            try:
                await self.store.beat(self.steady.now())
                if time.monotonic() - said > SILENT_BEATS * every:
                    await self.tables.held.check_leases()
                said = self.tables.held.said = time.monotonic()
            except StoreFailed as error:
                log().warning("a sign of life could not be written", reason=str(error))

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS_SHARED if self.options.database else SWEEP_SECONDS)
            try:
                now = self.steady.now()
                day = 86400.0
                await self.tables.held.check_leases()  # an operator may have changed a table beside us
                await self.tables.held.wake_pressing()
                self.metrics.broken.set(len(await self.store.broken()))
                await self.tables.held.sweep(now - self.options.open_days * day, now - self.options.abandon_days * day)
                found = self.collector.tidy()
                if found is not None:
                    log().warning("much had piled up in memory", found=found, tables=len(self.tables.held.live))
            except Exception:
                log().exception("tidying failed")

    async def _warm(self) -> None:
        try:
            await self.thinking.start()
            if self.options.warm:
                await asyncio.sleep(WARM_AFTER_SECONDS)
                await self.thinking.warm()
        except Exception:
            log().exception("no worker came up")


async def open_service(options: ServeOptions, metrics: Metrics) -> Service:
    """Put the parts together; raises `BadStore` where the store cannot be used."""
    store = await open_store(options.database or options.data, address=options.address, backups=options.data)
    metrics.watch_store(store)
    steady = Steady(await store.now())
    keys = Keys(store)
    await keys.load()
    people, promises, roster = People(store, keys), Promises(keys), Roster(options.bots)
    thinking = Thinking(roster, options.workers, options.thinkers, options.bot_seconds)
    thinking.on_choice = _ChoiceLog(metrics).note
    finder = FactFinder(store, people, promises, roster, steady)
    bots = BotPlayer(thinking, options.bot_pause)
    wiring = _Wiring(people)
    around = Around(store, steady, finder, metrics, options.grace, bots.wake, wiring.hold, wiring.lost)
    wiring.tables = tables = Tables(HeldTables(around), store, people, finder, roster, steady)
    links = Links(bus_at(options.bus, store.me))
    links.on_spread[PEOPLE] = wiring.heard_of
    wiring.links, people.on_change = links, wiring.changed
    if options.bus:
        holder = Holder(links, tables.held, tables.seen, price_at)
        tables.far = FarTables(links, Edge(links), holder, tables.rejoin)
    metrics.rooms.set_function(lambda: float(len(tables.held.live)))
    metrics.leases.set_function(lambda: float(len(tables.held.live)))
    shares = Shares(links)
    bounds = Bounds(shares, options.bounds, lambda kind: metrics.bounded.labels(kind).inc())
    _watch(metrics, thinking)
    sizes = {"push": PUSH_THREADS, "mail": MAIL_THREADS, "questions": QUESTION_THREADS}
    pools = tuple(ThreadPoolExecutor(size, thread_name_prefix=name) for name, size in sizes.items())
    push_pool, mail_pool, question_pool = pools
    reaching, mailer = Reaching(frozenset(options.push_allow)), options.mailer()
    calls = CallBook(store, people, keys, reaching, mailer, question_pool)
    push = PushSender(reaching, options.contact)
    sending = Sending(store, keys, push, mailer, calls.stop_token, metrics, push_pool, mail_pool, options.call_after)
    return Service(
        options=options,
        store=store,
        links=links,
        shares=shares,
        metrics=metrics,
        steady=steady,
        keys=keys,
        guests=Guests(keys),
        carries=Carries(store, keys),
        promises=promises,
        people=people,
        roster=roster,
        thinking=thinking,
        reviewing=Reviewing(thinking.reviews, store),
        tables=tables,
        bounds=bounds,
        calls=calls,
        sender=Sender(sending),
        pools=pools,
    )


def _watch(metrics: Metrics, thinking: Thinking) -> None:
    """Let the metrics show what waits."""
    for kind in thinking.load():
        metrics.watch_work(kind, _Load(thinking, kind, 0), _Load(thinking, kind, 1))


class _Load:
    """How much work of a kind waits (0) or is done now (1)."""

    def __init__(self, thinking: Thinking, kind: str, which: int) -> None:
        self._thinking, self._kind, self._which = thinking, kind, which

    def __call__(self) -> int:
        return self._thinking.load()[self._kind][self._which]


class _Wiring:
    """What the parts tell one another in passing, so that none has to know all others."""

    tables: Tables
    links: Links

    def __init__(self, people: People) -> None:
        self._people = people
        self._tasks: set[asyncio.Task[None]] = set()

    def hold(self, outcome: Outcome) -> None:
        self.tables.held.hold_made(outcome)

    def lost(self, live: LiveTable) -> None:
        self.tables.lost(live)

    def changed(self, user: str) -> None:
        """Somebody was changed here: tables show it, in all processes."""
        self.links.spread(user.encode(), PEOPLE)
        self._show(user)

    def heard_of(self, peer: str, body: bytes) -> None:
        """Somebody was changed in another process."""
        user = body.decode(errors="replace")
        self._people.forget(user)
        self._show(user)

    def _show(self, user: str) -> None:
        task = asyncio.ensure_future(self._shown(user))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _shown(self, user: str) -> None:
        """Show it, when the store can be read."""
        wait = 0.2
        while True:
            try:
                await self.tables.person_changed(user)
                return
            except StoreFailed:
                await asyncio.sleep(wait)
                wait = min(wait * 2, 5.0)


class _ChoiceLog:
    """What is noted of every choice of a bot."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def note(self, bot: str, seconds: float, fault: str) -> None:
        self._metrics.bot(bot, seconds, fault.partition(":")[0])
        if fault:
            log().warning("a bot was replaced for a move", bot=bot, why=fault, seconds=round(seconds, 3))


def _learn_maps() -> None:
    """Make what belongs to a map once, before anybody waits: else the first game of each would."""
    for name in known_maps():
        data = map_of(name)
        facts_of(data)
        view = Course.begin(data, data.min_players, 0).game.view(0)
        view_wire(view)
        offers_of(view)
