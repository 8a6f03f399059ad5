"""What chance did in a move: the value after what came, less the mean over all that could have come.

Judged by what the seat that moved knew, at its next own decision, and told for every seat.

- Where one card came from the top of the train deck, each kind it could have been is put there, in the same worlds; the
  kinds weigh what the unseen cards say. The mean over all of them is 0 by construction.
- Where more could have come than that, the mean is that of sampled worlds: the same move, dealt anew.

What counts as chance, the faces say (faces.py): the base game's and those of the mechanics.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from branchline.events import Event
from branchline.kernel.board import make_board
from branchline.kernel.imagine import unknown_of_card
from branchline.kernel.state import CARDS, HAND
from branchline.mechanics.composed_face import FACES
from branchline.review.moments import Moment, shares_of
from branchline.review.settings import Setting
from branchline.review.worlds import POSITION, ByNetwork, judge_of
from branchline.view import View

Array = np.ndarray[Any, np.dtype[Any]]
CHANCE: Final[dict[type, str]] = {event: kind for face in FACES for event, kind in face.chance.items()}


@dataclass(frozen=True)
class Luck:
    """Of one move: what chance gave to each seat."""

    number: int
    seat: int
    kind: str
    by_seat: tuple[float, ...]
    error: float  # standard error for the seat that moved
    outcomes: int  # kinds of card gone through, or worlds sampled
    exact: bool


def kind_of(events: tuple[Event, ...]) -> str:
    """What kind of chance the events tell of, or ""."""
    return next((CHANCE[type(event)] for event in events if type(event) in CHANCE), "")


def luck_of(moment: Moment, setting: Setting, seed: int) -> Luck | None:
    """None where chance had no part in a move, or where there is no judge of it."""
    kind, net = kind_of(moment.events), judge_of(moment.view.map)
    if not kind or net is None:
        return None
    worlds = ByNetwork(net, moment.view, seed, 0)
    card = _only_card(moment)
    if card is not None:
        return _by_card(moment, kind, card, worlds, setting)
    after = View.of(moment.view.map, moment.after, moment.seat)
    return _by_samples(moment, kind, worlds, ByNetwork(net, after, seed, 0), setting)


# --- one card -------------------------------------------------------------------------------------------------


def _only_card(moment: Moment) -> int | None:
    """The one card that came from the train deck, if nothing else did."""
    before, after = moment.before, moment.after
    rest = ("shuffles", "mixed_n", "ticket_top", "ticket_n")
    if before.deck_n - after.deck_n != 1 or any(getattr(before, name) != getattr(after, name) for name in rest):
        return None
    card = before.deck[before.deck_n - 1]
    told = [event for event in moment.events if type(event) in CHANCE]
    return card if card < CARDS and len(told) == 1 and not before.mixed_n else None


def chances(view: View) -> dict[int, float]:
    """How likely each card is to lie on top of the deck, for all that the reader knows."""
    s, board = view.position, make_board(view.map)
    unseen = {card: unknown_of_card(s, board, card) for card in range(CARDS)}
    return {card: n / sum(unseen.values()) for card, n in unseen.items() if n > 0}


def _by_card(moment: Moment, kind: str, card: int, worlds: ByNetwork, setting: Setting) -> Luck:
    odds = chances(moment.view)
    values = values_by_card(moment, worlds, setting.outcomes, list(odds))
    mean = sum(share * values[one] for one, share in odds.items())
    luck = values[card] - mean  # [worlds, seats]
    error = _error(luck[:, moment.seat])
    told = tuple(luck.mean(0).tolist())
    return Luck(moment.number, moment.seat, kind, told, error, len(odds), True)


def values_by_card(moment: Moment, worlds: ByNetwork, count: int, cards: list[int]) -> dict[int, Array]:
    """Win chances by seat in so many worlds, [worlds, seats], for each card on top of the deck."""
    known = np.array(moment.view.position.hand)
    games = np.repeat(worlds.imagine(0, count), len(cards), 0)
    for i, game in enumerate(games.view(POSITION)[:, 0]):
        _put_on_top(game, cards[i % len(cards)], known, i // len(cards))
    found = worlds.played(games, np.full(len(games), moment.code)).reshape(count, len(cards), -1)
    return {card: found[:, i] for i, card in enumerate(cards)}


def _put_on_top(game: Any, card: int, known: Array, choice: int) -> None:
    """Let a card be on top, and what was there be where some such card was: in the deck, or unknown in a hand."""
    top = int(game["deck_n"]) - 1
    there = int(game["deck"][top])
    if there == card:
        return
    in_deck = np.flatnonzero(game["deck"][:top] == card)
    in_hands = [at for at in range(card, len(known), HAND) for _ in range(int(game["hand"][at]) - int(known[at]))]
    chosen = choice % (len(in_deck) + len(in_hands))
    if chosen < len(in_deck):
        game["deck"][in_deck[chosen]] = there
    else:
        at = in_hands[chosen - len(in_deck)]
        game["hand"][at] -= 1
        game["hand"][at - card + there] += 1
    game["deck"][top] = card


# --- more than that -------------------------------------------------------------------------------------------


def _by_samples(moment: Moment, kind: str, before: ByNetwork, after: ByNetwork, setting: Setting) -> Luck:
    drawn = before.tried(0, setting.samples, [moment.code])[:, 0]
    told = _after(moment, after, setting)
    luck = told.mean(0) - drawn.mean(0)
    own = moment.seat
    error = math.hypot(_error(drawn[:, own]), _error(told[:, own]))
    return Luck(moment.number, own, kind, tuple(luck.tolist()), error, len(drawn), False)


def _error(values: Array) -> float:
    return float(values.std() / math.sqrt(len(values)))


def _after(moment: Moment, after: ByNetwork, setting: Setting) -> Array:
    """What the seat can say after what came, [worlds, seats]: of itself to choose, one look is all."""
    if not moment.after.awaited:
        return np.array([shares_of(moment.after, moment.view.map)])
    is_next = moment.after.awaited & -moment.after.awaited == 1 << moment.seat
    return after.seen(after.imagine(0, 1 if is_next else setting.samples))
