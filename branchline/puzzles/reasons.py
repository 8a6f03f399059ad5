"""Why the best choice of a puzzle is the best: told from facts, each of which the numbers of the puzzle show.

A reason is the first of these that holds. What happens "in most deals" was counted in imagined worlds (facts.py), and
only what the seat may know goes in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from branchline.actions import Action, ClaimTrack, DrawDeck, DrawDisplay, DrawTickets, KeepTickets
from branchline.codec import names_of
from branchline.mechanics import composed as k
from branchline.notation import read_action
from branchline.puzzles.model import Reason
from branchline.view import View

OFTEN: Final = 0.4  # of the worlds

Facts = Mapping[str, Mapping[str, Mapping[str, float]]]


def reason_of(view: View, answer: str, second: str, facts: Facts, careless: Sequence[str]) -> Reason | None:
    """The reason, or None where there is none to be told."""
    best, other = read_action(answer, view.map), read_action(second, view.map)
    if isinstance(best, ClaimTrack):
        return _of_claim(view, best, other, facts)
    if isinstance(best, KeepTickets):
        return _of_keeping(best, other)
    if isinstance(best, DrawTickets):
        return Reason("TicketsPay", {})
    return _of_drawing(view, best, other, facts, careless)


# --- claims ---------------------------------------------------------------------------------------------------


def _of_claim(view: View, best: ClaimTrack, other: Action, facts: Facts) -> Reason | None:
    joined = completed_by(view, best)
    if joined:
        points = _points(view, joined)
        return Reason("JoinsTicket", {"track": best.track, "ticket": joined[0], "points": points})
    taken = facts["second"]["others"].get(best.track, 0.0)
    if taken >= OFTEN:
        return Reason("TakenOtherwise", {"track": best.track, "percent": _percent(taken)})
    if view.last_round:
        return Reason("LastChance", {"track": best.track, "points": _value(view, best.track)})
    if _ends(view, best):
        return Reason("EndsTheGame", {"track": best.track})
    if isinstance(other, ClaimTrack):
        rival = facts["best"]["others"].get(other.track, 0.0)
        if taken > rival + 0.1:
            return Reason("TakenSooner", {"track": best.track, "other": other.track, "percent": _percent(taken)})
        if _value(view, best.track) > _value(view, other.track):
            return Reason("WorthMore", {"track": best.track, "other": other.track, "points": _value(view, best.track)})
        return Reason("FitsBetter", {"track": best.track, "other": other.track})
    if taken >= 0.2:
        return Reason("TakenOtherwise", {"track": best.track, "percent": _percent(taken)})
    return Reason("NowNotLater", {"track": best.track})


def completed_by(view: View, claim: ClaimTrack) -> list[str]:
    """The tickets of the seat that a track completes at once, the dearest first."""
    assert view.reader is not None
    s, track = view.position, names_of(view.map).tracks.index(claim.track)
    s.owned[k.TRACK_WORDS * view.reader + track // k.BITS] |= 1 << track % k.BITS
    before = view.completed_tickets(view.reader)
    after = View(view.map, s, view.reader).completed_tickets(view.reader)
    value = {ticket.id: ticket.points for ticket in view.map.tickets}
    return sorted((ticket for ticket in after if ticket not in before), key=lambda ticket: -value[ticket])


def _points(view: View, tickets: Sequence[str]) -> int:
    return next(ticket.points for ticket in view.map.tickets if ticket.id == tickets[0])


def _value(view: View, track: str) -> int:
    length = next(one.length for one in view.map.tracks if one.id == track)
    return view.map.track_points[length]


def _ends(view: View, claim: ClaimTrack) -> bool:
    """Whether the claim begins the last round."""
    length = next(one.length for one in view.map.tracks if one.id == claim.track)
    return not view.last_round and view.me.trains - length <= view.map.last_round_at


def _percent(share: float) -> int:
    return round(100 * share)


# --- tickets and cards ----------------------------------------------------------------------------------------


def _of_keeping(best: KeepTickets, other: Action) -> Reason | None:
    if not isinstance(other, KeepTickets):
        return None
    more = [ticket for ticket in best.tickets if ticket not in other.tickets]
    less = [ticket for ticket in other.tickets if ticket not in best.tickets]
    if more and less:
        return Reason("KeepInstead", {"ticket": more[0], "other": less[0]})
    return Reason("KeepIt", {"ticket": more[0]}) if more else Reason("LeaveIt", {"ticket": less[0]})


def _of_drawing(view: View, best: Action, other: Action, facts: Facts, careless: Sequence[str]) -> Reason | None:
    own = {track: share for track, share in facts["best"]["own"].items() if share >= OFTEN}
    missed = facts["second"]["own"]
    if isinstance(best, DrawDisplay):
        card = view.display[best.place - 1]
        gained = sorted(own, key=lambda track: missed.get(track, 0.0) - own[track])
        if card is not None and gained and own[gained[0]] > missed.get(gained[0], 0.0) + 0.1:
            share = _percent(own[gained[0]])
            return Reason("CardForTrack", {"card": card, "track": gained[0], "percent": share})
        if card is not None:
            return Reason("CardWanted", {"card": card})
    if isinstance(other, ClaimTrack):
        return Reason("TrackCanWait", {"track": other.track})
    if isinstance(other, DrawTickets) or any(isinstance(read_action(line, view.map), DrawTickets) for line in careless):
        return Reason("EnoughTickets", {})
    if isinstance(best, DrawDeck):
        return Reason("DeckGivesMore", {})
    return None
