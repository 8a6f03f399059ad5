"""A live table: the one way for every change.

Under the table's lock: resolve who asks (the rules do, from the state as it is now), make the new state beside the old
one, write it down in one transaction, swap, tell. If the write fails, nothing anywhere has changed. If its outcome is
unknown, nothing is accepted until the table has been read again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from branchline.server import wire
from branchline.server.live import telling
from branchline.server.live.attendance import Attendance
from branchline.server.live.crowd import Pending
from branchline.server.live.facts import FactFinder
from branchline.server.live.pacing import in_thread
from branchline.server.live.readers import Reader
from branchline.server.live.steady import Steady
from branchline.server.operate.logs import log
from branchline.server.operate.metrics import Metrics
from branchline.server.store.contract import Known, Lease, NotHolder, OutcomeUnknown, Store, StoreFailed
from branchline.server.tables import commands
from branchline.server.tables.away import is_welcome
from branchline.server.tables.course import SeenPosition
from branchline.server.tables.keeping import receipt_of
from branchline.server.tables.loading import Unplayable, table_of
from branchline.server.tables.making import PROMISE_USED
from branchline.server.tables.outcome import NOT_SEATED, MoveRefused, Outcome, Stands, TableChanged
from branchline.server.tables.play import NO_GAME, move_key
from branchline.server.tables.rules import decide
from branchline.server.tables.state import Playing, Table, people, seat_of, seats_of
from branchline.server.tables.telling import Audience, table_wire
from branchline.server.wire.refusals import BadRequest, Conflict
from branchline.server.wire.sentences import Sentence

REMEMBERED = 64  # keys of the latest moves; all are in the store
_LONG = (commands.Start, commands.Rematch, commands.Sit, commands.SetChair)  # to deal takes milliseconds
_MOVES = (commands.Move, commands.Undo)


class Elsewhere(Exception):
    """Another process has taken this table over."""


class Unwritten(BadRequest):
    """The store did not take a change: nothing was changed, or it is not known."""

    status = 503

    @property
    def is_uncertain(self) -> bool:
        return self.reason == UNCERTAIN


UNWRITTEN = Sentence("cannot_write", "nothing was changed: the server cannot write at the moment; try again")
UNCERTAIN = Sentence(
    "uncertain", "the server lost its store at the wrong moment: whether this counts will be seen; send it again"
)


@dataclass(frozen=True, slots=True)
class Around:
    """What a live table works with."""

    store: Store
    steady: Steady
    finder: FactFinder
    metrics: Metrics
    grace: float  # seconds a player may be away before the others may vote for a bot
    wake_bots: Callable[[LiveTable], None]
    hold: Callable[[Outcome], None]  # a table was made by another's command
    lost: Callable[[LiveTable], None]  # another process has it


class LiveTable:
    """One table in memory, held by this process."""

    def __init__(self, lease: Lease, table: Table, around: Around) -> None:
        self.lease = lease
        self.table = table
        self.around = around
        self.lock = asyncio.Lock()
        self.readers: set[Reader] = set()
        self._counted: tuple[frozenset[str], int] | None = None
        self.holidays: dict[str, float] = {}  # of the people here, in a game of days: when it ends
        self.touched = time.monotonic()
        self.attendance = Attendance()
        self.pending = Pending()  # what the crowd has not been told yet
        self.bots: asyncio.Task[None] | None = None
        self.is_closed = False
        self._uncertain = False
        self._alarm: asyncio.TimerHandle | None = None
        self.bunch: asyncio.TimerHandle | None = None  # when the crowd is told next
        self._tasks: set[asyncio.Task[None]] = set()
        self._played: dict[str, None] = {}  # keys of the latest moves
        self._said = 0  # how often somebody spoke

    @property
    def id(self) -> str:
        return self.table.agreed.id

    def now(self) -> float:
        return self.around.steady.now()

    @property
    def grace(self) -> float:
        return self.around.grace

    # ------------------------------------------------------------ the one way

    async def do(self, command: commands.Any) -> None:
        """Do what is asked; raises `BadRequest` if it is refused. Returns when it is durable and all were told."""
        # A stream that breaks must not break off what is being written.
        try:
            await asyncio.shield(asyncio.ensure_future(self._do(command, time.perf_counter())))
        except StoreFailed as error:
            log().error("the store failed", table=self.id, reason=str(error))
            raise Unwritten(UNWRITTEN) from None

    async def _do(self, command: commands.Any, received: float) -> None:
        async with self.lock:
            await self._be_certain()
            if await self._is_receipted(command):
                return
            try:
                outcome = await self._decided(command)
            except MoveRefused as refused:
                if isinstance(command, _MOVES) and await self._was_played(command):
                    return
                self._note_refusal(command, refused)
                raise
            try:
                await self._commit(outcome)
            except Known:
                self._known_already(command)
                return
            self._note_move(command, received)
            await telling.tell(self, outcome.news, received)
        self.go_on()

    async def _decided(self, command: commands.Any) -> Outcome:
        facts = await self.around.finder.facts(self, command)
        if isinstance(command, _LONG):
            return await in_thread(decide, self.table, command, facts)
        return decide(self.table, command, facts)

    async def _commit(self, outcome: Outcome) -> None:
        """Write, then swap. Nothing else changes `table`, but for reading it again."""
        if outcome.change is not None:
            made = [(None, outcome.made_change)] if outcome.made_change else []
            try:
                await self.around.store.write((self.lease, outcome.change), *made)
            except OutcomeUnknown as error:
                self._doubt(str(error))
                raise Unwritten(UNCERTAIN) from None
            except NotHolder:
                self.give_up()
                raise Elsewhere from None
            self._said += outcome.change.chat is not None
        self.table = outcome.table
        self.touched = time.monotonic()
        if outcome.made is not None:
            self.around.hold(outcome)

    # ------------------------------------------------------------ commands that come again

    async def _is_receipted(self, command: commands.Any) -> bool:
        if isinstance(command, _MOVES) or not isinstance(command, commands.OfPerson) or not command.cid:
            return False
        return await self.around.store.knows_receipt(self.id, receipt_of(command) or "")

    async def _was_played(self, command: commands.Move | commands.Undo) -> bool:
        """Whether this move has been played before, and comes again."""
        seat = seat_of(self.table, command.user, command.own)
        if seat is None:
            return False
        key = move_key(seat, command.cid)
        known = key in self._played or await self.around.store.knows_move(self.id, key)
        if known:
            self.around.metrics.duplicates.inc()
        return known

    def _known_already(self, command: commands.Any) -> None:
        """The store has this key: of a move, whatever it was, or of the promise for a rematch."""
        if isinstance(command, _MOVES):
            self.around.metrics.duplicates.inc()
            return
        if isinstance(command, commands.Rematch):
            raise Conflict(PROMISE_USED)
        self._doubt("a key is known already")
        raise Unwritten(UNCERTAIN)

    def _note_move(self, command: commands.Any, received: float) -> None:
        if isinstance(command, _MOVES):
            seat = seat_of(self.table, command.user, command.own)
            assert seat is not None
            self._played[move_key(seat, command.cid)] = None
            if len(self._played) > REMEMBERED:
                del self._played[next(iter(self._played))]
        if isinstance(command, commands.Move):
            self.around.metrics.move("player", received)
        elif isinstance(command, commands.BotMove):
            self.around.metrics.move("bot", received)

    def _note_refusal(self, command: commands.Any, refused: MoveRefused) -> None:
        """Count it; who asked about a position that is past is sent the present one."""
        if not refused.stale:
            self.around.metrics.refusal(refused.clause)
            return
        self.around.metrics.stale.inc()
        if isinstance(command, commands.OfPerson):
            for reader in self.readers:
                if reader.user == command.user:
                    telling.stand(self, reader)

    # ------------------------------------------------------------ when the store failed

    def _doubt(self, reason: str) -> None:
        """What stands in the store is unknown: nothing is accepted until it has been read again."""
        log().error("the outcome of a write is unknown", table=self.id, reason=reason)
        self._uncertain = True
        self.spawn(self._find_out())

    async def _find_out(self) -> None:
        """Read the table again by itself, so that bots and clocks go on though nobody asks."""
        wait = 0.1
        while self._uncertain and not self.is_closed:
            await asyncio.sleep(wait)
            wait = min(wait * 2, 5.0)
            try:
                async with self.lock:
                    await self._be_certain()
                self.go_on()
            except (Unwritten, Elsewhere):
                continue

    async def _be_certain(self) -> None:
        if self.is_closed:
            raise Elsewhere
        if not self._uncertain:
            return
        try:
            taken = await self.around.store.take(self.id)
        except Exception as error:
            log().warning("a table in doubt could not be read again", table=self.id, reason=str(error))
            raise Unwritten(UNCERTAIN) from None  # who asks again may ask for what counts already
        if not isinstance(taken, tuple):
            self.give_up()
            raise Elsewhere
        self.lease, stored = taken
        steady = self.around.steady
        try:
            self.table = await in_thread(table_of, stored, steady.now(), steady.started)
        except Unplayable:  # whoever asks for it next finds out why, and puts it aside
            self.give_up()
            raise Elsewhere from None
        self._uncertain = False
        await telling.tell(self, (TableChanged(), Stands()), 0.0)

    def give_up(self) -> None:
        """Another process holds this table: forget it, and let its readers find the other."""
        if not self.is_closed:
            self.close()
            self.around.lost(self)

    # ------------------------------------------------------------ readers

    async def join(self, reader: Reader, *, again: bool = False) -> int | None:
        """A reader comes: it is told the table, what was said, and the game as it stands; `again`: it knows much."""
        await self._come_back(reader.user)
        reader.blocked = await self.around.finder.blocks(reader.user)
        await self.learn_holidays()
        said, talk = self._said, await self.around.finder.talk(self.table)
        async with self.lock:  # not amid what is being written and told: it would be heard twice, or never
            if said != self._said:
                talk = await self.around.finder.talk(self.table)
            self._let_in(reader, None if again else talk)
        self.go_on()
        return reader.seat

    async def _come_back(self, user: str | None) -> None:
        """An owner has the seat back from the bot before anything is told."""
        playing = self.table if isinstance(self.table, Playing) else None
        if (
            user is None
            or playing is None
            or not any(is_welcome(playing, seat) for seat in seats_of(playing.chairs, user))
        ):
            return
        try:
            await self.do(commands.Come(user=user))
        except Unwritten:
            self.later(commands.Come(user=user))

    def _let_in(self, reader: Reader, talk: Sequence[tuple[str, wire.ChatWire]] | None) -> None:
        if self.is_closed:
            raise Elsewhere
        telling.flush(self)  # what the crowd waits for comes before the state in which that is done
        reader.sit(self.table)
        self.readers.add(reader)
        self.readers_changed()
        self.touched = time.monotonic()
        if talk is None:
            telling.remind(self, reader)
        else:
            telling.greet(self, reader, talk)
        if not reader.seated:
            telling.spectator_moved(self)
        else:
            telling.tell_table(self, but=reader)

    def leave(self, reader: Reader) -> None:
        self.readers.discard(reader)
        self.readers_changed()
        self.touched = time.monotonic()
        if not reader.seated:
            telling.spectator_moved(self)
        else:
            telling.tell_table(self)
        self.go_on()

    def here(self) -> frozenset[str]:
        """The people with an open stream."""
        return self._present()[0]

    def looking(self) -> frozenset[str]:
        """The people who see the table now: a stream alone may be that of a page nobody sees."""
        return frozenset(reader.user for reader in self.readers if reader.user and reader.looks)

    @property
    def spectators(self) -> int:
        return self._present()[1]

    def _present(self) -> tuple[frozenset[str], int]:
        """Who is here, and how many look on; counted once, since there may be thousands."""
        if self._counted is None:
            users = frozenset(reader.user for reader in self.readers if reader.user)
            self._counted = users, sum(not reader.seated for reader in self.readers)
        return self._counted

    def readers_changed(self) -> None:
        """Somebody came, went, sat down or got up."""
        self._counted = None

    def seen_as(self, user: str, own: int | None) -> SeenPosition:
        """The position as somebody's seat may know it."""
        seat = seat_of(self.table, user, own)
        if seat is None:
            raise Conflict(NOT_SEATED)
        if not isinstance(self.table, Playing):
            raise Conflict(NO_GAME)
        return self.table.course.seen_by(seat)

    def audience(self) -> Audience:
        now = self.around.steady.now()
        away = frozenset(user for user, end in self.holidays.items() if end > now)
        return Audience(self.here(), self.spectators, away, now, self._away(), self.grace)

    def _away(self) -> dict[str, float]:
        """The people at the table who are not here, and for how many seconds."""
        known, here = self.attendance.away(self.now()), self.here()
        return {user: known.get(user, 0.0) for user in people(self.table) if user not in here}

    def seats_away(self) -> dict[int, float]:
        away = self._away()
        return {seat: away[chair.user] for seat, chair in enumerate(self.table.chairs) if chair.user in away}

    async def learn_holidays(self) -> None:
        """In a game of days: who of the people here is on holiday."""
        if self.table.agreed.options.clock.kind == "days":
            self.holidays = await self.around.finder.holidays(self.table)

    def answer(self, user: str | None, blocked: frozenset[str] = frozenset()) -> wire.TableWire:
        """The table as somebody sees it."""
        return table_wire(self.table, user, self.audience(), blocked)

    # ------------------------------------------------------------ time

    def go_on(self) -> None:
        """Whatever changed: set the alarm of the clocks, miss who is away, let bots play."""
        if self.is_closed:
            return
        self._set_alarm()
        self.attendance.watch(self)
        self.around.wake_bots(self)

    def _set_alarm(self) -> None:
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
        clock = self.table.clock if isinstance(self.table, Playing) else None
        wait = clock.next_out(self.around.steady.now()) if clock else None
        if wait is not None:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(min(wait, 86400) + 0.05, self.later, commands.TimeOut())

    def later(self, command: commands.Any) -> None:
        """Do something of our own accord; a store that fails is asked again until it does not."""
        if not self.is_closed:
            self.spawn(self._insist(command))

    async def _insist(self, command: commands.Any) -> None:
        wait = 0.2
        while not self.is_closed:
            try:
                await self.do(command)
                return
            except Elsewhere:
                return
            except Unwritten:
                await asyncio.sleep(wait)
                wait = min(wait * 2, 5.0)
            except BadRequest:
                return

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------------------ life

    @property
    def is_idle(self) -> bool:
        pressed = isinstance(self.table, Playing) and self.table.agreed.options.clock.kind == "live"
        busy = self.bots is not None and not self.bots.done()
        return not (self.readers or busy or pressed or self.lock.locked() or self._uncertain)

    def close(self) -> None:
        """Let go of timers and tasks; the store has everything."""
        self.is_closed = True
        self.attendance.close()
        for timer in (self._alarm, self.bunch):
            if timer is not None:
                timer.cancel()
        self._alarm = self.bunch = None
        for task in (*self._tasks, *([self.bots] if self.bots else [])):
            task.cancel()

    def end_streams(self) -> None:
        for reader in list(self.readers):
            reader.end()
