"""Writing training/composed.py from the list of mechanics: who is asked when a position is told to a network."""

from __future__ import annotations

from branchline.kernel.hooks import ENTRIES
from branchline.mechanics import MECHANICS, composed
from branchline.mechanics.composing import hook_text, places
from branchline.mechanics.composing_face import head, part_of
from branchline.training import hooks


def composed_training_text() -> list[str]:
    """The whole of training/composed.py."""
    for mechanic in MECHANICS:
        part_of(mechanic, "seen")  # imported, so that its functions are at their places
    at = places(hooks)
    called = [entry.function for entry in ENTRIES if entry.hook in at]
    return [
        *head("The mechanics' parts of what a network is told: who is asked at each place of training/hooks.py."),
        "from branchline.kernel.hooks import link",
        "from branchline.kernel.primitives import kernel",
        f"from branchline.mechanics.composed import {', '.join(composed.__all__)}",
        "from branchline.training import hooks",
        "from branchline.training.record import Observation, Paths",
        *(f"from {function.__module__} import {function.__name__}" for function in called),
        f"__all__ = {sorted(at)!r}",
        *("\n\n" + hook_text(hook) for hook in at),
        "\n\nlink(globals())",
    ]
