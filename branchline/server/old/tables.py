"""Tables: who sits on which chair, what was agreed, and how all that stands in the store."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import msgspec

from branchline.deal import check_players
from branchline.fair import FairDeal, SeatSeed, commitment, fair_deal, seed_fault
from branchline.maps.loader import shipped_maps
from branchline.maps.model import MapData
from branchline.server import wire
from branchline.server.facts import map_of
from branchline.server.fair import Kept
from branchline.server.roster import Roster, names_of
from branchline.server.said import Said
from branchline.server.store import Statement, Store

MOST_CHOSEN_SEED = 1 << 53  # a chosen deal travels through JavaScript's numbers


class BadRequest(ValueError):
    """Something asked of a table that cannot be; says what would be right."""

    status = 400


class Forbidden(BadRequest):
    """Asked by somebody who may not."""

    status = 403


class Conflict(BadRequest):
    """Asked at the wrong moment."""

    status = 409


class Missing(BadRequest):
    """Asked of something that is not there."""

    status = 404


class Options(msgspec.Struct, frozen=True):
    """What was agreed before the game."""

    order: wire.Order = "drawn"
    clock: wire.ClockOption = wire.ClockOption()
    fixed_deal: bool = False


_OPTIONS = msgspec.json.Decoder(Options)  # made at the start: loading.py says why


@dataclass(slots=True)
class Chair:
    """A chair: empty, a person's, or a bot's. `seed` is what the person's browser gave to the deal."""

    user: str | None = None
    bot: str | None = None
    name: str = ""
    seed: str | None = None

    @property
    def is_open(self) -> bool:
        return self.user is None and self.bot is None

    @property
    def kind(self) -> wire.SeatKind:
        return "bot" if self.bot else "person" if self.user else "open"


@dataclass(slots=True)
class Table:
    """One table. Before the game `chairs` stand in the order of sitting down, from its start on by seat."""

    id: str
    map: MapData
    options: Options
    listed: bool
    owner: str
    server_seed: bytes
    chairs: list[Chair]
    state: wire.TableState = "open"
    seed: int | None = None
    created: float = field(default_factory=time.time)
    started: float | None = None
    ended: float | None = None
    rematch_of: str | None = None
    rematch: str | None = None
    result: bytes | None = None  # the score sheets, as they cross the wire
    placed: list[int] = field(default_factory=list)  # the seat of each chair, in the order of sitting down

    @property
    def commitment(self) -> str:
        return commitment(self.server_seed)

    @property
    def people(self) -> list[str]:
        return [chair.user for chair in self.chairs if chair.user]

    def seat_of(self, user: str | None) -> int | None:
        """The chair of a user, or None for a spectator."""
        if user is None:
            return None
        return next((i for i, chair in enumerate(self.chairs) if chair.user == user), None)

    @property
    def free_chat(self) -> bool:
        """Free text is for friends, who came by the link; among strangers there are phrases."""
        return not self.listed

    @property
    def takebacks(self) -> bool:
        """Moves can be taken back at a friendly table: not listed, and without a clock that presses."""
        return not self.listed and self.options.clock.kind != "live"

    # ------------------------------------------------------------ the deal

    def begin(self) -> None:
        """Deal: who sits where and which cards come follow from the seeds of all (fair.py), or were chosen."""
        fair = self._fair()
        if not self.options.fixed_deal:
            self.seed = fair.seed
        self.placed = list(fair.order)
        seated = [Chair()] * len(self.chairs)
        for chair, given, seat in zip(self.chairs, fair.seat_seeds, fair.order, strict=True):
            seated[seat] = replace(chair, seed=given.seed if given.by == "browser" else None)
        self.chairs = seated
        self.state = "playing"
        self.started = time.time()

    def _fair(self) -> FairDeal:
        drawn = self.options.order == "drawn"
        return fair_deal(self.server_seed, self.id, [chair.seed for chair in self.chairs], drawn=drawn)

    def fair(self) -> FairDeal | None:
        """The proof of the deal: it holds the server's seed. None for a chosen deal, which proves nothing."""
        if self.options.fixed_deal or not self.placed:
            return None
        sat = [self.chairs[seat] for seat in self.placed]
        drawn = self.options.order == "drawn"
        return fair_deal(self.server_seed, self.id, [chair.seed for chair in sat], drawn=drawn)

    def seeds(self) -> list[SeatSeed]:
        """The seeds given so far, in the order of sitting down."""
        sat = [self.chairs[seat] for seat in self.placed] if self.placed else self.chairs
        return [SeatSeed(chair.seed or "", "browser" if chair.seed else "server") for chair in sat]

    # ------------------------------------------------------------ the store

    def insert(self) -> list[Statement]:
        return [
            (
                "INSERT INTO tables (id, map, options, state, created, started, owner, listed, commitment, server_seed,"
                " seed, rematch_of, to_act, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '[]', ?)",
                (
                    self.id,
                    self.map.id,
                    msgspec.json.encode(self.options).decode(),
                    self.state,
                    self.created,
                    self.started,
                    self.owner,
                    int(self.listed),
                    self.commitment,
                    self.server_seed,
                    self.seed,
                    self.rematch_of,
                    self.created,
                ),
            ),
            *self.write_chairs(),
        ]

    def write_chairs(self) -> list[Statement]:
        """The chairs as they stand now; `seed_by` keeps the order of sitting down in the seat's row."""
        sat = {seat: place for place, seat in enumerate(self.placed)}
        rows: list[Statement] = [("DELETE FROM seats WHERE table_id = ?", (self.id,))]
        for seat, chair in enumerate(self.chairs):
            rows.append(
                (
                    "INSERT INTO seats (table_id, seat, user_id, bot, name, seed_hex, seed_by, place)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        self.id,
                        seat,
                        chair.user,
                        chair.bot,
                        chair.name,
                        chair.seed,
                        "browser" if chair.seed else "server",
                        sat.get(seat),
                    ),
                )
            )
        return rows

    def write_start(self) -> list[Statement]:
        return [
            (
                "UPDATE tables SET state = 'playing', started = ?, seed = ?, updated = ? WHERE id = ?",
                (self.started, self.seed, self.started, self.id),
            ),
            *self.write_chairs(),
        ]


def read_table(store: Store, table_id: str) -> Table | None:
    """A table from the store."""
    rows = store.read("SELECT * FROM tables WHERE id = ?", (table_id,))
    if not rows:
        return None
    return _table(rows[0], store.read("SELECT * FROM seats WHERE table_id = ? ORDER BY seat", (table_id,)))


def _table(row: sqlite3.Row, seats: Sequence[sqlite3.Row]) -> Table:
    chairs = [Chair(seat["user_id"], seat["bot"], seat["name"], seat["seed_hex"]) for seat in seats]
    sat = sorted((seat["place"], seat["seat"]) for seat in seats if seat["place"] is not None)
    return Table(
        id=row["id"],
        map=map_of(row["map"]),
        options=_OPTIONS.decode(row["options"]),
        listed=bool(row["listed"]),
        owner=row["owner"],
        server_seed=row["server_seed"],
        chairs=chairs,
        state=row["state"],
        seed=row["seed"],
        created=row["created"],
        started=row["started"],
        ended=row["ended"],
        rematch_of=row["rematch_of"],
        rematch=row["rematch"],
        result=row["result"].encode() if row["result"] else None,
        placed=[seat for _, seat in sat],
    )


# ---------------------------------------------------------------- making one


def new_table(request: wire.NewTable, owner: str, name: str, kept: Kept, roster: Roster) -> Table:
    """The table somebody asks for, with the server's half of the deal; refuses what cannot be, in words."""
    if request.map not in shipped_maps():
        raise BadRequest(f'no map "{request.map[:40]}"; there are {", ".join(shipped_maps())}')
    data = map_of(request.map)
    try:
        check_players(data, len(request.seats))
    except ValueError as error:
        raise BadRequest(str(error)) from None
    check_clock(request.clock)
    check_browser_seed(request.browser_seed)
    if request.seed is not None and not 0 <= request.seed < MOST_CHOSEN_SEED:
        most = MOST_CHOSEN_SEED - 1
        raise BadRequest(Said("deal_number", f"a chosen deal is a whole number from 0 to {most}"))
    if request.seed is not None and request.listed:
        raise BadRequest(
            Said("deal_listed", "a chosen deal is for friends and practice: it cannot be listed in the lobby")
        )
    return Table(
        id=kept.table,
        map=data,
        options=Options(request.order, request.clock, request.seed is not None),
        listed=request.listed,
        owner=owner,
        server_seed=kept.server_seed,
        chairs=_chairs(request, owner, name, roster),
        seed=request.seed,
    )


def _chairs(request: wire.NewTable, owner: str, name: str, roster: Roster) -> list[Chair]:
    if sum(seat.kind == "me" for seat in request.seats) > 1:
        raise BadRequest("you can sit on one chair only")
    chairs: list[Chair] = []
    for seat in request.seats:
        if seat.kind == "me":
            chairs.append(Chair(user=owner, name=name, seed=request.browser_seed))
        elif seat.kind == "bot":
            chairs.append(bot_chair(seat.bot, chairs, roster))
        else:
            chairs.append(Chair())
    return chairs


def bot_chair(bot: str | None, others: Sequence[Chair], roster: Roster) -> Chair:
    """A bot's chair, with a name nobody else at the table has."""
    found = roster.find(bot)
    if found is None:
        raise BadRequest(f'no bot "{(bot or "")[:40]}"; there are {roster.names()}')
    taken = {chair.name for chair in others}
    return Chair(bot=found.id, name=next(name for name in names_of(found.id) if name not in taken))


def check_clock(clock: wire.ClockOption) -> None:
    if clock.kind == "live" and not (30 <= clock.pool <= 7200 and 0 <= clock.increment <= 300):
        raise BadRequest(Said("clock_live", "a live clock has 30 to 7200 seconds and an increment of 0 to 300"))
    if clock.kind == "days" and not 0.25 <= clock.days <= 14:
        raise BadRequest(Said("clock_days", "days for a move: 0.25 to 14"))


def check_browser_seed(seed: str | None) -> None:
    reason = seed_fault(seed) if seed is not None else ""
    if reason:
        raise BadRequest(f"browser_seed: {reason}")
