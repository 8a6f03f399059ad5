"""Where mechanics come in: all that the terminal asks of them.

A mechanic's terminal.py makes one object of a class derived from `Part`, called PART, and overrides what it has
something to say about. The terminal names no mechanic: it asks all parts in the order of the list (`parts.py`), what is
shown only those that are in play on the map; what is typed all of them, so that the engine refuses with its clause what
this map does not have.

    shown     player · player_lines · built · face_up · piles · lying · own · tables · track_kind · track_state
              helped · could_help · standing · final · ties
    drawn     face_up_row · pile · lying_row · column, cell · short_kind           (the same, for the tables of rich)
    chosen    question · due · turn_words · option · options · ticket_of
    typed     verbs · sentences · choice · verb · wish · card, card_names, draw
    told      seen_anyway · revealing
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from branchline.actions import Action
from branchline.maps.model import MapData, Track
from branchline.scores import PlayerScore
from branchline.terminal.finding import PlaceFinder
from branchline.terminal.labels import ScreenLabels
from branchline.terminal.payment import Payment, Wish
from branchline.terminal.plan import Reading, Say
from branchline.terminal.words import Word
from branchline.view import PlayerView, View


@dataclass(frozen=True, slots=True)
class Helped:
    """How a ticket is done by other means than own tracks: in a sentence, and in a few words."""

    text: str
    short: str


@dataclass(frozen=True, slots=True)
class Due:
    """A payment that is open: how many cards for what; the question if it is not the usual one, and what is said to
    who wants to pay and cannot."""

    cards: int
    what: str
    question: str = ""
    unpayable: str = ""


@dataclass(frozen=True, slots=True)
class Tie:
    """A way to tell players with equal points apart: its words, and the number that is compared."""

    words: str
    value: Callable[[PlayerScore], int]


@dataclass(frozen=True, slots=True)
class Ended:
    """What the lines of a finished game are told with."""

    owners: Mapping[str, int]
    labels: ScreenLabels
    names: Sequence[str]


class Typed(Protocol):
    """What a line is read with: what the player sees, and how the terminal reads what all lines have."""

    view: View
    actions: Sequence[Action]
    labels: ScreenLabels
    finder: PlaceFinder

    def payment(self, words: list[str]) -> Payment: ...

    def best_colour(self) -> str: ...

    def unknown(self, text: str) -> Say: ...


class Part:
    """A mechanic in the terminal. Every place is empty until it is overridden."""

    clauses = ""  # the letters its clauses begin with
    verbs: tuple[tuple[str, Word], ...] = ()  # what can be typed, by its first words
    card = ""  # the word for its cards where train cards are drawn, before a place or "deck"
    column = ""  # the heading of its column among the players
    column_of_numbers = False
    seen_anyway: tuple[type, ...] = ()  # events that the table shows anyway: not told as news
    revealing: tuple[tuple[type, str], ...] = ()  # events after which nothing is taken back, and why
    ties: tuple[tuple[str, Tie], ...] = ()  # by their name in a map file

    def in_play(self, data: MapData) -> bool:
        raise NotImplementedError

    # ------------------------------------------------------------ shown

    def player(self, player: PlayerView, labels: ScreenLabels) -> str:
        """What stands in a player's line."""
        return ""

    def player_lines(self, player: PlayerView, labels: ScreenLabels) -> Iterable[str]:
        """Lines under a player, with all that is public."""
        return ()

    def built(self, player: PlayerView, labels: ScreenLabels) -> Iterable[str]:
        """Lines under a player's tracks on the board."""
        return ()

    def face_up(self, view: View, labels: ScreenLabels, offers: Sequence[object]) -> Iterable[str]:
        """What lies face up beside the display, without what is offered in the menu."""
        return ()

    def piles(self, view: View, labels: ScreenLabels) -> Iterable[str]:
        return ()

    def lying(self, view: View, labels: ScreenLabels) -> Iterable[str]:
        """What lies on the board."""
        return ()

    def own(self, view: View, labels: ScreenLabels) -> Iterable[str]:
        """What the reader alone has, under the tickets."""
        return ()

    def tables(self, data: MapData) -> Iterable[str]:
        """The tables printed on the board and the cards."""
        return ()

    def track_kind(self, track: Track) -> str:
        """What is special about a track, in a word or two."""
        return ""

    def track_state(self, track: str, view: View) -> str:
        """What has become of a claimed track, in a word."""
        return ""

    def helped(self, view: View) -> Mapping[str, Helped]:
        """The reader's tickets that are done as it stands, though own tracks do not join them."""
        return {}

    def could_help(self, view: View) -> str:
        """What could still complete a ticket that own tracks cannot."""
        return ""

    def standing(self, sheet: PlayerScore, labels: ScreenLabels) -> Iterable[str]:
        """Lines of the reader's sheet if the game ended now."""
        return ()

    def final(self, score: PlayerScore, ended: Ended) -> Iterable[tuple[int | None, str]]:
        """Points of the final sheet with their words; None for a line that only explains."""
        return ()

    # ------------------------------------------------------------ drawn

    def face_up_row(self, view: View, labels: ScreenLabels) -> tuple[str, str] | None:
        """A heading and what lies face up."""
        return None

    def pile(self, view: View) -> str:
        return ""

    def lying_row(self, view: View, labels: ScreenLabels) -> tuple[str, str] | None:
        """A heading and what lies on the board."""
        return None

    def cell(self, player: PlayerView, labels: ScreenLabels) -> str:
        """What stands in its column."""
        return ""

    def short_kind(self, track: Track) -> str:
        return self.track_kind(track)

    # ------------------------------------------------------------ chosen

    def question(self, view: View, actions: Sequence[Action], labels: ScreenLabels) -> str:
        """What is awaited, where it is the mechanic's question."""
        return ""

    def due(self, view: View, labels: ScreenLabels) -> Due | None:
        """The payment that is open, where it is the mechanic's."""
        return None

    def turn_words(self, kinds: set[type]) -> str:
        """What a turn can be used for."""
        return ""

    def option(self, view: View, action: Action, labels: ScreenLabels) -> str:
        """An action of its own as a line of the menu."""
        return ""

    def options(self, view: View, actions: Sequence[Action]) -> Iterable[tuple[str, Reading]]:
        """Lines of the menu that stand for several actions."""
        return ()

    def ticket_of(self, action: Action) -> str | None:
        """The ticket an action of its own chooses."""
        return None

    # ------------------------------------------------------------ typed

    def sentences(self, action: Action, view: View, labels: ScreenLabels) -> Iterable[tuple[str, ...]]:
        """All that can be typed for an action of its own, in the pieces in which it is completed."""
        return ()

    def choice(self, text: str, typed: Typed) -> Reading | None:
        """A short answer to its question."""
        return None

    def verb(self, words: list[str], typed: Typed) -> Reading | None:
        """A line that begins with a word of its own."""
        return None

    def wish(self, word: str, rest: list[str], finder: PlaceFinder) -> Wish | None:
        """What a word in the line of a claim means; words that belong to it are taken out of `rest`."""
        return None

    def card_names(self, labels: ScreenLabels) -> Iterable[str]:
        """The words that mean its cards where train cards are drawn."""
        return ()

    def draw(self, word: str, typed: Typed) -> Action | Say:
        """The card meant by one of these, by a number or by "deck"."""
        raise NotImplementedError
