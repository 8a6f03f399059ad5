"""What a player says about how to pay, and what else is said in the same line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from branchline.actions import Action
from branchline.maps.model import LOCO, Track
from branchline.objections import MixedColours
from branchline.terminal.labels import cards_in_words
from branchline.terminal.plan import Refuse
from branchline.terminal.spelling import colour_of
from branchline.view import View


class Wish:
    """Something a mechanic reads in the line of a claim, and what comes of it."""

    by_locos = False  # whether it depends on the locomotives that pay: each number is then a way of its own

    def steps(self, view: View, track: Track, locos: int) -> tuple[Action, ...] | Refuse:
        """The choices it adds to the claim of a track paid with so many locomotives."""
        raise NotImplementedError


@dataclass(slots=True)
class Payment:
    """What is said about how to pay, beside the place: everything may be missing."""

    colour: str | None = None
    cards: int | None = None
    locos: int | None = None
    index: int | None = None
    wishes: dict[object, Wish] = field(default_factory=dict)  # by the part that has read it

    def set_colour(self, word: str) -> None:
        colour = colour_of(word)
        if colour is None:
            raise NotUnderstood(word)
        if self.colour is not None and self.colour != colour:
            raise Mixed(self.colour, colour)
        self.colour = colour

    def wished_locos(self, price: int) -> int | None:
        """The number of locomotives that follows from what was said, or None."""
        if self.locos is not None:
            return self.locos
        if self.colour == LOCO:
            return price
        return price - self.cards if self.cards is not None else None


class NotUnderstood(ValueError):
    """Words that are no payment; the message says which."""


class Mixed(NotUnderstood):
    """Two colours for one track (C-22)."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(other)
        self.colours = MixedColours(one, other)


def payment_in_words(price: int, colour: str, locos: int) -> str:
    """ "3 purple and 1 locomotive"."""
    if colour == LOCO:
        return cards_in_words({LOCO: price})
    return cards_in_words({colour: price - locos, LOCO: locos})


def payments(colour: str, least: int, most: int) -> Iterator[tuple[str, ...]]:
    """How a payment is typed: the colour, and the number of locomotives where there is a choice."""
    yield (colour,)
    if least < most:
        yield from ((colour, f"{n} loco") for n in range(least, most + 1))
