"""What a table is: one that waits, one at which a game is played, one whose game is over, one that was closed.

All of it is values: a command makes a new state beside the old one, and nothing changes in place. (A `Course` could be
changed; whoever plays on copies it first.)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import msgspec

from branchline.fair import FairDeal, SeatSeed, commitment, fair_deal
from branchline.game import Game
from branchline.maps.model import MapData
from branchline.server import wire
from branchline.server.tables.clock import Clock
from branchline.server.tables.course import Course

PROXY = "conductor"  # plays for who is away


class Plan(msgspec.Struct, frozen=True):
    """What a person wishes for the next turns, and what became of the last one; known to that person alone."""

    seat: int
    turns: tuple[tuple[wire.Wish, ...], ...] = ()
    result: wire.PlanResult | None = None


class Options(msgspec.Struct, frozen=True):
    """What was agreed before the game."""

    order: wire.Order = "drawn"
    clock: wire.ClockOption = wire.ClockOption()
    fixed_deal: bool = False


@dataclass(frozen=True, slots=True)
class Chair:
    """A chair: empty, a person's, or a bot's. `seed` is what the person's browser gave to the deal.

    The colour is the chair's, whoever sits there: no two chairs of a table have the same.
    """

    user: str | None = None
    bot: str | None = None
    name: str = ""
    seed: str | None = None
    colour: int = 0

    @property
    def is_open(self) -> bool:
        return self.user is None and self.bot is None

    @property
    def kind(self) -> wire.SeatKind:
        return "bot" if self.bot else "person" if self.user else "open"


Chairs: TypeAlias = tuple[Chair, ...]


@dataclass(frozen=True, slots=True)
class Agreed:
    """What never changes once a table is made."""

    id: str
    map: MapData
    options: Options
    listed: bool
    server_seed: bytes
    deal_key: str | None
    created: float
    rematch_of: str | None = None

    @property
    def commitment(self) -> str:
        return commitment(self.server_seed)

    @property
    def free_chat(self) -> bool:
        """Free text is for friends, who came by the link; among strangers there are phrases."""
        return not self.listed

    @property
    def takebacks(self) -> bool:
        """Moves can be taken back at a friendly table: not listed, and without a clock that presses."""
        return not self.listed and self.options.clock.kind != "live"


@dataclass(frozen=True, slots=True)
class Vote:
    """One asks, all other people must agree. For a move taken back: the entry to go back to, and the game after it.

    The entry's number tells of silent choices, so nobody is told. For a bot: the seat it is to play for.
    """

    seat: int
    agreed: frozenset[int] = frozenset()
    back_to: int = 0
    game: Game | None = None
    about: int | None = None


@dataclass(frozen=True, slots=True)
class Absence:
    """Why and since when a bot played, or plays, for the owner of a seat; the owner is told when they are back."""

    seat: int
    why: wire.AbsenceReason
    at: float
    told: int  # the number the owner's readers were at
    agreed: tuple[int, ...] = ()  # the seats that voted for it


@dataclass(frozen=True, slots=True)
class Nudge:
    """Somebody told somebody that all wait for them; `told`: what everybody knew then (the spectators' number)."""

    by: int
    seat: int
    at: float
    told: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """What the start of a game fixed: the cards, and who sat down in which order."""

    seed: int
    placed: tuple[int, ...]  # the seat of each chair, in the order of sitting down
    started: float


@dataclass(frozen=True, slots=True)
class Waiting:
    """A table that waits for its players. The chairs stand in the order of sitting down."""

    agreed: Agreed
    owner: str
    chairs: Chairs
    updated: float
    chosen_seed: int | None = None
    removed: frozenset[str] = frozenset()  # whom the host has asked to leave
    expected: frozenset[int] = frozenset()  # chairs of a rematch kept for people who have not come yet

    state: wire.TableState = field(default="open", init=False)


@dataclass(frozen=True, slots=True)
class Playing:
    """A game that is played. The chairs stand by seat."""

    agreed: Agreed
    owner: str
    chairs: Chairs
    updated: float
    dealt: Dealt
    course: Course
    clock: Clock | None = None
    proxied: frozenset[int] = frozenset()  # a bot plays until the owner is back
    clock_out: frozenset[int] = frozenset()
    paused: bool = False
    back: Vote | None = None  # on taking back a turn
    pause: Vote | None = None
    bot: Vote | None = None  # on letting a bot play for who is away
    refused_at: float = 0.0  # when the last such vote failed
    absences: tuple[Absence, ...] = ()  # the latest of each seat
    nudges: tuple[Nudge, ...] = ()  # of the last hour
    kept_at: int = 0  # the entry at which the whole position was last written down
    plans: tuple[Plan, ...] = ()  # by seat, of those who have one

    state: wire.TableState = field(default="playing", init=False)

    def bot_of(self, seat: int) -> str | None:
        """The bot that chooses for a seat, if one does."""
        return self.chairs[seat].bot or (PROXY if seat in self.proxied else None)

    def plan_of(self, seat: int | None) -> Plan | None:
        return next((plan for plan in self.plans if plan.seat == seat), None)


@dataclass(frozen=True, slots=True)
class Over:
    """A game that is over and scored."""

    agreed: Agreed
    owner: str
    chairs: Chairs
    updated: float
    dealt: Dealt
    course: Course
    ended: float
    result: bytes  # the score sheets, as they cross the wire
    rematch: str | None = None  # the table of the next game
    clock: Clock | None = None  # as it stood at the end

    state: wire.TableState = field(default="over", init=False)


@dataclass(frozen=True, slots=True)
class Dropped:
    """A table that was closed: all left, nobody started it, or nobody came back to its game."""

    agreed: Agreed
    owner: str
    chairs: Chairs
    updated: float
    dealt: Dealt | None = None

    state: wire.TableState = field(default="dropped", init=False)


Table: TypeAlias = Waiting | Playing | Over | Dropped
Begun: TypeAlias = Playing | Over


class Seated(Protocol):
    """Whatever has chairs."""

    @property
    def chairs(self) -> Chairs: ...


def seats_of(chairs: Chairs, user: str | None) -> list[int]:
    """The chairs of a user: none of a spectator's, several where people share a device."""
    return [seat for seat, chair in enumerate(chairs) if user is not None and chair.user == user]


def seat_of(table: Seated, user: str | None, wish: int | None = None) -> int | None:
    """The chair that a user speaks for, or looks through: their own; of several the one they name, else none."""
    mine = seats_of(table.chairs, user)
    return mine[0] if len(mine) == 1 else wish if wish in mine else None


def on_one_device(chairs: Chairs) -> bool:
    """Whether people play here by passing one device on: all of them are one guest to the service."""
    users = [chair.user for chair in chairs if chair.user]
    return len(users) > len(set(users))


def people(table: Table) -> list[str]:
    return [chair.user for chair in table.chairs if chair.user]


# ---------------------------------------------------------------- the deal


def deal_of(table: Waiting) -> FairDeal:
    """Who sits where and which cards come follow from the seeds of all."""
    agreed = table.agreed
    given = [chair.seed for chair in table.chairs]
    return fair_deal(agreed.server_seed, agreed.id, given, drawn=agreed.options.order == "drawn")


def proof_of(agreed: Agreed, chairs: Chairs, dealt: Dealt) -> FairDeal | None:
    """The proof of the deal: it holds the server's seed. None for a chosen deal, which proves nothing."""
    if agreed.options.fixed_deal or not dealt.placed:
        return None
    given = [chairs[seat].seed for seat in dealt.placed]
    return fair_deal(agreed.server_seed, agreed.id, given, drawn=agreed.options.order == "drawn")


def seeds_of(chairs: Chairs, dealt: Dealt | None) -> list[SeatSeed]:
    """The seeds given so far, in the order of sitting down."""
    sat = [chairs[seat] for seat in dealt.placed] if dealt else chairs
    return [SeatSeed(chair.seed or "", "browser" if chair.seed else "server") for chair in sat]
