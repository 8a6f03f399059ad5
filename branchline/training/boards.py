"""What a network is told of a map, whatever happens on it: facts of tracks and places, which ends where, tickets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from branchline.graph.search import Road, first_shortest
from branchline.kernel.board import make_board
from branchline.kernel.state import BITS, GRAY, TRACK_WORDS
from branchline.maps.model import MapData
from branchline.mechanics.composed import Board

Array = np.ndarray

STATIC_TRACK_FACTS = (
    "length",
    "points",
    "gray",
    "ferry locomotives",
    "tunnel",
    "double",
    "to double",
    "demand",
)
STATIC_TICKET_FACTS = ("points", "long")
STATIC_PLACE_FACTS = ("tracks", "end of the line", "festival cards", "station site", "ticket points")


@dataclass(frozen=True)
class BoardFacts:
    """The tables of one map, padded to the given numbers of tracks and places."""

    name: str
    tracks: Array  # [tracks, STATIC_TRACK_FACTS]
    places: Array  # [places, STATIC_PLACE_FACTS]
    ends: Array  # [places, tracks]: 1 where a track ends
    here: Array  # [tracks]: 1 for tracks that there are
    place_here: Array  # [places]
    ticket_ends: Array  # [1 + tickets, places]: the ends of a ticket, each end's places weighing 1 together
    tickets: Array  # [1 + tickets, STATIC_TICKET_FACTS]
    length: Array  # [tracks], whole numbers
    n_tracks: int
    n_places: int
    n_tickets: int


def board_facts(data: MapData, tracks: int = 0, places: int = 0, tickets: int = 0) -> BoardFacts:
    """The facts of a map; `tracks`, `places`, `tickets`: how many rows at least."""
    b = make_board(data)
    rows_t, rows_p, rows_k = max(tracks, b.n_tracks), max(places, b.n_places), max(tickets, b.n_tickets)
    facts = BoardFacts(
        data.id,
        np.zeros((rows_t, len(STATIC_TRACK_FACTS)), np.float32),
        np.zeros((rows_p, len(STATIC_PLACE_FACTS)), np.float32),
        np.zeros((rows_p, rows_t), np.float32),
        np.zeros(rows_t, np.float32),
        np.zeros(rows_p, np.float32),
        np.zeros((1 + rows_k, rows_p), np.float32),
        np.zeros((1 + rows_k, len(STATIC_TICKET_FACTS)), np.float32),
        np.zeros(rows_t, np.int64),
        b.n_tracks,
        b.n_places,
        b.n_tickets,
    )
    _tracks(b, facts)
    _places(b, facts)
    _tickets(b, facts)
    return facts


def _tracks(b: Board, facts: BoardFacts) -> None:
    demand = _demand(b)
    for t in range(b.n_tracks):
        length, gray = b.length[t], b.colour[t] == GRAY
        double = any(b.twins[TRACK_WORDS * t + word] for word in range(TRACK_WORDS))
        tunnel = b.tunnels[t // BITS] >> (t % BITS) & 1
        due = b.to_double[length] if b.terrains else 0
        row = (length / 4, b.points[length] / 10, gray, b.ferry[t], tunnel, double, due, demand[t] / 40)
        facts.tracks[t] = row
        facts.ends[b.track_a[t], t] = facts.ends[b.track_b[t], t] = 1
        facts.here[t] = 1
        facts.length[t] = length


def _places(b: Board, facts: BoardFacts) -> None:
    for p in range(b.n_places):
        group = b.group[p]
        festivals = b.group_cards[group] if b.groups and group >= 0 else 0
        points = sum(b.ticket_points[k] for k in range(b.n_tickets) if (b.ticket_a[k] | b.ticket_b[k]) >> p & 1)
        site = b.stations_each > 0 and b.station_sites >> p & 1
        row = (facts.ends[p].sum() / 5, b.dead_ends >> p & 1, festivals / 4, site, points / 40)
        facts.places[p] = row
        facts.place_here[p] = 1


def _tickets(b: Board, facts: BoardFacts) -> None:
    for k in range(b.n_tickets):
        facts.tickets[1 + k] = (b.ticket_points[k] / 12, b.long_ticket[k])
        for ends in (b.ticket_a[k], b.ticket_b[k]):
            places = [p for p in range(b.n_places) if ends >> p & 1]
            facts.ticket_ends[1 + k, places] += 1 / len(places)


def _demand(b: Board) -> list[int]:
    """The points of the tickets whose shortest path on an empty board runs over each track."""
    demand = [0] * b.n_tracks
    roads = [Road(b.track_a[t], b.track_b[t], b.length[t]) for t in range(b.n_tracks)]
    dead_ends = set(_places_of(b, b.dead_ends))
    for ticket in range(b.n_tickets):
        ends = (_places_of(b, places[ticket]) for places in (b.ticket_a, b.ticket_b))
        for t in first_shortest(roads, dead_ends, *ends):
            demand[t] += b.ticket_points[ticket]
    return demand


def _places_of(b: Board, places: int) -> list[int]:
    return [p for p in range(b.n_places) if places >> p & 1]
