"""The mechanics' parts of the simulation, put together on import."""

from __future__ import annotations

from branchline.mechanics import modules
from branchline.simulation.places import Part

PARTS: tuple[Part, ...] = tuple(module.PART for module in modules("simulation"))
COUNTED = tuple(counted for part in PARTS for counted in part.counted)
