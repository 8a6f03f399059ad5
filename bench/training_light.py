"""The games of training_rate.py: a step that tells the few facts our first rough script told its network (USA, two
players): 454 numbers, the tracks on the cheapest paths to its tickets among them. Kernel Python, for a GPU too."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np

from branchline.graph.ring import FAR, find_path
from branchline.kernel.flat import I8, I64, Flat
from branchline.kernel.machine import (
    add_record,
    board_at,
    load_or_compile,
    lowest,
    position_at,
    read_at,
    words_at,
    work_at,
)
from branchline.kernel.primitives import kernel
from branchline.kernel.state import BITS, CARDS, HAND, HELD, MENU, OFFER, SEATS, TRACK_WORDS, UNKNOWN
from branchline.kernel.turn import fill_menu
from branchline.mechanics.composed import Board, Position, Work
from branchline.training.compiled import BOARD_SIZE, POSITION_WORDS
from branchline.training.observation import SOURCES
from branchline.training.ptx import Program
from branchline.training.record import Paths

FACTS = 454
FACTS_ROOM = 456  # matrices like multiples of eight
TRACKS_AT = 64
HAND_AT, SEEN_AT, DISPLAY_AT, DISCARD_AT, TRAINS_AT = 13, 22, 32, 42, 51


class Light(Flat):
    """What the network is told."""

    menu: Annotated[list[int], I64, MENU]
    facts: Annotated[list[int], I8, FACTS_ROOM]
    seat: Annotated[int, I8]


def scales(tracks: int, tickets: int) -> np.ndarray:
    """By what the facts are multiplied."""
    found = np.ones(FACTS_ROOM, np.float32)
    for first, count, scale in (
        (HAND_AT, CARDS, 0.25),
        (SEEN_AT, CARDS, 0.25),
        (31, 1, 0.1),
        (DISPLAY_AT, CARDS, 0.5),
        (41, 1, 0.01),
        (DISCARD_AT, CARDS, 0.1),
        (TRAINS_AT, 2, 0.025),
        (54, 2, 0.02),
        (56, 1, 0.03),
        (57, 2, 0.2),
        (TRACKS_AT + 2 * tracks, tracks, 0.5),
        (TRACKS_AT + 3 * tracks, tickets, 0.1),
        (TRACKS_AT + 3 * tracks + 2 * tickets, tickets, 0.1),
    ):
        found[first : first + count] = scale
    return found


@kernel
def see_light(s: Position, b: Board, w: Work, o: Light, r: Paths, seat: int) -> None:
    fill_menu(s, b, w, seat)
    for i in range(MENU):
        o.menu[i] = w.menu[i] if w.menu_from <= i < w.menu_to else 0
    for i in range(FACTS_ROOM):
        o.facts[i] = 0
    o.seat = seat
    light_table(s, o, seat)
    light_tracks(s, b, o, r, seat)
    light_tickets(s, b, o, r, seat)


@kernel
def light_table(s: Position, o: Light, seat: int) -> None:
    other = 1 - seat
    o.facts[s.phase] = 1
    unknown = s.hand[other * HAND + UNKNOWN]
    for c in range(CARDS):
        o.facts[13 + c] = s.hand[seat * HAND + c]
        o.facts[22 + c] = s.seen[other * CARDS + c]
        o.facts[42 + c] = s.discard[c]
        unknown += s.hand[other * HAND + c] - s.seen[other * CARDS + c]
    o.facts[31] = unknown
    for i in range(5):
        if s.display[i] >= 0:
            o.facts[32 + s.display[i]] += 1
    o.facts[41] = s.deck_n
    o.facts[51] = s.trains[seat]
    o.facts[52] = s.trains[other]
    o.facts[53] = s.turns_left
    o.facts[54] = min(127, s.score[seat] // 2)
    o.facts[55] = min(127, s.score[other] // 2)
    o.facts[56] = s.ticket_n
    o.facts[57] = s.ticket_count[seat]
    o.facts[58] = s.ticket_count[other]
    o.facts[59] = 1 if s.trains[seat] <= 8 else 0
    o.facts[60] = 1 if s.trains[other] <= 8 else 0
    o.facts[61] = 1 if s.deck_n == 0 else 0


@kernel
def light_tracks(s: Position, b: Board, o: Light, r: Paths, seat: int) -> None:
    for word in range(TRACK_WORDS):
        r.open[word] = s.owned[2 * seat + word] | ~s.shut[2 * seat + word]
    for t in range(b.n_tracks):
        word = t // BITS
        bit = t % BITS
        mine = (s.owned[2 * seat + word] >> bit) & 1
        r.cost[t] = 0 if mine else b.length[t]
        if mine:
            o.facts[TRACKS_AT + t] = 1
        elif (s.shut[2 * seat + word] >> bit) & 1:
            o.facts[TRACKS_AT + t] = -1
        if (s.owned[2 * (1 - seat) + word] >> bit) & 1:
            o.facts[TRACKS_AT + b.n_tracks + t] = 1


@kernel
def light_tickets(s: Position, b: Board, o: Light, r: Paths, seat: int) -> None:
    held = TRACKS_AT + 3 * b.n_tracks
    for i in range(s.offer_n[seat]):
        ticket = s.offer[seat * OFFER + i]
        if ticket >= 0:
            cost = light_path(b, o, r, ticket, 1)
            o.facts[held + 2 * b.n_tickets + ticket] = 5 + min(cost, 20)
    for ticket in range(b.n_tickets):
        if s.ticket_at[ticket] == HELD + seat:
            cost = light_path(b, o, r, ticket, 2)
            if cost == 0:
                o.facts[held + b.n_tickets + ticket] = 1
            else:
                o.facts[held + ticket] = 3 + min(cost, 25)


@kernel
def light_path(b: Board, o: Light, r: Paths, ticket: int, weight: int) -> int:
    """The spaces still to lay for a ticket; its way is marked."""
    cost = find_path(b, r, b.ticket_a[ticket], b.ticket_b[ticket])
    if cost != FAR and cost != 0:
        p = r.goal
        while r.via[p] >= 0:
            t = r.via[p]
            if r.cost[t] > 0:
                o.facts[TRACKS_AT + 2 * b.n_tracks + t] += weight
            p = b.track_a[t] if b.track_b[t] == p else b.track_b[t]
    return cost


light_at, paths_at = read_at(add_record(Light)), read_at(add_record(Paths))
LIGHT_WORDS = Light.SIZE // 8
CALLS = ("set_up", "apply_action", "play_defaults", "score_game", "see_light")
_set_up: Any = None
_apply_action: Any = None
_play_defaults: Any = None
_score_game: Any = None
_see_light: Any = None


def _light_step(i, n, wanted, store, boards, board_of, players, seeds, codes, seen, results, hidden, p, w, o, r):  # type: ignore[no-untyped-def]
    """`_step` of training/compiled.py with these facts."""
    stored, words, sights, told = words_at(store), words_at(p), words_at(o), words_at(seen)
    result, seed = words_at(results), words_at(seeds)
    code = words_at(codes)[i]
    board = board_at(boards + BOARD_SIZE * words_at(board_of)[i])
    s, work = position_at(p), work_at(w)
    work.listening = 0
    fresh = 1
    result[i] = 0
    if code >= 0:
        fresh = 0
        for k in range(POSITION_WORDS):
            words[k] = stored[k * n + i]
        _apply_action(s, board, work, lowest(s.awaited), code)
        _play_defaults(s, board, work)
        if s.awaited == 0:
            _score_game(s, board, work)
            result[i] = 1
            winners = 0
            for q in range(SEATS):
                result[(2 + q) * n + i] = work.total[q] if q < s.players else 0
                if q < s.players and work.place[q] == 1:
                    winners |= 1 << q
            result[n + i] = winners
            fresh = 1
    if fresh:
        for k in range(POSITION_WORDS):
            words[k] = 0
        seed[i] += n
        _set_up(s, board, work, words_at(players)[i], seed[i])
    _see_light(s, board, work, light_at(o), paths_at(r), lowest(s.awaited))
    for k in range(POSITION_WORDS):
        stored[k * n + i] = words[k]
    for k in range(wanted):
        told[k * n + i] = sights[k]
    return 0


LIGHT = Program(
    "branchline_light_step",
    "bench.training_light",
    "_light_step",
    CALLS,
    (Position.SIZE, Work.SIZE, Light.SIZE, Paths.SIZE),
    (*SOURCES, Path(__file__)),
)


def load_light() -> Any:
    """The step compiled for this machine."""
    return load_or_compile(_light_step, CALLS, sources=LIGHT.sources)
