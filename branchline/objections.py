"""Why an action is refused, as data: a clause, and a kind of refusal with its parameters.

The kernel alone decides what is legal; this is asked only after it has said no. Each explainer is asked about actions
of some classes and says why not, or None if the reason is another's: first those of the core that come before all
else, then the mechanics', then what is left. The parameters are ids of the map and numbers, so that a refusal can be
worded in any language: the messages stand under `why` in the catalogues of words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from branchline.base import actions as a
from branchline.kernel.claim import least_locos, most_locos
from branchline.kernel.draw import draw_menu
from branchline.maps.model import CARDS, GRAY, LOCO, MapData, Track
from branchline.mechanics import composed as k
from branchline.mechanics.composed import Board, Position
from branchline.phases import PHASES, Phase

if TYPE_CHECKING:
    from branchline.actions import Action
    from branchline.mechanics.composed_face import Names


class Case:
    """The circumstances of one refused action."""

    def __init__(self, data: MapData, b: Board, s: Position, seat: int, names: Names) -> None:
        self.data, self.b, self.s, self.seat, self.names = data, b, s, seat, names
        self.hand = dict(zip(CARDS, s.hand[seat * k.HAND : seat * k.HAND + k.CARDS], strict=True))

    def in_hand(self, colour: str) -> tuple[int, int]:
        """Cards of a colour, and locomotives beside them."""
        return 0 if colour == LOCO else self.hand[colour], self.hand[LOCO]


class NotAwaited:
    """Stands for any action of a seat that has nothing to choose now."""


Objection: TypeAlias = tuple[str, Any]  # the clause, and the refusal
Explainer: TypeAlias = Callable[[Case, Any], Objection | None]
E = TypeVar("E", bound=Explainer)

_FIRST: dict[type, list[Explainer]] = {}
_MECHANICS: dict[type, list[Explainer]] = {}
_LAST: dict[type, list[Explainer]] = {}


def _explains(among: dict[type, list[Explainer]], *asked: type) -> Callable[[E], E]:
    def note(explainer: E) -> E:
        for kind in asked:
            among.setdefault(kind, []).append(explainer)
        return explainer

    return note


def explains(*asked: type) -> Callable[[E], E]:
    """Above a mechanic's explainer: the classes of actions it is asked about."""
    return _explains(_MECHANICS, *asked)


def objection(case: Case, action: Action) -> Objection:
    """Why this action is not legal in this case."""
    if not case.s.awaited >> case.seat & 1:
        return _ask(case, NotAwaited, action)
    if isinstance(action, a.TurnAction) and not _may_begin(case, action):
        return "C-41", OtherThingDue(PHASES[case.s.phase])
    return _ask(case, type(action), action)


def _ask(case: Case, kind: type, action: Action) -> Objection:
    for among in (_FIRST, _MECHANICS, _LAST):
        for explainer in among.get(kind, ()):
            found = explainer(case, action)
            if found is not None:
                return found
    raise AssertionError(f"nobody explains why {action} is refused")


def _may_begin(case: Case, action: Action) -> bool:
    drawing = case.s.phase in (k.DRAW_FIRST, k.DRAW_SECOND) and isinstance(action, a.Draw)
    return case.s.phase == k.TURN or drawing


# ---------------------------------------------------------------- whose turn, and what is due


@dataclass(frozen=True, slots=True)
class GameOver:
    pass


@dataclass(frozen=True, slots=True)
class NotYourTurn:
    seat: int  # who is to move


@dataclass(frozen=True, slots=True)
class FirstTicketsChosen:
    pass


@dataclass(frozen=True, slots=True)
class OtherThingDue:
    due: Phase


@dataclass(frozen=True, slots=True)
class CanDoSomething:
    """Nobody passes who can do anything else."""


@dataclass(frozen=True, slots=True)
class UnknownCode:
    """A number of `fast.FastGame` that is no choice here."""

    code: int
    choices: int


@_explains(_LAST, NotAwaited)
def _waits(case: Case, action: Action) -> Objection:
    if case.s.phase == k.FIRST_TICKETS:
        return "C-07", FirstTicketsChosen()
    return "C-01", NotYourTurn(case.s.seat)


@_explains(_LAST, a.Pass)
def _passes(case: Case, action: a.Pass) -> Objection:
    return "C-34", CanDoSomething()


# ---------------------------------------------------------------- drawing


@dataclass(frozen=True, slots=True)
class NoDisplayPlace:
    place: int
    places: int  # from 1 to this


@dataclass(frozen=True, slots=True)
class DisplayPlaceEmpty:
    place: int


@dataclass(frozen=True, slots=True)
class NoSecondLocomotive:
    pass


@dataclass(frozen=True, slots=True)
class DeckEmpty:
    """But a card lies face up."""


@dataclass(frozen=True, slots=True)
class NothingToDraw:
    pass


@_explains(_LAST, a.DrawDisplay)
def _display(case: Case, action: a.DrawDisplay) -> Objection:
    if not 1 <= action.place <= case.b.display:
        return "C-04", NoDisplayPlace(action.place, case.b.display)
    if case.s.display[action.place - 1] == k.NO_CARD:
        return "C-19", DisplayPlaceEmpty(action.place)
    return case.data.clauses.second_card, NoSecondLocomotive()


@_explains(_LAST, a.DrawDeck)
def _deck(case: Case, action: a.DrawDeck) -> Objection:
    if draw_menu(case.s, case.b, int(case.s.phase == k.DRAW_SECOND)):
        return "C-19", DeckEmpty()
    return "C-20", NothingToDraw()


# ---------------------------------------------------------------- claiming


@dataclass(frozen=True, slots=True)
class UnknownTrack:
    track: str


@dataclass(frozen=True, slots=True)
class TrackTaken:
    seat: int  # whose it is
    track: str


@dataclass(frozen=True, slots=True)
class OwnsTheOther:
    """Of a double route."""

    track: str


@dataclass(frozen=True, slots=True)
class OneOfDouble:
    """With so few players one track of a double route closes the others."""

    track: str
    players: int


@dataclass(frozen=True, slots=True)
class TooFewTrains:
    track: str
    length: int
    trains: int


@dataclass(frozen=True, slots=True)
class UnknownColour:
    colour: str


@dataclass(frozen=True, slots=True)
class WrongColour:
    track: str
    needed: str


@dataclass(frozen=True, slots=True)
class NoCardOfColour:
    """For a gray track."""

    track: str
    colour: str


@dataclass(frozen=True, slots=True)
class MixedColours:
    """Somebody wrote of two colours for what has to be paid in one."""

    colour: str
    other: str


@dataclass(frozen=True, slots=True)
class TooFewLocomotives:
    """For a gray track, with locomotives alone."""

    track: str
    length: int
    locos: int


@dataclass(frozen=True, slots=True)
class NoFittingCards:
    """None of the colour, and no locomotive."""

    track: str
    length: int


@dataclass(frozen=True, slots=True)
class TooFewCards:
    """Of the colour, and locomotives."""

    track: str
    length: int
    colour: str
    cards: int
    locos: int


@_explains(_FIRST, a.ClaimTrack)
def _closed(case: Case, action: a.ClaimTrack) -> Objection | None:
    if action.track not in case.names.track:
        return "C-25", UnknownTrack(action.track)
    t = case.names.track[action.track]
    word, bit = t // k.BITS, t % k.BITS
    if not case.s.shut[k.TRACK_WORDS * case.seat + word] >> bit & 1:
        return None
    for seat in range(case.s.players):
        if case.s.owned[k.TRACK_WORDS * seat + word] >> bit & 1:
            return "C-25", TrackTaken(seat, action.track)
    if _owns_twin(case, t):
        return "C-26", OwnsTheOther(action.track)
    return "C-27", OneOfDouble(action.track, case.s.players)


def _owns_twin(case: Case, t: int) -> bool:
    words = range(k.TRACK_WORDS)
    return any(case.b.twins[k.TRACK_WORDS * t + w] & case.s.owned[k.TRACK_WORDS * case.seat + w] for w in words)


@_explains(_FIRST, a.ClaimTrack)
def _too_long(case: Case, action: a.ClaimTrack) -> Objection | None:
    track, trains = _track(case, action), case.s.trains[case.seat]
    return None if trains >= track.length else ("C-23", TooFewTrains(track.id, track.length, trains))


@_explains(_FIRST, a.ClaimTrack)
def _wrong_colour(case: Case, action: a.ClaimTrack) -> Objection | None:
    track, colour = _track(case, action), action.colour
    if colour not in case.hand:
        return "C-02", UnknownColour(colour)
    if track.colour != GRAY:
        return None if colour == track.colour else ("C-21", WrongColour(track.id, track.colour))
    if case.hand[colour] == 0 and colour != LOCO:
        return "C-22", NoCardOfColour(track.id, colour)
    return None


@_explains(_LAST, a.ClaimTrack)
def _unpayable(case: Case, action: a.ClaimTrack) -> Objection:
    track, (cards, locos) = _track(case, action), case.in_hand(action.colour)
    if action.colour == LOCO:
        return "C-22", TooFewLocomotives(track.id, track.length, locos)
    clause = "C-22" if track.colour == GRAY else "C-21"
    if not cards + locos:
        return clause, NoFittingCards(track.id, track.length)
    return clause, TooFewCards(track.id, track.length, action.colour, cards, locos)


def _track(case: Case, action: a.ClaimTrack) -> Track:
    return case.data.tracks[case.names.track[action.track]]


# ---------------------------------------------------------------- locomotives


@dataclass(frozen=True, slots=True)
class WrongLocomotives:
    least: int
    most: int
    count: int


@dataclass(frozen=True, slots=True)
class NothingToPay:
    pass


def wrong_locomotives(case: Case, count: int) -> WrongLocomotives:
    """How many of them a claim in the making takes."""
    return WrongLocomotives(least_locos(case.s, case.b, case.seat), most_locos(case.s, case.b, case.seat), count)


@_explains(_LAST, a.PlayLocos)
def _locomotives(case: Case, action: a.PlayLocos) -> Objection:
    return "C-21", wrong_locomotives(case, action.count) if case.s.phase == k.PAY else NothingToPay()


# ---------------------------------------------------------------- tickets


@dataclass(frozen=True, slots=True)
class NoTicketsLeft:
    pass


@dataclass(frozen=True, slots=True)
class KeepFirst:
    keep: int  # at least
    offered: int


@dataclass(frozen=True, slots=True)
class KeepDrawn:
    keep: int  # at least
    offered: int


@dataclass(frozen=True, slots=True)
class NoTicketsToChoose:
    pass


@dataclass(frozen=True, slots=True)
class NotToReturn:
    ticket: str


@_explains(_LAST, a.DrawTickets)
def _tickets(case: Case, action: a.DrawTickets) -> Objection:
    return "C-31", NoTicketsLeft()


@_explains(_LAST, a.KeepTickets)
def _keeps(case: Case, action: a.KeepTickets) -> Objection:
    offered, clauses = case.s.offer_n[case.seat], case.data.clauses
    if case.s.phase == k.FIRST_TICKETS:
        return clauses.first_tickets, KeepFirst(case.b.keep_first, offered)
    if case.s.phase == k.KEEP_TICKETS:
        return clauses.ticket_draw, KeepDrawn(case.b.ticket_keep, offered)
    return "C-29", NoTicketsToChoose()


@_explains(_LAST, a.ReturnTicket)
def _returns(case: Case, action: a.ReturnTicket) -> Objection:
    return "C-28", NotToReturn(action.ticket)


Refusal: TypeAlias = (
    GameOver
    | NotYourTurn
    | FirstTicketsChosen
    | OtherThingDue
    | CanDoSomething
    | UnknownCode
    | NoDisplayPlace
    | DisplayPlaceEmpty
    | NoSecondLocomotive
    | DeckEmpty
    | NothingToDraw
    | UnknownTrack
    | TrackTaken
    | OwnsTheOther
    | OneOfDouble
    | TooFewTrains
    | UnknownColour
    | WrongColour
    | NoCardOfColour
    | MixedColours
    | TooFewLocomotives
    | NoFittingCards
    | TooFewCards
    | WrongLocomotives
    | NothingToPay
    | NoTicketsLeft
    | KeepFirst
    | KeepDrawn
    | NoTicketsToChoose
    | NotToReturn
)
