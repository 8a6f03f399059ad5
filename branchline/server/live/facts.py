"""What a rule needs to know from outside its table, found under the table's lock."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Protocol

from branchline.game import Game
from branchline.server import wire
from branchline.server.live.pacing import in_thread
from branchline.server.live.steady import Steady
from branchline.server.people.holidays import end_of
from branchline.server.people.people import People
from branchline.server.store.contract import Store
from branchline.server.tables import commands
from branchline.server.tables.course import before_last_turn, game_after
from branchline.server.tables.loading import entries
from branchline.server.tables.outcome import Facts
from branchline.server.tables.promises import Kept, Promises
from branchline.server.tables.roster import Roster
from branchline.server.tables.state import Over, Playing, Table, on_one_device, people, seat_of
from branchline.server.wire.refusals import BadRequest

TALK_KEPT = 50  # lines told to who comes in, of players and of spectators each
_CALLING: Final = (commands.Sit, commands.End)  # of which people are told at every table, not only in games with days


class Found(Protocol):
    table: Table

    def here(self) -> frozenset[str]: ...

    def looking(self) -> frozenset[str]: ...

    def seats_away(self) -> dict[int, float]: ...

    @property
    def grace(self) -> float: ...

    async def learn_holidays(self) -> None: ...

    holidays: dict[str, float]


class FactFinder:
    """Finds the facts for a command."""

    def __init__(self, store: Store, people: People, promises: Promises, roster: Roster, steady: Steady) -> None:
        self._store = store
        self._people = people
        self._promises = promises
        self._roster = roster
        self._steady = steady

    async def facts(self, live: Found, command: commands.Any) -> Facts:
        """Those that this command asks about, and who is to be called back if need be."""
        found = await self._facts(live, command)
        calls = await self._calls(live, command)
        return replace(found, calls=calls) if calls else found

    async def _calls(self, live: Found, command: commands.Any) -> dict[str, frozenset[str]]:
        """The people at the table who do not look at it, and what they want to be told."""
        if live.table.agreed.options.clock.kind != "days" and not isinstance(command, _CALLING):
            return {}
        by = command.user if isinstance(command, commands.OfPerson) else None
        away = {live.table.owner, *people(live.table)} - live.looking() - {by}
        found = {user: await self._people.wants(user, by) for user in away}
        return {user: kinds for user, kinds in found.items() if kinds}

    async def _facts(self, live: Found, command: commands.Any) -> Facts:
        now, here, table = self._steady.now(), live.here(), live.table
        match command:
            case commands.Sit(user=user):
                name = await self._people.own_name(user)
                return Facts(now, here, name, await self._people.are_apart(user, people(table)))
            case commands.Say(user=user):
                return Facts(now, here, await self._people.own_name(user))
            case commands.SetChair():
                return Facts(now, here, roster=self._roster)
            case commands.Rematch(user=user) if isinstance(table, Over) and table.rematch is None:
                kept = self.kept(user, command.promise, command.browser_seed)
                return Facts(now, here, await self._people.own_name(user), roster=self._roster, kept=kept)
            case commands.AskBack():
                turn = await self._last_turn(table, command)
                return Facts(now, here, turn=turn, away=live.seats_away(), grace=live.grace)
            case commands.AskPause() | commands.AskBot() | commands.Answer() | commands.Gone():
                return Facts(now, here, away=live.seats_away(), grace=live.grace)
            case commands.Report():
                return Facts(now, here, talk=tuple(chat for _, chat in await self.talk(table)))
            case commands.TimeOut():
                return Facts(now, here, holidays=await self._seats_on_holiday(live, now))
            case _:
                return Facts(now, here)

    def kept(self, user: str, promise: str | None, browser_seed: str | None, cid: str = "") -> Kept:
        """The server's half of a deal; who adds a part must have seen the commitment before."""
        if promise is None:
            if browser_seed is not None:
                raise BadRequest("a part of the deal can be given once the server is bound: GET /api/promise first")
            promise = self._promises.new(user, cid).ticket  # a request that comes again asks for the same table
        kept = self._promises.kept(promise, user)
        if kept is None:
            raise BadRequest("promise: not one that was given to you; GET /api/promise gives one")
        return kept

    async def talk(self, table: Table) -> list[tuple[str, wire.ChatWire]]:
        """What was said of late, with who said it; around one device each has the name of the chair."""
        shared = [chair.name for chair in table.chairs] if on_one_device(table.chairs) else []
        said = []
        for row, name in await self._store.chat(table.agreed.id, TALK_KEPT):
            shown = shared[row.seat] if shared and row.seat is not None else name
            said.append((row.user, wire.ChatWire(row.at, row.seat, shown, row.phrase, row.text)))
        return said

    async def blocks(self, user: str | None) -> frozenset[str]:
        return await self._people.blocks(user)

    async def holidays(self, table: Table) -> dict[str, float]:
        """When the holidays end of the people at a table who are on one."""
        found = {user: await self._people.holiday(user) for user in people(table)}
        return {user: end_of(day) for user, day in found.items() if day is not None}

    async def _seats_on_holiday(self, live: Found, now: float) -> dict[int, float]:
        await live.learn_holidays()
        chairs = enumerate(live.table.chairs)
        return {s: live.holidays[c.user] - now for s, c in chairs if c.user in live.holidays}

    async def _last_turn(self, table: Table, command: commands.AskBack) -> tuple[int, Game] | None:
        """The entry before the latest turn of who asks, and the game after that entry."""
        seat = seat_of(table, command.user, command.own)
        if seat is None or not isinstance(table, Playing):
            return None
        log = entries(await self._store.log(table.agreed.id))
        to = await in_thread(before_last_turn, table.course.game, log, seat)
        return None if to is None else (to, await in_thread(game_after, table.course.game, log, to))
