"""What a network is told: the same bytes however the kernel runs, and nothing that the seat may not know."""

from __future__ import annotations

import random

import numpy as np
import pytest

from branchline import Game, imagine
from branchline.graph.ring import FAR, find_path
from branchline.kernel.board import make_board
from branchline.kernel.paths import longest_path
from branchline.mechanics import composed as k
from branchline.mechanics.composed import Board, Position, Work
from branchline.training import record as o
from branchline.training.compiled import load_see
from branchline.training.observation import held_tickets, list_usable, observe, path_at_most
from branchline.training.record import Observation, Paths
from tests.test_properties import TABLES, Table, new_game

every_table = pytest.mark.parametrize("of", TABLES, ids=[f"{map}-{players}" for map, players in TABLES])
POSITIONS = 8
WIDTHS = {
    "tracks": o.TRACK_N,
    "places": o.PLACE_N,
    "tickets": o.TICKET_N,
    "cards": o.CARD_N,
    "seats": o.SEAT_N,
    "terrain": o.TERRAIN_N,
    "table": o.TABLE_N,
    "errands": o.ERRAND_N,
}
# What no position here shows: a game that is over asks nobody, a draw that is not used up (IBE-07) and a choice between
# two festival cities are rare, and all these maps begin the last round alike.
RARE = ("phase 0", "phase 5", "last round at", "owned of first end", "owned of second end")
CONSTANT = {("table", o.TABLE_FACTS.index(name)) for name in RARE} | {("errands", o.ERRAND_FACTS.index("at once"))}


def positions(of: Table, seed: int, most: int = POSITIONS) -> list[Game]:
    """Positions all along a random game."""
    game, chance, found = new_game(of, seed), random.Random(seed), []
    while not game.is_over:
        if chance.random() < 0.3:
            found.append(game.copy())
        seat = chance.choice(game.to_act)
        game.play(chance.choice(game.legal_actions(seat)), seat)
    return chance.sample(found, min(most, len(found)))


def seen_in(game: Game, position: Position, seat: int) -> bytes:
    """What a seat sees, interpreted."""
    seen = Observation()
    observe(position.copy(), make_board(game.map), Work(), seen, Paths(), seat)
    return seen.to_bytes()


def fields_that_differ(a: bytes, b: bytes) -> list[str]:
    first, second = Observation.from_bytes(a), Observation.from_bytes(b)
    return [f.name for f in Observation.FIELDS if getattr(first, f.name) != getattr(second, f.name)]


@every_table
def test_compiled_it_is_the_same_bytes(of: Table) -> None:
    see = load_see()
    seen, work, paths = np.zeros(1, Observation.dtype()), np.zeros(1, Work.dtype()), np.zeros(1, Paths.dtype())
    for game in positions(of, 1):
        board = np.frombuffer(make_board(game.map).to_bytes(), np.uint8)
        for seat in range(game.players):
            raw = np.frombuffer(bytearray(game.position.to_bytes()), np.uint8)
            rooms = (raw, board, work, seen, paths)
            see(*(room.ctypes.data for room in rooms), seat)
            assert fields_that_differ(seen.tobytes(), seen_in(game, game.position, seat)) == []


@every_table
def test_two_worlds_that_a_seat_cannot_tell_apart_give_the_same_bytes(of: Table) -> None:
    chance = random.Random(2)
    for game in positions(of, 2):
        for seat in range(game.players):
            told = seen_in(game, game.position, seat)
            view = game.view(seat)
            other = imagine(view, chance)
            assert fields_that_differ(told, seen_in(game, view.position, seat)) == [], "the view says less"
            assert fields_that_differ(told, seen_in(game, other.position, seat)) == []


@every_table
def test_the_menu_is_told_whole(of: Table) -> None:
    for game in positions(of, 3):
        for seat in game.to_act:
            seen = Observation.from_bytes(seen_in(game, game.position, seat))
            assert sum(word.bit_count() for word in seen.menu) == len(game.legal_actions(seat))
            if any(seen.menu):
                assert any(seen.open)


def test_every_fact_is_something_else_at_some_time() -> None:
    """A fact that never changes on any map would be a mistake in its place in the row."""
    rows: dict[str, set[tuple[int, int]]] = {name: set() for name in WIDTHS}
    for of in TABLES:
        for game in positions(of, 4, 30):
            seen = Observation.from_bytes(seen_in(game, game.position, game.to_act[0]))
            for name, width in WIDTHS.items():
                rows[name] |= {(i % width, n) for i, n in enumerate(getattr(seen, name))}
    for name, width in WIDTHS.items():
        for fact in range(width):
            assert len({n for i, n in rows[name] if i == fact}) > 1 or (name, fact) in CONSTANT, (name, fact)


def test_what_is_taught_of_the_others_is_what_they_hold() -> None:
    for game in positions(("europe", 3), 5):
        s, board = game.position, make_board(game.map)
        for seat in range(3):
            bits = held_tickets(s, board, seat, 0) | held_tickets(s, board, seat, 1) << k.BITS
            held = {t.id for i, t in enumerate(game.map.tickets) if bits >> i & 1}
            assert held == set(game.view(seat).player(seat).tickets)


def slow_cost(board: Board, tracks: dict[int, int], starts: int, goals: int) -> int:
    """The cheapest path over tracks with costs, by going through all of them again and again."""
    reach = {p: 0 for p in range(board.n_places) if starts >> p & 1}
    closed = {p for p in range(board.n_places) if board.dead_ends >> p & 1 and not starts >> p & 1}
    for _ in range(board.n_places):
        for t, cost in tracks.items():
            for p, q in ((board.track_a[t], board.track_b[t]), (board.track_b[t], board.track_a[t])):
                if p in reach and p not in closed and reach[p] + cost < reach.get(q, FAR):
                    reach[q] = reach[p] + cost
    return min((far for p, far in reach.items() if goals >> p & 1), default=FAR)


@every_table
def test_the_cheapest_path_is_found(of: Table) -> None:
    for game in positions(of, 6, 4):
        seat, board = game.to_act[0], make_board(game.map)
        seen, paths = Observation(), Paths()
        observe(game.position.copy(), board, Work(), seen, paths, seat)
        list_usable(board, seen, paths)
        usable = [t for t in range(board.n_tracks) if paths.open[t // k.BITS] >> t % k.BITS & 1]
        tracks = {t: paths.cost[t] for t in usable}
        for ticket in range(0, board.n_tickets, 5):
            cost = find_path(board, paths, board.ticket_a[ticket], board.ticket_b[ticket])
            assert cost == slow_cost(board, tracks, board.ticket_a[ticket], board.ticket_b[ticket])
            p, walked = paths.goal, 0
            while p >= 0 and paths.via[p] >= 0:
                t = paths.via[p]
                walked += tracks[t]
                p = board.track_a[t] + board.track_b[t] - p
            assert cost == (FAR if p < 0 else walked)
            assert p < 0 or board.ticket_a[ticket] >> p & 1


@pytest.mark.parametrize("of", [("usa", 2), ("europe", 4)], ids=["usa", "europe"])
def test_no_path_is_longer_than_is_told(of: Table) -> None:
    told = []
    for game in positions(of, 7, 30):
        board, work = make_board(game.map), Work()
        for seat in range(game.players):
            most = path_at_most(game.position, board, work, seat)
            told.append((longest_path(game.position, board, work, seat), most))
    assert all(path <= most for path, most in told)
    assert sum(path for path, _ in told) > 0.8 * sum(most for _, most in told)
