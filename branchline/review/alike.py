"""Which choices are really one: a puzzle must not ask for a payment, or for one of two equal cards."""

from __future__ import annotations

from collections.abc import Hashable

from branchline.actions import Action, ClaimTrack, DrawDisplay, KeepTickets, PlayLocos, Purchase, ReturnTicket
from branchline.mechanics.composed_face import FACES
from branchline.view import View

ALIKE = {kind: how for face in FACES for kind, how in face.alike.items()}  # what mechanics say of their actions


def likeness(action: Action, view: View) -> Hashable:
    """Equal for two choices that are alike: cards of one kind from the display, payments for one thing, parallel
    tracks, tickets kept in another order."""
    match action:
        case DrawDisplay(place):
            return DrawDisplay, _at(view.display, place)
        case ClaimTrack(track):
            return ClaimTrack, _ends(view, track)
        case Purchase():
            return type(action), action.subject
        case KeepTickets(tickets):
            return KeepTickets, frozenset(tickets)
        case PlayLocos() | ReturnTicket():
            return (type(action),)
        case _:
            how = ALIKE.get(type(action))
            return action if how is None else (type(action), how(action, view))


def _at(cards: tuple[str | None, ...], place: int) -> Hashable:
    """What lies there, or the place where nothing does."""
    card = cards[place - 1] if 0 < place <= len(cards) else None
    return place if card is None else card


def _ends(view: View, track: str) -> Hashable:
    return next(((found.a, found.b, found.length) for found in view.map.tracks if found.id == track), track)
