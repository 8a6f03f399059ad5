"""The service under load: many games over real sockets, with the generator on the same machine.

    python bench/load.py                             1,000 games, 4,000 sockets, 150 moves/s for 2 minutes, then 300
    python bench/load.py --kills 20                  the same load, the service killed (-9) twenty times

Of every move the time is taken from sending it to its last delivery at a seat's socket, durable before that. Talks to
127.0.0.1 only.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from branchline.maps.loader import shipped_maps
from branchline.server.guests import Guests, load_secret, new_user_id
from branchline.server.page import FOLDER as PAGE

SEATS = 4
MAPS = shipped_maps()


class Heard(msgspec.Struct):
    """The parts of a message the generator looks at; the rest is skipped."""

    t: str
    seq: int = 0
    asked: int = 0
    offers: list[str] = []
    cid: str = ""
    stale: bool = False
    reason: str = ""
    steps: list[dict[str, object]] = []


_decode = msgspec.json.Decoder(Heard).decode


@dataclass(slots=True)
class Move:
    sent: float
    waiting: set[int]  # seats that have not heard of it yet
    acked: bool = False


@dataclass(slots=True)
class Counts:
    delivered: list[float] = field(default_factory=list)  # seconds, from sending to the last seat
    acked: list[float] = field(default_factory=list)
    keys: list[tuple[str, str]] = field(default_factory=list)  # (table, cid as stored) of every acknowledged move
    stale: int = 0
    refused: int = 0
    cut: int = 0
    skipped: int = 0  # moments at which nobody was ready to move


class Player(WSListener):
    """One seat's socket."""

    def __init__(self, load: Load, game: Game, user: str, token: str) -> None:
        self.load, self.game, self.user, self.token = load, game, user, token
        self.seat = -1
        self.transport: WSTransport | None = None
        self.asked = 0
        self.answered = -1  # the question last answered
        self.offers: list[str] = []
        self.numbers = 0

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.transport = None
        self.answered = -1
        self.offers = []
        self.load.ready.discard(self)
        if not self.load.stopping:
            self.load.counts.cut += 1

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            return
        now = time.perf_counter()
        heard = _decode(frame.get_payload_as_bytes())
        if heard.t == "update":
            self._update(heard, now)
        elif heard.t == "ack":
            self.game.acked(self, heard.cid, now)
        elif heard.t == "refused":
            self.load.counts.stale += heard.stale
            self.load.counts.refused += not heard.stale

    def _update(self, heard: Heard, now: float) -> None:
        if heard.steps:
            self.game.heard(self, now)
        self.offers, self.asked = heard.offers, heard.asked
        if heard.offers and heard.asked != self.answered:
            self.load.ready.add(self)
        elif not heard.offers:
            self.load.ready.discard(self)

    def play(self, rng: random.Random) -> None:
        """Send one of the offers."""
        assert self.transport is not None
        self.load.ready.discard(self)
        self.numbers += 1
        cid = f"{self.user[:6]}{self.numbers}"
        line = rng.choice(self.offers)
        self.answered = self.asked
        self.game.sent(self, cid)
        move = {"t": "move", "seq": self.asked, "cid": cid, "lines": [line]}
        self.transport.send(WSMsgType.TEXT, json.dumps(move).encode())


class Game:
    """One table and the moves on their way."""

    def __init__(self, load: Load, table: str) -> None:
        self.load, self.table = load, table
        self.players: list[Player] = []
        self.move: tuple[str, Player, Move] | None = None

    def sent(self, player: Player, cid: str) -> None:
        self.move = (cid, player, Move(time.perf_counter(), set(range(len(self.players)))))

    def heard(self, player: Player, now: float) -> None:
        if self.move is None:
            return
        _, _, move = self.move
        move.waiting.discard(self.players.index(player))
        if not move.waiting:
            self.load.counts.delivered.append(now - move.sent)
            self.move = None if move.acked else self.move

    def acked(self, player: Player, cid: str, now: float) -> None:
        self.load.counts.keys.append((self.table, f"{player.seat}:{cid}"))
        if self.move is not None and self.move[0] == cid:
            self.load.counts.acked.append(now - self.move[2].sent)
            self.move[2].acked = True


class Load:
    """The whole generator."""

    def __init__(self, args: argparse.Namespace, folder: Path) -> None:
        self.args, self.folder = args, folder
        self.port = args.port or _free_port()
        self.games: list[Game] = []
        self.ready: set[Player] = set()
        self.counts = Counts()
        self.stopping = False
        self.rng = random.Random(args.seed)
        self.service: subprocess.Popen[bytes] | None = None

    # ------------------------------------------------------------ the service

    def start_service(self) -> None:
        program = [str(Path(__file__).parent / "loop.py")] if self.args.loop else ["-m", "branchline"]
        command = [sys.executable, *program, "serve", "--port", str(self.port), "--data", str(self.folder)]
        self.service = subprocess.Popen([*command, "--log-level", "error"])
        for _ in range(600):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the service did not come up")

    def memory(self) -> float:
        """Resident megabytes of the service and its workers."""
        assert self.service is not None
        return sum(_resident(pid) for pid in _family(self.service.pid)) / 1e6

    # ------------------------------------------------------------ setting up

    async def set_up(self) -> None:
        guests = Guests(load_secret(self.folder))
        limits = httpx.Limits(max_connections=16, max_keepalive_connections=16)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}", limits=limits, timeout=60) as client:
            gate = asyncio.Semaphore(16)
            await asyncio.gather(*(self._new_game(client, guests, gate, i) for i in range(self.args.games)))

    async def _new_game(self, client: httpx.AsyncClient, guests: Guests, gate: asyncio.Semaphore, i: int) -> None:
        users = [new_user_id() for _ in range(SEATS)]
        tokens = [guests.token(user) for user in users]
        heads = [{"authorization": f"Bearer {token}"} for token in tokens]
        map_id = MAPS[i % len(MAPS)]
        async with gate:
            seats = [{"kind": "me"}, *([{"kind": "open"}] * (SEATS - 1))]
            reply = await client.post(
                "/api/tables", json={"map": map_id, "seats": seats, "order": "fixed"}, headers=heads[0]
            )
            table = reply.json()["id"]
            for head in heads[1:]:
                (await client.post(f"/api/tables/{table}/sit", json={}, headers=head)).raise_for_status()
            (await client.post(f"/api/tables/{table}/start", json={}, headers=heads[0])).raise_for_status()
        game = Game(self, table)
        game.players = [Player(self, game, user, token) for user, token in zip(users, tokens, strict=True)]
        for seat, player in enumerate(game.players):
            player.seat = seat
        self.games.append(game)

    @property
    def players(self) -> list[Player]:
        return [player for game in self.games for player in game.players]

    async def connect(self) -> float:
        """Open every socket that is not; the seconds it took."""
        began = time.perf_counter()
        gate = asyncio.Semaphore(64)
        await asyncio.gather(*(self._connect(player, gate) for player in self.players if player.transport is None))
        return time.perf_counter() - began

    async def _connect(self, player: Player, gate: asyncio.Semaphore) -> None:
        url = f"ws://127.0.0.1:{self.port}/api/tables/{player.game.table}/live"
        for attempt in range(60):
            try:
                async with gate:
                    await ws_connect(lambda: player, url, extra_headers={"Authorization": f"Bearer {player.token}"})
                return
            except Exception:
                await asyncio.sleep(min(2.0, 0.1 * 2**attempt) * random.random())
        raise RuntimeError("a socket does not come back")

    async def tour(self) -> int:
        """On every map a whole game with a bot, and all that can be asked for before and after; how many requests."""
        return sum(await asyncio.gather(*(self._visit(map_id) for map_id in MAPS)))

    async def _visit(self, map_id: str) -> int:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}", timeout=60) as client:
            client.headers["authorization"] = "Bearer " + (await client.get("/api/me")).json()["token"]
            table = await self._game_with_a_bot(client, map_id)
            described = (await client.get("/api/openapi.json")).json()["paths"]
            paths = [path for path, methods in described.items() if "get" in methods and not path.endswith("/stream")]
            asked = ["/", *(f"/{file.relative_to(PAGE).as_posix()}" for file in PAGE.rglob("*.js"))]
            asked += [path.format(map_id=map_id, table_id=table) for path in paths]
            for path in asked:
                (await _patiently(client, "GET", path)).raise_for_status()
        return len(asked)

    async def _game_with_a_bot(self, client: httpx.AsyncClient, map_id: str) -> str:
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "driver"}]
        made = await client.post("/api/tables", json={"map": map_id, "seats": seats, "start": True})
        table = str(made.json()["id"])
        async with client.stream("GET", f"/api/tables/{table}/stream") as stream:
            async for line in stream.aiter_lines():
                message = json.loads(line) if line else {"t": ""}
                if message["t"] == "finale":
                    break
                if message.get("offers"):
                    lines = [self.rng.choice(message["offers"])]
                    move = {"seq": message["asked"], "cid": str(message["seq"]), "lines": lines}
                    await _patiently(client, "POST", f"/api/tables/{table}/moves", move)
        return table

    async def leave(self) -> None:
        """Close every socket, and wait until the service has let go of the games."""
        self.stopping = True
        for player in self.players:
            if player.transport is not None:
                player.transport.disconnect()
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}") as client:
            while "branchline_rooms 0.0" not in (await client.get("/metrics")).text:
                await asyncio.sleep(1)

    # ------------------------------------------------------------ playing

    async def play(self, rate: float, seconds: float) -> None:
        """Moves at a steady rate, each by a seat that has to choose."""
        began = time.perf_counter()
        due = 0
        while (now := time.perf_counter() - began) < seconds:
            while due < now * rate:
                due += 1
                self._one_move()
            await asyncio.sleep(0.002)

    def _one_move(self) -> None:
        for _ in range(20):
            game = self.rng.choice(self.games)
            ready = [p for p in game.players if p in self.ready and p.transport is not None]
            if ready and (game.move is None or game.move[2].acked):
                self.rng.choice(ready).play(self.rng)
                return
        self.counts.skipped += 1


async def _patiently(client: httpx.AsyncClient, method: str, path: str, body: object = None) -> httpx.Response:
    """Ask, and again later while the service says that this is too often."""
    while (reply := await client.request(method, path, json=body)).status_code == 429:
        await asyncio.sleep(float(reply.headers["retry-after"]))
    return reply


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def _family(pid: int) -> list[int]:
    found = [pid]
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        found += _family(int(child))
    return found


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _share(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("nan")


def lost(folder: Path, keys: list[tuple[str, str]]) -> int:
    """Acknowledged moves that the store does not have."""
    with contextlib.closing(sqlite3.connect(folder / "branchline.sqlite3")) as db:
        kept = set(db.execute("SELECT table_id, cid FROM log WHERE cid IS NOT NULL"))
    return len(set(keys) - kept)


async def measure(load: Load, rate: float, seconds: float) -> dict[str, float]:
    load.counts = Counts(keys=load.counts.keys)
    known = len(load.counts.keys)
    await load.play(rate, seconds)
    await asyncio.sleep(1)
    c = load.counts
    row = {
        "games": len(load.games),
        "sockets": len(load.players),
        "asked_rate": rate,
        "moves": len(c.keys) - known,
        "rate": (len(c.keys) - known) / seconds,
        "delivered_p50_ms": _share(c.delivered, 0.5),
        "delivered_p99_ms": _share(c.delivered, 0.99),
        "delivered_max_ms": _share(c.delivered, 1),
        "acked_p50_ms": _share(c.acked, 0.5),
        "acked_p99_ms": _share(c.acked, 0.99),
        "stale": c.stale,
        "refused": c.refused,
        "cut": c.cut,
        "skipped": c.skipped,
        "memory_mb": load.memory(),
    }
    print(json.dumps({k: round(v, 2) for k, v in row.items()}), flush=True)
    return row


async def kill_often(load: Load, times: int, rate: float) -> dict[str, float]:
    """Kill the service under load, again and again; nothing acknowledged may be missing, every socket comes back."""
    back: list[float] = []
    for n in range(times):
        playing = asyncio.create_task(load.play(rate, 60))
        await asyncio.sleep(4 + 2 * load.rng.random())
        assert load.service is not None
        load.service.send_signal(signal.SIGKILL)  # with moves on their way
        load.service.wait()
        playing.cancel()
        began = time.perf_counter()
        await asyncio.to_thread(load.start_service)
        for game in load.games:
            game.move = None
        await load.connect()
        back.append(time.perf_counter() - began)
        missing = lost(load.folder, load.counts.keys)
        print(
            f"kill {n + 1}: {len(load.counts.keys)} acknowledged, {missing} lost, all back in {back[-1]:.1f} s",
            flush=True,
        )
    row = {"kills": times, "acknowledged": len(load.counts.keys), "lost": lost(load.folder, load.counts.keys)}
    row |= {"back_s_max": max(back), "back_s_mean": sum(back) / len(back), "memory_mb": load.memory()}
    print(json.dumps({k: round(v, 2) for k, v in row.items()}), flush=True)
    return row


async def run(args: argparse.Namespace) -> list[dict[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        load = Load(args, Path(folder))
        load.start_service()
        try:
            if args.loop:
                print(f"{await load.tour()} requests and a game with a bot on every map", flush=True)
            began = time.perf_counter()
            await load.set_up()
            print(f"{len(load.games)} tables in {time.perf_counter() - began:.1f} s", flush=True)
            print(f"{len(load.players)} sockets in {await load.connect():.1f} s", flush=True)
            await load.play(args.rate, 5)  # warm
            if args.kills:
                return [await kill_often(load, args.kills, args.rate)]
            rows = [await measure(load, args.rate, args.seconds)]
            if args.high:
                rows.append(await measure(load, args.high, args.high_seconds))
            if args.loop:
                await load.leave()
                print("all have left, and their games are no longer in memory", flush=True)
            return rows
        finally:
            load.stopping = True
            assert load.service is not None
            load.service.send_signal(signal.SIGTERM)
            load.service.wait(30)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=150, help="moves a second")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--high", type=float, default=300, help="then this rate; 0 for none")
    parser.add_argument("--high-seconds", type=float, default=60)
    parser.add_argument("--kills", type=int, default=0, help="kill the service so often, in the place of measuring")
    parser.add_argument("--port", type=int, default=0, help="of the service; default a free one")
    parser.add_argument("--loop", action="store_true", help="time every callback of the service's event loop")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write the figures here")
    args = parser.parse_args()
    rows = asyncio.run(run(args))
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
