"""What a player wants to see, computed from a view: tickets and what they still need, tracks and what they cost."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from branchline import actions as a
from branchline.kernel import state as k
from branchline.kernel.board import make_board
from branchline.kernel.claim import least_locos, most_locos
from branchline.kernel.festivals import waiting_group
from branchline.kernel.stations import least_station_locos, most_station_locos
from branchline.kernel.terrain import double_menu
from branchline.maps.model import CARDS, LOCO, MapData, Ticket, Track
from branchline.scores import PlayerScore, score_sheet
from branchline.terminal.labels import cards_in_words, counted, listed
from branchline.view import View


@dataclass(frozen=True, slots=True)
class Leg:
    """A track on a way, in the direction of travel."""

    track: Track
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class TicketState:
    """A ticket and the cheapest way to complete it: the tracks still missing, or None where there is no way."""

    ticket: Ticket
    missing: tuple[Leg, ...] | None
    borrowed: bool  # complete as it stands, with what stations lend (EUR-07)

    @property
    def done(self) -> bool:
        return self.missing == ()

    @property
    def trains(self) -> int:
        return sum(leg.track.length for leg in self.missing or ())


@dataclass(frozen=True, slots=True)
class Price:
    """One way to pay for a track: a colour, and how many locomotives at least and at most."""

    action: a.ClaimTrack
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class ClaimOffer:
    """A track that can be claimed now, its prices and the tickets it helps."""

    track: Track
    points: int
    prices: tuple[Price, ...]
    helps: tuple[Ticket, ...]


def open_tracks(view: View) -> list[Track]:
    """The tracks the reader may still claim, whatever they cost."""
    assert view.reader is not None
    shut = view.position.shut[k.TRACK_WORDS * view.reader : k.TRACK_WORDS * (view.reader + 1)]
    return [t for i, t in enumerate(view.map.tracks) if not shut[i // k.BITS] >> (i % k.BITS) & 1]


def is_open(view: View, track: str) -> bool:
    return any(t.id == track for t in open_tracks(view))


class Network:
    """The reader's own tracks and those still open, for looking for the cheapest connections."""

    def __init__(self, view: View) -> None:
        self.dead_ends = {p.id for p in view.map.places if p.dead_end}
        self.ways: dict[str, list[tuple[int, Track, str]]] = {p.id: [] for p in view.map.places}
        own = set(view.me.tracks)
        for track in [t for t in view.map.tracks if t.id in own] + open_tracks(view):
            cost = 0 if track.id in own else track.length
            self.ways[track.a].append((cost, track, track.b))
            self.ways[track.b].append((cost, track, track.a))

    def missing(self, ticket: Ticket) -> tuple[Leg, ...] | None:
        """The tracks of the cheapest connection that are not the reader's own; None if there is none."""
        queue: list[tuple[int, int, int, str, tuple[Leg, ...]]] = []
        for place in ticket.a:
            heapq.heappush(queue, (0, 0, len(queue), place, ()))
        done: set[str] = set()
        pushed = len(queue)
        while queue:
            trains, steps, _, place, legs = heapq.heappop(queue)
            if place in ticket.b:
                return legs
            if place in done or (place in self.dead_ends and place not in ticket.a):
                continue
            done.add(place)
            for cost, track, far in self.ways[place]:
                pushed += 1
                path = (*legs, Leg(track, place, far)) if cost else legs
                heapq.heappush(queue, (trains + cost, steps + 1, pushed, far, path))
        return None


def ticket_states(view: View, tickets: Sequence[str]) -> list[TicketState]:
    """The state of tickets the reader knows, in the order given."""
    by_id = {t.id: t for t in view.map.tickets}
    network = Network(view)
    lent = _completed_now(view) if view.me.stations else set()
    return [TicketState(by_id[t], network.missing(by_id[t]), t in lent) for t in tickets]


def _completed_now(view: View) -> set[str]:
    return {t.ticket for t in own_sheet(view).tickets if t.completed}


def own_sheet(view: View) -> PlayerScore:
    """The reader's score sheet if the game ended now, from what the reader knows and nothing else."""
    assert view.reader is not None
    return score_sheet(view.position, make_board(view.map), view.map)[view.reader]


def loco_range(view: View, action: a.ClaimTrack | a.BuildStation) -> tuple[int, int]:
    """How many locomotives at least and at most pay for this, by the reader's hand."""
    assert view.reader is not None
    s = view.position
    s.claim_colour = CARDS.index(action.colour)
    if isinstance(action, a.BuildStation):
        return least_station_locos(s, view.reader), most_station_locos(s, view.reader)
    s.claim_track = next(i for i, t in enumerate(view.map.tracks) if t.id == action.track)
    board = make_board(view.map)
    return least_locos(s, board, view.reader), most_locos(s, board, view.reader)


def claim_offers(view: View, actions: Sequence[a.Action]) -> list[ClaimOffer]:
    """The claims among these actions, track by track: those that help a ticket first, then by points."""
    prices: dict[str, list[Price]] = {}
    for action in actions:
        if isinstance(action, a.ClaimTrack):
            prices.setdefault(action.track, []).append(Price(action, *loco_range(view, action)))
    helps = _helped_tickets(view) if prices else {}
    tracks = {t.id: t for t in view.map.tracks}
    offers = [
        ClaimOffer(tracks[t], view.map.track_points[tracks[t].length], tuple(p), helps.get(t, ()))
        for t, p in prices.items()
        if not _same_as_an_earlier(tracks[t], prices, view.map)
    ]
    return sorted(offers, key=lambda o: (-sum(t.points for t in o.helps), -o.points))


def _same_as_an_earlier(track: Track, claimable: dict[str, list[Price]], data: MapData) -> bool:
    """Of parallel tracks of one colour it does not matter which is claimed: the first is offered."""
    for other in data.tracks:
        if other.id == track.id:
            return False
        if other.id in claimable and _alike(other, track):
            return True
    return False


def _alike(one: Track, other: Track) -> bool:
    kinds = [(frozenset((t.a, t.b)), t.colour, t.ferry, t.tunnel) for t in (one, other)]
    return kinds[0] == kinds[1]


def _helped_tickets(view: View) -> dict[str, tuple[Ticket, ...]]:
    """By track, parallel ones included: the reader's tickets whose cheapest connection uses it."""
    helps: dict[str, tuple[Ticket, ...]] = {}
    for state in ticket_states(view, view.me.tickets):
        for missing in state.missing or ():
            for track in view.map.tracks:
                if {track.a, track.b} == {missing.start, missing.end}:
                    helps[track.id] = (*helps.get(track.id, ()), state.ticket)
    return helps


def payment_in_words(length: int, colour: str, locos: int) -> str:
    """ "3 purple and 1 locomotive"."""
    if colour == LOCO:
        return cards_in_words({LOCO: length})
    return cards_in_words({colour: length - locos, LOCO: locos})


def ways_to_pay(offer: ClaimOffer) -> list[tuple[int, list[str], int]]:
    """The prices with the fewest locomotives: how many cards of which colours, and how many locomotives."""
    ways: dict[int, list[str]] = {}
    for price in offer.prices:
        locos = offer.track.length if price.action.colour == LOCO else price.least
        ways.setdefault(locos, []).append(price.action.colour)
    return [(offer.track.length - locos, colours, locos) for locos, colours in sorted(ways.items())]


def price_in_words(offer: ClaimOffer) -> str:
    """ "2 red, or 1 white or green and 1 locomotive"."""
    said = []
    for cards, colours, locos in ways_to_pay(offer):
        parts = [f"{cards} {listed(colours, 'or')}"] if cards else []
        said.append(" and ".join(parts + ([counted(locos, "locomotive")] if locos else [])))
    return ", or ".join(said)


def double_options(view: View, track: str, locos: int) -> list[int]:
    """With how many locomotives as terrain this claim could be doubled, if `locos` pay for the track (AFR-12)."""
    assert view.reader is not None
    s = view.position
    s.claim_track = next(i for i, t in enumerate(view.map.tracks) if t.id == track)
    s.claim_locos = locos
    bits = double_menu(s, make_board(view.map), view.reader) >> k.DOUBLED
    return [n for n in range(16) if bits >> n & 1]


def festival_ends(view: View, track: Track) -> list[str]:
    """The ends between whose festival cards the claimer has to choose; none where there is no choice (IBE-14)."""
    s, board = view.position, make_board(view.map)
    t = next(i for i, u in enumerate(view.map.tracks) if u.id == track.id)
    groups = [waiting_group(s, board, end) for end in (board.track_a[t], board.track_b[t])]
    return [track.a, track.b] if min(groups) >= 0 and groups[0] != groups[1] else []
