"""All tables, wherever they are held: a command goes to the process that holds its table, and the answer comes back.

Whoever asks need not know where a table is. What is held here is done here; what is held elsewhere is passed on
(`far.py`); what nobody holds is taken.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import msgspec

from branchline.server import wire
from branchline.server.live.facts import FactFinder
from branchline.server.live.far import Edge, FarReader, FarTables, Uncertain
from branchline.server.live.held import TABLE_ID, HeldElsewhere, HeldTables
from branchline.server.live.lines import line_of
from branchline.server.live.pacing import in_thread, in_turns
from branchline.server.live.readers import Reader
from branchline.server.live.steady import Steady
from branchline.server.live.table import UNCERTAIN, UNWRITTEN, Elsewhere, LiveTable, Unwritten
from branchline.server.live.telling import stand, tell_table
from branchline.server.operate.logs import log
from branchline.server.people.people import People
from branchline.server.store.contract import Store, StoreFailed
from branchline.server.tables import commands, making
from branchline.server.tables.course import SeenPosition, effective
from branchline.server.tables.loading import entries
from branchline.server.tables.roster import Roster
from branchline.server.tables.state import Over, Playing, people, seat_of
from branchline.server.wire.prices import price
from branchline.server.wire.refusals import BadRequest, Conflict, Missing
from branchline.server.wire.sentences import Sentence

MOST_OPEN_TABLES: Final = 20  # of one user, waiting or being played
LISTED: Final = 100
PATIENCE: Final = 8.0  # seconds for which a table may change hands
AGAIN_SECONDS: Final = 0.25
HINTS: Final = 20_000

T = TypeVar("T")


class Tables:
    """The door to all tables."""

    def __init__(
        self, held: HeldTables, store: Store, people: People, finder: FactFinder, roster: Roster, steady: Steady
    ) -> None:
        self.held = held
        self.far: FarTables | None = None
        self._store = store
        self._people = people
        self._finder = finder
        self._roster = roster
        self._steady = steady
        self._rejoining: dict[Reader, asyncio.Task[None]] = {}

    def now(self) -> float:
        """The service's time."""
        return self._steady.now()

    # ------------------------------------------------------------ asking

    async def do(self, table_id: str, command: commands.Any) -> None:
        """Do what is asked; raises `BadRequest` if it is refused."""
        known_again = isinstance(command, commands.OfPerson) and bool(command.cid)
        reason = UNWRITTEN

        async def there(edge: Edge, holder: str) -> None:
            nonlocal reason
            try:
                await edge.do(holder, table_id, command)
            except Uncertain:
                reason = UNCERTAIN  # it may have been done
                if not known_again:
                    raise away() from None
                raise

        try:
            await self._at(table_id, lambda live: live.do(command), there)
        except StoreFailed:  # nobody can say where the table is
            raise Unwritten(reason) from None

    async def _at(
        self,
        table_id: str,
        here: Callable[[LiveTable], Awaitable[T]],
        there: Callable[[Edge, str], Awaitable[T]],
    ) -> T:
        """Ask where the table is held; while it changes hands, ask again for some seconds."""
        end, was = time.monotonic() + PATIENCE, None
        while True:
            try:
                live = await self._find(table_id)
                if was is not None and live != was and self.far is not None:
                    self.far.moved(table_id, was)
                if isinstance(live, LiveTable):
                    return await here(live)
                assert self.far is not None
                return await there(self.far.edge, live)
            except (Elsewhere, Uncertain, HeldElsewhere):
                if time.monotonic() > end:
                    raise away() from None
                if self.far is not None:
                    was = self.far.edge.holders.pop(table_id, was)
            await asyncio.sleep(AGAIN_SECONDS)

    async def _find(self, table_id: str) -> LiveTable | str:
        """The table if it is held here, now or from now on; else the process that holds it."""
        hint = self.far.edge.holders.get(table_id) if self.far else None
        if hint is not None and table_id not in self.held.live:
            return hint
        try:
            return await self.held.find(table_id)
        except HeldElsewhere as elsewhere:
            if self.far is None:
                raise
            if len(self.far.edge.holders) > HINTS:
                self.far.edge.holders.clear()
            self.far.edge.holders[table_id] = elsewhere.holder
            return elsewhere.holder

    async def change(self, table_id: str, command: commands.OfPerson) -> bytes:
        """Do what is asked, and the table as who asks sees it then."""
        await self.do(table_id, command)  # type: ignore[arg-type]
        return await self.look(table_id, command.user)

    async def look(self, table_id: str, user: str | None) -> bytes:
        """A table as somebody sees it."""
        return await self._at(
            table_id,
            lambda live: self.seen(live, user),
            lambda edge, holder: edge.look(holder, table_id, user),
        )

    async def seen(self, live: LiveTable, user: str | None) -> bytes:
        await live.learn_holidays()
        return msgspec.json.encode(live.answer(user, await self._people.blocks(user)))

    async def price(self, table_id: str, user: str, ask: wire.Ask, seat: int | None = None) -> wire.Answer:
        """What a track, or something at a place, would cost somebody, or why it cannot be had."""
        return await self._at(
            table_id,
            lambda live: price_at(live, user, ask, seat),
            lambda edge, holder: edge.price(holder, table_id, user, ask, seat),
        )

    async def seen_as(self, table_id: str, user: str, seat: int | None = None) -> SeenPosition:
        """The position of a game that goes on, as somebody's seat may know it."""

        async def here(live: LiveTable) -> SeenPosition:
            return live.seen_as(user, seat)

        return await self._at(table_id, here, lambda edge, holder: edge.seen_as(holder, table_id, user, seat))

    # ------------------------------------------------------------ making

    async def create(self, user: str, request: wire.NewTable, lang: str, cid: str = "") -> bytes:
        """A new table; its game begins with it if nobody is waited for."""
        kept = self._finder.kept(user, request.promise, request.browser_seed, cid)
        again = await self._made_before(user, kept.table, cid)
        if again is not None:
            return again
        await self._check_open_tables(user)
        begun = await self._begun(request.from_here) if request.from_here else None
        name, now = await self._people.own_name(user, lang), self._steady.now()
        outcome = await in_thread(making.create, request, user, name, kept, self._roster, now, cid, begun)
        try:
            made = await self.held.made(outcome)
        except Conflict:  # the same request, at the same time
            again = await self._made_before(user, kept.table, cid)
            if again is None:
                raise
            return again
        return await self.seen(made, user)

    async def _begun(self, asked: wire.FromHere) -> making.Begun:
        """The finished game that somebody wants to play on from one of its moves."""
        stored = await self._store.read(asked.table) if TABLE_ID.fullmatch(asked.table) else None
        if stored is None:
            raise Missing(Sentence("no_table", "there is no such table"))
        row = stored.table
        if row.state != "over" or row.seed is None:
            raise Conflict(Sentence("hidden_cards", "the game is not over: its hidden cards are told afterwards"))
        moves = tuple((entry.seat, entry.line) for entry in effective(entries(stored.log)))
        if not 0 <= asked.moves < len(moves):
            raise BadRequest(f"from_here: that game has {len(moves)} moves: play on after 0 to {len(moves) - 1}")
        return making.Begun(row.map, row.map_hash, len(stored.chairs), row.seed, moves[: asked.moves])

    async def _made_before(self, user: str, table_id: str, cid: str) -> bytes | None:
        """The table that the same request made when it came first."""
        if cid and await self._store.knows_receipt(table_id, f"{user}:{cid}"):
            return await self.look(table_id, user)
        return None

    async def _check_open_tables(self, user: str) -> None:
        if await self._store.open_tables(user, self._steady.now() - 3600) >= MOST_OPEN_TABLES:
            many = f"you have {MOST_OPEN_TABLES} tables that are not over: finish or leave one first"
            raise Conflict(Sentence("many_tables", many, MOST_OPEN_TABLES))

    async def rematch(self, table_id: str, command: commands.Rematch) -> bytes:
        """The next game of the same players; made once, whoever asks first, with a chair kept for each of the others.

        Whoever gives no part of the deal is there at once.
        """
        old = msgspec.json.decode(await self.change(table_id, command), type=wire.TableWire)
        assert old.rematch is not None
        again = await self.look(old.rematch, command.user)
        seen = msgspec.json.decode(again, type=wire.TableWire)
        if old.you is None or seen.state != "open" or (seen.you is not None and not seen.seats[seen.you].expected):
            return again
        if seen.you is not None and command.browser_seed is not None:
            return again  # their part of this deal they give when they come, having seen its commitment
        wish = (old.you - 1) % len(old.seats)
        return await self.change(old.rematch, commands.Sit(user=command.user, wish=wish))

    # ------------------------------------------------------------ streams

    async def join(self, table_id: str, reader: Reader, *, again: bool = False) -> int | None:
        """Tell a reader what happens at a table, from its present state on; the reader's seat."""
        return await self._at(
            table_id,
            lambda live: live.join(reader, again=again),
            lambda edge, holder: edge.join(holder, table_id, reader, again=again),
        )

    def rejoin(self, table_id: str, reader: Reader) -> None:
        """A reader's table has changed hands, or something on the way to it was lost."""
        before = self._rejoining.get(reader)
        if before is not None:
            before.cancel()
        self._rejoining[reader] = asyncio.ensure_future(self._rejoin(table_id, reader))

    async def _rejoin(self, table_id: str, reader: Reader) -> None:
        try:
            await self.join(table_id, reader, again=True)
        except Exception as error:  # it comes back by itself
            log().warning("a reader could not join again", table=table_id, reason=str(error))
            reader.end()
        finally:
            if self._rejoining.get(reader) is asyncio.current_task():
                del self._rejoining[reader]

    def leave(self, table_id: str, reader: Reader) -> None:
        rejoining = self._rejoining.pop(reader, None)
        if rejoining is not None:
            rejoining.cancel()
        if self.far is not None and self.far.edge.leave(reader):
            return
        live = self.held.live.get(table_id)
        if live is not None and reader in live.readers:
            live.leave(reader)

    def resync(self, table_id: str, reader: Reader) -> None:
        """The present state, to a reader who asks for it."""
        if self.far is not None and self.far.edge.resync(reader):
            return
        live = self.held.live.get(table_id)
        if live is not None and reader in live.readers:
            stand(live, reader)

    async def looks(self, table_id: str, reader: Reader, looks: bool) -> None:
        """A reader's page can be seen now, or no longer. Who looks is not called: what waits for them is forgotten."""
        reader.looks = looks
        if self.far is not None:
            self.far.edge.looks(reader)
        if looks and reader.user is not None and await self._store.waits_notice(table_id, reader.user):
            await self._store.forget_notices(table_id, reader.user)

    def lost(self, live: LiveTable) -> None:
        """Another process has this table: forget it, and let its readers find it there."""
        self.held.forget(live)
        if self.far is not None:
            self.far.holder.gave_up(live)
        for reader in list(live.readers):
            if not isinstance(reader, FarReader):
                self.rejoin(live.id, reader)
        live.readers.clear()
        live.readers_changed()

    # ------------------------------------------------------------ people

    async def person_changed(self, user: str) -> None:
        """Somebody has another name, is on holiday or has blocked somebody: tables they are at show it."""
        name, _ = await self._people.name(user)
        async for live in in_turns(list(self.held.live.values()), 100):
            if user in people(live.table) or user in live.here():
                await self._refresh(live, user, name)

    async def _refresh(self, live: LiveTable, user: str, name: str) -> None:
        blocked, holidays = await self._people.blocks(user), live.holidays
        for reader in [reader for reader in live.readers if reader.user == user and reader.blocked != blocked]:
            reader.blocked = blocked
            reader.tell(wire.TableNews(live.answer(user, blocked)))
        await live.learn_holidays()
        if live.holidays != holidays:
            tell_table(live)
        if user in people(live.table):
            live.later(commands.Renamed(user=user, name=name))

    # ------------------------------------------------------------ lists

    async def lobby(self) -> list[wire.TableLine]:
        """Tables with an empty chair that anybody may take, newest first."""
        return [line_of(row, None) for row in await self._store.lobby(LISTED)]

    async def games_of(self, user: str) -> list[wire.TableLine]:
        """Every game of a user: those that wait for them first, then by the time of the last move."""
        lines = [line_of(row, user) for row in await self._store.games_of(user, LISTED)]
        return sorted(lines, key=lambda line: (not line.your_turn, line.state == "over"))


def away() -> BadRequest:
    """The table's process does not answer: nothing was changed, as far as is known here."""
    return Unwritten(UNCERTAIN)


async def price_at(live: LiveTable, user: str, ask: wire.Ask, seat: int | None = None) -> wire.Answer:
    """What a track, or something at a place, would cost, at a table held here."""
    table, data = live.table, live.table.agreed.map
    seat = seat_of(table, user, seat)
    known = any(t.id == ask.about for t in data.tracks) or any(p.id == ask.about for p in data.places)
    if seat is None:
        raise BadRequest("a spectator cannot do that")
    if not known or not isinstance(table, Playing | Over):
        return wire.Answer(ask.cid, ask.about, [], "", "there is no such track or place on this map")
    names = [chair.name for chair in table.chairs]
    return await in_thread(price, table.course.game, seat, ask.cid, ask.about, names)
