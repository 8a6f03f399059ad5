"""What a player wants to see, computed from a view: tickets and what they still need, tracks and what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from branchline import actions as a
from branchline.graph.advice import Network, by_tracks
from branchline.kernel.board import make_board
from branchline.kernel.claim import least_locos, most_locos
from branchline.maps.model import CARDS, LOCO, MapData, Ticket, Track
from branchline.mechanics import composed as k
from branchline.scores import PlayerScore, score_sheet
from branchline.terminal.labels import counted, listed
from branchline.terminal.parts import PARTS, parts_of
from branchline.terminal.places import Helped
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
    helped: Helped | None  # complete as it stands, though own tracks do not join it

    @property
    def joined(self) -> bool:
        """Whether own tracks alone complete it."""
        return self.missing == ()

    @property
    def done(self) -> bool:
        return self.joined or self.helped is not None

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


def ticket_states(view: View, tickets: Sequence[str]) -> list[TicketState]:
    """The state of tickets the reader knows, in the order given."""
    by_id = {t.id: t for t in view.map.tickets}
    network = Network(view, by_tracks, borrows=False)
    helped = {t: how for part in parts_of(view.map) for t, how in part.helped(view).items()}
    return [TicketState(by_id[t], _missing(network, t), helped.get(t)) for t in tickets]


def _missing(network: Network, ticket: str) -> tuple[Leg, ...] | None:
    """The tracks of the cheapest connection that are not the reader's own; None if there is none."""
    steps, data = network.steps(ticket), network.map
    if steps is None:
        return None
    return tuple(
        Leg(data.tracks[step.track], data.places[step.start].id, data.places[step.end].id)
        for step in steps
        if step.track not in network.own
    )


def own_sheet(view: View) -> PlayerScore:
    """The reader's score sheet if the game ended now, from what the reader knows and nothing else."""
    assert view.reader is not None
    return score_sheet(view.position, make_board(view.map), view.map)[view.reader]


def loco_range(view: View, action: a.ClaimTrack) -> tuple[int, int]:
    """How many locomotives at least and at most pay for a track, by the reader's hand."""
    assert view.reader is not None
    s, board = view.position, make_board(view.map)
    s.claim_colour = CARDS.index(action.colour)
    s.claim_track = next(i for i, t in enumerate(view.map.tracks) if t.id == action.track)
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
    kinds = [(frozenset((t.a, t.b)), t.colour, *special_kinds(t)) for t in (one, other)]
    return kinds[0] == kinds[1]


def special_kinds(track: Track) -> list[str]:
    """What is special about a track, in a word or two each."""
    return [kind for part in PARTS if (kind := part.track_kind(track))]


def _helped_tickets(view: View) -> dict[str, tuple[Ticket, ...]]:
    """By track, parallel ones included: the reader's tickets whose cheapest connection uses it."""
    helps: dict[str, tuple[Ticket, ...]] = {}
    for state in ticket_states(view, view.me.tickets):
        for missing in () if state.helped else state.missing or ():
            for track in view.map.tracks:
                if {track.a, track.b} == {missing.start, missing.end}:
                    helps[track.id] = (*helps.get(track.id, ()), state.ticket)
    return helps


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
