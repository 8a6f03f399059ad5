"""Views: the only thing that leaves a game. A `View` holds what its reader may know and nothing else (I-05).

It wraps a position from which everything else has been wiped, so that nothing hidden can be asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from branchline.actions import Action, PickTicket
from branchline.codec import ENDS, action_of, names_of
from branchline.events import Reader
from branchline.kernel import state as k
from branchline.kernel.board import make_board
from branchline.kernel.imagine import fill_in
from branchline.kernel.scoring import is_completed, join_places
from branchline.kernel.scratch import scratch
from branchline.kernel.state import Position
from branchline.kernel.turn import fill_menu, write_menu
from branchline.kernel.view import SPECTATOR, veil
from branchline.maps.model import CARDS, SEAT_COLOURS, MapData

if TYPE_CHECKING:
    from branchline.game import Game

PHASES = {
    k.OVER: "over",
    k.FIRST_TICKETS: "first tickets",
    k.DRAFT_PICK: "draft",
    k.DRAFT_KEEP: "keep drafted tickets",
    k.TURN: "turn",
    k.DRAW_FIRST: "draw a card",
    k.DRAW_SECOND: "draw a second card",
    k.KEEP_TICKETS: "keep tickets",
    k.PAY: "choose locomotives for the track",
    k.DOUBLE: "double the track",
    k.FESTIVAL_CHOICE: "choose a festival city",
    k.TUNNEL: "pay for the tunnel",
    k.PAY_STATION: "choose locomotives for the station",
}


class Rng(Protocol):
    """What `imagine` needs of a random generator; `random.Random` has it."""

    def getrandbits(self, n: int, /) -> int: ...


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One player as the reader sees them. `hand` is what is known of it, `unknown_cards` how many more there are."""

    seat: int
    trains: int
    score: int
    hand: dict[str, int]
    unknown_cards: int
    ticket_count: int
    tickets: tuple[str, ...]  # those known to the reader
    stations: tuple[str, ...]
    stations_left: int
    terrain: dict[str, int]
    festival_count: int
    festivals: dict[str, int]  # those known to the reader
    tracks: tuple[str, ...]

    @property
    def colour(self) -> str:
        """The colour of the player's trains."""
        return SEAT_COLOURS[self.seat]

    @property
    def card_count(self) -> int:
        return sum(self.hand.values()) + self.unknown_cards


class View:
    """What one reader, a seat or a spectator (None), may know of a game."""

    __slots__ = ("_names", "_position", "map", "reader")

    def __init__(self, data: MapData, position: Position, reader: Reader) -> None:
        """`position` must be wiped already: use `Game.view`."""
        self.map = data
        self.reader = reader
        self._position = position
        self._names = names_of(data)

    @classmethod
    def of(cls, data: MapData, position: Position, reader: Reader) -> View:
        """The view of a true position."""
        if reader is not None and not 0 <= reader < position.players:
            raise ValueError(f"no seat {reader}: seats are 0 to {position.players - 1}, None is a spectator")
        wiped = position.copy()
        veil(wiped, make_board(data), SPECTATOR if reader is None else reader)
        return cls(data, wiped, reader)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.reader == other.reader and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash((self.reader, self.to_bytes()))

    def to_bytes(self) -> bytes:
        """The view as bytes: equal if and only if the views are."""
        return self._position.to_bytes()

    @property
    def position(self) -> Position:
        """A copy of the wiped position, for bots that compute with the kernel's numbers."""
        return self._position.copy()

    @property
    def player_count(self) -> int:
        return self._position.players

    @property
    def to_act(self) -> tuple[int, ...]:
        return seats_of(self._position.awaited)

    @property
    def seat_on_turn(self) -> int:
        return self._position.seat

    @property
    def phase(self) -> str:
        return PHASES[self._position.phase]

    @property
    def is_over(self) -> bool:
        return self._position.phase == k.OVER

    @property
    def end_reason(self) -> str | None:
        return ENDS.get(self._position.end)

    @property
    def last_round(self) -> bool:
        return self._position.turns_left > 0

    @property
    def turns_left(self) -> int | None:
        """Turns still to be played in the last round, or None before it."""
        return self._position.turns_left or None

    @property
    def display(self) -> tuple[str | None, ...]:
        shown = self._position.display[: self.map.display]
        return tuple(None if c == k.NO_CARD else CARDS[c] for c in shown)

    @property
    def deck_size(self) -> int:
        return self._position.deck_n

    @property
    def discards(self) -> dict[str, int]:
        return _counts(self._position.discard, CARDS)

    @property
    def ticket_deck_size(self) -> int:
        return self._position.ticket_n

    @property
    def terrain_display(self) -> tuple[str | None, ...]:
        if not self.map.terrain:
            return ()
        shown = self._position.terrain_up[: self.map.terrain.face_up]
        return tuple(None if t == k.NO_CARD else self._names.terrains[t] for t in shown)

    @property
    def terrain_deck_size(self) -> int:
        return self._position.terrain_n

    @property
    def terrain_discards(self) -> dict[str, int]:
        return _counts(self._position.terrain_discard, self._names.terrains)

    @property
    def festivals(self) -> dict[str, int]:
        """The festival cards lying at the cities, by group."""
        return _counts(self._position.pool, self._names.groups)

    @property
    def tunnel_cards(self) -> tuple[str, ...]:
        """The cards turned up for the tunnel now attempted."""
        return tuple(CARDS[c] for c in self._position.turned[: self._position.turned_n])

    @property
    def tunnel_extra(self) -> int:
        return self._position.due

    @property
    def pending_track(self) -> str | None:
        """The track of the claim the reader may see in the making."""
        s = self._position
        if s.claim_track < 0 or s.phase == k.PAY_STATION:
            return None
        return self._names.tracks[s.claim_track]

    @property
    def owners(self) -> dict[str, int]:
        """Who owns each claimed track."""
        return {track: seat for seat in range(self.player_count) for track in self._tracks(seat)}

    @property
    def doubled(self) -> frozenset[str]:
        """The tracks whose points were doubled (AFR-09)."""
        return frozenset(self._track_names(self._position.doubled))

    @property
    def closed_tracks(self) -> tuple[str, ...]:
        """Unclaimed tracks that the reader, or for a spectator everybody, may not claim any more (C-26, C-27)."""
        s = self._position
        seats = range(self.player_count) if self.reader is None else (self.reader,)
        shut = [-1] * k.TRACK_WORDS
        for word in range(k.TRACK_WORDS):
            for seat in seats:
                shut[word] &= s.shut[k.TRACK_WORDS * seat + word]
            for seat in range(self.player_count):
                shut[word] &= ~s.owned[k.TRACK_WORDS * seat + word]
        return tuple(self._track_names(shut))

    def completed_tickets(self, seat: int) -> tuple[str, ...]:
        """Of the seat's tickets known to the reader, those its tracks join now; stations lend at the end (C-32)."""
        s, b, w = self._position, make_board(self.map), scratch()
        join_places(s, b, w, seat)
        held = (t for t in range(b.n_tickets) if s.ticket_at[t] == k.HELD + seat)
        return tuple(self._names.tickets[t] for t in held if is_completed(b, w, t))

    @property
    def pending_station(self) -> str | None:
        """The city of the station the reader is paying for."""
        s = self._position
        return self._names.places[s.claim_track] if s.phase == k.PAY_STATION else None

    @property
    def pack(self) -> tuple[str, ...]:
        """The pack of tickets before the reader in a draft (IBE-04)."""
        if self.reader is None or self._position.phase != k.DRAFT_PICK:
            return ()
        return tuple(a.ticket for a in self.legal_actions() if isinstance(a, PickTicket))

    @property
    def offered_tickets(self) -> tuple[str, ...]:
        """The tickets the reader has to choose from, or has taken so far in a draft."""
        if self.reader is None:
            return ()
        at = self.reader * k.OFFER
        return tuple(
            self._names.tickets[t] for t in self._position.offer[at : at + self._position.offer_n[self.reader]]
        )

    @property
    def players(self) -> tuple[PlayerView, ...]:
        return tuple(self.player(seat) for seat in range(self.player_count))

    @property
    def me(self) -> PlayerView:
        """The reader's own seat."""
        if self.reader is None:
            raise ValueError("a spectator has no seat")
        return self.player(self.reader)

    def player(self, seat: int) -> PlayerView:
        s, names = self._position, self._names
        stations = s.stations[seat * k.STATIONS : (seat + 1) * k.STATIONS]
        built = tuple(names.places[p - 1] for p in stations if p)
        each = self.map.stations.each if self.map.stations else 0
        return PlayerView(
            seat=seat,
            trains=s.trains[seat],
            score=s.score[seat],
            hand=_counts(s.hand[seat * k.HAND : seat * k.HAND + k.CARDS], CARDS),
            unknown_cards=s.hand[seat * k.HAND + k.UNKNOWN],
            ticket_count=s.ticket_count[seat],
            tickets=tuple(t for i, t in enumerate(names.tickets) if s.ticket_at[i] == k.HELD + seat),
            stations=built,
            stations_left=each - len(built),
            terrain=_counts(s.terrain[seat * k.TERRAINS : (seat + 1) * k.TERRAINS], names.terrains),
            festival_count=s.pile_n[seat],
            festivals=_counts(s.pile[seat * k.GROUPS : (seat + 1) * k.GROUPS], names.groups),
            tracks=tuple(self._tracks(seat)),
        )

    def legal_actions(self) -> tuple[Action, ...]:
        """The reader's legal actions; none for a spectator or when others have to choose."""
        if self.reader is None:
            return ()
        return legal_actions(self._position, self.map, self.reader)

    def _tracks(self, seat: int) -> list[str]:
        return self._track_names(self._position.owned[k.TRACK_WORDS * seat : k.TRACK_WORDS * (seat + 1)])

    def _track_names(self, words: list[int]) -> list[str]:
        names = self._names.tracks
        found = []
        for word, bits in enumerate(words):
            bits &= (1 << k.BITS) - 1
            while bits:
                i = word * k.BITS + (bits & -bits).bit_length() - 1
                if i < len(names):
                    found.append(names[i])
                bits &= bits - 1
        return found


def seats_of(bits: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(k.SEATS) if bits >> seat & 1)


def legal_actions(s: Position, data: MapData, seat: int) -> tuple[Action, ...]:
    """The legal actions of a seat, in the order of their codes."""
    w = scratch()
    fill_menu(s, make_board(data), w, seat)
    names = names_of(data)
    return tuple(action_of(code, s, names, seat) for code in w.codes[: write_menu(w)])


def imagine(view: View, rng: Rng) -> Game:
    """A full game consistent with what the reader of a view knows; everything else is dealt anew."""
    from branchline.game import Game

    world = view.position
    reader = SPECTATOR if view.reader is None else view.reader
    fill_in(world, make_board(view.map), scratch(), reader, rng.getrandbits(62))
    return Game.at(view.map, world)


def _counts(numbers: list[int], names: tuple[str, ...] | list[str]) -> dict[str, int]:
    return {name: n for name, n in zip(names, numbers, strict=False) if n}
