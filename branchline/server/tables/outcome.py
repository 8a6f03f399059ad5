"""What comes of a command: the table as it is then, what to write down, and what to tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from branchline.game import Game
from branchline.server import wire
from branchline.server.tables.course import Done
from branchline.server.tables.promises import Kept
from branchline.server.tables.roster import Roster
from branchline.server.tables.rows import Change
from branchline.server.tables.state import Table
from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.sentences import Sentence

NOT_SEATED = Sentence("not_seated", "you do not sit at this table")

# ---------------------------------------------------------------- news


@dataclass(frozen=True, slots=True)
class TableChanged:
    """Every reader sees the table anew, as that reader may."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The game went on: each reader who may know that it did is told from the number it stood at."""

    dones: tuple[Done, ...]
    before: tuple[int, ...]  # by reader


@dataclass(frozen=True, slots=True)
class Stands:
    """Every reader is sent the present state; `anew`: what it knew of the history no longer holds."""

    anew: bool = False


@dataclass(frozen=True, slots=True)
class Voted:
    vote: wire.Vote


@dataclass(frozen=True, slots=True)
class Spoke:
    chat: wire.ChatWire
    user: str  # those who have blocked this person hear nothing
    aside: bool = False  # among spectators: who sits at the table hears nothing


@dataclass(frozen=True, slots=True)
class Ended:
    """The score sheets are there."""


@dataclass(frozen=True, slots=True)
class PlanChanged:
    """The people on these seats, and nobody else, see their plan anew."""

    seats: frozenset[int]


News: TypeAlias = TableChanged | Moved | Stands | Voted | Spoke | Ended | PlanChanged


# ---------------------------------------------------------------- going in and coming out


@dataclass(frozen=True, slots=True)
class Facts:
    """What a rule needs to know from outside the table; the shell brings it, under the table's lock."""

    now: float  # steady: never goes back
    here: frozenset[str] = frozenset()  # who has an open stream
    name: str = ""  # of who asks
    blocked: bool = False  # who asks, by somebody here, or the other way round
    roster: Roster | None = None
    kept: Kept | None = None  # the promise for a new table
    away: Mapping[int, float] = field(default_factory=dict)  # seconds for which the owners of seats have been away
    grace: float = 60.0  # after so many seconds nobody's vote is waited for, and others may vote for a bot
    turn: tuple[int, Game] | None = None  # the entry before the asker's last turn, and the game after that entry
    holidays: Mapping[int, float] = field(default_factory=dict)  # seconds left of a seat's owner's holiday
    talk: tuple[wire.ChatWire, ...] = ()  # what was said of late
    calls: Mapping[str, frozenset[str]] = field(default_factory=dict)  # who does not look, and what they want told


@dataclass(frozen=True, slots=True)
class Outcome:
    """The table after a command. Without a change there is nothing to write down."""

    table: Table
    change: Change | None = None
    news: tuple[News, ...] = ()
    made: Table | None = None  # another table made by the same command, and what is written of it
    made_change: Change | None = None


class MoveRefused(BadRequest):
    """A move that does not count. `clause` names the rule that `why` tells of, or is "" where the protocol says no."""

    status = 409

    def __init__(self, reason: str, clause: str = "", *, stale: bool = False, why: wire.WhyWire | None = None) -> None:
        super().__init__(reason)
        self.clause = clause
        self.stale = stale
        self.why = why
