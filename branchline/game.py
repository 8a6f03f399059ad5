"""The face of the library: a `Game` reads like the rulebook.

game = Game.new("europe", players=3, seed=7)
for action in game.legal_actions():
    ...
events = game.play(action)
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from branchline.actions import Action, Seat
from branchline.codec import ENDS, code_of, events_of, names_of
from branchline.deal import BadDeal, Deal, check_players, dealt_board
from branchline.events import ChoiceMade, EndReason, Event, Reader, SeatChose
from branchline.kernel.scratch import scratch
from branchline.kernel.setup import set_up
from branchline.kernel.turn import is_legal
from branchline.kernel.turn import play as kernel_play
from branchline.maps.loader import load_map
from branchline.maps.model import MapData
from branchline.mechanics import composed as k
from branchline.mechanics.composed import Position
from branchline.mechanics.composed_face import FACES
from branchline.notation import read_action
from branchline.objections import GameOver
from branchline.phases import PHASES, Phase
from branchline.refusals import IllegalAction, refusal
from branchline.scores import PlayerScore, score_sheet
from branchline.view import View, legal_actions, seats_of

__all__ = ["BadDeal", "Deal", "Game", "IllegalAction"]

SIMULTANEOUS = frozenset(phase for face in FACES for phase in face.simultaneous)


class Game:
    """One game, played in place. Seats are numbered from 0; seat 0 starts (C-08)."""

    def __init__(self, data: MapData, position: Position, deal: Deal, first_events: tuple[Event, ...]) -> None:
        """Use `Game.new` or `Game.at`."""
        self.map = data
        self.deal = deal
        self._position = position
        self._board = dealt_board(data, deal)
        self._names = names_of(data)
        self._reshuffled_by_hand = deal.has_reshuffles
        self.first_events = first_events
        self.history: list[tuple[Seat, Action]] = []

    @classmethod
    def new(cls, map: str | MapData, players: int, seed: int | None = None, *, deal: Deal | None = None) -> Game:
        """Deal a new game from a seed, or from a deal written by hand; without either, by chance."""
        data = load_map(map) if isinstance(map, str) else map
        check_players(data, players)
        if deal is not None and seed is not None:
            raise ValueError("give a seed or a deal, not both: a deal has a seed of its own")
        if deal is None:
            deal = Deal(seed=secrets.randbits(63) if seed is None else seed)
        position = Position()
        board, w = dealt_board(data, deal), scratch()
        w.listening = 1
        set_up(position, board, w, players, deal.seed)
        if position.fault:
            raise BadDeal(
                "the deal names a card more often than the deck has it, or one too early that is mixed in later"
            )
        events = tuple(events_of(w, data, names_of(data)))
        return cls(data, position, deal, events)

    @classmethod
    def at(cls, map: str | MapData, position: Position) -> Game:
        """A game that goes on from a position; its history begins there."""
        data = load_map(map) if isinstance(map, str) else map
        return cls(data, position.copy(), Deal(seed=position.seed), ())

    # ------------------------------------------------------------ reading

    @property
    def players(self) -> int:
        return self._position.players

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that have to choose now: one, or several where all choose at once (C-07)."""
        return seats_of(self._position.awaited)

    @property
    def phase(self) -> Phase:
        return PHASES[self._position.phase]

    @property
    def all_choose(self) -> bool:
        """Whether all choose at once now (C-07)."""
        return self._position.phase in SIMULTANEOUS

    @property
    def is_over(self) -> bool:
        return self._position.phase == k.OVER

    @property
    def end_reason(self) -> EndReason | None:
        return ENDS.get(self._position.end)

    @property
    def position(self) -> Position:
        """A copy of the whole position, hidden cards and all: for tools, never for players."""
        return self._position.copy()

    def legal_actions(self, seat: Seat | None = None) -> tuple[Action, ...]:
        """What a seat may choose now; without a seat, the lowest that has to."""
        seat = self._acting(seat)
        return legal_actions(self._position, self.map, seat) if seat is not None else ()

    def view(self, reader: Reader) -> View:
        """What a seat, or a spectator (None), may know."""
        return View.of(self.map, self._position, reader)

    def scores(self) -> tuple[PlayerScore, ...]:
        """The score sheet, as if the game ended here."""
        return score_sheet(self._position, self._board, self.map)

    # ------------------------------------------------------------ playing

    def play(self, action: Action | str, seat: Seat | None = None) -> tuple[Event, ...]:
        """Play an action, or a line of notation; the events it made. An illegal one raises and changes nothing."""
        if isinstance(action, str):
            action = read_action(action, self.map)
        acting = self._acting(seat)
        if acting is None:
            raise IllegalAction("C-33", GameOver())
        s, w = self._position, scratch()
        code = code_of(action, s, self._names, acting)
        if not is_legal(s, self._board, w, acting, code):
            raise refusal(self.map, self._board, s, acting, action)
        before = s.copy() if self._reshuffled_by_hand else None
        phase = s.phase
        w.listening = 1
        kernel_play(s, self._board, w, acting, code)
        if s.fault:
            assert before is not None
            self._position = before
            raise BadDeal("a reshuffle written by hand names a card that is not among the cards shuffled")
        self.history.append((acting, action))
        return tuple(self._with_choice(events_of(w, self.map, self._names), phase, acting))

    def _with_choice(self, events: list[Event], phase: int, seat: Seat) -> list[Event]:
        """In a phase in which all choose at once, all are told that a seat is done, first (C-07)."""
        if phase not in SIMULTANEOUS:
            return events
        done = not self._position.awaited >> seat & 1 or self._position.phase != phase or len(events) > 1
        if any(isinstance(event, SeatChose) and event.seat == seat for event in events[:1]):
            return [events[0], ChoiceMade(seat), *events[1:]]
        return [ChoiceMade(seat), *events] if done else events

    def play_all(self, lines: Sequence[Action | str]) -> None:
        """Play several actions, each for the lowest seat that has to act."""
        for line in lines:
            self.play(line)

    def _acting(self, seat: Seat | None) -> Seat | None:
        if seat is None:
            return self.to_act[0] if self.to_act else None
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.players:
            raise ValueError(f"no seat {seat!r}: seats are 0 to {self.players - 1}")
        return None if self.is_over else seat

    # ------------------------------------------------------------ values

    def copy(self) -> Game:
        """A game of its own that goes on from here; neither sees what happens to the other."""
        twin = Game.__new__(Game)
        twin.map, twin.deal, twin._board, twin._names = self.map, self.deal, self._board, self._names
        twin._reshuffled_by_hand = self._reshuffled_by_hand
        twin._position = self._position.copy()
        twin.first_events = self.first_events
        twin.history = self.history.copy()
        return twin

    def __eq__(self, other: object) -> bool:
        """Equal if the same map stands in the same position, hidden cards included."""
        return isinstance(other, Game) and self.map.hash == other.map.hash and self._position == other._position

    __hash__ = None  # type: ignore[assignment]  # a game changes

    def __repr__(self) -> str:
        return f"<Game {self.map.id}, {self.players} players, {len(self.history)} moves, {self.phase}>"
