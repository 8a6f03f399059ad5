"""The fixed places where mechanics come in. The kernel plays what every map has and asks here for the rest.

Each place is a stub that answers "nothing", so the kernel plays without any mechanic. A mechanic puts a function of its
own at a place (`@at(hooks.turn_ends)` above `@kernel`), or says in one line what holds there (SAYS in its rules.py: a
condition for ANY, a statement for EACH). `python -m branchline.mechanics` writes for each place one plain function that
asks the mechanics of the list in their order, each only where it is in play; `link` puts these in the place of the
stubs, once, on import.

How the answers of several are joined:
    EACH      all are told
    FIRST     until one answers other than 0
    ONE       the one whose `when` is true (each names its own phases, choices, words), else what the stub answers
    ANY       1 if one of the conditions said is true
    SUM, UNION, MOST
    FOLD      the argument `n` is handed on from one to the next
    QUESTION  FIRST; `when` is true while the mechanic's own question is open, and whoever is at or before the one whose
              question was answered is not asked again
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from branchline.kernel.state import Board, Position, Work
from branchline.maps.core import MapData

F = TypeVar("F", bound=Callable[..., Any])

EACH, FIRST, ONE, ANY, SUM, UNION, MOST, FOLD, QUESTION = (
    "each",
    "first",
    "one",
    "any",
    "sum",
    "union",
    "most",
    "fold",
    "question",
)


class Hook(NamedTuple):
    """A place, and how the answers are joined there."""

    stub: Callable[..., Any]
    joined: str


class Entry(NamedTuple):
    """A mechanic's function at a place."""

    hook: str
    function: Callable[..., Any]
    when: str | None  # instead of "the mechanic is in play"


HOOKS: dict[str, Hook] = {}
ENTRIES: list[Entry] = []
ALWAYS = "always"


def hook(joined: str) -> Callable[[F], F]:
    """Make a stub a place where mechanics come in."""

    def note(stub: F) -> F:
        HOOKS[stub.__name__] = Hook(stub, joined)
        return stub

    return note


def at(place: Callable[..., Any], when: str | None = None) -> Callable[[F], F]:
    """Put a function at a place; its parameters are some of the place's, by their names.

    It is called where `when` is true, an expression over the place's parameters and the mechanic's numbers; without
    one, where the mechanic is in play (IN_PLAY in its state.py); with ALWAYS, on every map.
    """

    def note(function: F) -> F:
        ENTRIES.append(Entry(place.__name__, function, when))
        return function

    return note


def link(dispatchers: dict[str, Any]) -> None:
    """Put the functions that ask the mechanics in the place of their stubs, where these stand and wherever one was
    imported. Whoever has a position has imported composed.py, which does this: nobody plays without."""
    modules = [module for name, module in sys.modules.items() if name.startswith("branchline.")]
    for name in dispatchers.keys() & HOOKS.keys():
        stub = HOOKS[name].stub
        for module in modules:
            if vars(module).get(name) is stub:
                setattr(module, name, dispatchers[name])


# ---------------------------------------------------------------- the board and the deal


@hook(EACH)
def make_tables(b: Board, data: MapData) -> None:
    """A board is made: the mechanic's tables, from a map that was checked. Plain Python, on every map."""


@hook(ANY)
def mixes_cards_in(b: Board) -> int:
    """Whether cards are mixed into the train deck after the first deal."""
    return 0


@hook(FOLD)
def add_mixed_cards(s: Position, b: Board, n: int) -> int:
    """Lay cards to be mixed into the train deck on its n cards; how many there are then."""
    return n


@hook(FOLD)
def put_cards_in(s: Position, b: Board, n: int) -> int:
    """The n cards of the deck are mixed: put in what lies at a depth of its own; how many there are then."""
    return n


@hook(EACH)
def deal_more(s: Position, b: Board, w: Work) -> None:
    """The train cards are dealt: deal what else there is."""


@hook(FIRST)
def deal_tickets(s: Position, b: Board, w: Work) -> int:
    """1 if the mechanic gives out the first tickets in a way of its own."""
    return 0


# ---------------------------------------------------------------- drawing


@hook(ONE)
def card_came_up(s: Position, b: Board, w: Work, card: int) -> None:
    """A card of the deck that is no train card came up, and the next comes instead of it."""


@hook(UNION)
def more_draws(s: Position, b: Board) -> int:
    """Draws beside those of train cards, as bits of the word MISC."""
    return 0


# ---------------------------------------------------------------- what may be chosen


@hook(EACH)
def more_actions(s: Position, b: Board, w: Work, seat: int) -> None:
    """Write further actions of a turn into words of the menu (`open_words`)."""


@hook(ANY)
def tickets_closed(s: Position, b: Board) -> int:
    """Whether tickets may not be drawn now, though there are some."""
    return 0


@hook(ONE)
def phase_choices(s: Position, b: Board, w: Work, seat: int) -> int:
    """What a seat may choose in a phase of the mechanic, as bits of the word MISC."""
    return 0


@hook(ANY)
def keeps_offered(s: Position) -> int:
    """Whether all awaited say in this phase, at the same time, which of the offered tickets they keep."""
    return 0


@hook(ONE)
def sets_to_keep(s: Position, b: Board, seat: int) -> int:
    """The sets of offered tickets that may be kept in such a phase, as bits of the word KEEP."""
    return 0


@hook(ANY)
def is_small_choice(s: Position) -> int:
    """Whether only the number of locomotives is open in this phase."""
    return 0


# ---------------------------------------------------------------- what a choice does


@hook(ONE)
def choice_made(s: Position, b: Board, w: Work, seat: int, bit: int) -> None:
    """A bit of the word MISC that is the mechanic's was chosen."""


@hook(ONE)
def word_chosen(s: Position, b: Board, w: Work, seat: int, word: int, bit: int) -> None:
    """A bit of a menu word that is the mechanic's was chosen."""


@hook(ONE)
def locos_chosen(s: Position, b: Board, w: Work, seat: int, locos: int) -> None:
    """The number of locomotives was chosen in a phase of the mechanic."""


@hook(ONE)
def offer_chosen(s: Position, b: Board, w: Work, seat: int) -> None:
    """A seat has said in a phase of the mechanic which tickets it keeps."""


# ---------------------------------------------------------------- claims


@hook(EACH)
def narrow_claims(s: Position, b: Board, w: Work, seat: int) -> None:
    """Take out of w.open_tracks what this seat may not claim now."""


@hook(MOST)
def locos_asked(b: Board, track: int) -> int:
    """The fewest locomotives that a track takes."""
    return 0


@hook(QUESTION)
def question_of_claim(s: Position, b: Board, w: Work, seat: int) -> int:
    """The cards of a claim are chosen: ask what else is open, in a phase; 1 if the claim goes on from there."""
    return 0


@hook(EACH)
def before_claim(s: Position, b: Board, w: Work, seat: int) -> None:
    """Everything about a claim is chosen; it is about to be paid."""


@hook(ANY)
def counts_twice(s: Position) -> int:
    """Whether the points of the pending claim count twice."""
    return 0


@hook(EACH)
def after_claim(s: Position, b: Board, w: Work, seat: int) -> None:
    """The trains are laid."""


@hook(FIRST)
def turn_goes_on(s: Position, b: Board, w: Work, seat: int) -> int:
    """A claim is carried out in every part; 1 if a question about it comes before the end of the turn, in a phase."""
    return 0


@hook(EACH)
def forget_claim(s: Position) -> None:
    """Nothing is pending any more."""


# ---------------------------------------------------------------- turns


@hook(EACH)
def turn_ends(s: Position, b: Board, w: Work) -> None:
    """At the end of a turn, when the display is full again (C-40)."""


@hook(FIRST)
def between_turns(s: Position, b: Board, w: Work) -> int:
    """The next seat is due; 1 if something comes before its turn."""
    return 0


# ---------------------------------------------------------------- the end


@hook(SUM)
def more_track_points(s: Position, b: Board, seat: int) -> int:
    """Points for tracks beyond the table of lengths, from the board alone."""
    return 0


@hook(EACH)
def more_joins(s: Position, b: Board, w: Work, seat: int) -> None:
    """The tickets are scored by the player's own tracks (w.near): what else joins places for tickets."""


@hook(SUM)
def score_lines(s: Position, b: Board, w: Work, seat: int) -> int:
    """The lines of the score sheet that are the mechanic's; their sum."""
    return 0


@hook(ONE)
def break_tie(s: Position, b: Board, w: Work, rule: int) -> None:
    """Part those who share a place, by a rule of the mechanic (`split_places`)."""


# ---------------------------------------------------------------- loans: tracks of others that join places for tickets


@hook(SUM)
def most_loans(b: Board) -> int:
    """How many tracks a player can borrow in a game."""
    return 0


@hook(UNION)
def lending_places(s: Position, b: Board, seat: int) -> int:
    """The places, as bits, at each of which the player borrows one track."""
    return 0


@hook(UNION)
def lending_sites(s: Position, b: Board, seat: int) -> int:
    """The places, as bits, where the player could still get one more track lent."""
    return 0


@hook(UNION)
def tracks_to_lend(s: Position, b: Board, seat: int, places: int, word: int) -> int:
    """The tracks that could be lent to the player at these places, as bits of this word of a set of tracks."""
    return 0


@hook(MOST)
def loan_at(s: Position, b: Board, w: Work, seat: int, place: int) -> int:
    """1 + the track that is lent at a place, by the tickets scored last (`more_joins`); 0 if none is."""
    return 0


# ---------------------------------------------------------------- what a reader may know, and what could be


@hook(ANY)
def is_unfinished(s: Position) -> int:
    """Whether this phase is about an action that can still be taken back: others do not see it yet."""
    return 0


@hook(EACH)
def veil_more(s: Position, b: Board, reader: int) -> None:
    """Wipe out what the reader may not know."""


@hook(FOLD)
def imagine_mixed_cards(s: Position, b: Board, w: Work, reader: int, n: int, key: int) -> int:
    """Lay the unseen cards of the mechanic that are in the train deck on the n cards of w.cards, and mix them, by
    streams of `key` that no other mechanic uses here or at the next place (1 to 3 are in use)."""
    return n


@hook(EACH)
def imagine_cards_put_in(s: Position, b: Board, n: int, key: int) -> None:
    """The deck holds the n cards imagined: put in what lies at a depth of its own."""


@hook(EACH)
def imagine_more(s: Position, b: Board, w: Work, reader: int, key: int) -> None:
    """Deal what else the reader does not know, tickets apart."""


@hook(SUM)
def cards_in_sight(s: Position, card: int) -> int:
    """Train cards of a kind that lie neither in a hand nor in display, deck or discards."""
    return 0


@hook(EACH)
def note_tickets(s: Position, cards: list[int]) -> None:
    """Count in `cards` the tickets that lie, known, where a mechanic put them."""


@hook(SUM)
def hidden_tickets_there(s: Position) -> int:
    """How many tickets lie hidden where a mechanic put them."""
    return 0


@hook(FOLD)
def imagine_tickets(s: Position, w: Work, n: int) -> int:
    """Take tickets from the end of the n in w.pool for those that lie hidden; how many are left."""
    return n


@hook(ANY)
def offers_lie_elsewhere(s: Position) -> int:
    """Whether offered tickets are counted where a mechanic put them."""
    return 0


@hook(EACH)
def imagine_offers(s: Position, reader: int) -> None:
    """The offers of the others, where they follow from what a mechanic put somewhere."""


# ---------------------------------------------------------------- checking


@hook(FIRST)
def find_fault(s: Position, b: Board, w: Work) -> int:
    """What is wrong with the mechanic's part of a true position, or 0."""
    return 0
