"""What kinds of terrain are called."""

from __future__ import annotations

from branchline.words.labels import Labels


def terrain_name(labels: Labels, terrain: str) -> str:
    types = labels.data.terrain.types if labels.data.terrain else ()
    return next((t.name.lower() for t in types if t.id == terrain), terrain)


LABELLED = {"terrain": terrain_name}
