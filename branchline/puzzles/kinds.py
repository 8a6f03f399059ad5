"""What a puzzle is about, by the choice that is best in it; and the kinds of reasons why it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from branchline.actions import (
    Action,
    ClaimTrack,
    DrawDeck,
    DrawDisplay,
    DrawTickets,
    KeepTickets,
    Pass,
)
from branchline.mechanics import MECHANICS, modules
from branchline.notation import read_action
from branchline.view import View

_SPECIAL: Final = tuple((part.__name__.split(".")[-2], part.PART) for part in modules("map"))

# Of the base game: a claim, a claim in the last round, a card from the display, a card from the deck, drawing tickets,
# which tickets to keep, and not drawing tickets where a careless player would. Then those of the mechanics.
KINDS: Final = ("claim", "end", "display", "deck", "tickets", "keep", "stop", *MECHANICS)

# Every kind of reason, and what each of the things is that its sentence names (`reason.KIND` of the catalogues).
REASONS: Final[Mapping[str, Mapping[str, str]]] = {
    "JoinsTicket": {"track": "track", "ticket": "ticket"},
    "TakenOtherwise": {"track": "track", "percent": "number"},
    "LastChance": {"track": "track", "points": "number"},
    "EndsTheGame": {"track": "track"},
    "OnTheWay": {"track": "track", "ticket": "ticket", "trains": "number"},
    "TakenSooner": {"track": "track", "other": "track", "percent": "number"},
    "LongestPath": {"track": "track", "length": "number"},
    "BothThisWay": {"track": "track", "other": "track", "percent": "number"},
    "LeadsTo": {"track": "track", "percent": "number", "less": "number"},
    "KeepsFree": {"track": "track", "percent": "number", "less": "number"},
    "WorthMore": {"track": "track", "other": "track", "points": "number"},
    "CardForTrack": {"card": "card", "track": "track", "percent": "number"},
    "CardWanted": {"card": "card"},
    "TrackCanWait": {"track": "track"},
    "EnoughTickets": {"trains": "number"},
    "TicketsDone": {"trains": "number"},
    "TicketsPay": {"trains": "number"},
    "DeckGivesMore": {},
    "KeepIt": {"ticket": "ticket", "trains": "number"},
    "LeaveIt": {"ticket": "ticket", "trains": "number"},
    "TicketLost": {"ticket": "ticket"},
    "KeepInstead": {"ticket": "ticket", "other": "ticket", "trains": "number", "more": "number"},
    "KeepDearer": {"ticket": "ticket", "other": "ticket", "trains": "number"},
} | {kind: params for part in modules("puzzles") for kind, params in part.REASONS.items()}


def kind_of(best: Action, view: View, careless: set[str]) -> str:
    """The kind of a puzzle; `careless` are the lines that weak players choose instead."""
    module = type(best).__module__.split(".")
    if "mechanics" in module:
        return module[module.index("mechanics") + 1]
    if isinstance(best, KeepTickets):
        return "keep"
    if view.last_round:
        return "end"
    if isinstance(best, ClaimTrack):
        return _kind_of_track(best, view)
    if isinstance(best, DrawTickets):
        return "tickets"
    if any(isinstance(read_action(line, view.map), DrawTickets) for line in careless):
        return "stop"
    return "deck" if isinstance(best, DrawDeck | Pass) else "display" if isinstance(best, DrawDisplay) else "claim"


def _kind_of_track(claim: ClaimTrack, view: View) -> str:
    """Named for the mechanic that makes the track another than most, if one does."""
    track = next(one for one in view.map.tracks if one.id == claim.track)
    for name, part in _SPECIAL:
        if any(value for value in part.track_facts(track).values() if isinstance(value, int)):
            return name
    return "claim"
