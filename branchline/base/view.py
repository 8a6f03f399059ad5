"""What every view holds: the facts of the base game that a reader may know. Mechanics add theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from branchline.actions import Action
from branchline.codec import ENDS, action_of, names_of
from branchline.events import EndReason, Reader
from branchline.kernel import state as k
from branchline.kernel.board import make_board
from branchline.kernel.paths import is_completed, join_places
from branchline.kernel.scratch import scratch
from branchline.kernel.turn import fill_menu, write_menu
from branchline.kernel.view import SPECTATOR, veil
from branchline.maps.model import CARDS, SEAT_COLOURS, MapData
from branchline.mechanics.composed import Position
from branchline.phases import PHASES, Phase

if TYPE_CHECKING:
    from branchline.mechanics.composed_view import PlayerView as WholePlayerView


class PlayerView:
    """One player as the reader sees them. `hand` is what is known of it, `unknown_cards` how many more there are."""

    __slots__ = ("_names", "_position", "map", "seat")

    def __init__(self, view: View, seat: int) -> None:
        """Use `View.player`."""
        self.map = view.map
        self.seat = seat
        self._position = view._position
        self._names = view._names

    @property
    def trains(self) -> int:
        return self._position.trains[self.seat]

    @property
    def score(self) -> int:
        return self._position.score[self.seat]

    @property
    def hand(self) -> dict[str, int]:
        at = self.seat * k.HAND
        return counts(self._position.hand[at : at + k.CARDS], CARDS)

    @property
    def unknown_cards(self) -> int:
        return self._position.hand[self.seat * k.HAND + k.UNKNOWN]

    @property
    def ticket_count(self) -> int:
        return self._position.ticket_count[self.seat]

    @property
    def tickets(self) -> tuple[str, ...]:
        """Those known to the reader."""
        held, at = k.HELD + self.seat, self._position.ticket_at
        return tuple(ticket for i, ticket in enumerate(self._names.tickets) if at[i] == held)

    @property
    def tracks(self) -> tuple[str, ...]:
        at = k.TRACK_WORDS * self.seat
        return tuple(track_names(self._position.owned[at : at + k.TRACK_WORDS], self._names.tracks))

    @property
    def colour(self) -> str:
        """The colour of the player's trains."""
        return SEAT_COLOURS[self.seat]

    @property
    def card_count(self) -> int:
        at = self.seat * k.HAND
        return sum(self._position.hand[at : at + k.CARDS]) + self.unknown_cards


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
    def of(cls, data: MapData, position: Position, reader: Reader) -> Self:
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
    def phase(self) -> Phase:
        return PHASES[self._position.phase]

    @property
    def is_over(self) -> bool:
        return self._position.phase == k.OVER

    @property
    def end_reason(self) -> EndReason | None:
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
        return counts(self._position.discard, CARDS)

    @property
    def ticket_deck_size(self) -> int:
        return self._position.ticket_n

    @property
    def pending_track(self) -> str | None:
        """The track of the claim the reader may see in the making."""
        s = self._position
        return self._names.tracks[s.claim_track] if s.claim_track >= 0 else None

    @property
    def pending(self) -> str | None:
        """What the reader's claim in the making is of."""
        return self.pending_track

    @property
    def owners(self) -> dict[str, int]:
        """Who owns each claimed track."""
        return {track: seat for seat in range(self.player_count) for track in self.player(seat).tracks}

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
        return tuple(track_names(shut, self._names.tracks))

    def completed_tickets(self, seat: int) -> tuple[str, ...]:
        """Of the seat's tickets known to the reader, those its tracks join now (C-32)."""
        s, b, w = self._position, make_board(self.map), scratch()
        join_places(s, b, w, seat)
        held = (t for t in range(b.n_tickets) if s.ticket_at[t] == k.HELD + seat)
        return tuple(self._names.tickets[t] for t in held if is_completed(b, w, t))

    @property
    def offered_tickets(self) -> tuple[str, ...]:
        """The tickets the reader has to choose from, or has taken so far."""
        if self.reader is None:
            return ()
        at = self.reader * k.OFFER
        return tuple(
            self._names.tickets[t] for t in self._position.offer[at : at + self._position.offer_n[self.reader]]
        )

    @property
    def players(self) -> tuple[WholePlayerView, ...]:
        return tuple(self.player(seat) for seat in range(self.player_count))

    @property
    def me(self) -> WholePlayerView:
        """The reader's own seat."""
        if self.reader is None:
            raise ValueError("a spectator has no seat")
        return self.player(self.reader)

    def player(self, seat: int) -> WholePlayerView:
        """One of the players."""
        raise NotImplementedError("a part of a view has no players: use View")

    def legal_actions(self) -> tuple[Action, ...]:
        """The reader's legal actions; none for a spectator or when others have to choose."""
        if self.reader is None:
            return ()
        return legal_actions(self._position, self.map, self.reader)


def track_names(words: list[int], names: list[str]) -> list[str]:
    """The tracks whose bits are set."""
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


def counts(numbers: list[int], names: tuple[str, ...] | list[str]) -> dict[str, int]:
    return {name: n for name, n in zip(names, numbers, strict=False) if n}
