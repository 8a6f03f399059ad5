"""A room: one table, the people looking at it, and its game while it is played.

The log in the store is the truth. A move is tried on a copy of the course, written down, and only when that is
durable does the copy become the course and do the readers hear of it.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from branchline.events import Reader
from branchline.fair import bot_seed
from branchline.game import IllegalAction
from branchline.notation import BadNotation
from branchline.server import wire
from branchline.server.clocks import Clock
from branchline.server.course import BACK, Course, Done, Entry, Snapshot, before_last_turn, game_after
from branchline.server.facts import labels_of
from branchline.server.prices import price
from branchline.server.store import Statement, StoreFailed
from branchline.server.tables import Chair, Conflict, Forbidden, Table
from branchline.server.views import events_for, offers_of, view_wire
from branchline.version import __version__

if TYPE_CHECKING:
    from branchline.server.service import Service

MOST_LINES = 4  # of one move: a claim, its payment, doubling, festivals
SNAPSHOT_EVERY = 32
OUTBOX = 256  # messages a slow reader may be behind before the stream is cut
_encode = msgspec.json.Encoder().encode


class Connection:
    """One open stream to one reader; a reader too slow to follow is cut off and comes back."""

    def __init__(self, user: str | None) -> None:
        self.user = user
        self.seat: int | None = None
        self.at = 0  # the reader's number it has been told up to
        self.outbox: asyncio.Queue[tuple[str, float] | None] = asyncio.Queue(OUTBOX)
        self.cut = False

    def send(self, text: str, received: float = 0.0) -> None:
        if self.cut:
            return
        try:
            self.outbox.put_nowait((text, received))
        except asyncio.QueueFull:
            self.end()

    def end(self) -> None:
        """Nothing more comes on this stream."""
        self.cut = True
        if self.outbox.full():
            self.outbox.get_nowait()
        self.outbox.put_nowait(None)

    def tell(self, message: wire.FromServer) -> None:
        self.send(_encode(message).decode())


class Room:
    """One table, live."""

    def __init__(
        self, service: Service, table: Table, course: Course | None = None, clock: Clock | None = None
    ) -> None:
        self.service = service
        self.table = table
        self.course = course
        self.clock = clock
        self.lock = asyncio.Lock()
        self.connections: set[Connection] = set()
        self.proxied: set[int] = set()
        self.clock_out: set[int] = set()
        self.vote: wire.Vote | None = None
        self._back_to = 0  # the entry the vote would go back to; its number tells of silent choices, so nobody is told
        self.touched = time.monotonic()
        self._acks: dict[str, None] = {}  # the latest moves by client id; all are in the store
        self._absent: dict[int, asyncio.TimerHandle] = {}
        self._alarm: asyncio.TimerHandle | None = None
        self._driver: asyncio.Task[None] | None = None
        self._snapshot_seq = course.seq if course else 0

    # ------------------------------------------------------------ readers

    def join(self, connection: Connection) -> None:
        """A reader comes: all it needs to know, in one breath, so that nothing falls between."""
        connection.seat = self.table.seat_of(connection.user)
        self.connections.add(connection)
        self.touched = time.monotonic()
        self._came(connection.seat)
        connection.tell(
            wire.Hello(self.table_wire(connection.user), __version__, self.service.chat.last(self.table.id))
        )
        self.resync(connection)
        self.tell_table(but=connection)

    def leave(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self.touched = time.monotonic()
        if connection.seat is not None and not self._is_here(connection.seat):
            self._went(connection.seat)
        self.tell_table()

    def resync(self, connection: Connection) -> None:
        """The present state, whatever the reader knew."""
        if self.course is None:
            return
        connection.at = self.course.reader_number(connection.seat)
        connection.send(self._update(connection.seat, connection.at, ()))
        if self.table.result is not None:
            connection.send(self._finale())
        if self.vote is not None:
            connection.tell(self.vote)

    def _is_here(self, seat: int) -> bool:
        return any(c.seat == seat for c in self.connections)

    def _others_here(self, seat: int) -> bool:
        return any(c.seat is not None and c.seat != seat for c in self.connections)

    # ------------------------------------------------------------ messages

    def table_wire(self, user: str | None) -> wire.TableWire:
        table, you = self.table, self.table.seat_of(user)
        return wire.TableWire(
            id=table.id,
            map=table.map.id,
            state=table.state,
            seats=[self._seat_wire(seat, chair, you) for seat, chair in enumerate(table.chairs)],
            you=you,
            host=user is not None and user == table.owner,
            listed=table.listed,
            order=table.options.order,
            clock=table.options.clock,
            fixed_deal=table.options.fixed_deal,
            free_chat=table.free_chat,
            commitment=table.commitment,
            spectators=sum(c.seat is None for c in self.connections),
            created=table.created,
            rematch=table.rematch,
            takebacks=table.takebacks,
            link=f"/t/{table.id}",
        )

    def _seat_wire(self, seat: int, chair: Chair, you: int | None) -> wire.SeatWire:
        return wire.SeatWire(
            kind=chair.kind,
            name=chair.name,
            bot=chair.bot,
            you=seat == you,
            connected=chair.bot is not None or self._is_here(seat),
            proxied=seat in self.proxied,
            clock_out=seat in self.clock_out,
        )

    def tell_table(self, but: Connection | None = None) -> None:
        """The table as each reader sees it."""
        texts: dict[str | None, str] = {}
        for connection in self.connections:
            if connection is but:
                continue
            if connection.user not in texts:
                texts[connection.user] = _encode(wire.TableNews(self.table_wire(connection.user))).decode()
            connection.send(texts[connection.user])

    def tell_all(self, message: wire.FromServer) -> None:
        text = _encode(message).decode()
        for connection in self.connections:
            connection.send(text)

    def _update(self, reader: Reader, since: int, steps: Sequence[wire.StepWire]) -> str:
        assert self.course is not None
        view = self.course.game.view(reader)
        return _encode(
            wire.Update(
                since=since,
                seq=self.course.reader_number(reader),
                asked=0 if reader is None else self.course.asked[reader],
                view=view_wire(view),
                offers=offers_of(view),
                undo=self.course.can_undo(reader),
                clock=self.clock.wire(time.monotonic(), time.time()) if self.clock else None,
                steps=list(steps),
            )
        ).decode()

    def _finale(self) -> str:
        assert self.table.result is not None and self.course is not None
        scores = msgspec.Raw(self.table.result)
        reason = self.course.game.end_reason or ""
        return _encode({"t": "finale", "scores": scores, "reason": reason}).decode()

    async def _tell(self, dones: Sequence[Done], before: Sequence[int], received: float) -> None:
        """What happened, to every reader who may know that something did; one reader's message at a time."""
        assert self.course is not None
        for reader in {connection.seat for connection in self.connections}:
            at = -1 if reader is None else reader
            if before[at] == self.course.told[at]:
                continue
            steps = [
                wire.StepWire(done.told[at], done.entry.seat, done.entry.by, events_for(done.events, reader))
                for done in dones
                if done.events
            ]
            text = self._update(reader, before[at], steps)
            for connection in self.connections:
                if connection.seat == reader and connection.at < self.course.told[at]:
                    connection.at = self.course.told[at]
                    connection.send(text, received)
            await asyncio.sleep(0)

    # ------------------------------------------------------------ moves

    async def move(self, seat: int, move: wire.Move, by: str = "player") -> wire.Ack | wire.Refused:
        """Play the lines of a move, all or none; answers when they are durable."""
        received = time.perf_counter()
        # A stream that breaks must not break off a move that is being written.
        return await asyncio.shield(asyncio.ensure_future(self._move(seat, move, by, received)))

    async def _move(self, seat: int, move: wire.Move, by: str, received: float) -> wire.Ack | wire.Refused:
        async with self.lock:
            key = f"{seat}:{move.cid}" if by == "player" else f"{by}:{move.cid}"  # nobody's client id is a bot's
            if self._is_known(key):
                return wire.Ack(move.cid, move.seq)
            if self.course is None or self.table.state != "playing":
                return _refused(move.cid, "no game is being played at this table")
            if move.seq != self.course.asked[seat]:
                return self._stale(seat, move.cid)
            trial = self.course.copy()
            try:
                dones = [trial.play(seat, line, by) for line in _lines(move.lines)]
            except IllegalAction as error:
                self.service.metrics.refusal(error.clause)
                return wire.Refused(move.cid, error.clause, self._humane(error.reason), False)
            except (BadNotation, ValueError) as error:
                self.service.metrics.refusal("")
                return _refused(move.cid, str(error))
            reason = await self._commit(seat, trial, dones, key, received)
            return _refused(move.cid, reason) if reason else wire.Ack(move.cid, move.seq)

    async def undo(self, seat: int, undo: wire.Undo) -> wire.Ack | wire.Refused:
        """Take back what nobody else has learned of."""
        received = time.perf_counter()
        async with self.lock:
            key = f"{seat}:{undo.cid}"
            if self._is_known(key):
                return wire.Ack(undo.cid, undo.seq)
            if self.course is None or self.table.state != "playing" or undo.seq != self.course.asked[seat]:
                return self._stale(seat, undo.cid)
            if not self.course.can_undo(seat):
                return _refused(undo.cid, "nothing can be taken back: the others know of it already")
            trial = self.course.copy()
            reason = await self._commit(seat, trial, [trial.undo(seat)], key, received)
            return _refused(undo.cid, reason) if reason else wire.Ack(undo.cid, undo.seq)

    def _is_known(self, key: str) -> bool:
        """Whether this move has been played before, and comes again."""
        known = key in self._acks or bool(
            self.service.store.read("SELECT 1 FROM log WHERE table_id = ? AND cid = ?", (self.table.id, key))
        )
        if known:
            self.service.metrics.duplicates.inc()
        return known

    def _stale(self, seat: int, cid: str) -> wire.Refused:
        self.service.metrics.stale.inc()
        for connection in self.connections:
            if connection.seat == seat:
                self.resync(connection)
        return wire.Refused(cid, "", "the game has moved on since: here is how it stands", True)

    async def _commit(self, seat: int, trial: Course, dones: Sequence[Done], key: str | None, received: float) -> str:
        """Write down what was tried, then let it be the course and tell of it; "" or why it does not count."""
        assert self.course is not None
        before, silent = self.course.told, not _is_public(dones)
        left = self._clock_after(seat, trial, silent)
        try:
            await self.service.store.write(*self._entries(dones, key, left), *self._standing(trial, silent))
        except StoreFailed as error:
            self.service.log.error("the store failed", table=self.table.id, reason=str(error))
            return "the move could not be written down and does not count: try again"
        self.course = trial
        if key is not None:
            self._acks[key] = None
        if len(self._acks) > 64:
            del self._acks[next(iter(self._acks))]
        if not silent:  # that a vote ends would tell the others of a silent choice
            self._drop_vote()
        self._run_clock()
        self.service.metrics.move(dones[0].entry.by, received)
        if dones[0].entry.line.startswith(f"{BACK} "):
            for connection in self.connections:
                self.resync_whole(connection)
        else:
            await self._tell(dones, before, received)
        self.go_on()
        return ""

    def _entries(self, dones: Sequence[Done], key: str | None, left: str | None) -> list[Statement]:
        now = time.time()
        last = dones[-1]
        return [
            (
                "INSERT INTO log (table_id, seq, seat, line, cid, at, by, clock) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (self.table.id, e.seq, e.seat, e.line, key if done is last else None, now, e.by, left),
            )
            for done in dones
            for e in [done.entry]
        ]

    def _standing(self, trial: Course, silent: bool) -> list[Statement]:
        """Where the game stands, for lists of games; and from time to time the whole position."""
        if silent:  # a list would tell the others when it was last touched
            return []
        to_act = json.dumps(list(trial.game.to_act))
        snapshot = trial.snapshot() if trial.seq - self._snapshot_seq >= SNAPSHOT_EVERY else None
        if snapshot is None:
            return [("UPDATE tables SET to_act = ?, updated = ? WHERE id = ?", (to_act, time.time(), self.table.id))]
        self._snapshot_seq = trial.seq
        return [
            (
                "UPDATE tables SET to_act = ?, updated = ?, snapshot = ?, snapshot_seq = ? WHERE id = ?",
                (to_act, time.time(), msgspec.msgpack.encode(snapshot), trial.seq, self.table.id),
            )
        ]

    def ask(self, seat: int, ask: wire.Ask) -> wire.Answer:
        """What a track or a station would cost, or why it cannot be had."""
        data = self.table.map
        known = any(t.id == ask.about for t in data.tracks) or any(p.id == ask.about for p in data.places)
        if not known or self.course is None:
            return wire.Answer(ask.cid, ask.about, [], "", "there is no such track or place on this map")
        answer = price(self.course.game, seat, ask.cid, ask.about)
        return msgspec.structs.replace(answer, reason=self._humane(answer.reason))

    def _humane(self, reason: str) -> str:
        return labels_of(self.table.map).humane(reason, [chair.name for chair in self.table.chairs])

    # ------------------------------------------------------------ taking back what all have seen

    async def take_back(self, seat: int, agree: bool | None) -> str:
        """Ask for one's last turn again, or answer who asks; "" or why not."""
        if not self.table.takebacks or self.course is None or self.table.state != "playing":
            return "moves cannot be taken back at this table"
        if agree is None:
            return await self._ask_back(seat)
        if self.vote is None or seat == self.vote.seat:
            return "nobody asks to take a move back"
        if not agree:
            self._drop_vote()
            return ""
        self.vote = msgspec.structs.replace(self.vote, agreed=sorted({*self.vote.agreed, seat}))
        await self._count_votes()
        return ""

    async def _ask_back(self, seat: int) -> str:
        async with self.lock:
            if self.vote is not None:
                return "somebody asks already to take a move back"
            if self.course is None:
                return "moves cannot be taken back at this table"
            log = self.service.desk.log(self.table.id)
            to = await asyncio.to_thread(before_last_turn, self.course.game, log, seat)
            if to is None:
                return "you have no move to take back"
            self.vote, self._back_to = wire.Vote(seat, [], True), to
        await self._count_votes()
        return ""

    async def _count_votes(self) -> None:
        vote = self.vote
        if vote is None:
            return
        voters = {i for i, chair in enumerate(self.table.chairs) if chair.user and i != vote.seat} - self.proxied
        if not voters <= set(vote.agreed):
            self.tell_all(vote)
            return
        received = time.perf_counter()
        async with self.lock:
            if self.vote is not vote or self.course is None:
                return
            log = self.service.desk.log(self.table.id)
            trial = self.course.copy()
            game = await asyncio.to_thread(game_after, trial.game, log, self._back_to)
            self._snapshot_seq = 0
            reason = await self._commit(vote.seat, trial, [trial.back(vote.seat, self._back_to, game)], None, received)
            if reason:
                self.tell_all(wire.Trouble(reason))

    def resync_whole(self, connection: Connection) -> None:
        """The present state to a reader whose history no longer holds: it asks for the history again."""
        assert self.course is not None
        connection.at = self.course.reader_number(connection.seat)
        connection.send(self._update(connection.seat, -1, ()))

    def _drop_vote(self) -> None:
        if self.vote is not None:
            self.tell_all(msgspec.structs.replace(self.vote, open=False))
            self.vote = None

    # ------------------------------------------------------------ who plays a seat: leavers and clocks

    def _came(self, seat: int | None) -> None:
        if seat is None:
            return
        timer = self._absent.pop(seat, None)
        if timer:
            timer.cancel()
        if seat in self.proxied and seat not in self.clock_out:
            self.proxied.discard(seat)
            self._run_clock()
        self._miss_others()

    def _miss_others(self) -> None:
        """Who is away is missed from the moment that somebody waits."""
        if any(connection.seat is not None for connection in self.connections):
            for seat, chair in enumerate(self.table.chairs):
                if chair.user and not self._is_here(seat):
                    self._went(seat)

    def _went(self, seat: int) -> None:
        """A minute to come back; then a bot plays on for the others' sake. Nobody waits in a game of days."""
        if self.table.state != "playing" or self.table.options.clock.kind == "days" or seat in self._absent:
            return
        loop = asyncio.get_running_loop()
        self._absent[seat] = loop.call_later(self.service.options.grace, self._gone, seat)

    def _gone(self, seat: int) -> None:
        self._absent.pop(seat, None)
        if self._is_here(seat) or not self._others_here(seat) or self.table.state != "playing":
            return
        self.proxied.add(seat)
        self._run_clock()
        self.tell_table()
        self.go_on()

    def take_seat_back(self, seat: int) -> None:
        """The owner plays again."""
        if seat in self.clock_out and self.clock:
            self.clock.forgive(seat, time.monotonic())
        self.clock_out.discard(seat)
        self.proxied.discard(seat)
        self._run_clock()
        self.tell_table()
        for connection in self.connections:
            self.resync(connection)

    def _clock_after(self, seat: int, trial: Course, silent: bool) -> str | None:
        """The clocks as they will stand once the move is made, to be written down with it."""
        if self.clock is None:
            return None
        if not silent:  # all read the clocks: one that jumps would tell of a silent choice
            self.clock.moved(seat, time.monotonic(), seat not in trial.game.to_act)
        return json.dumps([round(n, 2) for n in self.clock.left(time.monotonic())])

    def _run_clock(self) -> None:
        """Let the clocks of the people who have to choose run, and wake when one is out."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
        if self.clock is None or self.course is None:
            return
        now = time.monotonic()
        if self.table.state != "playing" or self.course.game.is_over:
            self.clock.stop(now)
            return
        seats = [s for s in self.course.game.to_act if self.table.chairs[s].user and s not in self.proxied]
        self.clock.run(seats, now)
        wait = self.clock.next_out(now)
        if wait is not None:
            self._alarm = asyncio.get_running_loop().call_later(min(wait, 86400) + 0.05, self._ring)

    def _ring(self) -> None:
        assert self.clock is not None
        for seat in self.clock.out(time.monotonic()):
            self.clock_out.add(seat)
            self.proxied.add(seat)
        self._run_clock()
        self.tell_table()
        self.go_on()

    # ------------------------------------------------------------ bots

    def go_on(self) -> None:
        """Let bots play, and end what is over."""
        if self.course is None or self.table.state != "playing":
            return
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())

    async def _drive(self) -> None:
        try:
            while self.course is not None and self.table.state == "playing":
                if self.course.game.is_over:
                    await self._end()
                    return
                seat = next((s for s in self.course.game.to_act if self._bot_of(s)), None)
                if seat is None:
                    return
                await self._bot_move(seat)
        except asyncio.CancelledError:
            raise
        except Exception:  # a fault of ours: the game stays where its log says, and the next reader wakes it again
            self.service.log.exception("a game's bots stopped", table=self.table.id)

    def _bot_of(self, seat: int) -> str | None:
        return self.table.chairs[seat].bot or ("path" if seat in self.proxied else None)

    async def _bot_move(self, seat: int) -> None:
        assert self.course is not None
        bot, asked = self._bot_of(seat), self.course.asked[seat]
        assert bot is not None
        view = self.course.game.view(seat)
        began = time.monotonic()
        chance = bot_seed(self.table.server_seed, self.table.id, seat, self.course.seq)
        line = await self.service.workers.choose(view, bot, chance)
        if self.connections:  # people want to see what a bot does
            await asyncio.sleep(max(0.0, self.service.options.bot_pause - (time.monotonic() - began)))
        if self._bot_of(seat) is None:  # the owner is back
            return
        by = "bot" if self.table.chairs[seat].bot else "proxy"
        reply = await self.move(seat, wire.Move(asked, f"bot-{asked}-{self.course.seq}", [line]), by)
        if isinstance(reply, wire.Refused) and not reply.stale:
            raise RuntimeError(f"bot {bot} was refused: {reply.clause} {reply.reason}")

    async def _end(self) -> None:
        """Score the game, write the result down, tell everybody."""
        assert self.course is not None
        position = self.course.game.position.to_bytes()
        result = await self.service.score(self.table.map.id, position)
        now = time.time()
        await self.service.store.write(
            (
                "UPDATE tables SET state = 'over', ended = ?, result = ?, to_act = '[]', updated = ? WHERE id = ?",
                (now, result.decode(), now, self.table.id),
            )
        )
        self.table.result, self.table.ended, self.table.state = result, now, "over"
        self._run_clock()
        text = self._finale()
        for connection in self.connections:
            connection.send(text)
        self.tell_table()

    # ------------------------------------------------------------ before the game

    async def begin(self, user: str) -> None:
        """Deal, if all chairs are taken and the host says so."""
        async with self.lock:
            if user != self.table.owner:
                raise Forbidden("only who made the table can start the game")
            if self.table.state != "open":
                raise Conflict("the game has begun already")
            if any(chair.is_open for chair in self.table.chairs):
                raise Conflict("a chair is empty: wait for somebody, or put a bot on it")
            self.table.begin()
            await self.service.store.write(*self.table.write_start())
            assert self.table.seed is not None
            self.course = Course.begin(self.table.map, len(self.table.chairs), self.table.seed)
            if self.table.options.clock.kind != "none":
                self.clock = Clock(self.table.options.clock, len(self.table.chairs), time.monotonic())
            self._run_clock()
            for connection in self.connections:
                connection.seat = self.table.seat_of(connection.user)
            self.tell_table()
            for connection in self.connections:
                self.resync(connection)
            self._miss_others()
            self.go_on()

    def reseat(self) -> None:
        """The chairs changed: every stream learns where its reader sits."""
        for connection in self.connections:
            connection.seat = self.table.seat_of(connection.user)
        self.tell_table()

    # ------------------------------------------------------------ life

    @property
    def is_idle(self) -> bool:
        busy = self._driver is not None and not self._driver.done()
        pressed = self.table.state == "playing" and self.table.options.clock.kind == "live"
        return not self.connections and not busy and not pressed and not self.lock.locked()

    def close(self) -> None:
        """Let go of timers and tasks; the log has everything."""
        for timer in (*self._absent.values(), *([self._alarm] if self._alarm else [])):
            timer.cancel()
        if self._driver:
            self._driver.cancel()


def restored(
    service: Service, table: Table, rows: Iterable[tuple[Entry, float, str | None]], snapshot: tuple[bytes, int] | None
) -> Room:
    """The room of a game from its log; blocking, for a thread."""
    course: Course | None = None
    clock: Clock | None = None
    if table.state in ("playing", "over"):
        course, clock = _course(service, table, list(rows), snapshot)
    return Room(service, table, course, clock)


def _course(
    service: Service, table: Table, rows: list[tuple[Entry, float, str | None]], snapshot: tuple[bytes, int] | None
) -> tuple[Course, Clock | None]:
    assert table.seed is not None
    if snapshot is not None:
        course = Course.restore(table.map, msgspec.msgpack.decode(snapshot[0], type=Snapshot), snapshot[1])
    else:
        course = Course.begin(table.map, len(table.chairs), table.seed)
    log = [entry for entry, _, _ in rows]
    for entry in log:
        if entry.seq > course.seq:
            course.replay(entry, log)
    if table.options.clock.kind == "none":
        return course, None
    clock = Clock(table.options.clock, len(table.chairs), time.monotonic())
    if rows and rows[-1][2]:
        gone = service.alive_since(rows[-1][1])
        left = json.loads(rows[-1][2])
        clock.set_left(max(0.0, n - gone) if s in course.game.to_act else n for s, n in enumerate(left))
    return course, clock


def _lines(lines: Sequence[str]) -> Sequence[str]:
    if not 1 <= len(lines) <= MOST_LINES:
        raise ValueError(f"a move has 1 to {MOST_LINES} lines, not {len(lines)}")
    return lines


def _refused(cid: str, reason: str) -> wire.Refused:
    return wire.Refused(cid, "", reason, False)


def _is_public(dones: Iterable[Done]) -> bool:
    """Whether anybody but who chose learns of it."""
    return any(done.events or done.entry.line.startswith(f"{BACK} ") for done in dones)
