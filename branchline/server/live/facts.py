"""What a rule needs to know from outside its table, found under the table's lock."""

from __future__ import annotations

from typing import Protocol

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
from branchline.server.tables.state import Over, Playing, Table, people, seat_of
from branchline.server.wire.refusals import BadRequest

TALK_KEPT = 50  # lines told to who comes in


class Found(Protocol):
    table: Table

    def here(self) -> frozenset[str]: ...

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
        """Those that this command asks about."""
        now, here, table = self._steady.now(), live.here(), live.table
        match command:
            case commands.Sit(user=user):
                name = await self._people.own_name(user)
                return Facts(now, here, name, await self._people.are_apart(user, people(table)))
            case commands.Say(user=user):
                return Facts(now, here, (await self._people.name(user))[0])
            case commands.SetChair():
                return Facts(now, here, roster=self._roster)
            case commands.Rematch(user=user) if isinstance(table, Over) and table.rematch is None:
                kept = self.kept(user, command.promise, command.browser_seed)
                return Facts(now, here, await self._people.own_name(user), roster=self._roster, kept=kept)
            case commands.AskBack(user=user):
                return Facts(now, here, turn=await self._last_turn(table, user))
            case commands.Report():
                return Facts(now, here, talk=tuple(chat for _, chat in await self.talk(table.agreed.id)))
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

    async def talk(self, table_id: str) -> list[tuple[str, wire.ChatWire]]:
        """What was said of late, with who said it."""
        rows = await self._store.chat(table_id, TALK_KEPT)
        return [(row.user, wire.ChatWire(row.at, row.seat, name, row.phrase, row.text)) for row, name in rows]

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

    async def _last_turn(self, table: Table, user: str) -> tuple[int, Game] | None:
        """The entry before the latest turn of who asks, and the game after that entry."""
        seat = seat_of(table, user)
        if seat is None or not isinstance(table, Playing):
            return None
        log = entries(await self._store.log(table.agreed.id))
        to = await in_thread(before_last_turn, table.course.game, log, seat)
        return None if to is None else (to, await in_thread(game_after, table.course.game, log, to))
