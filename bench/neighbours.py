"""What neighbours feel of each other: each figure beside its own quiet one, taken in the same run.

    python bench/neighbours.py                       all four, some five minutes
    python bench/neighbours.py --only replays        one of them
    python bench/neighbours.py --short               fewer samples, some forty seconds

replays      five guests ask for eight replays each, and for eight histories nobody has asked for, all the time;
             a bystander plays with a bot that answers at once
thoughts     ten guests run 200 games in which only stationmasters play; a bystander plays with one
spectators   1,500 arrive at one table and look on; how long its players wait until their moves are acknowledged
floods       one address asks for guests, tables, sockets and reports as fast as it can; forty pupils behind another
             set up ten tables and play

The service is a real process. Who floods is another process, and everybody has an address of their own in 127.0.0.0/8;
nothing else is talked to. The exit status says whether all bounds hold.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import httpx
import msgspec
from picows import WSError, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

ROOT = Path(__file__).parent.parent
PATIENCE = 60.0
PACE = 0.06  # seconds between the moves of one player: a stream may send some twenty messages a second
COURTESY = 10  # who floods is elsewhere, and takes no processor from the service
Json = dict[str, Any]

_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # made once: httpx would read all certificates for each client


class Step(msgspec.Struct):
    seat: int | None = None
    by: str = ""


class Heard(msgspec.Struct):
    """The parts of a message that are looked at here."""

    t: str
    asked: int = 0
    offers: list[str] = []
    cid: str = ""
    reason: str = ""
    steps: list[Step] = []
    at: float = 0.0  # when it came


_decode = msgspec.json.Decoder(Heard).decode


# ---------------------------------------------------------------- the service


class Service:
    """`branchline serve` of a checkout, on a new folder."""

    def __init__(self, tree: Path, *arguments: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="neighbours-"))
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, "-m", "branchline", "serve", "--port", str(self.port), "--data", str(self.folder)]
        self.process = subprocess.Popen(
            [*command, "--log-level", "error", *arguments],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree)},
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> Service:
        deadline = time.monotonic() + PATIENCE
        while not self._is_up():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("the service did not come up")
            time.sleep(0.05)
        return self

    def _is_up(self) -> bool:
        try:
            return httpx.get(f"{self.url}/healthz").status_code == 200
        except httpx.TransportError:
            return False

    def __exit__(self, *error: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


# ---------------------------------------------------------------- people


class Guest:
    """Somebody with an address and, unless they only look on, a token."""

    def __init__(self, url: str, address: str) -> None:
        self.url, self.address, self.token = url, address, ""
        transport = httpx.AsyncHTTPTransport(local_address=address, verify=_NO_TLS)
        self.http = httpx.AsyncClient(base_url=f"{url}/api", transport=transport, timeout=PATIENCE)

    async def __aenter__(self) -> Guest:
        reply = await self.http.get("/me")
        reply.raise_for_status()
        self.token = reply.json()["token"]
        self.http.headers["authorization"] = f"Bearer {self.token}"
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.http.aclose()

    async def post(self, path: str, body: Json | None = None) -> Any:
        reply = await self.http.post(path, json=body or {})
        if reply.status_code != 200:
            raise Refused(f"{path}: {reply.status_code} {reply.text[:200]}")
        return reply.json()

    async def table(self, *others: str, **options: Any) -> str:
        """A table at which I sit first; others: "open", or a bot's id."""
        seats = [{"kind": "me"}, *({"kind": "open"} if o == "open" else {"kind": "bot", "bot": o} for o in others)]
        made = await self.post("/tables", {"map": "usa", "seats": seats, "order": "fixed", **options})
        return str(made["id"])

    async def bots_table(self, *bots: str, **options: Any) -> str:
        """A table with only bots at it."""
        seats = [{"kind": "bot", "bot": bot} for bot in bots]
        made = await self.post("/tables", {"map": "usa", "seats": seats, "order": "fixed", "start": True, **options})
        return str(made["id"])

    async def sit_down(self, table: str) -> Seat:
        """My stream at a table."""
        seat = Seat()
        await connect(self.url, table, self.address, seat, self.token)
        return seat


class Refused(Exception):
    """The service said no."""


class Seat(WSListener):
    """One stream: what it hears, with the time it came."""

    def __init__(self) -> None:
        self.transport: WSTransport | None = None
        self.heard: asyncio.Queue[Heard | None] = asyncio.Queue()
        self.latest = Heard("")  # the latest update
        self._answered = -1  # the question last answered
        self._moves = 0

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.heard.put_nowait(None)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.TEXT:
            heard = _decode(frame.get_payload_as_bytes())
            heard.at = time.perf_counter()
            self.heard.put_nowait(heard)
        elif frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()

    async def next(self) -> Heard:
        heard = await asyncio.wait_for(self.heard.get(), PATIENCE)
        if heard is None:
            raise Refused("the service ended a stream")
        if heard.t == "update":
            self.latest = heard
        return heard

    @property
    def has_to_choose(self) -> bool:
        return bool(self.latest.offers) and self.latest.asked != self._answered

    def play(self, rng: random.Random) -> tuple[str, float]:
        """Send one of the offers: its key, and when."""
        assert self.transport is not None
        self._moves += 1
        cid = f"m{self._moves}"
        move = {"t": "move", "seq": self.latest.asked, "cid": cid, "lines": [self._choice(rng)]}
        self._answered = self.latest.asked
        at = time.perf_counter()
        self.transport.send(WSMsgType.TEXT, json.dumps(move).encode())
        return cid, at

    def _choice(self, rng: random.Random) -> str:
        """A random offer, cards more often than others: so a game lasts."""
        cards = [line for line in self.latest.offers if line.startswith("draw ")]
        return rng.choice(cards if cards and rng.random() < 0.8 else self.latest.offers)

    def leave(self) -> None:
        if self.transport is not None:
            self.transport.disconnect()


async def connect(url: str, table: str, address: str, listener: WSListener, token: str = "") -> WSTransport:
    head = {"Authorization": f"Bearer {token}"} if token else {"Origin": url}  # as a page would
    live = f"{url.replace('http', 'ws', 1)}/api/tables/{table}/live"
    transport, _ = await ws_connect(
        lambda: listener, live, extra_headers=head, websocket_handshake_timeout=PATIENCE, local_addr=(address, 0)
    )
    return transport


# ---------------------------------------------------------------- what a bystander feels


async def bot_answers(guest: Guest, bot: str, samples: int, seconds: float = PATIENCE) -> list[float]:
    """Seconds from a move to the bot's that follows it, over as many games as it takes; at most so many seconds."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < samples and time.perf_counter() < end:
        table = await guest.table(bot, seed=1900 + len(times), start=True)
        seat = await guest.sit_down(table)
        times += await _answers_in_a_game(seat, samples - len(times), end)
        seat.leave()
    return times


async def _answers_in_a_game(seat: Seat, samples: int, end: float) -> list[float]:
    times: list[float] = []
    rng, sent = random.Random(5), None
    while len(times) < samples:
        try:
            heard = await asyncio.wait_for(seat.next(), max(0.01, end - time.perf_counter()))
        except TimeoutError:  # what did not come in time took at least as long
            return [*times, time.perf_counter() - sent] if sent else times
        if heard.t == "finale":
            return times
        if sent is not None and any(step.seat == 1 and step.by == "bot" for step in heard.steps):
            times.append(heard.at - sent)
            sent = None
        if seat.has_to_choose:
            await asyncio.sleep(PACE)
            _, sent = seat.play(rng)
    return times


async def acknowledgements(seats: list[Seat], enough: Callable[[list[float]], bool], pause: float) -> list[float]:
    """Seconds from each move of these seats' game to its acknowledgement."""
    times: list[float] = []
    rng = random.Random(7)
    while not enough(times):
        mover = next((seat for seat in seats if seat.has_to_choose), None)
        if mover is None:
            heard = await asyncio.wait_for(_first(seats), PATIENCE)
            if heard.t == "finale":
                break
            continue
        await asyncio.sleep(pause)
        cid, sent = mover.play(rng)
        while (heard := await mover.next()).cid != cid:
            pass
        if heard.t != "ack":
            raise Refused(heard.reason)
        times.append(heard.at - sent)
    return times


async def _first(seats: list[Seat]) -> Heard:
    """The next message of any of these."""
    while True:
        for seat in seats:
            if not seat.heard.empty():
                return await seat.next()
        await asyncio.sleep(0.001)


# ---------------------------------------------------------------- figures


@dataclass(slots=True)
class Figure:
    """One figure beside its quiet one, in milliseconds, and how many times that it may be."""

    what: str
    quiet: list[float]
    loud: list[float]
    most: float
    most_p95: float | None = None
    flood: Json = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def row(self) -> Json:
        ratio, ratio_p95 = self._ratio(0.5), self._ratio(0.95)
        holds = ratio <= self.most and (self.most_p95 is None or ratio_p95 <= self.most_p95) and not self.wrong
        return {
            "what": self.what,
            "samples": [len(self.quiet), len(self.loud)],
            "quiet_ms": _share(self.quiet, 0.5),
            "loud_ms": _share(self.loud, 0.5),
            "times": ratio,
            "most_times": self.most,
            "quiet_p95_ms": _share(self.quiet, 0.95),
            "loud_p95_ms": _share(self.loud, 0.95),
            "times_p95": ratio_p95,
            "most_times_p95": self.most_p95,
            "flood": self.flood,
            "wrong": self.wrong,
            "holds": holds,
        }

    def _ratio(self, part: float) -> float:
        return round(_share(self.loud, part) / _share(self.quiet, part), 2)


def _share(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return round(1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))], 2)


# ---------------------------------------------------------------- who floods, in a process of its own


class Onlooker(WSListener):
    """A stream that only counts; `let_in` says whether the service said hello, or ended it."""

    def __init__(self, counts: Counter[str]) -> None:
        self.counts = counts
        self.let_in: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.TEXT:
            self.counts["messages"] += 1
            self._know(True)
        elif frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._know(False)

    def _know(self, let_in: bool) -> None:
        if not self.let_in.done():
            self.let_in.set_result(let_in)


class Flood:
    """What one process of neighbours does until it is told to stop."""

    def __init__(self, url: str, counts: Counter[str]) -> None:
        self.url, self.counts = url, counts
        self.ready = asyncio.Event()

    async def replays(self, tables: list[str], guests: int, each: int, fresh: bool) -> None:
        """Guests who ask for so many replays each at once, again and again; or for histories nobody asked for yet."""
        asking = []
        for n in range(guests):
            guest = await Guest(self.url, f"127.0.5.{n + 1}").__aenter__()
            asking += [self._ask(guest, tables[i % len(tables)], fresh) for i in range(each)]
        self.ready.set()
        await asyncio.gather(*asking)

    async def _ask(self, guest: Guest, table: str, fresh: bool) -> None:
        rng = random.Random(os.urandom(8))
        while True:
            path = f"/tables/{table}/history?from={rng.randrange(1 << 40)}" if fresh else f"/tables/{table}/replay"
            async with guest.http.stream("GET", path, headers={"accept-encoding": "gzip"}) as reply:
                async for part in reply.aiter_raw():
                    self.counts["bytes"] += len(part)
            self.counts[str(reply.status_code)] += 1
            if reply.status_code == 429:
                await asyncio.sleep(0.05)

    async def thoughts(self, guests: int, each: int) -> None:
        """Guests with so many games each in which only stationmasters play."""
        people = [await Guest(self.url, f"127.0.6.{n + 1}").__aenter__() for n in range(guests)]
        await asyncio.gather(*(self._begin_games(guest, each) for guest in people))
        self.ready.set()
        await asyncio.Event().wait()

    async def _begin_games(self, guest: Guest, each: int) -> None:
        for _ in range(each):
            try:
                await guest.bots_table("stationmaster", "stationmaster")
                self.counts["games"] += 1
            except Refused:
                self.counts["refused"] += 1

    async def spectators(self, table: str, count: int, addresses: int, a_second: float) -> None:
        """People who come to a table and look on."""
        coming = []
        for n in range(count):
            coming.append(asyncio.create_task(self._look_on(table, f"127.0.7.{n % addresses + 1}")))
            await asyncio.sleep(1 / a_second)
        await asyncio.gather(*coming)
        self.ready.set()
        await asyncio.Event().wait()

    async def _look_on(self, table: str, address: str) -> None:
        self.counts["spectators" if await self._comes_in(table, address) else "refused"] += 1

    async def _comes_in(self, table: str, address: str) -> bool:
        onlooker = Onlooker(self.counts)
        try:
            await connect(self.url, table, address, onlooker)
            return await onlooker.let_in
        except (OSError, WSError):
            return False

    async def floods(self, table: str) -> None:
        """One address that wants more of everything."""
        self.address = "127.0.66.6"
        first = await Guest(self.url, self.address).__aenter__()
        self.tokens = [first.token]
        self.ready.set()
        every = [self._more_guests, self._more_tables, lambda: self._more_reports(table), lambda: self._sockets(table)]
        await asyncio.gather(*(self._for_ever(one) for one in every for _ in range(4)))

    async def _for_ever(self, do: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await do()
            except (httpx.HTTPError, OSError):
                self.counts["connections refused"] += 1
            await asyncio.sleep(0.005)

    async def _more_guests(self) -> None:
        async with self._client("") as client:
            reply = await client.get("/me")
        self._count("guests", reply)
        if reply.status_code == 200:
            self.tokens.append(reply.json()["token"])

    async def _more_tables(self) -> None:
        async with self._client(random.SystemRandom().choice(self.tokens)) as client:
            seats = [{"kind": "me"}, {"kind": "open"}]
            self._count("tables", await client.post("/tables", json={"map": "usa", "seats": seats, "listed": True}))

    async def _more_reports(self, table: str) -> None:
        async with self._client(random.SystemRandom().choice(self.tokens)) as client:
            report = {"seat": 0, "reason": "other", "text": "a flood"}
            self._count("reports", await client.post(f"/tables/{table}/report", json=report))

    async def _sockets(self, table: str) -> None:
        self.counts["sockets" if await self._comes_in(table, self.address) else "sockets refused"] += 1

    def _client(self, token: str) -> httpx.AsyncClient:
        head = {"authorization": f"Bearer {token}"} if token else {}
        transport = httpx.AsyncHTTPTransport(local_address=self.address, verify=_NO_TLS)
        return httpx.AsyncClient(base_url=f"{self.url}/api", transport=transport, headers=head, timeout=PATIENCE)

    def _count(self, what: str, reply: httpx.Response) -> None:
        self.counts[what if reply.status_code == 200 else f"{what} refused"] += 1


async def flood_until_told(url: str, kind: str, options: Json) -> None:
    """Flood, say that it has begun, stop when nobody listens any more, and say how much it was."""
    os.nice(COURTESY)
    counts: Counter[str] = Counter()
    flood = Flood(url, counts)
    flooding = asyncio.create_task(getattr(flood, kind)(**options))
    begun = asyncio.create_task(flood.ready.wait())
    await asyncio.wait([flooding, begun], return_when=asyncio.FIRST_COMPLETED)
    if flooding.done():
        flooding.result()
    before, began = Counter(counts), time.perf_counter()
    print("begun", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    seconds = round(time.perf_counter() - began, 1)
    while_measured = {key: value - before[key] for key, value in counts.items()} if kind == "replays" else dict(counts)
    print(json.dumps({"seconds": seconds, **while_measured}), flush=True)
    os._exit(0)  # thousands of sockets are closed best by being no more


@contextlib.asynccontextmanager
async def flooded(url: str, kind: str, *, wait: bool = True, **options: Any) -> AsyncIterator[Json]:
    """Neighbours who flood meanwhile; afterwards what is yielded says how much."""
    what = json.dumps({"url": url, "kind": kind, "options": options})
    flood = await asyncio.create_subprocess_exec(
        sys.executable, __file__, "--flood", what, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert flood.stdin is not None and flood.stdout is not None
    begun = asyncio.create_task(flood.stdout.readline())
    counts: Json = {"begun": begun}
    if wait:
        await begun
    try:
        yield counts
    finally:
        await begun
        flood.stdin.close()
        counts.clear()
        counts.update(json.loads(await flood.stdout.readline()))
        await flood.wait()


# ---------------------------------------------------------------- the four


async def replays(url: str, short: bool) -> list[Figure]:
    samples, seconds = (40, 6.0) if short else (400, 40.0)
    async with Guest(url, "127.0.1.1") as host, Guest(url, "127.0.1.2") as bystander:
        tables = [await _finished(host, seed) for seed in range(8)]
        await bot_answers(bystander, "driver", 15)
        quiet = await bot_answers(bystander, "driver", samples)
        figures = []
        for fresh, what in ((False, "eight replays each"), (True, "eight histories each, never asked for before")):
            async with flooded(url, "replays", tables=tables, guests=5, each=8, fresh=fresh) as flood:
                loud = await bot_answers(bystander, "driver", samples, seconds)
            quiet += await bot_answers(bystander, "driver", samples // 2)  # who else uses the machine comes and goes
            figures.append(Figure(f"a quick bot, while five guests ask for {what}", quiet, loud, 3, 10, flood))
    return figures


async def _finished(host: Guest, seed: int) -> str:
    maps = ("usa", "europe", "iberia", "africa")
    table = await host.bots_table("path", "path", "path", map=maps[seed % 4], seed=seed)
    deadline = time.monotonic() + PATIENCE
    while (await host.http.get(f"/tables/{table}")).json()["state"] != "over":
        if time.monotonic() > deadline:
            raise RuntimeError("a game of bots does not end")
        await asyncio.sleep(0.05)
    return table


async def thoughts(url: str, short: bool) -> list[Figure]:
    samples, seconds = (7, 10.0) if short else (25, 60.0)
    async with Guest(url, "127.0.1.2") as bystander:
        await bot_answers(bystander, "stationmaster", 3)
        quiet = await bot_answers(bystander, "stationmaster", samples)
        async with flooded(url, "thoughts", guests=10, each=20) as flood:
            loud = await bot_answers(bystander, "stationmaster", samples, seconds)
    return [Figure("a stationmaster, while ten guests run 200 games of stationmasters", quiet, loud, 2, None, flood)]


async def spectators(url: str, short: bool) -> list[Figure]:
    count, samples, pause = (500, 50, PACE / 2) if short else (1500, 100, PACE / 2)
    async with Guest(url, "127.0.1.1") as ada, Guest(url, "127.0.1.2") as bo:
        table, seats = await _two_play(ada, bo)
        await acknowledgements(seats, lambda times: len(times) >= 10, pause)
        quiet = await acknowledgements(seats, lambda times: len(times) >= samples, pause)
        table, seats = await _two_play(ada, bo)
        crowd = {"table": table, "count": count, "addresses": 60, "a_second": 100}
        async with flooded(url, "spectators", wait=False, **crowd) as flood:
            begun = flood["begun"]
            arriving = await acknowledgements(seats, lambda _: begun.done(), 5 * pause)
            looking = await acknowledgements(seats, lambda times: len(times) >= samples, pause)
        _, seats = await _two_play(ada, bo)
        quiet += await acknowledgements(seats, lambda times: len(times) >= samples, pause)
    wrong = [] if flood.get("spectators") == count else [f"only {flood.get('spectators', 0)} could look on"]
    return [
        Figure(f"a move's acknowledgement, while {count:,} come to look on", quiet, arriving, 3, None, {}),
        Figure(f"a move's acknowledgement, while {count:,} look on", quiet, looking, 3, None, flood, wrong),
    ]


async def _two_play(ada: Guest, bo: Guest) -> tuple[str, list[Seat]]:
    table = await ada.table("open", seed=1900)
    await bo.post(f"/tables/{table}/sit")
    await ada.post(f"/tables/{table}/start")
    return table, [await ada.sit_down(table), await bo.sit_down(table)]


# What one address may have of each within this time, whatever it asks for.
ONE_ADDRESS = {"guests": 110, "tables": 130, "sockets": 400, "reports": 25}


async def floods(url: str, short: bool) -> list[Figure]:
    seconds = 3.0 if short else 15.0
    async with Guest(url, "127.0.1.1") as host:
        table = await host.table("open", listed=True)
        quiet, _ = await _class_plays(url, "127.0.40.1", seconds)
        async with flooded(url, "floods", table=table) as flood:
            loud, refused = await _class_plays(url, "127.0.40.2", seconds)
        quiet += (await _class_plays(url, "127.0.40.3", seconds / 2))[0]
    had = {kind: flood.get(kind, 0) for kind in ONE_ADDRESS}
    wrong = [*refused, *(f"one address had {n} {kind}" for kind, n in had.items() if n > ONE_ADDRESS[kind])]
    return [Figure("forty pupils' acknowledgements, while one address floods", quiet, loud, 3, 10, flood, wrong)]


async def _class_plays(url: str, address: str, seconds: float) -> tuple[list[float], list[str]]:
    """Forty pupils behind one address come at once, make ten tables and play: times, and what was refused."""
    times: list[float] = []
    refused: list[str] = []
    await asyncio.gather(*(_group_plays(url, address, seconds, times, refused) for _ in range(10)))
    return times, refused


async def _group_plays(url: str, address: str, seconds: float, times: list[float], refused: list[str]) -> None:
    async with contextlib.AsyncExitStack() as stack:
        try:
            pupils = [await stack.enter_async_context(Guest(url, address)) for _ in range(4)]
            table = await pupils[0].table("open", "open", "open", listed=True)
            for pupil in pupils[1:]:
                await pupil.post(f"/tables/{table}/sit")
            await pupils[0].post(f"/tables/{table}/start")
            seats = [await pupil.sit_down(table) for pupil in pupils]
            end = time.monotonic() + seconds
            times += await acknowledgements(seats, lambda _: time.monotonic() > end, 0.3)
        except (Refused, httpx.HTTPError) as error:
            refused.append(f"a pupil was refused: {error}")


FOUR: dict[str, Callable[[str, bool], Coroutine[Any, Any, list[Figure]]]] = {
    "replays": replays,
    "thoughts": thoughts,
    "spectators": spectators,
    "floods": floods,
}


# ---------------------------------------------------------------- the command


# Without these the bounds would end most of a flood at the door; here what is behind the door is measured.
LIFTED = {
    "replays": ("tables.person=300/300", "tables.address=300/300", "replays.person=none", "replays.address=none"),
    "thoughts": ("tables.person=300/300",),
}


def measure(name: str, tree: Path, short: bool) -> Iterator[Json]:
    arguments = ["--bot-pause", "0", *(("--bot-seconds", "0.3") if short else ())]
    if _has_bounds(tree):
        arguments += [part for bound in LIFTED.get(name, ()) for part in ("--bound", bound)]
    with Service(tree, *arguments) as service:
        for figure in asyncio.run(FOUR[name](service.url, short)):
            yield {"name": name, "load": round(os.getloadavg()[0], 1), **figure.row()}


@lru_cache
def _has_bounds(tree: Path) -> bool:
    """Whether bounds can be set; the version before had none."""
    told = subprocess.run(
        [sys.executable, "-m", "branchline", "serve", "--help"],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        capture_output=True,
        check=True,
    )
    return b"--bound" in told.stdout


def show(row: Json) -> None:
    p95 = f", p95 {row['quiet_p95_ms']} -> {row['loud_p95_ms']} ms"
    bound = f" (at most {row['most_times_p95']:g})" if row["most_times_p95"] else ""
    print(f"{'holds ' if row['holds'] else 'BROKEN'} {row['what']}")
    print(
        f"       median {row['quiet_ms']} -> {row['loud_ms']} ms, {row['times']} times (at most {row['most_times']:g})",
        end="",
    )
    print(f"{p95}, {row['times_p95']} times{bound}")
    if row["flood"]:
        print(f"       {', '.join(f'{key} {value}' for key, value in row['flood'].items())}")
    for wrong in row["wrong"]:
        print(f"       {wrong}")
    sys.stdout.flush()


def keep(file: Path, rows: list[Json]) -> None:
    """Write the rows down, in the place of older ones of the same names."""
    older = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    names = {row["name"] for row in rows}
    kept = sorted(
        [*(row for row in older if row["name"] not in names), *rows], key=lambda row: list(FOUR).index(row["name"])
    )
    file.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="fewer samples, some forty seconds")
    parser.add_argument("--only", nargs="+", choices=list(FOUR), default=list(FOUR))
    parser.add_argument("--json", type=Path, help="write the figures here, in the place of older ones")
    parser.add_argument(
        "--tree", type=Path, default=ROOT, help="the checkout whose service is measured; default this one"
    )
    parser.add_argument("--flood", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.flood:
        asyncio.run(flood_until_told(**json.loads(args.flood)))
    rows = []
    for name in args.only:
        for row in measure(name, args.tree.resolve(), args.short):
            show(row)
            rows.append(row)
    if args.json:
        keep(args.json, rows)
    sys.exit(0 if all(row["holds"] for row in rows) else 1)


if __name__ == "__main__":
    main()
