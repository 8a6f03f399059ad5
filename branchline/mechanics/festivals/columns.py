"""What the laboratory counts of festivals."""

from __future__ import annotations

from branchline.bots.games.columns import seats
from branchline.mechanics.festivals.state import GROUPS

S_FESTIVAL_POINTS = seats.column()
S_FESTIVALS = seats.column(GROUPS)  # cards of each group
