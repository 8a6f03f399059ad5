"""A generator of load: many games over real sockets, from many addresses of this machine, against one address.

Of every move the time is taken from sending it to its acknowledgement, and to its last delivery at a seat's socket.
A move that is not answered is sent again with the same key, as the page does it; `prove` takes the time until every
game is played on and every socket is told something again. Talks to 127.0.0.1 only.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field

import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

SEATS = 4
MAPS = ("usa", "europe", "iberia", "africa")
LOST_AFTER = 5.0  # seconds without an answer: the move is sent again, with the same key
UNWRITTEN = frozenset({"uncertain", "cannot_write", "move_unwritten"})  # refusals that say: send it again


class Heard(msgspec.Struct):
    """The parts of a message the generator looks at; the rest is skipped."""

    t: str
    seq: int = 0
    asked: int = 0
    offers: list[str] = []
    cid: str = ""
    stale: bool = False
    reason: str = ""
    code: str = ""
    steps: list[dict[str, object]] = []


_decode = msgspec.json.Decoder(Heard).decode


@dataclass(slots=True)
class Move:
    cid: str
    text: bytes
    sent: float
    waiting: set[int]  # seats that have not heard of it yet
    acked: bool = False
    last: float = 0.0  # when it was sent last
    unwritten: bool = False  # the answer was to send it again


@dataclass(slots=True)
class Counts:
    delivered: list[float] = field(default_factory=list)  # seconds, from sending to the last seat
    acked: list[float] = field(default_factory=list)
    stale: int = 0
    refused: int = 0
    cut: int = 0
    again: int = 0  # moves sent again
    skipped: int = 0  # moments at which nobody was ready to move
    unwritten: int = 0  # answers that said: send it again


@dataclass(slots=True)
class Proof:
    """That a game goes on after a moment: a move sent since was acknowledged, and every seat was told something."""

    since: float
    sent: float | None = None  # the first move since
    played: float | None = None  # its acknowledgement, or that of a later one
    told: dict[int, float] = field(default_factory=dict)  # by seat

    @property
    def is_whole(self) -> bool:
        return self.played is not None and len(self.told) == SEATS


def address(number: int) -> str:
    """One of the addresses of this machine, other than the one the service listens on."""
    return f"127.{1 + number // 62_500}.{number // 250 % 250}.{1 + number % 250}"


class Player(WSListener):
    """One seat's socket."""

    def __init__(self, load: Load, game: Game, seat: int, token: str) -> None:
        self.load, self.game, self.seat, self.token = load, game, seat, token
        self.transport: WSTransport | None = None
        self.asked = 0
        self.offers: list[str] = []
        self.numbers = 0
        self.move: Move | None = None  # on its way
        self.cut: float | None = None  # since when there is no stream; it is back with the next hello
        self.greeted = 0.0

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.transport = None
        self.offers = []
        self.load.ready.discard(self)
        if not self.load.stopping:
            self.load.counts.cut += self.cut is None
            self.cut = self.cut or time.perf_counter()
            self.load.reconnect(self)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.CLOSE:
            self.load.failures[f"closed: {frame.get_close_code()} {frame.get_close_message()!r}"] += 1
        if frame.msg_type != WSMsgType.TEXT:
            return
        now = time.perf_counter()
        heard = _decode(frame.get_payload_as_bytes())
        if heard.t == "update":
            self._update(heard, now)
        elif heard.t == "ack":
            self.game.acked(self, heard.cid, now)
        elif heard.t == "refused":
            self._refused(heard)
        elif heard.t == "hello":
            self._hello(now)
        elif heard.t == "finale":
            self.game.over()

    def _hello(self, now: float) -> None:
        self.greeted = now
        if self.cut is not None:
            self.load.back.append(now - self.cut)
            self.cut = None
        if self.move is not None:
            self.again()

    def _update(self, heard: Heard, now: float) -> None:
        self.game.told(self, now)
        if heard.steps:
            self.game.heard(self, now)
        self.offers, self.asked = heard.offers, heard.asked
        if heard.offers and self.move is None:
            self.load.ready.add(self)
        elif not heard.offers:
            self.load.ready.discard(self)

    def _refused(self, heard: Heard) -> None:
        if heard.code in UNWRITTEN:
            self.load.counts.unwritten += 1
            if self.move is not None and self.move.cid == heard.cid:
                self.move.unwritten = True
            return
        self.load.counts.stale += heard.stale
        self.load.counts.refused += not heard.stale
        self.load.failures[f"refused: {heard.reason}"[:120]] += 1
        self.load.refused.add((self.game.table, f"{self.seat}:{heard.cid}"))
        if self.move is not None and self.move.cid == heard.cid:
            self.game.drop(self.move)
            self.move = None
            if self.offers:
                self.load.ready.add(self)

    def play(self, rng: random.Random) -> None:
        """Send one of the offers."""
        self.load.ready.discard(self)
        self.numbers += 1
        cid = f"{self.seat}-{self.numbers}-{self.load.salt}"
        body = {"t": "move", "seq": self.asked, "cid": cid, "lines": [rng.choice(self.offers)]}
        self.move = self.game.move = Move(cid, json.dumps(body).encode(), time.perf_counter(), set(range(SEATS)))
        self._send(self.move)

    def again(self) -> None:
        """A move that was not answered, sent once more."""
        if self.move is not None:
            self.load.counts.again += 1
            self._send(self.move)

    def _send(self, move: Move) -> None:
        move.last, move.unwritten = time.perf_counter(), False
        proof = self.game.proof
        if proof is not None and proof.sent is None:
            proof.sent = move.last
        if self.transport is not None:
            self.transport.send(WSMsgType.TEXT, move.text)


class Game:
    """One table and the moves on their way."""

    def __init__(self, load: Load, table: str, number: int) -> None:
        self.load, self.table, self.number = load, table, number
        self.players: list[Player] = []
        self.move: Move | None = None
        self.proof: Proof | None = None
        self.is_over = False

    def over(self) -> None:
        self.is_over, self.proof = True, None

    def drop(self, move: Move) -> None:
        """A move that does not count."""
        if self.move is move:
            self.move = None

    def report(self) -> str:
        """How its seats stand, for who looks for the reason why it does not go on."""
        proof = self.proof
        told = sorted(proof.told) if proof else []
        seats = [
            f"{p.seat}{'' if p.transport else ' cut'}{' asked ' + str(p.asked) if p.offers else ''}"
            f"{' waits for ' + p.move.cid if p.move else ''}{' ready' if p in self.load.ready else ''}"
            for p in self.players
        ]
        return f"{self.table}: played {proof is not None and proof.played is not None}, told {told}; {'; '.join(seats)}"

    def told(self, player: Player, now: float) -> None:
        """A text about the game: of a move since the proof began, or on a stream that was opened since."""
        proof = self.proof
        if proof is not None and (player.greeted > proof.since or (proof.sent is not None and now > proof.sent)):
            proof.told.setdefault(player.seat, now)

    def heard(self, player: Player, now: float) -> None:
        move = self.move
        if move is None:
            return
        move.waiting.discard(player.seat)
        if not move.waiting:
            self.load.counts.delivered.append(now - move.sent)
            self.move = None

    def acked(self, player: Player, cid: str, now: float) -> None:
        self.load.keys.append((self.table, f"{player.seat}:{cid}"))
        move = player.move
        if move is not None and move.cid == cid:  # a move that was sent twice is acknowledged twice
            move.acked, player.move = True, None
            self.load.counts.acked.append(now - move.sent)
            if self.proof is not None and self.proof.played is None and move.last > self.proof.since:
                self.proof.played = now
        if player.offers and player.move is None:
            self.load.ready.add(player)


class Load:
    """The whole generator, against one address."""

    def __init__(self, port: int, seed: int = 1) -> None:
        self.port = port
        self.games: list[Game] = []
        self.ready: set[Player] = set()
        self.counts = Counts()
        self.keys: list[tuple[str, str]] = []  # (table, key as stored) of every acknowledged move
        self.refused: set[tuple[str, str]] = set()  # those that were refused for good: they must not be stored
        self.failures: Counter[str] = Counter()  # why sockets could not be opened, or were ended
        self.stopping = self.proving = False
        self.rng = random.Random(seed)
        self.salt = f"{seed:x}"
        self.back: list[float] = []  # seconds until a cut socket was greeted again
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def players(self) -> list[Player]:
        return [player for game in self.games for player in game.players]

    # ------------------------------------------------------------ setting up

    async def set_up(self, games: int) -> None:
        gate = asyncio.Semaphore(12)
        await asyncio.gather(*(self._new_game(gate, number) for number in range(games)))

    async def _new_game(self, gate: asyncio.Semaphore, number: int) -> None:
        async with gate, Http(self.port, address(number)) as http:
            tokens = [str((await http.ask("GET", "/api/me"))["token"]) for _ in range(SEATS)]
            seats = [{"kind": "me"}, *([{"kind": "open"}] * (SEATS - 1))]
            asked = {"map": MAPS[number % len(MAPS)], "seats": seats, "order": "fixed"}
            table = (await http.ask("POST", "/api/tables", asked, tokens[0]))["id"]
            for token in tokens[1:]:
                await http.ask("POST", f"/api/tables/{table}/sit", {}, token)
            await http.ask("POST", f"/api/tables/{table}/start", {}, tokens[0])
        game = Game(self, str(table), number)
        game.players = [Player(self, game, seat, token) for seat, token in enumerate(tokens)]
        self.games.append(game)

    async def connect(self) -> float:
        """Open every socket; the seconds it took."""
        began = time.perf_counter()
        gate = asyncio.Semaphore(48)
        await asyncio.gather(*(self._connect(player, gate) for player in self.players))
        return time.perf_counter() - began

    async def _connect(self, player: Player, gate: asyncio.Semaphore | None = None) -> None:
        url = f"ws://127.0.0.1:{self.port}/api/tables/{player.game.table}/live"
        head = {"Authorization": f"Bearer {player.token}"}
        local = (address(player.game.number), 0)
        while not self.stopping:
            try:
                async with gate or asyncio.Semaphore(1):
                    await ws_connect(lambda: player, url, extra_headers=head, local_addr=local)
                return
            except Exception as error:
                self.failures[f"{type(error).__name__}: {error}"[:80]] += 1
                await asyncio.sleep(0.1 + 0.3 * random.random())

    def reconnect(self, player: Player) -> None:
        task = asyncio.ensure_future(self._come_back(player))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _come_back(self, player: Player) -> None:
        await asyncio.sleep(0.2 * random.random())
        await self._connect(player)

    async def all_back(self, seconds: float = 60) -> int:
        """Wait until every socket was greeted again; how many were not."""
        end = time.perf_counter() + seconds
        while (missing := sum(player.cut is not None for player in self.players)) and time.perf_counter() < end:
            await asyncio.sleep(0.05)
        return missing

    # ------------------------------------------------------------ proving

    def prove(self) -> None:
        """From now on play more: at every game of which it is not known that it goes on."""
        now, self.proving = time.perf_counter(), True
        for game in self.games:
            game.proof = None if game.is_over else Proof(now)

    def _unproved(self) -> list[Game]:
        return [game for game in self.games if game.proof and not game.proof.is_whole]

    async def proved(self, seconds: float = 60) -> tuple[float, float, int]:
        """The seconds of the slowest game and of the slowest socket, and how many games failed in this time."""
        end = time.perf_counter() + seconds
        while self._unproved() and time.perf_counter() < end:
            await asyncio.sleep(0.05)
        self.proving = False
        proofs = [game.proof for game in self.games if game.proof]
        played = max((p.played - p.since for p in proofs if p.played), default=0.0)
        told = max((at - p.since for p in proofs for at in p.told.values()), default=0.0)
        return played, told, sum(not p.is_whole for p in proofs)

    # ------------------------------------------------------------ playing

    async def play(self, rate: float, seconds: float) -> None:
        """Moves at a steady rate, each by a seat that has to choose."""
        began = time.perf_counter()
        due, looked = 0, began
        while (now := time.perf_counter() - began) < seconds:
            while due < now * rate:
                due += 1
                self._one_move(self.games)
            if self.proving and (unproved := self._unproved()):
                self._one_move(unproved)
            if time.perf_counter() - looked > 1:
                looked = time.perf_counter()
                self._send_again(looked)
            await asyncio.sleep(0.002)

    def _one_move(self, games: list[Game]) -> None:
        for _ in range(20):
            game = self.rng.choice(games)
            ready = [p for p in game.players if p in self.ready and p.transport is not None]
            if ready and (game.move is None or game.move.acked):
                self.rng.choice(ready).play(self.rng)
                return
        self.counts.skipped += 1

    def _send_again(self, now: float) -> None:
        for player in self.players:
            move = player.move
            if move is not None and player.transport is not None and (move.unwritten or now - move.last > LOST_AFTER):
                player.again()

    def stuck(self) -> list[str]:
        """Of every game that was not proved to go on: what its seats wait for."""
        return [game.report() for game in self._unproved()]

    async def answered(self, seconds: float = 20) -> int:
        """Wait until nothing is on its way any more; what is, all the same."""
        end = time.perf_counter() + seconds
        while (open_ := sum(player.move is not None for player in self.players)) and time.perf_counter() < end:
            self._send_again(time.perf_counter())
            await asyncio.sleep(0.2)
        return open_

    def stop(self) -> None:
        self.stopping = True
        for player in self.players:
            if player.transport is not None:
                player.transport.disconnect()


class Http:
    """A connection of one address, kept open: as little as it takes to ask."""

    def __init__(self, port: int, local: str) -> None:
        self.port, self.local = port, local

    async def __aenter__(self) -> Http:
        for attempt in range(50):
            try:
                self.reader, self.writer = await asyncio.open_connection(
                    "127.0.0.1", self.port, local_addr=(self.local, 0)
                )
                return self
            except OSError:
                await asyncio.sleep(0.05 * (attempt + 1))
        raise RuntimeError("the service does not answer")

    async def __aexit__(self, *error: object) -> None:
        self.writer.close()

    async def ask(self, method: str, path: str, body: object = None, token: str = "") -> dict[str, object]:
        sent = json.dumps(body).encode() if body is not None else b""
        head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\ncontent-length: {len(sent)}\r\n"
        if token:
            head += f"authorization: Bearer {token}\r\n"
        self.writer.write(head.encode() + b"content-type: application/json\r\n\r\n" + sent)
        status, answer = await self._answer()
        if status == 429:
            await asyncio.sleep(1)
            return await self.ask(method, path, body, token)
        if status != 200:
            raise RuntimeError(f"{method} {path}: {status} {answer[:200]!r}")
        found: dict[str, object] = json.loads(answer)
        return found

    async def _answer(self) -> tuple[int, bytes]:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower().split("\r\n")
        status = int(head[0].split()[1])
        length = next((int(line.split(":")[1]) for line in head if line.startswith("content-length:")), None)
        if length is not None:
            return status, await self.reader.readexactly(length)
        parts = []
        while size := int((await self.reader.readline()).strip() or b"0", 16):
            parts.append(await self.reader.readexactly(size))
            await self.reader.readline()
        await self.reader.readline()
        return status, b"".join(parts)
