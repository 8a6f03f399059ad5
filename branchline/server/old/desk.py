"""The desk: makes tables, gives out chairs, finds rooms and lets go of those nobody needs."""

from __future__ import annotations

import asyncio
import json
import re
import time
from typing import TYPE_CHECKING, Final

import msgspec

from branchline.server import wire
from branchline.server.breath import breath
from branchline.server.course import Entry
from branchline.server.fair import Kept
from branchline.server.loading import restored
from branchline.server.rooms import Room
from branchline.server.said import Said
from branchline.server.tables import (
    BadRequest,
    Chair,
    Conflict,
    Forbidden,
    Missing,
    Table,
    bot_chair,
    check_browser_seed,
    new_table,
    read_table,
)

if TYPE_CHECKING:
    from branchline.server.service import Service

TABLE_ID: Final = re.compile(r"[A-Za-z0-9_-]{22}")
IDLE_SECONDS: Final = 60.0
OPEN_DAYS: Final = 2.0  # a table nobody started in this time is dropped
MOST_OPEN_TABLES: Final = 20  # of one user, waiting or being played
LISTED: Final = 100
LOOKED_AT_ONCE: Final = 100  # rooms, before the event loop has its breath


class Desk:
    """All tables of a service. A room is loaded when somebody asks for it, from the log."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Future[Room]] = {}

    # ------------------------------------------------------------ finding

    async def room(self, table_id: str) -> Room:
        """The room of a table; raises `Missing`."""
        if table_id in self.rooms:
            room = self.rooms[table_id]
            room.touched = time.monotonic()  # who asks for it has something to do there: it is not swept away now
            return room
        if not TABLE_ID.fullmatch(table_id):
            raise Missing(Said("no_table", "there is no such table"))
        if table_id not in self._loading:
            self._loading[table_id] = asyncio.ensure_future(self._load(table_id))
        return await asyncio.shield(self._loading[table_id])

    async def _load(self, table_id: str) -> Room:
        try:
            room = await asyncio.to_thread(self._restore, table_id)
            if room is None:
                raise Missing(Said("no_table", "there is no such table"))
            self.rooms[table_id] = room
            room.presence.run_clock()
            room.driver.go_on()
            return room
        finally:
            del self._loading[table_id]

    def _restore(self, table_id: str) -> Room | None:
        store = self.service.store
        table = read_table(store, table_id)
        if table is None:
            return None
        saved = store.read("SELECT snapshot, snapshot_seq, clock FROM tables WHERE id = ?", (table_id,))[0]
        rows = store.read("SELECT seq, seat, line, by, at, clock FROM log WHERE table_id = ? ORDER BY seq", (table_id,))
        log = [(Entry(r["seq"], r["seat"], r["line"], r["by"]), float(r["at"]), r["clock"]) for r in rows]
        snapshot = (saved["snapshot"], int(saved["snapshot_seq"])) if saved["snapshot"] else None
        return restored(self.service, table, log, snapshot, saved["clock"])

    def log(self, table_id: str) -> list[Entry]:
        """All entries of a game; blocking, for a thread."""
        return [entry for entry, _ in self.timed_log(table_id)]

    def timed_log(self, table_id: str) -> list[tuple[Entry, float]]:
        rows = self.service.store.read(
            "SELECT seq, seat, line, by, at FROM log WHERE table_id = ? ORDER BY seq", (table_id,)
        )
        return [(Entry(r["seq"], r["seat"], r["line"], r["by"]), float(r["at"])) for r in rows]

    # ------------------------------------------------------------ making and sitting down

    async def create(self, user: str, request: wire.NewTable) -> Room:
        if self._open_tables(user) >= MOST_OPEN_TABLES:
            raise Conflict(
                Said(
                    "many_tables",
                    f"you have {MOST_OPEN_TABLES} tables that are not over: finish or leave one first",
                    MOST_OPEN_TABLES,
                )
            )
        await breath()
        kept = self._kept(user, request.promise, request.browser_seed)
        await breath()
        name = await self.service.user_name(user)
        room = Room(self.service, new_table(request, user, name, kept, self.service.roster))
        await self._place(room)
        if request.start and not any(chair.is_open for chair in room.table.chairs):
            await room.begin(user)
            await breath()
        return room

    def _kept(self, user: str, promise: str | None, browser_seed: str | None) -> Kept:
        """The server's half of the deal; who adds a part must have seen the commitment before."""
        promises = self.service.promises
        if promise is None:
            if browser_seed is not None:
                raise BadRequest("a part of the deal can be given once the server is bound: GET /api/promise first")
            promise = promises.new(user).ticket
        kept = promises.kept(promise, user)
        if kept is None:
            raise BadRequest("promise: not one that was given to you; GET /api/promise gives one")
        if kept.table in self.rooms or self.service.store.read("SELECT 1 FROM tables WHERE id = ?", (kept.table,)):
            raise Conflict(Said("promise_used", "this promise was used already; GET /api/promise gives another"))
        return kept

    def _open_tables(self, user: str) -> int:
        rows = self.service.store.read(
            "SELECT count(*) AS n FROM tables"
            " WHERE owner = ? AND (state = 'open' OR (state = 'playing' AND updated > ?))",
            (user, time.time() - 3600),
        )
        return int(rows[0]["n"])

    async def _place(self, room: Room) -> None:
        await self.service.store.write(*room.table.insert())
        self.rooms[room.table.id] = room

    async def sit(self, room: Room, user: str, browser_seed: str | None, wish: int | None = None) -> None:
        """Take the chair one wishes for if it is empty, else the first that is."""
        check_browser_seed(browser_seed)
        name = await self.service.user_name(user)
        async with room.lock:
            table = room.table
            if table.seat_of(user) is not None:
                return
            self._still_open(table)
            if table.listed and self.service.blocks.between(user, table.people):
                raise Conflict(Said("blocked", "you cannot sit at this table: somebody here has blocked somebody"))
            chairs = table.chairs if wish is None else [table.chairs[wish], *table.chairs]
            chair = next((chair for chair in chairs if chair.is_open), None)
            if chair is None:
                raise Conflict(Said("full", "all chairs are taken; you can watch"))
            chair.user, chair.name, chair.seed = user, _told_apart(name, table), browser_seed
            await self._write_chairs(room)

    async def rename(self, user: str, name: str) -> None:
        """A guest's new name, on the chairs they have at tables people look at."""
        for room in await self._rooms_of(user):
            seat = room.table.seat_of(user)
            if seat is None or room.table.state not in ("open", "playing"):
                continue
            async with room.lock:
                chair = room.table.chairs[seat]
                chair.name = ""
                chair.name = _told_apart(name, room.table)
                await self._write_chairs(room)

    async def tell_of(self, user: str) -> None:
        """Something about a guest changed: those who look at their tables see it."""
        for room in await self._rooms_of(user):
            room.tell_table()

    async def _rooms_of(self, user: str) -> list[Room]:
        """The rooms in which a user sits. There may be thousands to look into: the loop gets its breath in between."""
        found = []
        for number, room in enumerate(list(self.rooms.values()), 1):
            if room.table.seat_of(user) is not None:
                found.append(room)
            if number % LOOKED_AT_ONCE == 0:
                await breath()
        return found

    async def leave(self, room: Room, user: str) -> None:
        """Get up before the game; once it runs, a bot plays on until the owner is back."""
        async with room.lock:
            table = room.table
            seat = table.seat_of(user)
            if seat is None:
                raise Conflict(Said("not_seated", "you do not sit at this table"))
            if table.state == "playing":
                room.presence.proxied.add(seat)
                room.presence.run_clock()  # nobody's time runs while a bot plays
                room.tell_table()
                room.driver.go_on()
                return
            self._still_open(table)
            table.chairs[seat] = Chair()
            if user == table.owner and table.people:
                table.owner = table.people[0]
            elif not table.people:
                table.state = "dropped"
            owner = ("UPDATE tables SET owner = ?, state = ? WHERE id = ?", (table.owner, table.state, table.id))
            await self.service.store.write(owner, *table.write_chairs())
            room.reseat()

    async def set_chair(self, room: Room, user: str, change: wire.SeatChange) -> None:
        """The host puts a bot on a chair nobody has, or opens one."""
        async with room.lock:
            table = room.table
            if user != table.owner:
                raise Forbidden(Said("host_only", "only who made the table can do that"))
            self._still_open(table)
            if not 0 <= change.chair < len(table.chairs):
                raise BadRequest(f"the chairs are 0 to {len(table.chairs) - 1}")
            if table.chairs[change.chair].user:
                raise Conflict(Said("taken", "somebody sits there"))
            others = [chair for i, chair in enumerate(table.chairs) if i != change.chair]
            table.chairs[change.chair] = (
                bot_chair(change.bot, others, self.service.roster) if change.kind == "bot" else Chair()
            )
            await self._write_chairs(room)

    def _still_open(self, table: Table) -> None:
        if table.state == "dropped":
            raise Conflict(Said("closed", "this table was closed"))
        if table.state != "open":
            raise Conflict(Said("begun", "the game has begun; you can watch"))

    async def _write_chairs(self, room: Room) -> None:
        await self.service.store.write(*room.table.write_chairs())
        room.reseat()

    async def rematch(self, room: Room, user: str, asked: wire.Rematch) -> Room:
        """The same people and bots again, each a seat further; made once, whoever asks first."""
        check_browser_seed(asked.browser_seed)
        old = room.table
        seat = old.seat_of(user)
        if seat is None:
            raise Forbidden(Said("rematch_played", "only who played can ask for a rematch"))
        if old.state != "over":
            raise Conflict(Said("not_over", "the game is not over"))
        async with room.lock:
            if old.rematch is not None:
                again = await self.room(old.rematch)
                if again.table.seat_of(user) is None and again.table.state == "open":
                    turned = (seat - 1) % len(old.chairs)
                    await self.sit(again, user, None, turned)  # the seed came before this commitment was seen
                return again
            return await self._new_rematch(room, user, asked)

    async def _new_rematch(self, room: Room, user: str, asked: wire.Rematch) -> Room:
        old = room.table
        turned = [*old.chairs[1:], old.chairs[0]]
        seats = [
            wire.SeatRequest("me")
            if c.user == user
            else wire.SeatRequest("bot", c.bot)
            if c.bot
            else wire.SeatRequest("open")
            for c in turned
        ]
        request = wire.NewTable(
            map=old.map.id,
            seats=seats,
            listed=old.listed,
            order="fixed",  # the seats turn by one: that is the order
            clock=old.options.clock,
            browser_seed=asked.browser_seed,
        )
        kept = self._kept(user, asked.promise, asked.browser_seed)
        table = new_table(request, user, await self.service.user_name(user), kept, self.service.roster)
        table.rematch_of = old.id
        again = Room(self.service, table)
        link = ("UPDATE tables SET rematch = ? WHERE id = ?", (table.id, old.id))
        await self.service.store.write(*table.insert(), link)
        old.rematch = table.id
        self.rooms[table.id] = again
        if not any(chair.is_open for chair in table.chairs):
            await again.begin(user)
        room.tell_table()
        return again

    # ------------------------------------------------------------ lists

    def lobby(self) -> list[wire.TableLine]:
        """Tables with an empty chair that anybody may take, newest first."""
        rows = self.service.store.read(
            "SELECT id FROM tables WHERE state = 'open' AND listed = 1 ORDER BY created DESC LIMIT ?", (LISTED,)
        )
        lines = [self._line(row["id"], None) for row in rows]
        return [line for line in lines if line is not None and line.free]

    def games_of(self, user: str) -> list[wire.TableLine]:
        """Every game of a user: those that wait for them first, then by the time of the last move."""
        rows = self.service.store.read(
            "SELECT tables.id FROM seats JOIN tables ON tables.id = seats.table_id"
            " WHERE seats.user_id = ? AND state != 'dropped' ORDER BY updated DESC LIMIT ?",
            (user, LISTED),
        )
        lines = [line for row in rows if (line := self._line(row["id"], user)) is not None]
        return sorted(lines, key=lambda line: (not line.your_turn, line.state == "over"))

    def _line(self, table_id: str, user: str | None) -> wire.TableLine | None:
        table = read_table(self.service.store, table_id)
        if table is None:
            return None
        row = self.service.store.read("SELECT to_act, updated FROM tables WHERE id = ?", (table_id,))[0]
        you = table.seat_of(user)
        sheets = msgspec.json.decode(table.result) if table.result else None
        return wire.TableLine(
            id=table.id,
            map=table.map.id,
            state=table.state,
            names=[chair.name for chair in table.chairs],
            seats=len(table.chairs),
            free=sum(chair.is_open for chair in table.chairs),
            listed=table.listed,
            clock=table.options.clock,
            your_turn=table.state == "playing" and you is not None and self._awaits(table, row["to_act"], you),
            you=you,
            updated=row["updated"],
            places=[sheet["place"] for sheet in sheets] if sheets else None,
            totals=[sheet["total"] for sheet in sheets] if sheets else None,
        )

    def _awaits(self, table: Table, to_act: str, seat: int) -> bool:
        room = self.rooms.get(table.id)
        if room is not None and room.course is not None:
            return seat in room.course.game.to_act
        acting = json.loads(to_act)
        return seat in acting or not acting  # before the first move all have to choose

    # ------------------------------------------------------------ tidying

    async def sweep(self) -> None:
        """Let go of rooms nobody looks at, drop tables nobody started, wake games whose days are over."""
        for table_id in list(self.rooms):
            self._let_go(table_id)
            await breath()  # to free a room takes its time, and there may be thousands
        store = self.service.store
        await store.write(
            (
                "UPDATE tables SET state = 'dropped' WHERE state = 'open' AND created < ?",
                (time.time() - OPEN_DAYS * 86400,),
            )
        )
        late = await store.read_async(
            "SELECT id FROM tables WHERE state = 'playing' AND json_extract(options, '$.clock.kind') = 'days'"
            " AND updated < ? - 86400 * json_extract(options, '$.clock.days')",
            (time.time(),),
        )
        for row in late:
            await self.room(row["id"])

    def _let_go(self, table_id: str) -> None:
        """Drop a room if nobody has needed it for a while."""
        room = self.rooms[table_id]
        if room.is_idle and time.monotonic() - room.touched > IDLE_SECONDS:
            room.close()
            del self.rooms[table_id]


def _told_apart(name: str, table: Table) -> str:
    """A name nobody else at the table has."""
    taken = {chair.name for chair in table.chairs}
    return next(n for n in (name, *(f"{name} {i}" for i in range(2, 9))) if n not in taken)
