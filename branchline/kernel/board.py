"""The kernel's tables of a map: names become small numbers, sets become bits."""

from __future__ import annotations

from functools import lru_cache

from branchline.kernel.claim import row_of
from branchline.kernel.numbers import tie
from branchline.kernel.state import BITS, GRAY, LENGTHS, TRACK_WORDS
from branchline.maps.model import COLOURS, TRACK_COLOURS, MapData, TicketDeal
from branchline.mechanics.composed import Board, make_tables, words_of_position


@lru_cache(maxsize=64)
def make_board(data: MapData) -> Board:
    """The tables of a map; the loader has checked every name and number. Do not change the result: copy it."""
    b = Board()
    b.n_places, b.n_tracks, b.n_tickets = len(data.places), len(data.tracks), len(data.tickets)
    b.trains, b.cards_per_colour, b.locomotives = data.trains, data.cards_per_colour, data.locomotives
    b.first_hand, b.display, b.sweep_at = data.first_hand, data.display, data.sweep_at
    b.last_round_at, b.both_tracks_from = data.last_round_at, data.both_tracks_from
    b.points[: len(data.track_points)] = data.track_points
    b.longest_path, b.globetrotter = data.longest_path, data.globetrotter
    b.ties[: len(data.ties)] = [tie(name) for name in data.ties]
    b.dead_ends = sum(1 << p for p, place in enumerate(data.places) if place.dead_end)
    _tracks(b, data)
    _tickets(b, data)
    make_tables(b, data)
    b.position_words = words_of_position(b)
    return b


def _tracks(b: Board, data: MapData) -> None:
    index = {place.id: p for p, place in enumerate(data.places)}
    for t, track in enumerate(data.tracks):
        word, bit = t // BITS, 1 << (t % BITS)
        b.track_a[t], b.track_b[t] = index[track.a], index[track.b]
        b.length[t], b.colour[t] = track.length, TRACK_COLOURS.index(track.colour)
        for end in (b.track_a[t], b.track_b[t]):
            b.at_place[TRACK_WORDS * end + word] |= bit
        for other, twin in enumerate(data.tracks):
            if other != t and {twin.a, twin.b} == {track.a, track.b}:
                b.twins[TRACK_WORDS * t + other // BITS] |= 1 << (other % BITS)
        _price(b, t, word, bit)


def _price(b: Board, t: int, word: int, bit: int) -> None:
    """Enter a track in the tables that say who can pay for it: by colour and cards, and by trains."""
    for n in range(b.length[t], LENGTHS):
        b.fits[TRACK_WORDS * n + word] |= bit
        b.payable[row_of(0, b.colour[t], n) + word] |= bit
        if b.colour[t] != GRAY:
            b.payable[row_of(1, b.colour[t], n) + word] |= bit
        else:
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
