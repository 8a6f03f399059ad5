"""The fixed places where mechanics come in when a bot thinks, as kernel/hooks.py has them for the rules.

A bot knows what every map has and asks here for the rest. A mechanic puts a function of its bots.py at a place
(`@at(hooks.planner_choice, "s.phase == DRAFT_PICK")` above `@kernel`; conditions in SAYS are not asked for here).
`python -m branchline.mechanics` writes for each place one plain function that asks the mechanics of the list in their
order (composed.py), and the whole plan with their fields. Whoever has a plan has imported that.

There is no place for numbers and columns: `number` (planner/tuning.py) and `column` (games/columns.py) give them out.
"""

from __future__ import annotations

from branchline.bots.blocks.codes import NO_CHOICE
from branchline.bots.blocks.plan import Plan
from branchline.bots.kernel import Board, Position, Work
from branchline.kernel.hooks import EACH, FOLD, ONE, SUM, hook

# ---------------------------------------------------------------- choices


@hook(ONE)
def simple_choice(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """What a bot without foresight chooses in a phase of the mechanic; w holds the menu."""
    return NO_CHOICE


@hook(ONE)
def planner_choice(s: Position, b: Board, w: Work, plan: Plan, seat: int) -> int:
    """What the planner chooses in a phase of the mechanic; w holds the menu."""
    return NO_CHOICE


@hook(ONE)
def settled_choice(s: Position, b: Board, w: Work, seat: int, card_cost: int, loco_cost: int) -> int:
    """What every bot chooses in a phase of the mechanic that belongs to a claim. A card of another kind and a
    locomotive that stands in for one cost so much, in 64ths of a point."""
    return NO_CHOICE


# ---------------------------------------------------------------- what a claim brings and takes


@hook(FOLD)
def claim_brings(s: Position, b: Board, seat: int, t: int, n: int) -> int:
    """A claim brings n points at once; how many with what the mechanic adds."""
    return n


@hook(SUM)
def more_price(b: Board, t: int) -> int:
    """What a free track costs beside cards and turn, in the conductor's prices: quarters of a card."""
    return 0


@hook(SUM)
def more_cost(s: Position, b: Board, plan: Plan, seat: int, t: int) -> int:
    """The same for the planner, in 64ths of a point; below 0 for what it may bring. Asked very often."""
    return 0


# ---------------------------------------------------------------- the planner's network


@hook(EACH)
def look_closer(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """The planner has looked around: fill the mechanic's fields of the plan, and add to plan.hope of a free track what
    it may bring beside its points, in 64ths of a point."""


@hook(EACH)
def join_more(s: Position, b: Board, plan: Plan, seat: int) -> None:
    """The tickets are planned: join the pairs of places that the mechanic wants joined (planner/network.py,
    `join_pair`), each for what it is worth."""


@hook(SUM)
def trains_to_keep(s: Position, b: Board, plan: Plan) -> int:
    """Trains not to be spent on tracks for points, for what is still to come."""
    return 0


# ---------------------------------------------------------------- what the laboratory notes


@hook(EACH)
def note_more_choices(s: Position, b: Board, notes: list[int], seat: int, code: int) -> None:
    """A choice is about to be carried out."""


@hook(EACH)
def note_taken_track(s: Position, b: Board, notes: list[int], t: int) -> None:
    """A track has just been taken."""


@hook(SUM)
def points_in_hand(s: Position, b: Board, seat: int) -> int:
    """Points that a seat is sure of before the end, beside those of its tracks and tickets."""
    return 0


@hook(EACH)
def note_more_lines(s: Position, b: Board, w: Work, notes: list[int], seat: int) -> None:
    """The game is over and scored: the mechanic's columns of a seat."""
