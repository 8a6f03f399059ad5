"""What a seat sees as a record, the scratch it is made in, and how mechanics add to it: kernel Python."""

from __future__ import annotations

from typing import Annotated

from branchline.graph import ring
from branchline.graph.ring import FAR, RING, find_path
from branchline.kernel.flat import I8, I16, I64, Flat
from branchline.kernel.primitives import kernel
from branchline.kernel.state import CARDS, DISPLAY, MENU, OFFER, SEATS, TRACK_WORDS
from branchline.maps.model import MAX_PLACES, MAX_TICKETS, MAX_TRACKS
from branchline.mechanics import modules
from branchline.mechanics.composed import TERRAIN_UP, Board
from branchline.training import facts
from branchline.training.facts import ERRANDS, ERRANDS_HELD, PHASES

modules("facts")  # on import each has taken its places

TRACK_FACTS, PLACE_FACTS = tuple(facts.NAMES["tracks"]), tuple(facts.NAMES["places"])
TICKET_FACTS, CARD_FACTS = tuple(facts.NAMES["tickets"]), tuple(facts.NAMES["cards"])
SEAT_FACTS, TERRAIN_FACTS = tuple(facts.NAMES["seats"]), tuple(facts.NAMES["terrain"])
TABLE_FACTS, ERRAND_FACTS = tuple(facts.NAMES["table"]), tuple(facts.NAMES["errands"])
TRACK_N, PLACE_N, TICKET_N, CARD_N = len(TRACK_FACTS), len(PLACE_FACTS), len(TICKET_FACTS), len(CARD_FACTS)
SEAT_N, TERRAIN_N, TABLE_N, ERRAND_N = len(SEAT_FACTS), len(TERRAIN_FACTS), len(TABLE_FACTS), len(ERRAND_FACTS)
ERRAND_POINTS = TRACK_FACTS.index("errand points")
HELD_SLOTS = 20
SLOTS = OFFER + HELD_SLOTS  # tickets on offer stand first, in their order; then those held
SHOWN_FAR = 60  # the most spaces a fact says
LOW_TRAINS = 8

# Where the phases end in a row of the table's facts.
PLAYERS_AT = PHASES
REST_AT = PHASES + 4

# Which words of the menu are told as `open`: those of MISC, of tracks and places of any colour, of sets of tickets.
OPEN_MISC, OPEN_TRACKS, OPEN_PLACES, OPEN_SETS = 0, 1, 1 + TRACK_WORDS, 2 + TRACK_WORDS
OPEN_WORDS = OPEN_SETS + 1


class Observation(Flat):
    """What one seat sees before a choice."""

    menu: Annotated[list[int], I64, MENU]  # its legal codes
    open: Annotated[list[int], I64, OPEN_WORDS]  # the same, whatever the colour that pays
    points: Annotated[list[int], I16, SEATS]  # of tracks, so far
    tracks: Annotated[list[int], I8, MAX_TRACKS * TRACK_N]
    places: Annotated[list[int], I8, MAX_PLACES * PLACE_N]
    tickets: Annotated[list[int], I8, SLOTS * TICKET_N]
    slots: Annotated[list[int], I8, SLOTS]  # 1 + the ticket that the facts of a slot tell of, or 0
    cards: Annotated[list[int], I8, CARDS * CARD_N]
    seats: Annotated[list[int], I8, SEATS * SEAT_N]
    terrain: Annotated[list[int], I8, TERRAIN_UP * TERRAIN_N]
    errands: Annotated[list[int], I8, ERRANDS * ERRAND_N]  # pairs of places that a mechanic wants joined
    errand_from: Annotated[list[int], I8, ERRANDS]  # 1 + place, or 0
    errand_to: Annotated[list[int], I8, ERRANDS]
    display: Annotated[list[int], I8, DISPLAY]  # 1 + card, or 0
    table: Annotated[list[int], I8, TABLE_N]
    seat: Annotated[int, I8]
    players: Annotated[int, I8]
    pending: Annotated[int, I8]  # 1 + the track of a pending claim, or 0


class Paths(ring.Paths):
    """Scratch of an observation: cheapest paths over what a seat owns or may still claim."""

    open: Annotated[list[int], I64, TRACK_WORDS]  # tracks that a path may run over
    ring: Annotated[list[int], I64, RING]  # places to go on from, by what they cost to reach, modulo RING
    cost: Annotated[list[int], I16, MAX_TRACKS]  # of a track: its spaces and one for the turn; 0 where it is there
    reach: Annotated[list[int], I16, MAX_PLACES]
    spaces: Annotated[int, I16]  # what was counted on the path found last
    via: Annotated[list[int], I8, MAX_PLACES]  # the track by which a place is reached
    planned: Annotated[list[int], I8, MAX_TRACKS]
    order: Annotated[list[int], I8, MAX_TICKETS]  # tickets held, the dearest first
    held_n: Annotated[int, I8]
    goal: Annotated[int, I8]  # where the path found last ends, or -1


@kernel
def clamp(n: int, least: int, most: int) -> int:
    return max(least, min(most, n))


@kernel
def follow_path(b: Board, o: Observation, r: Paths, fact: int, points: int, keep: int) -> None:
    """Count the spaces of the path found last that are not laid; add points to a fact of its tracks; plan it."""
    p = r.goal
    r.spaces = 0
    while r.via[p] >= 0:
        t = r.via[p]
        if r.cost[t] > 0:
            r.spaces += b.length[t]
            at = t * TRACK_N + fact
            if fact > 0:
                o.tracks[at] = clamp(o.tracks[at] + points, -127, 127)
        p = b.track_a[t] if b.track_b[t] == p else b.track_b[t]
    if keep:
        p = r.goal
        while r.via[p] >= 0:
            t = r.via[p]
            if r.cost[t] > 0:
                r.planned[t] = 1
                r.cost[t] = 0
            p = b.track_a[t] if b.track_b[t] == p else b.track_b[t]


@kernel
def write_errand(b: Board, o: Observation, r: Paths, slot: int, origin: int, goal: int, points: int, done: int) -> None:
    """A pair of places that a mechanic wants joined, for points; `done`: they are joined already. What it would take is
    counted over what is planned, and its points are added to the fact `errand points` of the tracks on that way."""
    cost = find_path(b, r, 1 << origin, 1 << goal)
    r.spaces = 0
    if cost != FAR and not done:
        follow_path(b, o, r, ERRAND_POINTS, points, 0)
    at = slot * ERRAND_N
    o.errand_from[slot] = 1 + origin
    o.errand_to[slot] = 1 + goal
    o.errands[at] = 1
    o.errands[at + 1] = 1 if slot >= ERRANDS_HELD else 0
    o.errands[at + 2] = points
    o.errands[at + 3] = min(r.spaces, SHOWN_FAR)
    o.errands[at + 4] = 0 if cost == FAR else 1
    o.errands[at + 5] = done
