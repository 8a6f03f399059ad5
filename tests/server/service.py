"""A real service for tests, in a thread of this process or as the command in one of its own; and real clients."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TypeVar
from unittest.mock import patch

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from branchline.server.app import create_app
from branchline.server.live.held import IDLE_SECONDS
from branchline.server.live.table import LiveTable
from branchline.server.service import ServeOptions, Service
from branchline.server.store.contract import Lease, StoreFailed
from branchline.server.tables import commands
from branchline.server.tables.course import Course
from branchline.server.tables.rows import Change, LogRow
from branchline.server.tables.state import Over, Playing
from branchline.server.transport import sockets
from branchline.server.transport.bound_settings import BoundSettings, without_bounds
from branchline.server.transport.limits import Bucket
from branchline.server.transport.serving import make_server

ROOT: Final = Path(__file__).parents[2]
PATIENCE: Final = 20.0  # seconds; a shared machine may be slow, a lost message never comes
Json = dict[str, Any]
T = TypeVar("T")

LIMITS: Final[dict[str, Any]] = {"FRAMES_A_SECOND": sockets.FRAMES_A_SECOND, "BURST": sockets.BURST}

_cids = itertools.count(1)


class Running:
    """A service in a thread. Unless `limited`, it lets tests ask as fast as they can."""

    def __init__(self, folder: Path, *, limited: bool = False, **options: Any) -> None:
        bounds = BoundSettings() if limited else without_bounds()
        self.options = ServeOptions(**{"data": folder, "bot_pause": 0.0, "grace": 60.0, "bounds": bounds, **options})
        self._limited = limited
        self._app = create_app(self.options)
        self._socket = socket.socket(proto=socket.IPPROTO_TCP)  # else small messages wait for company
        self._socket.bind(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._server = make_server(self._app, end_streams=self._end_streams)
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def _serve(self) -> None:
        async def serve() -> None:
            self.loop = asyncio.get_running_loop()
            await self._server.serve([self._socket])

        asyncio.run(serve())

    def _end_streams(self) -> None:
        self.service.end_streams()

    @property
    def service(self) -> Service:
        service: Service = self._app.state.service
        return service

    def __enter__(self) -> Running:
        self._fast = patch.multiple(sockets, FRAMES_A_SECOND=1e6, BURST=1e6)
        if not self._limited:
            self._fast.start()
        self._thread.start()
        eventually(lambda: self._server.started)
        return self

    def __exit__(self, *error: object) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        if not self._limited:
            self._fast.stop()
        assert not self._thread.is_alive()

    def call(self, work: Callable[[], T]) -> T:
        """The result of a function in the service's own thread."""

        async def job() -> T:
            return work()

        return self.run(job())

    def run(self, job: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(job, self.loop).result(PATIENCE)

    def live(self, table: str) -> LiveTable:
        return self.run(self.service.tables.held.find(table))

    def course(self, table: str) -> Course:
        """The game at a table, as it stands."""
        begun = self.live(table).table
        assert isinstance(begun, Playing | Over)
        return begun.course

    def log(self, table: str) -> list[LogRow]:
        """What was written down of a game."""
        return self.run(self.service.store.log(table))

    def clocks(self, table: str) -> list[float]:
        """What the clocks of a game have left now."""
        playing = self.live(table).table
        assert isinstance(playing, Playing) and playing.clock is not None
        return playing.clock.left(self.service.steady.now())

    def let_go(self, table: str) -> None:
        """Forget a table once all have left it, as after a while; who asks for it next reads it from the store."""
        live = self.live(table)
        eventually(lambda: not live.readers)

        def age() -> None:
            live.touched -= 2 * IDLE_SECONDS

        self.call(age)
        eventually(lambda: self.call(lambda: live.is_idle))
        self.run(self.service.tables.held.sweep(0.0, 0.0))
        assert table not in self.service.tables.held.live

    def later(self, seconds: float) -> None:
        """Let so much time have gone by, for the service and for its store."""

        def work() -> None:
            self.service.steady.started += seconds

        self.call(work)
        self.run(self.service.store.beat(self.service.steady.now()))

    def person(self, name: str | None = None) -> Person:
        return Person(self.url, name)


class Process:
    """`branchline serve` as a process, on a folder that outlives it."""

    def __init__(
        self, folder: Path, *arguments: str, port: int | None = None, program: Sequence[str] = ("-m", "branchline")
    ) -> None:
        self.folder = folder
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.errors = folder / f"stderr-{time.monotonic_ns()}"
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, *program, "serve", "--data", str(folder), "--port", str(self.port)]
        with self.errors.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, "--bot-pause", "0", "--log-level", "warning", "--bound", "all=none", *arguments],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdout=log,
                stderr=log,
            )

    def __enter__(self) -> Process:
        eventually(self.is_up)
        return self

    def is_up(self) -> bool:
        assert self.process.poll() is None, self.errors.read_text()
        try:
            return httpx.get(f"{self.url}/healthz").status_code == 200
        except httpx.TransportError:
            return False

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)

    def kill(self) -> None:
        """As if the power failed: nothing is finished."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def stop(self) -> tuple[int, float]:
        """Ask it to end: its exit status, and the seconds it took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE), time.monotonic() - began

    def person(self, name: str | None = None, token: str | None = None) -> Person:
        return Person(self.url, name, token)


class Person:
    """A guest with a token of its own."""

    def __init__(self, url: str, name: str | None = None, token: str | None = None) -> None:
        self.url = url
        if token is None:
            token = httpx.get(f"{url}/api/me").json()["token"]
        self.token: str = token
        self.http = httpx.Client(base_url=f"{url}/api", headers={"authorization": f"Bearer {token}"}, timeout=PATIENCE)
        if name:
            self.post("/me", {"name": name})

    @property
    def id(self) -> str:
        return self.token.partition(".")[0]

    def get(self, path: str) -> Any:
        return good(self.http.get(path))

    def post(self, path: str, body: Json | None = None) -> Any:
        return good(self.http.post(path, json=body or {}))

    def refused(self, path: str, body: Json | None = None) -> tuple[int, str]:
        """The status and the reason of a request that is refused."""
        reply = self.http.post(path, json=body or {})
        assert 400 <= reply.status_code < 500, reply.text
        return reply.status_code, reply.json()["reason"]

    def table(self, *others: str, map: str = "usa", **options: Any) -> Json:
        """A table at which I sit first; others: "open" or a bot's id."""
        seats = [{"kind": "me"}, *({"kind": "open"} if o == "open" else {"kind": "bot", "bot": o} for o in others)]
        made: Json = self.post("/tables", {"map": map, "seats": seats, "order": "fixed", **options})
        return made

    def live(self, table: str, *, paced: bool = False) -> Stream:
        return Stream(self.url, table, self.token, paced=paced)


def spectator(url: str, table: str) -> Stream:
    """A reader who does not sit there."""
    return Person(url).live(table)


class Stream:
    """One live stream, and what it has said so far. Every update must follow on the one before."""

    def __init__(
        self,
        url: str,
        table: str,
        token: str | None = None,
        headers: dict[str, str] | None = None,
        *,
        paced: bool = False,
        seat: int | None = None,
    ) -> None:
        through = f"?seat={seat}" if seat is not None else ""
        address = f"{url.replace('http', 'ws', 1)}/api/tables/{table}/live{through}"
        sent = headers if headers is not None else {"authorization": f"Bearer {token}"}
        self.socket: ClientConnection = connect(
            address, additional_headers=sent, compression=None, proxy=None, max_queue=None, legacy=True
        )
        self._pace = Bucket(LIMITS["FRAMES_A_SECOND"] * 0.8, LIMITS["BURST"] * 0.8) if paced else None
        self.raw: list[str] = []
        self.steps: list[Json] = []
        self.update: Json = {}
        self.finale: Json | None = None
        self.table: Json = {}
        self.restarted = 0  # updates that said: ask for the history again
        self.may_miss = False  # something on the way may be lost; then the present state is sent

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.socket.close()

    def send(self, message: Json | str | bytes) -> None:
        if self._pace and not self._pace.take():  # a service that limits would end the stream
            time.sleep(self._pace.wait())
            self._pace.take()
        self.socket.send(json.dumps(message) if isinstance(message, dict) else message)

    def next(self, timeout: float = PATIENCE) -> Json:
        text = self.socket.recv(timeout)
        assert isinstance(text, str)
        self.raw.append(text)
        message: Json = json.loads(text)
        self._note(message)
        return message

    def _note(self, message: Json) -> None:
        match message["t"]:
            case "update":
                if message["since"] == -1:
                    self.restarted += 1
                elif self.update and not self.may_miss:
                    assert message["since"] == self.update["seq"], "a gap"
                assert [step["seq"] for step in message["steps"]] == sorted({s["seq"] for s in message["steps"]})
                assert all(message["since"] < step["seq"] <= message["seq"] for step in message["steps"])
                self.update = message
                self.steps += message["steps"]
            case "hello" | "table":
                self.table = message["table"]
            case "finale":
                self.finale = message

    def wait(self, *kinds: str) -> Json:
        """The next message of one of these kinds."""
        while True:
            message = self.next()
            if message["t"] in kinds:
                return message

    def settled(self) -> list[Json]:
        """All that was sent to this reader until now."""
        self.send({"t": "ping"})
        found = []
        while (message := self.next())["t"] != "pong":
            found.append(message)
        return found

    def begin(self) -> Stream:
        """Read what a reader is told first."""
        assert self.next()["t"] == "hello"
        self.settled()
        return self

    @property
    def offers(self) -> list[str]:
        found: list[str] = self.update.get("offers", [])
        return found

    def move(self, *lines: str, cid: str | None = None, seq: int | None = None) -> Json:
        """Play; the ack or the refusal. What happened has come before the ack."""
        cid = cid or new_cid()
        self.send({"t": "move", "seq": self.update["asked"] if seq is None else seq, "cid": cid, "lines": list(lines)})
        return self.answered(cid)

    def undo(self, cid: str | None = None) -> Json:
        cid = cid or new_cid()
        self.send({"t": "undo", "seq": self.update["asked"], "cid": cid})
        return self.answered(cid)

    def ask(self, about: str) -> Json:
        cid = new_cid()
        self.send({"t": "ask", "cid": cid, "about": about})
        return self.answered(cid)

    def answered(self, cid: str) -> Json:
        while True:
            message = self.wait("ack", "refused", "answer", "trouble")
            if message["t"] == "trouble" or message["cid"] == cid:
                return message

    def closed(self) -> int:
        """The code with which the server ends this stream."""
        try:
            while True:
                self.next()
        except ConnectionClosed as end:
            return end.rcvd.code if end.rcvd else 1006


# ---------------------------------------------------------------- playing


def new_cid() -> str:
    return f"c{next(_cids)}"


def choose(rng: random.Random, offers: Sequence[str]) -> str:
    """A random offer, claims and stations more often, so that games end."""
    claims = [line for line in offers if line.startswith(("claim", "station"))]
    return rng.choice(claims if claims and rng.random() < 0.8 else offers)


def play_on(streams: Sequence[Stream], rng: random.Random, until: Callable[[], bool] = lambda: False) -> int:
    """People play random offers until the game is over or `until`; how many moves there were."""
    moves = 0
    while not until():
        able = [stream for stream in streams if stream.offers]
        if not able:
            break
        stream = rng.choice(able)
        reply = stream.move(choose(rng, stream.offers))
        assert reply["t"] == "ack", reply
        moves += 1
        for other in streams:
            if other is not stream:
                other.settled()
    return moves


def to_phase(streams: Sequence[Stream], rng: random.Random, phase: str = "turn") -> Stream:
    """Play until somebody is asked this; who."""

    def found() -> bool:
        return any(s.offers and s.update["view"]["phase"] == phase for s in streams)

    play_on(streams, rng, found)
    assert found()
    return next(s for s in streams if s.offers and s.update["view"]["phase"] == phase)


@contextmanager
def seated(
    running: Running | Process, names: Sequence[str] = ("Ada", "Bo"), watchers: int = 0, **options: Any
) -> Iterator[tuple[list[Person], list[Stream]]]:
    """People at a table whose game has begun, each with a stream, by seat; watchers' streams come last.

    The deal is a chosen one, so that a test plays the same game each time; with `seed=None` it is drawn.
    """
    people = [running.person(name) for name in names]
    bots = options.pop("bots", ())
    table = people[0].table(*["open"] * (len(names) - 1), *bots, **{"seed": 1900, **options})["id"]
    for person in people[1:]:
        person.post(f"/tables/{table}/sit")
    people[0].post(f"/tables/{table}/start")
    streams = [person.live(table, paced=isinstance(running, Process)) for person in people]
    streams += [spectator(running.url, table) for _ in range(watchers)]
    for stream in streams:
        stream.begin()
    try:
        yield people, streams
    finally:
        for stream in streams:
            stream.socket.close()


def nobody_is_missed(running: Running, table: str, seat: int) -> None:
    """No timer runs for anybody; and if one had run out for this seat, nothing would have come of it."""
    live = running.live(table)
    eventually(lambda: not running.call(lambda: live.attendance.awaits))
    before = live.table
    running.run(live.do(commands.Gone(seat=seat)))
    assert live.table is before


@contextmanager
def full_disk(running: Running, stops: Callable[[Change], bool] = lambda change: True) -> Iterator[list[Change]]:
    """Meanwhile such changes at tables cannot be written down; those that were tried."""
    store, tried = running.service.store, list[Change]()
    write = store.write

    async def fail(*changes: tuple[Lease | None, Change]) -> None:
        stopped = [change for _, change in changes if stops(change)]
        tried.extend(stopped)
        if stopped:
            raise StoreFailed("no space left")
        await write(*changes)

    with patch.object(store, "write", fail):
        yield tried


def set_clock(running: Running, table: str, seat: int, seconds: float) -> None:
    """Let a seat's clock have so much left."""
    live = running.live(table)

    def work() -> None:
        assert isinstance(live.table, Playing) and live.table.clock is not None
        clock = live.table.clock.counted(live.around.steady.now())
        left = (*clock.left_then[:seat], seconds, *clock.left_then[seat + 1 :])
        live.table = replace(live.table, clock=replace(clock, left_then=left))
        live.go_on()

    running.call(work)


# ---------------------------------------------------------------- small things


def good(reply: httpx.Response) -> Any:
    assert reply.status_code == 200, f"{reply.status_code} {reply.text}"
    return reply.json()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def told(stream: Stream, holds: Callable[[], object]) -> None:
    """Wait until a stream has been told something."""
    eventually(lambda: stream.settled() is not None and holds())


def eventually(holds: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come to be"
        time.sleep(0.02)
