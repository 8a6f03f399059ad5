"""What the mechanics bring to the service.

Written by `python -m branchline.mechanics`: do not edit.
"""

from __future__ import annotations

from branchline.mechanics.ferries import service as ferries
from branchline.mechanics.festivals import service as festivals
from branchline.mechanics.stations import service as stations
from branchline.mechanics.terrain import service as terrain
from branchline.mechanics.tunnels import service as tunnels
from branchline.server.tables.planning import PlanPart

PLANS: tuple[PlanPart, ...] = (
    tunnels.PLANS,
    ferries.PLANS,
    stations.PLANS,
    terrain.PLANS,
    festivals.PLANS,
)
