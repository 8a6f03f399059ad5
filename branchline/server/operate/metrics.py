"""What the service counts and times, for Prometheus. No name of a person, a table or a card is in it."""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST

_FAST: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
_SLOW: Final = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30)
_CLAUSE: Final = re.compile(r"[A-Z]+-\d\d")
_LAGS_KEPT: Final = 20


class _Watched(Protocol):
    """What is told of a store."""

    on_commit: Callable[[float, int], None] | None

    @property
    def trouble(self) -> str: ...


class Metrics:
    """The counters of one service, in a registry of their own: two services in one process do not mix."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.moves = Counter("branchline_moves", "Moves that are durable", ["by"], registry=registry)
        self.refused = Counter("branchline_moves_refused", "Moves refused, by clause", ["clause"], registry=registry)
        self.duplicates = Counter("branchline_moves_duplicate", "Moves that came again", registry=registry)
        self.stale = Counter("branchline_moves_stale", "Moves for a position that was past", registry=registry)
        self.sockets = Gauge("branchline_sockets", "Open live streams", registry=registry)
        self.rooms = Gauge("branchline_rooms", "Games held in memory", registry=registry)
        self.move_seconds = Histogram(
            "branchline_move_seconds",
            "From the receipt of a move until it is durable, and until it is delivered to all",
            ["until"],
            buckets=_FAST,
            registry=registry,
        )
        self.commit_seconds = Histogram(
            "branchline_commit_seconds", "One commit of the store", buckets=_FAST, registry=registry
        )
        self.commit_writes = Counter("branchline_commit_writes", "Writes in commits", registry=registry)
        self.store_failing = Gauge("branchline_store_failing", "1 if the last commit failed", registry=registry)
        self.bot_seconds = Histogram(
            "branchline_bot_seconds", "A bot's time for one move", ["bot"], buckets=_SLOW, registry=registry
        )
        self.bots_replaced = Counter(
            "branchline_bots_replaced", "Moves made in place of a bot that failed", ["bot", "why"], registry=registry
        )
        self.loop_lag = Gauge(
            "branchline_loop_lag_seconds", "How late the event loop was, at worst of late", registry=registry
        )
        self.requests = Counter("branchline_http_requests", "Answered requests", ["route", "status"], registry=registry)
        self.waiting = Gauge("branchline_work_waiting", "Work that waits for a process", ["kind"], registry=registry)
        self.working = Gauge("branchline_work_running", "Work that is being done", ["kind"], registry=registry)
        self.bus = Counter("branchline_bus_messages", "Messages between processes", ["what"], registry=registry)
        self.leases = Gauge("branchline_leases", "Tables this process holds", registry=registry)
        self.broken = Gauge("branchline_broken_games", "Games put aside", registry=registry)
        self.bounded = Counter(
            "branchline_bounds_refused", "What was refused because one asked for too much", ["kind"], registry=registry
        )

        self.notices = Counter(
            "branchline_notices",
            "Notices to people who were away, and what came of them",
            ["way", "result"],
            registry=registry,
        )

    def render(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)

    def move(self, by: str, received: float) -> None:
        """A move has become durable; `received` is the `time.perf_counter()` of its receipt."""
        self.moves.labels(by).inc()
        self.move_seconds.labels("durable").observe(time.perf_counter() - received)

    def delivered(self, received: float) -> None:
        """That move has been sent to all who look on."""
        self.move_seconds.labels("delivered").observe(time.perf_counter() - received)

    def bot(self, bot: str, seconds: float, fault: str) -> None:
        """A bot took so long for a move; with a fault another made it in its place."""
        self.bot_seconds.labels(bot).observe(seconds)
        if fault:
            self.bots_replaced.labels(bot, fault).inc()

    def refusal(self, clause: str) -> None:
        """A move was refused; without a clause it was the protocol that said no."""
        self.refused.labels(clause if _CLAUSE.fullmatch(clause) else "protocol").inc()

    def request(self, route: str, status: int) -> None:
        """A request was answered; `route` is the pattern, not the address, so that there are few."""
        self.requests.labels(route, str(status)).inc()

    def watch_work(self, kind: str, waiting: Callable[[], int], running: Callable[[], int]) -> None:
        """Show how much work of a kind there is, from now on."""
        self.waiting.labels(kind).set_function(waiting)
        self.working.labels(kind).set_function(running)

    def watch_store(self, store: _Watched) -> None:
        """Time the commits of a store from now on."""
        store.on_commit = self._committed
        self.store_failing.set_function(lambda: float(bool(store.trouble)))

    def _committed(self, seconds: float, writes: int) -> None:
        self.commit_seconds.observe(seconds)
        self.commit_writes.inc(writes)

    async def watch_loop(self, every: float = 0.25) -> None:
        """Measure how late the event loop is, until cancelled; the gauge holds the worst of the last few seconds."""
        lags: deque[float] = deque(maxlen=_LAGS_KEPT)
        while True:
            began = time.perf_counter()
            await asyncio.sleep(every)
            lags.append(max(0.0, time.perf_counter() - began - every))
            self.loop_lag.set(max(lags))
