"""Why the best choice of a puzzle is the best: told from facts, each of which the numbers of the puzzle show.

A reason is the first of these that holds, and where none holds the position is no puzzle. What happens "in the imagined
deals" was counted in them (facts.py); the rest follows from the view. So only what the seat may know goes in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from branchline.actions import (
    Action,
    ClaimTrack,
    DrawDeck,
    DrawDisplay,
    DrawTickets,
    KeepTickets,
)
from branchline.codec import names_of
from branchline.graph.advice import Network
from branchline.kernel.board import make_board
from branchline.kernel.paths import longest_path
from branchline.kernel.scratch import scratch
from branchline.mechanics import composed as k
from branchline.mechanics import modules
from branchline.notation import read_action
from branchline.puzzles.facts import LEAST
from branchline.puzzles.kinds import REASONS
from branchline.puzzles.model import Param, Reason
from branchline.puzzles.tickets import extra, open_tickets, rather
from branchline.view import View

OFTEN: Final = 0.4  # of the imagined deals
MORE: Final = 0.1  # of them: by so much one thing is oftener than another
FAR_MORE: Final = 0.3
PARTS: Final = modules("puzzles")  # what each mechanic says of its own choices

Facts = Mapping[str, Mapping[str, Mapping[str, float]]]


def reason_of(view: View, answer: str, second: str, facts: Facts, weak: Sequence[Action]) -> Reason | None:
    """The reason, or None where there is none to be told; `weak` is what careless players choose."""
    best, other = read_action(answer, view.map), read_action(second, view.map)
    return _of_choice(view, best, other, facts, weak) or _of_what_follows(other, facts)


def _of_choice(view: View, best: Action, other: Action, facts: Facts, weak: Sequence[Action]) -> Reason | None:
    match best:
        case ClaimTrack():
            return _of_claim(view, best, other, facts)
        case KeepTickets():
            return _of_keeping(view, best, other)
        case DrawTickets():
            return _reason("TicketsPay" if open_tickets(view) else "TicketsDone", trains=view.me.trains)
        case _:
            found = (part.reason(view, best, other) for part in PARTS)
            return next(filter(None, found), None) or _of_drawing(view, best, other, facts, weak)


def _of_what_follows(other: Action, facts: Facts) -> Reason | None:
    """A track that is claimed soon after the best choice, and seldom after the second; or the other way round by the
    others."""
    best, second = facts["best"], facts["second"]
    done = other.track if isinstance(other, ClaimTrack) else ""
    for kind, more, fewer in (("LeadsTo", best["own"], second["own"]), ("KeepsFree", second["others"], best["others"])):
        for track, often, less in _oftener(more, fewer):
            if track != done:
                return _reason(kind, track=track, percent=_percent(often), less=_percent(less))
    return None


def _oftener(shares: Mapping[str, float], others: Mapping[str, float]) -> list[tuple[str, float, float]]:
    """The tracks of which there is far more in one than in the other, the widest difference first."""
    rows = [(track, share, others.get(track, 0.0)) for track, share in shares.items()]
    return sorted((row for row in rows if row[1] - row[2] >= FAR_MORE), key=lambda row: (row[2] - row[1], row[0]))


def _reason(kind: str, **params: Param) -> Reason:
    assert tuple(params) == tuple(REASONS[kind])
    return Reason(kind, params)


# --- claims ---------------------------------------------------------------------------------------------------


def _of_claim(view: View, best: ClaimTrack, other: Action, facts: Facts) -> Reason | None:
    taken = facts["second"]["others"].get(best.track, 0.0)
    joined = [ticket for ticket in completed_by(view, best) if ticket not in completed_by(view, other)]
    if joined:
        return _reason("JoinsTicket", track=best.track, ticket=joined[0])
    if taken >= OFTEN:
        return _reason("TakenOtherwise", track=best.track, percent=_percent(taken))
    return (
        _of_the_end(view, best, other)
        or _on_the_way(view, best, other)
        or _of_the_path(view, best, other)
        or (_of_two_claims(view, best, other, taken, facts) if isinstance(other, ClaimTrack) else None)
        or (_reason("TakenOtherwise", track=best.track, percent=_percent(taken)) if taken else None)
    )


def _of_the_end(view: View, best: ClaimTrack, other: Action) -> Reason | None:
    if view.last_round and not isinstance(other, ClaimTrack):
        return _reason("LastChance", track=best.track, points=_value(view, best.track))
    if _ends(view, best) and not (isinstance(other, ClaimTrack) and _ends(view, other)):
        return _reason("EndsTheGame", track=best.track)
    return None


def _on_the_way(view: View, best: ClaimTrack, other: Action) -> Reason | None:
    """The dearest ticket that the track brings nearer, and the other does not."""
    also = {ticket for ticket, _ in _helped(view, other.track)} if isinstance(other, ClaimTrack) else set()
    for ticket, left in _helped(view, best.track):
        if ticket not in also and left > 0:
            return _reason("OnTheWay", track=best.track, ticket=ticket, trains=left)
    return None


def _helped(view: View, track: str) -> list[tuple[str, int]]:
    """Tickets that a track brings nearer, with the trains they take after it: those that the trains suffice for."""
    number, left = names_of(view.map).tracks.index(track), view.me.trains - _length(view, track)
    found = Network(view).helps(number, open_tickets(view))
    return [(help.ticket, help.after) for help in found if help.after <= left]


def _of_the_path(view: View, best: ClaimTrack, other: Action) -> Reason | None:
    """Whether the track makes the seat's path the longest, and the other does not."""
    if not view.map.longest_path:
        return None
    longest = max(_path(view, seat) for seat in range(view.player_count) if seat != view.reader)
    length = _path(view, view.reader, best.track)
    then = _path(view, view.reader, other.track if isinstance(other, ClaimTrack) else "")
    return _reason("LongestPath", track=best.track, length=length) if length > longest >= then else None


def _path(view: View, seat: int | None, track: str = "") -> int:
    """The length of a seat's longest path, with one track more."""
    assert seat is not None
    s = _with(view, track, seat) if track else view.position
    return longest_path(s, make_board(view.map), scratch(), seat)


def _with(view: View, track: str, seat: int) -> k.Position:
    """The position in which a seat has one track more."""
    s, number = view.position, names_of(view.map).tracks.index(track)
    s.owned[k.TRACK_WORDS * seat + number // k.BITS] |= 1 << number % k.BITS
    return s


def _of_two_claims(view: View, best: ClaimTrack, other: ClaimTrack, taken: float, facts: Facts) -> Reason | None:
    both = facts["best"]["own"].get(other.track, 0.0)
    if both >= facts["second"]["own"].get(best.track, 0.0) + FAR_MORE:
        return _reason("BothThisWay", track=best.track, other=other.track, percent=_percent(both))
    if taken > facts["best"]["others"].get(other.track, 0.0) + MORE:
        return _reason("TakenSooner", track=best.track, other=other.track, percent=_percent(taken))
    if _value(view, best.track) > _value(view, other.track):
        return _reason("WorthMore", track=best.track, other=other.track, points=_value(view, best.track))
    return None


def completed_by(view: View, claim: Action) -> list[str]:
    """The tickets of the seat that a claim completes at once, the dearest first."""
    if not isinstance(claim, ClaimTrack):
        return []
    assert view.reader is not None
    before = view.completed_tickets(view.reader)
    after = View(view.map, _with(view, claim.track, view.reader), view.reader).completed_tickets(view.reader)
    value = {ticket.id: ticket.points for ticket in view.map.tickets}
    return sorted((ticket for ticket in after if ticket not in before), key=lambda ticket: -value[ticket])


def _length(view: View, track: str) -> int:
    return next(one.length for one in view.map.tracks if one.id == track)


def _value(view: View, track: str) -> int:
    return view.map.track_points[_length(view, track)]


def _ends(view: View, claim: ClaimTrack) -> bool:
    """Whether the claim begins the last round."""
    return not view.last_round and view.me.trains - _length(view, claim.track) <= view.map.last_round_at


def _percent(share: float) -> int:
    return round(100 * share)


# --- tickets ----------------------------------------------------------------------------------------------------


def _of_keeping(view: View, best: KeepTickets, other: Action) -> Reason | None:
    if not isinstance(other, KeepTickets):
        return None
    more = [ticket for ticket in best.tickets if ticket not in other.tickets]
    less = [ticket for ticket in other.tickets if ticket not in best.tickets]
    if more and less:
        return rather(view, more[0], less[0], best.tickets, other.tickets)
    if more:
        takes = extra(view, more[0], best.tickets)
        return None if takes is None else _reason("KeepIt", ticket=more[0], trains=takes)
    takes = extra(view, less[0], other.tickets)
    return _reason("TicketLost", ticket=less[0]) if takes is None else _reason("LeaveIt", ticket=less[0], trains=takes)


# --- cards --------------------------------------------------------------------------------------------------------


def _of_drawing(view: View, best: Action, other: Action, facts: Facts, weak: Sequence[Action]) -> Reason | None:
    if isinstance(best, DrawDisplay) and (reason := _of_card(view, best, facts)):
        return reason
    if isinstance(other, ClaimTrack) and facts["best"]["others"].get(other.track, 0.0) < LEAST:
        return _reason("TrackCanWait", track=other.track)
    if any(isinstance(one, DrawTickets) for one in (other, *weak)) and isinstance(best, DrawDeck | DrawDisplay):
        return _reason("EnoughTickets", trains=view.me.trains)
    return _reason("DeckGivesMore") if isinstance(best, DrawDeck) and isinstance(other, DrawDisplay) else None


def _of_card(view: View, best: DrawDisplay, facts: Facts) -> Reason | None:
    card = view.display[best.place - 1]
    if card is None:
        return None
    own, missed = facts["best"]["own"], facts["second"]["own"]
    gained = max(own, key=lambda track: own[track] - missed.get(track, 0.0), default="")
    if gained and own[gained] >= OFTEN and own[gained] > missed.get(gained, 0.0) + MORE:
        return _reason("CardForTrack", card=card, track=gained, percent=_percent(own[gained]))
    path = Network(view).together(open_tickets(view))
    return _reason("CardWanted", card=card) if path is not None and path.cards.get(card, 0) > 0 else None
