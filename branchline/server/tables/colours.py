"""The colours of the chairs: which of the five looks a player's pieces have. No two chairs of a table share one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from branchline.server.tables.state import Chairs
from branchline.server.wire.refusals import BadRequest, Conflict
from branchline.server.wire.sentences import Sentence

COLOURS: Final = 5


def coloured(wished: Sequence[int | None]) -> list[int]:
    """A colour for every chair: the one wished for, else the chair's own number, else the first that is left."""
    taken = {colour for colour in wished if colour is not None}
    found: list[int] = []
    for chair, wish in enumerate(wished):
        free = [colour for colour in range(COLOURS) if colour not in taken]
        colour = wish if wish is not None else chair if chair in free else free[0]
        taken.add(colour)
        found.append(colour)
    return found


def check_wishes(wished: Sequence[int | None]) -> None:
    """Refuse colours that there are not, and one colour for two chairs."""
    wishes = [colour for colour in wished if colour is not None]
    for colour in wishes:
        check_colour(colour)
    if len(set(wishes)) < len(wishes):
        raise BadRequest(Sentence("colour_twice", "two chairs cannot have the same colour"))


def check_colour(colour: int) -> None:
    if not 0 <= colour < COLOURS:
        raise BadRequest(f"colour: 0 to {COLOURS - 1}")


def recoloured(chairs: Chairs, seat: int, colour: int) -> Chairs:
    """The chairs once one has another colour; a bot's or an empty chair that had it gets the old one."""
    check_colour(colour)
    had = next((other for other, chair in enumerate(chairs) if chair.colour == colour), None)
    if had is not None and had != seat and chairs[had].user:
        raise Conflict(Sentence("colour_taken", "somebody at the table has this colour: choose another"))
    mine = chairs[seat].colour
    now = {seat: colour} if had is None else {had: mine, seat: colour}
    return tuple(replace(chair, colour=now.get(other, chair.colour)) for other, chair in enumerate(chairs))
