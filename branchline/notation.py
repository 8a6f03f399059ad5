"""Notation: every action has one line of text, and the line reads back.

draw 3            draw deck          terrain 1         terrain deck
tickets           keep A B           return A          take A
claim T red       station paris red  locos 2           decline
double 1          single             festival sevilla  pass
"""

from __future__ import annotations

from typing import assert_never

from branchline import actions as a
from branchline.codec import names_of
from branchline.files import did_you_mean, printable
from branchline.maps.model import CARDS, MapData

LONGEST_LINE = 1000


class BadNotation(ValueError):
    """A line that is no action; says what would be one."""


def write_action(action: a.Action) -> str:
    """The line of an action."""
    match action:
        case a.DrawDisplay(place):
            return f"draw {place}"
        case a.DrawDeck():
            return "draw deck"
        case a.TakeTerrain(place):
            return f"terrain {place}"
        case a.DrawTerrain():
            return "terrain deck"
        case a.DrawTickets():
            return "tickets"
        case a.ClaimTrack(track, colour):
            return f"claim {track} {colour}"
        case a.BuildStation(place, colour):
            return f"station {place} {colour}"
        case a.PlayLocos(count):
            return f"locos {count}"
        case a.DoublePoints(locos):
            return f"double {locos}"
        case a.SinglePoints():
            return "single"
        case a.TakeFestivals(place):
            return f"festival {place}"
        case a.Decline():
            return "decline"
        case a.KeepTickets(tickets):
            return " ".join(["keep", *tickets])
        case a.ReturnTicket(ticket):
            return f"return {ticket}"
        case a.PickTicket(ticket):
            return f"take {ticket}"
        case a.Pass():
            return "pass"
        case _:
            assert_never(action)


_FORMS = {
    "draw": "draw 1 … draw 5, or draw deck",
    "terrain": "terrain 1, terrain 2, or terrain deck",
    "tickets": "tickets",
    "claim": "claim TRACK COLOUR",
    "station": "station CITY COLOUR",
    "locos": "locos NUMBER",
    "double": "double NUMBER (of locomotives played as terrain)",
    "single": "single",
    "festival": "festival CITY",
    "decline": "decline",
    "keep": "keep TICKET …",
    "return": "return TICKET",
    "take": "take TICKET",
    "pass": "pass",
}
_BARE: dict[str, a.Action] = {
    "tickets": a.DrawTickets(),
    "single": a.SinglePoints(),
    "decline": a.Decline(),
    "pass": a.Pass(),
}


def read_action(line: str, data: MapData | None = None) -> a.Action:
    """The action of a line. With a map, its names are checked and the nearest right one is told."""
    if not isinstance(line, str):
        raise BadNotation(f"a line of text is needed, not {type(line).__name__}")
    if len(line) > LONGEST_LINE:
        raise BadNotation(f"the line has {len(line)} characters, {LONGEST_LINE} at the most")
    verb, *words = line.split() or [""]
    if verb not in _FORMS:
        raise BadNotation(
            f'no action begins with "{verb[:40]}"{did_you_mean(verb, _FORMS)}; one of: {", ".join(_FORMS)}'
        )
    action = _read(verb, words)
    if action is None:
        raise BadNotation(f'"{printable(line.strip()[:80])}": write {_FORMS[verb]}')
    if data is not None:
        _check_names(action, data)
    return action


def _read(verb: str, words: list[str]) -> a.Action | None:
    if verb in _BARE:
        return None if words else _BARE[verb]
    if verb == "keep":
        return a.KeepTickets(tuple(words)) if words else None
    if verb in ("claim", "station"):
        if len(words) != 2:
            return None
        return a.ClaimTrack(*words) if verb == "claim" else a.BuildStation(*words)
    return _read_one(verb, words[0]) if len(words) == 1 else None


def _read_one(verb: str, word: str) -> a.Action | None:
    if verb == "festival":
        return a.TakeFestivals(word)
    if verb == "return":
        return a.ReturnTicket(word)
    if verb == "take":
        return a.PickTicket(word)
    if word == "deck" and verb in ("draw", "terrain"):
        return a.DrawDeck() if verb == "draw" else a.DrawTerrain()
    number = int(word) if word.isascii() and word.isdigit() and len(word) <= 2 and str(int(word)) == word else -1
    if number < 0:
        return None
    if verb == "locos":
        return a.PlayLocos(number)
    if verb == "double":
        return a.DoublePoints(number)
    return a.DrawDisplay(number) if verb == "draw" else a.TakeTerrain(number)


def _check_names(action: a.Action, data: MapData) -> None:
    names = names_of(data)
    match action:
        case a.ClaimTrack(track, colour):
            _known("track", track, names.track)
            _known("colour", colour, CARDS)
        case a.BuildStation(place, colour):
            _known("place", place, names.place)
            _known("colour", colour, CARDS)
        case a.TakeFestivals(place):
            _known("place", place, names.place)
        case a.KeepTickets(tickets):
            for ticket in tickets:
                _known("ticket", ticket, names.ticket)
        case a.ReturnTicket(ticket) | a.PickTicket(ticket):
            _known("ticket", ticket, names.ticket)
        case _:
            pass


def _known(what: str, name: str, known: dict[str, int] | tuple[str, ...]) -> None:
    if name not in known:
        raise BadNotation(f'no {what} "{printable(name[:60])}" on this map{did_you_mean(name, known)}')
