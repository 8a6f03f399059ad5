"""Final scoring: tracks, tickets, bonuses, places (C-32, C-35 .. C-39, EUR-19, IBE-17, AFR-17 .. AFR-20). The sheet is
written into the work space; the position is not changed."""

from __future__ import annotations

from branchline.kernel.hooks import break_tie, more_joins, more_track_points, score_lines
from branchline.kernel.paths import is_completed, join_places, measure_paths
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.state import BITS, HELD, TIE_PATH, TIE_TICKETS, TRACK_WORDS, Board, Position, Work


@kernel
def score_game(s: Position, b: Board, w: Work) -> None:
    """Fill the score sheet for the position as it stands."""
    for seat in range(s.players):
        w.track_score[seat] = track_points(s, b, seat)
        join_places(s, b, w, seat)
        score_tickets(s, b, w, seat)
        more_joins(s, b, w, seat)
        w.total[seat] = w.track_score[seat] + w.ticket_score[seat] + score_lines(s, b, w, seat)
        w.bonus[seat] = 0
        w.path[seat] = 0
    if b.longest_path > 0:
        measure_paths(s, b, w)
        give_bonus(s, w, w.path, b.longest_path)
    if b.globetrotter > 0:
        give_bonus(s, w, w.completed, b.globetrotter)
    for seat in range(s.players):
        w.total[seat] += w.bonus[seat]
    rank_players(s, b, w)


@kernel
def give_bonus(s: Position, w: Work, of: list[int], points: int) -> None:
    """Points to all who have the most of something, if that is more than none (C-36, AFR-19)."""
    most = 1
    for seat in range(s.players):
        most = max(most, of[seat])
    for seat in range(s.players):
        if of[seat] == most:
            w.bonus[seat] += points


@kernel
def track_points(s: Position, b: Board, seat: int) -> int:
    """The points of the tracks a player owns, from the board alone (C-35)."""
    points = more_track_points(s, b, seat)
    for word in range(TRACK_WORDS):
        owned = s.owned[TRACK_WORDS * seat + word]
        while owned:
            points += b.points[b.length[word * BITS + lowest(owned)]]
            owned &= owned - 1
    return points


# ---------------------------------------------------------------- tickets


@kernel
def score_tickets(s: Position, b: Board, w: Work, seat: int) -> None:
    """Plus or minus the value of each ticket, by the joins in w.near (C-32)."""
    points = 0
    completed = 0
    for t in range(b.n_tickets):
        if s.ticket_at[t] == HELD + seat:
            w.done[t] = is_completed(b, w, t)
            completed += w.done[t]
            points += b.ticket_points[t] if w.done[t] else -b.ticket_points[t]
    w.ticket_score[seat] = points
    w.completed[seat] = completed


# ---------------------------------------------------------------- places


@kernel
def rank_players(s: Position, b: Board, w: Work) -> None:
    """The place of each player: points, then tie-breaks among those still level (C-37, C-39, EUR-19, IBE-17)."""
    for seat in range(s.players):
        w.place[seat] = 1
    split_places(s, w, w.total)
    for i in range(3):
        rule = b.ties[i]
        if any_level(s, w) == 0:
            return
        if rule == TIE_TICKETS:
            split_places(s, w, w.completed)
        elif rule == TIE_PATH:
            if b.longest_path == 0:
                measure_paths(s, b, w)
            split_places(s, w, w.path)
        else:
            break_tie(s, b, w, rule)


@kernel
def any_level(s: Position, w: Work) -> int:
    """1 if two players share a place."""
    for p in range(s.players):
        for q in range(p):
            if w.place[p] == w.place[q]:
                return 1
    return 0


@kernel
def split_places(s: Position, w: Work, value: list[int]) -> None:
    """Among players on one place, those with less of `value` fall behind those with more."""
    for p in range(s.players):
        w.cards[p] = 0
        for q in range(s.players):
            if w.place[q] == w.place[p] and value[q] > value[p]:
                w.cards[p] += 1
    for p in range(s.players):
        w.place[p] += w.cards[p]
