"""What sets of festival cards are called."""

from __future__ import annotations

from branchline.words.labels import Labels


def group_name(labels: Labels, group: str) -> str:
    """A set of festival cards by the places that give it."""
    groups = labels.data.festivals.groups if labels.data.festivals else ()
    found = next((g for g in groups if g.id == group), None)
    return labels.words.joined([labels.place(p) for p in found.places]) if found else group


LABELLED = {"group": group_name}
