"""Which choices are really one: a puzzle must not ask for a payment, or for one of two equal cards."""

from __future__ import annotations

from collections.abc import Hashable

from branchline.actions import (
    Action,
    ClaimTrack,
    DoublePoints,
    DrawDisplay,
    KeepTickets,
    PlayLocos,
    Purchase,
    ReturnTicket,
    TakeTerrain,
)
from branchline.view import View


def likeness(action: Action, view: View) -> Hashable:
    """Equal for two choices that are alike: cards of one kind from the display, payments for one thing, parallel
    tracks, tickets kept in another order."""
    match action:
        case DrawDisplay(place):
            return DrawDisplay, _at(view.display, place)
        case TakeTerrain(place):
            return TakeTerrain, _at(view.terrain_display, place)
        case ClaimTrack(track):
            return ClaimTrack, _ends(view, track)
        case Purchase():
            return type(action), action.subject
        case KeepTickets(tickets):
            return KeepTickets, frozenset(tickets)
        case PlayLocos() | DoublePoints() | ReturnTicket():
            return (type(action),)
        case _:
            return action


def _at(cards: tuple[str | None, ...], place: int) -> Hashable:
    """What lies there, or the place where nothing does."""
    card = cards[place - 1] if 0 < place <= len(cards) else None
    return place if card is None else card


def _ends(view: View, track: str) -> Hashable:
    return next(((found.a, found.b, found.length) for found in view.map.tracks if found.id == track), track)
