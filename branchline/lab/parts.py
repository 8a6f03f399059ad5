"""The mechanics' parts of the laboratory, put together on import."""

from __future__ import annotations

from branchline.lab.places import Part
from branchline.mechanics import modules

PARTS: tuple[Part, ...] = tuple(module.PART for module in modules("lab"))
