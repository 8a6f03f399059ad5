"""Terrain for bots: whether a track is doubled, what that brings, and what the laboratory notes.

What a terrain card is worth to draw is said in bots/blocks/cards.py, with all that is said about cards.
"""

from __future__ import annotations

from branchline.bots import hooks
from branchline.bots.blocks.cards import terrain_lacking
from branchline.bots.blocks.plan import Plan
from branchline.bots.games.columns import S_DRAWS
from branchline.bots.games.rows import seat_row, track_row
from branchline.bots.kernel import BITS, MISC, Board, Position, Work, kernel, lowest
from branchline.bots.planner.tuning import P_POINT, P_TERRAIN, tuned
from branchline.kernel.hooks import at
from branchline.mechanics.terrain.columns import T_DOUBLED
from branchline.mechanics.terrain.state import DOUBLED, SINGLE, TAKE_TERRAIN, TERRAIN_DECK


@at(hooks.settled_choice, "s.phase == DOUBLE")
@kernel
def choose_double(s: Position, b: Board, w: Work, card_cost: int, loco_cost: int) -> int:
    """Double a track if its points are worth the cards, with as few locomotives as possible."""
    length = b.length[s.claim_track]
    locos = lowest(w.menu[MISC] >> DOUBLED)
    cost = card_cost * max(0, b.to_double[length] - locos) + loco_cost * locos
    if s.turns_left > 0:  # no card is worth anything any more
        cost = 0
    return DOUBLED + locos if 64 * b.points[length] >= cost else SINGLE


@at(hooks.claim_brings)
@kernel
def points_doubled(s: Position, b: Board, seat: int, t: int, n: int) -> int:
    """Twice as many, if the seat's terrain cards alone double the track (AFR-10, AFR-11)."""
    return n + n if b.to_double[b.length[t]] > 0 and terrain_lacking(s, b, seat, t) <= 0 else n


@at(hooks.more_cost)
@kernel
def doubling_hope(s: Position, b: Board, plan: Plan, seat: int, t: int) -> int:
    """A track costs less by what doubling would bring if the cards lacking for it were drawn (AFR-10, AFR-11)."""
    lacking = terrain_lacking(s, b, seat, t)
    if b.to_double[b.length[t]] == 0 or lacking <= 0:
        return 0
    return -max(0, tuned(plan, P_POINT) * b.points[b.length[t]] - tuned(plan, P_TERRAIN) * lacking)


@at(hooks.note_more_choices, "s.phase == TURN")
@kernel
def note_terrain_draw(notes: list[int], seat: int, code: int) -> None:
    if TAKE_TERRAIN <= code <= TERRAIN_DECK:
        notes[seat_row(seat) + S_DRAWS] += 1


@at(hooks.note_taken_track)
@kernel
def note_doubled(s: Position, notes: list[int], t: int) -> None:
    notes[track_row(t) + T_DOUBLED] = (s.doubled[t // BITS] >> (t % BITS)) & 1
