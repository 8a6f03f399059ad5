"""What a table is in the store, as plain rows: the rules of a table make them, the store writes and reads them.

A `Change` is all that one command writes down about one table. It is written whole or not at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TableRow:
    """One table. What is JSON is text; times are seconds since 1970 by the store's clock."""

    id: str
    map: str
    map_hash: str | None  # of the map it is played on; None in rows of version 0.1
    rules: int | None  # the rules version; None in rows of version 0.1
    options: str
    state: str  # open, playing, over, dropped
    created: float
    started: float | None
    ended: float | None
    owner: str
    listed: bool
    commitment: str
    server_seed: bytes
    deal_key: str | None  # the key from which the server's seed followed; None in rows of version 0.1
    seed: int | None
    rematch_of: str | None
    rematch: str | None
    result: str | None  # the score sheets, as they cross the wire
    to_act: str  # the seats that have to choose, for lists of games
    updated: float  # when somebody last did what all may know
    moment: str | None  # clocks, who is away, votes, a pause (tables/moment.py)
    broken: str | None = None  # why this game was put aside


@dataclass(frozen=True, slots=True)
class ChairRow:
    """One chair. `place` is the order of sitting down, once the game has begun."""

    seat: int
    user: str | None
    bot: str | None
    name: str
    seed: str | None
    place: int | None
    colour: int | None = None  # None in rows of version 0.2: the seat's number


@dataclass(frozen=True, slots=True)
class LogRow:
    """One line of a game's log; `cid` is the client's key of the move, unique at a table, on its last line only."""

    seq: int
    seat: int
    line: str
    by: str  # player, plan, bot, proxy, clock, standin
    cid: str | None
    at: float


@dataclass(frozen=True, slots=True)
class SnapshotRow:
    """A position to go on from; of another `layout` it is ignored, and the log replayed."""

    body: bytes
    seq: int
    layout: str | None  # None in rows of version 0.1


@dataclass(frozen=True, slots=True)
class ChatRow:
    at: float
    user: str
    seat: int | None
    phrase: str | None
    text: str | None


@dataclass(frozen=True, slots=True)
class ReportRow:
    at: float
    by_user: str
    about_seat: int
    about_user: str | None
    reason: str
    context: str  # JSON


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A person's plan at a table, as JSON; a body of None: there is none any more."""

    seat: int
    user: str
    body: str | None


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """Somebody is to be told of something at this table, once; `seq` tells one event of a kind from another."""

    user: str
    kind: str  # wire.CallKind
    seq: int
    by: str  # who did it, where the notice names somebody; else ""
    at: float


@dataclass(frozen=True, slots=True)
class Change:
    """What one command writes about one table, in one transaction."""

    table: TableRow
    new: bool = False  # the table is made by this change
    chairs: tuple[ChairRow, ...] | None = None  # all chairs, where any of them changed
    log: tuple[LogRow, ...] = ()
    snapshot: SnapshotRow | None = None
    chat: ChatRow | None = None
    report: ReportRow | None = None
    notices: tuple[NoticeRow, ...] = ()
    receipt: str | None = None  # the key by which the same command is known when it comes again
    plans: tuple[PlanRow, ...] = ()  # those that changed


@dataclass(frozen=True, slots=True)
class Stored:
    """A table as it is read back, with what is needed to play on."""

    table: TableRow
    chairs: tuple[ChairRow, ...]
    log: tuple[LogRow, ...]
    snapshot: SnapshotRow | None
    names: dict[str, str] = field(default_factory=dict)  # the present names of the people on the chairs
    gone: float = 0.0  # seconds that count of those since `moment` was written (until its process was last alive)
    plans: tuple[PlanRow, ...] = ()
    old_clocks: tuple[str | None, str | None] = (None, None)  # version 0.1: clocks of the last entry, of a pause
