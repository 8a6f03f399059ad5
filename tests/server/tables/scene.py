"""A table for tests of the rules, without a service: it does what commands say, and holds every outcome to two
promises: nothing changes in place, and what is written down reads back as the very table that everybody is shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from branchline.fair import commitment
from branchline.game import Game
from branchline.server.tables import commands
from branchline.server.tables.course import Course
from branchline.server.tables.keeping import change_of
from branchline.server.tables.loading import entries, table_of
from branchline.server.tables.making import dealt
from branchline.server.tables.moment import read_moment
from branchline.server.tables.outcome import Facts, Outcome
from branchline.server.tables.promises import Kept
from branchline.server.tables.roster import Roster
from branchline.server.tables.rows import ChairRow, Change, LogRow, PlanRow, SnapshotRow, Stored, TableRow
from branchline.server.tables.rules import decide
from branchline.server.tables.state import Agreed, Chair, Dropped, Options, Over, Playing, Table, Vote, Waiting
from branchline.server.wire import ClockOption, Order
from branchline.server.wire.facts import map_of
from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.views import offers_of

ADA, BO, CY = "ada", "bo", "cy"
PIP = "a bot"
EMPTY = "an empty chair"
NO_CLOCK = ClockOption()
LIVE = ClockOption(kind="live", pool=600, increment=10)
DAYS = ClockOption(kind="days", days=2)
SECRET = bytes(range(32))
ROSTER = Roster()
KEPT = Kept("B" * 22, SECRET, "k1")
DEAL = 1900


class Scene:
    """One table, its rows, and the time there."""

    def __init__(self, table: Table, now: float = 1000.0) -> None:
        self.table = table
        self.now = now
        self.names: dict[str, str] = {}
        self._row: TableRow
        self._chairs: tuple[ChairRow, ...] = ()
        self.log: list[LogRow] = []
        self.snapshot: SnapshotRow | None = None
        self.plans: dict[int, PlanRow] = {}
        self._write(change_of(None, table, now))
        self._reads_back()

    # ------------------------------------------------------------ doing

    def do(self, command: commands.Any, **facts: Any) -> Outcome:
        """What comes of a command; the table is what it made of it."""
        outcome = self.tried(command, **facts)
        if isinstance(command, commands.Renamed):
            self.names[command.user] = command.name
        if outcome.change is not None:
            self._write(outcome.change)
        self.table = outcome.table
        self._reads_back()
        return outcome

    def refused(self, command: commands.Any, **facts: Any) -> BadRequest:
        """Why a command is refused."""
        with pytest.raises(BadRequest) as refused:
            self.tried(command, **facts)
        return refused.value

    def ignored(self, command: commands.Any, **facts: Any) -> bool:
        """Whether nothing comes of it, and nothing is written or told."""
        return self.tried(command, **facts) == Outcome(self.table)

    def tried(self, command: commands.Any, **facts: Any) -> Outcome:
        """What would come of a command; the table stays as it is."""
        before = seen(self.table)
        try:
            return decide(self.table, command, Facts(self.now, **{"roster": ROSTER, "kept": KEPT, **facts}))
        finally:
            assert seen(self.table) == before, "changed in place"

    # ------------------------------------------------------------ playing

    @property
    def playing(self) -> Playing:
        assert isinstance(self.table, Playing)
        return self.table

    @property
    def waiting(self) -> Waiting:
        assert isinstance(self.table, Waiting)
        return self.table

    @property
    def game(self) -> Game:
        return self.playing.course.game

    def left(self) -> list[float]:
        assert self.playing.clock is not None
        return self.playing.clock.left(self.now)

    def offers(self, user: str) -> list[str]:
        return offers_of(self.game.view(self.seat(user)))

    def seat(self, user: str) -> int:
        return [chair.user for chair in self.table.chairs].index(user)

    def move(self, user: str, *lines: str, cid: str = "c", **words: Any) -> commands.Move:
        """The first offer, unless other lines are given, in answer to the present question."""
        lines = lines or (self.offers(user)[0],)
        asked = self.playing.course.asked[self.seat(user)]
        return commands.Move(user=user, cid=cid, seq=asked, lines=list(lines), **words)

    def keep_tickets(self) -> Scene:
        """All choose their first tickets."""
        for n, chair in enumerate(self.table.chairs):
            if chair.user:
                self.do(self.move(chair.user, cid=f"tickets {n}"))
            else:
                self.do(self.bot_move(n))
        return self

    def bot_move(self, seat: int, *, fault: bool = False) -> commands.BotMove:
        line = offers_of(self.game.view(seat))[0]
        return commands.BotMove(seat=seat, seq=self.playing.course.asked[seat], line=line, fault=fault)

    def last_turn(self, to: int) -> tuple[int, Game]:
        """What the shell finds for who asks for a turn back: the entry before it, and the game after that entry."""
        again = Course.begin(self.table.agreed.map, len(self.table.chairs), DEAL)
        for entry in entries(self.log)[:to]:
            again.play(entry.seat, entry.line, entry.by)
        return to, again.game

    # ------------------------------------------------------------ rows

    def _write(self, change: Change) -> None:
        self._row = change.table
        self._chairs = change.chairs if change.chairs is not None else self._chairs
        self.log += change.log
        self.snapshot = change.snapshot or self.snapshot
        self.plans |= {row.seat: row for row in change.plans}

    def stored(self) -> Stored:
        """The rows as the store would give them back now."""
        moment = self._row.moment
        since = read_moment(moment).since if moment and isinstance(self.table, Playing) else self.now
        plans = tuple(row for _, row in sorted(self.plans.items()) if row.body is not None)
        assert isinstance(self.table, Playing) or not plans
        return Stored(self._row, self._chairs, tuple(self.log), self.snapshot, self.names, self.now - since, plans)

    def _reads_back(self) -> None:
        """What stands in the rows is what is shown; now and then the whole log is played for that."""
        stored = self.stored()
        rows = stored if len(self.log) % 8 else replace(stored, snapshot=None)
        assert seen(table_of(rows, self.now, 0.0), self.now) == seen(self.table, self.now)


def seen(table: Table, now: float = 0.0) -> dict[str, Any]:
    """All there is to see of a table, as values."""
    told: dict[str, Any] = {name: getattr(table, name) for name in table.__dataclass_fields__ if name != "kept_at"}
    if isinstance(table, Playing | Over):
        course, clock = table.course, table.clock
        told["course"] = (course.game.position.to_bytes(), course.seq, list(course.told), list(course.asked))
        told["silent"] = [(seq, seat, game.position.to_bytes()) for seq, seat, game in course.silent]
        told["clock"] = clock and ([round(n, 1) for n in clock.left(now)], sorted(clock.running))
    if isinstance(table, Playing):
        told |= {"back": _vote(table.back), "pause": _vote(table.pause), "bot": _vote(table.bot)}
    return {"kind": type(table).__name__, **told}


def _vote(vote: Vote | None) -> object:
    return vote and (vote.seat, vote.about, vote.agreed, vote.back_to, vote.game and vote.game.position.to_bytes())


# ---------------------------------------------------------------- tables


def waiting(
    *chairs: str,
    clock: ClockOption = NO_CLOCK,
    listed: bool = False,
    order: Order = "fixed",
    deal: int | None = DEAL,
    map: str = "usa",
) -> Scene:
    """A table of Ada's that waits; its deal is a chosen one unless it is listed."""
    chosen = None if listed else deal
    options = Options(order, clock, fixed_deal=chosen is not None)
    agreed = Agreed("A" * 22, map_of(map), options, listed, SECRET, "k1", 1.0)
    assert agreed.commitment == commitment(SECRET)
    return Scene(
        Waiting(agreed, ADA, tuple(replace(_chair(who), colour=n) for n, who in enumerate(chairs)), 1.0, chosen)
    )


def _chair(who: str) -> Chair:
    if who == PIP:
        return Chair(bot="random", name="Pip")
    return Chair() if who == EMPTY else Chair(user=who, name=who.title())


def playing(*chairs: str, **options: Any) -> Scene:
    """A game that has just begun: all have to choose their tickets."""
    scene = waiting(*chairs, **options)
    return Scene(dealt(scene.waiting, scene.now), scene.now)


def played_out(*chairs: str, **options: Any) -> Scene:
    """A game whose last move was made; its score is not written yet."""
    scene = playing(*chairs, **options)
    while not scene.game.is_over:
        seat = scene.game.to_act[0]
        line = next((o for o in offers_of(scene.game.view(seat)) if o.startswith("claim")), None)
        user = scene.table.chairs[seat].user
        if user is None:
            scene.do(scene.bot_move(seat))
        else:
            lines = [line] if line else []
            scene.do(scene.move(user, *lines, cid=f"{len(scene.log)}"))
    return scene


def over(*chairs: str, **options: Any) -> Scene:
    scene = played_out(*chairs, **options)
    scene.do(commands.End(result=b'[{"place":1,"total":7}]'))
    return scene


def dropped(*chairs: str) -> Scene:
    scene = waiting(*chairs)
    return Scene(Dropped(scene.table.agreed, ADA, scene.table.chairs, 2.0))
