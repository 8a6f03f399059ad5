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
from branchline.game import IllegalAction
from branchline.notation import BadNotation
from branchline.server import wire
from branchline.server.breath import breath
from branchline.server.clocks import Clock
from branchline.server.connections import Connection, encode
from branchline.server.course import BACK, Course, Done
from branchline.server.driver import Driver
from branchline.server.facts import labels_of
from branchline.server.pauses import Pause
from branchline.server.presence import Presence
from branchline.server.prices import price
from branchline.server.said import Said, code_of
from branchline.server.store import Statement, StoreFailed
from branchline.server.tables import Chair, Conflict, Forbidden, Table
from branchline.server.takebacks import TakeBack
from branchline.server.views import events_for, offers_of, view_wire
from branchline.version import __version__
from branchline.view import View

if TYPE_CHECKING:
    from branchline.server.service import Service

Shown = tuple[View, wire.ViewWire]

MOST_LINES = 4  # of one move: a claim, its payment, doubling, festivals
SNAPSHOT_EVERY = 32


class Room:
    """One table, live."""

    def __init__(
        self, service: Service, table: Table, course: Course | None = None, clock: Clock | None = None
    ) -> None:
        self.service = service
        self.table = table
        self.course = course
        self.lock = asyncio.Lock()
        self.connections: set[Connection] = set()
        self.presence = Presence(self, clock)
        self.driver = Driver(self)
        self.takeback = TakeBack(self)
        self.pause = Pause(self)
        self.touched = time.monotonic()
        self.snapshot_seq = course.seq if course else 0
        self._acks: dict[str, None] = {}  # the latest moves by client id; all are in the store

    # ------------------------------------------------------------ readers

    async def join(self, connection: Connection) -> None:
        """A reader comes. It is one of the readers at once, so that nothing falls between, and hears of moves from
        the state it is sent on; the loop gets its breath in between."""
        connection.seat = self.table.seat_of(connection.user)
        self.connections.add(connection)
        self.touched = time.monotonic()
        self.presence.came(connection.seat)
        said = self.service.chat.last(self.table.id, self.service.blocks.of(connection.user))
        connection.tell(wire.Hello(self.table_wire(connection.user), __version__, said))
        await breath()
        self.resync(connection)
        await breath()
        self.tell_table(but=connection)
        self.driver.go_on()

    def leave(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self.touched = time.monotonic()
        if connection.seat is not None and not self.presence.is_here(connection.seat):
            self.presence.went(connection.seat)
        self.tell_table()

    def resync(self, connection: Connection) -> None:
        """The present state, whatever the reader knew."""
        if self.course is None:
            return
        connection.at = self.course.reader_number(connection.seat)
        connection.send(self._update(connection.seat, connection.at, ()))
        if self.table.result is not None:
            connection.send(self.finale())
        vote = self.takeback.vote or self.pause.vote
        if vote is not None:
            connection.tell(vote)

    def resync_whole(self, connection: Connection) -> None:
        """The present state to a reader whose history no longer holds: it asks for the history again."""
        assert self.course is not None
        connection.at = self.course.reader_number(connection.seat)
        connection.send(self._update(connection.seat, -1, ()))

    # ------------------------------------------------------------ messages

    def table_wire(self, user: str | None) -> wire.TableWire:
        table, you = self.table, self.table.seat_of(user)
        blocked = self.service.blocks.of(user)
        return wire.TableWire(
            id=table.id,
            map=table.map.id,
            state=table.state,
            seats=[self._seat_wire(seat, chair, you, blocked) for seat, chair in enumerate(table.chairs)],
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
            paused=self.presence.paused,
            link=f"/t/{table.id}",
        )

    def _seat_wire(self, seat: int, chair: Chair, you: int | None, blocked: frozenset[str]) -> wire.SeatWire:
        return wire.SeatWire(
            kind=chair.kind,
            name=chair.name,
            bot=chair.bot,
            you=seat == you,
            connected=chair.bot is not None or self.presence.is_here(seat),
            proxied=seat in self.presence.proxied,
            clock_out=seat in self.presence.clock_out,
            blocked=chair.user in blocked,
            holiday=self.presence.holiday(seat) is not None,
        )

    def tell_table(self, but: Connection | None = None) -> None:
        """The table as each reader sees it."""
        texts: dict[object, str] = {}
        for connection in self.connections:
            if connection is but:
                continue
            user = connection.user
            alike = (self.table.seat_of(user), user == self.table.owner, self.service.blocks.of(user))
            if alike not in texts:  # a hundred spectators see the same
                texts[alike] = encode(wire.TableNews(self.table_wire(user))).decode()
            connection.send(texts[alike])

    def tell_reader(self, user: str) -> None:
        """The table, to one reader alone: what only they see of it has changed."""
        for connection in self.connections:
            if connection.user == user:
                connection.tell(wire.TableNews(self.table_wire(user)))

    def tell_all(self, message: wire.FromServer, speaker: str | None = None) -> None:
        """The same to every reader, but nothing of a speaker to who has blocked them."""
        text = encode(message).decode()
        for connection in self.connections:
            if speaker is None or speaker not in self.service.blocks.of(connection.user):
                connection.send(text)

    def _update(
        self,
        reader: Reader,
        since: int,
        steps: Sequence[wire.StepWire],
        shown: tuple[View, wire.ViewWire] | None = None,
    ) -> str:
        assert self.course is not None
        clock = self.presence.clock
        view, seen = shown or self._shown(reader)
        return encode(
            wire.Update(
                since=since,
                seq=self.course.reader_number(reader),
                asked=0 if reader is None else self.course.asked[reader],
                view=seen,
                offers=offers_of(view),
                undo=self.course.can_undo(reader),
                clock=clock.wire(time.monotonic(), time.time()) if clock else None,
                steps=list(steps),
            )
        ).decode()

    def _shown(self, reader: Reader) -> Shown:
        assert self.course is not None
        view = self.course.game.view(reader)
        return view, view_wire(view)

    def finale(self) -> str:
        assert self.table.result is not None and self.course is not None
        scores = msgspec.Raw(self.table.result)
        reason = self.course.game.end_reason or ""
        return encode({"t": "finale", "scores": scores, "reason": reason}).decode()

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
            await breath()
            view = self.course.game.view(reader)
            await breath()
            shown = view, view_wire(view)
            await breath()
            text = self._update(reader, before[at], steps, shown)
            for connection in self.connections:
                if connection.seat == reader and connection.at < self.course.told[at]:
                    connection.at = self.course.told[at]
                    connection.send(text, received)
            await breath()

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
                return _refused(move.cid, Said("no_game", "no game is being played at this table"))
            if move.seq != self.course.asked[seat]:
                return self._stale(seat, move.cid)
            trial = self.course.copy()
            await breath()
            dones = []
            try:
                for line in _lines(move.lines):
                    dones.append(trial.play(seat, line, by))
                    await breath()
            except IllegalAction as error:
                self.service.metrics.refusal(error.clause)
                return wire.Refused(move.cid, error.clause, self._humane(error.reason), False)
            except (BadNotation, ValueError) as error:
                self.service.metrics.refusal("")
                return _refused(move.cid, str(error))
            reason = await self.commit(seat, trial, dones, key, received, move.lag)
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
                return _refused(undo.cid, Said("known", "nothing can be taken back: the others know of it already"))
            trial = self.course.copy()
            reason = await self.commit(seat, trial, [trial.undo(seat)], key, received)
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

    async def commit(
        self, seat: int, trial: Course, dones: Sequence[Done], key: str | None, received: float, lag: float = 0.0
    ) -> str:
        """Write down what was tried, then let it be the course and tell of it; "" or why it does not count."""
        assert self.course is not None
        before, silent = self.course.told, not _is_public(dones)
        goes_on = not silent and (dones[0].entry.by == "player" or trial.game.is_over)  # bots do not end a pause
        left = self.presence.clock_after(seat, trial, silent, lag)
        unpause = self.presence.write_go_on() if goes_on else []
        try:
            await self.service.store.write(*self._entries(dones, key, left), *self._standing(trial, silent), *unpause)
        except StoreFailed as error:
            self.service.log.error("the store failed", table=self.table.id, reason=str(error))
            return Said("move_unwritten", "the move could not be written down and does not count: try again")
        self.course = trial
        if key is not None:
            self._acks[key] = None
        if len(self._acks) > 64:
            del self._acks[next(iter(self._acks))]
        if not silent:  # that a vote ends would tell the others of a silent choice
            self.takeback.drop()
        if goes_on:
            self.pause.drop()
            self.presence.go_on()
        self.presence.run_clock()
        self.service.metrics.move(dones[0].entry.by, received)
        await breath()
        if dones[0].entry.line.startswith(f"{BACK} "):
            for connection in self.connections:
                self.resync_whole(connection)
        else:
            await self._tell(dones, before, received)
        self.driver.go_on()
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
        snapshot = trial.snapshot() if trial.seq - self.snapshot_seq >= SNAPSHOT_EVERY else None
        if snapshot is None:
            return [("UPDATE tables SET to_act = ?, updated = ? WHERE id = ?", (to_act, time.time(), self.table.id))]
        self.snapshot_seq = trial.seq
        return [
            (
                "UPDATE tables SET to_act = ?, updated = ?, snapshot = ?, snapshot_seq = ? WHERE id = ?",
                (to_act, time.time(), msgspec.msgpack.encode(snapshot), trial.seq, self.table.id),
            )
        ]

    async def ask(self, seat: int, ask: wire.Ask) -> wire.Answer:
        """What a track or a station would cost, or why it cannot be had."""
        data = self.table.map
        known = any(t.id == ask.about for t in data.tracks) or any(p.id == ask.about for p in data.places)
        if not known or self.course is None:
            return wire.Answer(ask.cid, ask.about, [], "", "there is no such track or place on this map")
        game = self.course.game  # a move replaces it and does not change it, so a thread may look at it
        answer = await asyncio.to_thread(price, game, seat, ask.cid, ask.about)
        return msgspec.structs.replace(answer, reason=self._humane(answer.reason))

    def _humane(self, reason: str) -> str:
        return labels_of(self.table.map).humane(reason, [chair.name for chair in self.table.chairs])

    # ------------------------------------------------------------ before the game

    async def begin(self, user: str) -> None:
        """Deal, if all chairs are taken and the host says so."""
        async with self.lock:
            if user != self.table.owner:
                raise Forbidden(Said("host_only", "only who made the table can start the game"))
            if self.table.state != "open":
                raise Conflict(Said("begun_already", "the game has begun already"))
            if any(chair.is_open for chair in self.table.chairs):
                raise Conflict(Said("empty_chair", "a chair is empty: wait for somebody, or put a bot on it"))
            self.table.begin()
            await self.service.store.write(*self.table.write_start())
            assert self.table.seed is not None
            self.course = await asyncio.to_thread(Course.begin, self.table.map, len(self.table.chairs), self.table.seed)
            if self.table.options.clock.kind != "none":
                self.presence.clock = Clock(self.table.options.clock, len(self.table.chairs), time.monotonic())
            self.presence.run_clock()
            for connection in self.connections:
                connection.seat = self.table.seat_of(connection.user)
            self.tell_table()
            for connection in list(self.connections):
                await breath()
                self.resync(connection)
            self.presence.miss_others()
            self.driver.go_on()

    def reseat(self) -> None:
        """The chairs changed: every stream learns where its reader sits."""
        for connection in self.connections:
            connection.seat = self.table.seat_of(connection.user)
        self.tell_table()

    # ------------------------------------------------------------ life

    @property
    def is_idle(self) -> bool:
        pressed = self.table.state == "playing" and self.table.options.clock.kind == "live"
        return not self.connections and not self.driver.is_busy and not pressed and not self.lock.locked()

    def close(self) -> None:
        """Let go of timers and tasks; the log has everything."""
        self.presence.close()
        self.driver.close()


def _lines(lines: Sequence[str]) -> Sequence[str]:
    if not 1 <= len(lines) <= MOST_LINES:
        raise ValueError(f"a move has 1 to {MOST_LINES} lines, not {len(lines)}")
    return lines


def _refused(cid: str, reason: str) -> wire.Refused:
    code, _ = code_of(reason)
    return wire.Refused(cid, "", str(reason), False, code)


def _is_public(dones: Iterable[Done]) -> bool:
    """Whether anybody but who chose learns of it."""
    return any(done.events or done.entry.line.startswith(f"{BACK} ") for done in dones)
