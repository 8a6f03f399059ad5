"""The tables this process holds: they are read from the store when somebody asks for them, and let go when nobody
needs them. One that cannot be played on is put aside and is in nobody's way."""

from __future__ import annotations

import asyncio
import re
import time
from typing import Final

from branchline.server.live.pacing import in_thread, in_turns
from branchline.server.live.table import UNCERTAIN, Around, LiveTable, Unwritten
from branchline.server.operate.logs import log
from branchline.server.store.contract import ALIVE_SECONDS, Elsewhere, Known, Lease, OutcomeUnknown
from branchline.server.tables import commands
from branchline.server.tables.loading import Unplayable, table_of
from branchline.server.tables.making import PROMISE_USED
from branchline.server.tables.outcome import Outcome
from branchline.server.wire.refusals import Conflict, Missing
from branchline.server.wire.sentences import Sentence

TABLE_ID: Final = re.compile(r"[A-Za-z0-9_-]{22}")
IDLE_SECONDS: Final = 60.0


class HeldElsewhere(Exception):
    """Another process holds this table."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


class PutAside(Conflict):
    """A game that cannot be played on; the reason is for its players."""

    def __init__(self, why: str) -> None:
        super().__init__(Sentence("put_aside", f"this game was put aside, for it cannot be played on: {why}"))
        self.why = why


class HeldTables:
    """All live tables of this process."""

    def __init__(self, around: Around) -> None:
        self._around = around
        self._store = around.store
        self.live: dict[str, LiveTable] = {}
        self.said = time.monotonic()  # when the store last took a sign of life
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}

    @property
    def has_lapsed(self) -> bool:
        """Whether this process was silent for so long that others may take its tables."""
        return time.monotonic() - self.said > ALIVE_SECONDS

    async def find(self, table_id: str) -> LiveTable:
        """The live table; raises `Missing`, `PutAside`, `HeldElsewhere`, or `StoreFailed`."""
        found = self.live.get(table_id)
        if found is not None:
            found.touched = time.monotonic()  # who asks for it has something to do there: it is not swept away now
            return found
        if not TABLE_ID.fullmatch(table_id):
            raise Missing(Sentence("no_table", "there is no such table"))
        if table_id not in self._loading:
            self._loading[table_id] = asyncio.ensure_future(self._load(table_id))
        return await asyncio.shield(self._loading[table_id])

    async def _load(self, table_id: str) -> LiveTable:
        try:
            taken = await self._store.take(table_id)
            if taken is None:
                raise Missing(Sentence("no_table", "there is no such table"))
            if isinstance(taken, Elsewhere):
                raise HeldElsewhere(taken.holder)
            (lease, stored), steady = taken, self._around.steady
            try:
                table = await in_thread(table_of, stored, steady.now(), steady.started)
            except Unplayable as error:
                await self._put_aside(lease, str(error), known=stored.table.broken is not None)
                raise PutAside(str(error)) from None
            return self._place(LiveTable(lease, table, self._around))
        finally:
            del self._loading[table_id]

    async def _put_aside(self, lease: Lease, why: str, *, known: bool) -> None:
        if not known:
            log().error("a game was put aside", table=lease.table, reason=why)
            await self._store.put_aside(lease.table, why)
        await self._store.release(lease)

    def _place(self, live: LiveTable) -> LiveTable:
        self.live[live.id] = live
        live.go_on()
        return live

    async def made(self, outcome: Outcome) -> LiveTable:
        """Write a new table down, and hold it."""
        assert outcome.change is not None
        table_id = outcome.table.agreed.id
        try:
            await self._store.write((None, outcome.change))
        except Known:
            raise Conflict(PROMISE_USED) from None
        except OutcomeUnknown:
            raise Unwritten(UNCERTAIN) from None
        return self._place(LiveTable(Lease(table_id, 1), outcome.table, self._around))

    def hold_made(self, outcome: Outcome) -> None:
        """Hold a table that was written down with another's change."""
        if outcome.made is not None:
            self._place(LiveTable(Lease(outcome.made.agreed.id, 1), outcome.made, self._around))

    # ------------------------------------------------------------ tidying

    def forget(self, live: LiveTable) -> None:
        """Another process has it."""
        if self.live.get(live.id) is live:
            del self.live[live.id]

    async def check_leases(self) -> None:
        """After a silence: give up the tables that another process has taken over meanwhile."""
        held = await self._store.held()
        for live in list(self.live.values()):
            if held.get(live.id) != live.lease.number and not live.lock.locked():
                live.give_up()

    async def wake_pressing(self) -> None:
        """Bring back the games whose clocks press; one that cannot be is in nobody's way."""
        for table_id in await self._store.pressing():
            await self._try(table_id)

    async def sweep(self, open_before: float, touched_before: float) -> None:
        """Let go of tables nobody looks at; wake games whose days are over; close what nobody came back to."""
        async for table_id in in_turns(list(self.live)):
            await self._let_go(table_id)
        for table_id in await self._store.late(self._around.steady.now()):
            await self._try(table_id)
        for table_id in await self._store.overdue(open_before, touched_before):
            live = await self._try(table_id)
            if live is not None:
                live.later(commands.Close())

    async def _try(self, table_id: str) -> LiveTable | None:
        try:
            return await self.find(table_id)
        except (Missing, PutAside, HeldElsewhere):
            return None
        except Exception:
            log().exception("a game could not be woken", table=table_id)
            return None

    async def _let_go(self, table_id: str) -> None:
        """Drop a table if nobody has needed it for a while."""
        live = self.live.get(table_id)
        if live is not None and live.is_idle and time.monotonic() - live.touched > IDLE_SECONDS:
            del self.live[table_id]
            live.close()
            await self._store.release(live.lease)

    async def close(self) -> None:
        """Let go of all, each when what is being written at it is done."""
        for live in list(self.live.values()):
            async with live.lock:
                live.close()
        self.live.clear()  # the store lets go of all leases when it is closed
