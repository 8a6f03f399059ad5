"""Tunnels for bots: what the risk of one costs, paying the extra cards, and what the laboratory notes.

How many cards to keep for a tunnel is said in bots/blocks/cards.py, with all that is said about paying.
"""

from __future__ import annotations

from branchline.bots import hooks
from branchline.bots.blocks.codes import NO_CHOICE
from branchline.bots.blocks.plan import Plan
from branchline.bots.games.rows import track_row
from branchline.bots.kernel import LOCOS, MISC, Board, Position, Work, kernel, lowest
from branchline.bots.planner.tuning import P_TUNNEL, tuned
from branchline.kernel.hooks import at
from branchline.mechanics.tunnels.columns import G_SURCHARGES, T_FAILED
from branchline.mechanics.tunnels.rules import is_tunnel
from branchline.mechanics.tunnels.state import DECLINE

TUNNEL_PRICE = 5


@at(hooks.settled_choice, "s.phase == TUNNEL")
@kernel
def pay_in_tunnel(w: Work) -> int:
    """Pay with as few locomotives as possible; declining is what is left (EUR-17)."""
    return LOCOS + lowest(w.menu[MISC] >> LOCOS) if w.menu[MISC] >> LOCOS else NO_CHOICE


@at(hooks.more_price)
@kernel
def price_of_tunnel(b: Board, t: int) -> int:
    return TUNNEL_PRICE if is_tunnel(b, t) else 0


@at(hooks.more_cost)
@kernel
def cost_of_tunnel(b: Board, plan: Plan, t: int) -> int:
    return tuned(plan, P_TUNNEL) if is_tunnel(b, t) else 0


@at(hooks.note_more_choices, "s.phase == TUNNEL")
@kernel
def note_tunnel(s: Position, notes: list[int], code: int) -> None:
    """Extra cards were due; perhaps the tunnel is given up."""
    notes[G_SURCHARGES] += 1
    if code == DECLINE:
        notes[track_row(s.claim_track) + T_FAILED] += 1
