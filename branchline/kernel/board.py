"""The kernel's tables of a map: names become small numbers, sets become bits."""

from __future__ import annotations

from functools import lru_cache

from branchline.kernel.claim import row_of
from branchline.kernel.state import (
    BITS,
    GRAY,
    LENGTHS,
    TIE_PATH,
    TIE_STATIONS,
    TIE_TICKETS,
    TRACK_WORDS,
    Board,
)
from branchline.maps.model import COLOURS, MapData, TicketDeal, TicketDraft

_TIES = {"tickets": TIE_TICKETS, "stations": TIE_STATIONS, "path": TIE_PATH}


@lru_cache(maxsize=64)
def make_board(data: MapData) -> Board:
    """The tables of a map; the loader has checked every name and number. Do not change the result: copy it."""
    b = Board()
    b.n_places, b.n_tracks, b.n_tickets = len(data.places), len(data.tracks), len(data.tickets)
    b.trains, b.cards_per_colour, b.locomotives = data.trains, data.cards_per_colour, data.locomotives
    b.first_hand, b.display, b.sweep_at = data.first_hand, data.display, data.sweep_at
    b.last_round_at, b.both_tracks_from = data.last_round_at, data.both_tracks_from
    b.points[: len(data.track_points)] = data.track_points
    b.longest_path, b.globetrotter, b.tunnel_cards = data.longest_path, data.globetrotter, data.tunnel_cards
    b.ties[: len(data.ties)] = [_TIES[tie] for tie in data.ties]
    _places(b, data)
    _tracks(b, data)
    _tickets(b, data)
    _mechanics(b, data)
    return b


def _places(b: Board, data: MapData) -> None:
    b.group[:] = [-1] * len(b.group)
    for p, place in enumerate(data.places):
        if place.dead_end:
            b.dead_ends |= 1 << p
        if place.kind != "country":
            b.station_sites |= 1 << p


def _tracks(b: Board, data: MapData) -> None:
    index = {place.id: p for p, place in enumerate(data.places)}
    for t, track in enumerate(data.tracks):
        word, bit = t // BITS, 1 << (t % BITS)
        b.track_a[t], b.track_b[t] = index[track.a], index[track.b]
        b.length[t], b.ferry[t], b.colour[t] = track.length, track.ferry, _colour(track.colour)
        if track.tunnel:
            b.tunnels[word] |= bit
        for end in (b.track_a[t], b.track_b[t]):
            b.at_place[TRACK_WORDS * end + word] |= bit
        for other, twin in enumerate(data.tracks):
            if other != t and {twin.a, twin.b} == {track.a, track.b}:
                b.twins[TRACK_WORDS * t + other // BITS] |= 1 << (other % BITS)
        _price(b, t, word, bit)


def _price(b: Board, t: int, word: int, bit: int) -> None:
    """Enter a track in the tables that say who can pay for it: by colour and cards, by locomotives, by trains."""
    for n in range(LENGTHS):
        if b.ferry[t] <= n:
            b.ferry_ok[TRACK_WORDS * n + word] |= bit
        if b.length[t] > n:
            continue
        b.fits[TRACK_WORDS * n + word] |= bit
        b.payable[row_of(0, b.colour[t], n) + word] |= bit
        if b.colour[t] != GRAY:
            b.payable[row_of(1, b.colour[t], n) + word] |= bit
        elif b.ferry[t] < b.length[t]:  # else locomotives alone
            for c in range(len(COLOURS)):
                b.payable[row_of(1, c, n) + word] |= bit


def _tickets(b: Board, data: MapData) -> None:
    index = {place.id: p for p, place in enumerate(data.places)}
    for t, ticket in enumerate(data.tickets):
        b.ticket_a[t] = sum(1 << index[p] for p in ticket.a)
        b.ticket_b[t] = sum(1 << index[p] for p in ticket.b)
        b.ticket_points[t] = ticket.points
        b.long_ticket[t] = int(ticket.long)
    b.ticket_draw, b.ticket_keep = data.ticket_draw.draw, data.ticket_draw.keep_at_least
    first = data.first_tickets
    if isinstance(first, TicketDeal):
        b.deal_normal, b.deal_long, b.keep_first = first.normal, first.long, first.keep_at_least
        b.unkept_removed = int(first.unkept == "removed")
    else:
        _draft(b, first)


def _draft(b: Board, first: TicketDraft) -> None:
    b.draft_cards, b.draft_keep, b.depth_jitter = first.cards, first.keep_exactly, first.second_jitter
    for players, depth in first.second_depth:
        b.depth_num[players], b.depth_den[players] = depth.numerator, depth.denominator


def _mechanics(b: Board, data: MapData) -> None:
    index = {place.id: p for p, place in enumerate(data.places)}
    if data.stations:
        b.stations_each, b.station_points = data.stations.each, data.stations.unused_points
    if data.festivals:
        b.groups = len(data.festivals.groups)
        for g, group in enumerate(data.festivals.groups):
            b.group_cards[g] = group.cards
            for place in group.places:
                b.group[index[place]] = g
        table = data.festivals.score_table
        b.festival_table[:] = [table[min(n, len(table) - 1)] for n in range(len(b.festival_table))]
    if data.terrain:
        b.terrains, b.terrain_deal, b.terrain_up = len(data.terrain.types), data.terrain.deal, data.terrain.face_up
        for k, kind in enumerate(data.terrain.types):
            b.terrain_cards[k] = kind.cards
            for colour in kind.colours:
                b.terrain_of[_colour(colour)] = k
        b.to_double[: len(data.terrain.cards_to_double)] = data.terrain.cards_to_double


def _colour(name: str) -> int:
    return GRAY if name == "gray" else COLOURS.index(name)
