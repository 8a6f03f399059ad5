"""All the numbers the planner plays by, its own and those of the mechanics, and the styles: planners by other numbers.

A plan holds several sets: the planner's, a second one for its twin, and one for each style. A series may so seat two
planners with different numbers, and a challenger can play the champion; bench/tune.py does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from branchline.bots.kernel import kernel
from branchline.bots.planner import tuning
from branchline.mechanics import modules

if TYPE_CHECKING:
    from branchline.bots.blocks.plan import Plan

TUNINGS = (tuning, *modules("tuning"))  # on import each has taken its places in NUMBERS

DEFAULTS = tuple(tuning.NUMBERS)
TUNING = len(DEFAULTS)
NAMES = {name: place for part in TUNINGS for name, place in vars(part).items() if name.startswith("P_")}

# Other ways to play, each by its name: what differs from the usual numbers. They are bots of these names.
STYLES: dict[str, dict[int, int]] = {
    name: changed for part in TUNINGS for name, changed in getattr(part, "STYLES", {}).items()
}
SETS = 2 + len(STYLES)


def numbers_of(style: str) -> tuple[int, ...]:
    """The numbers of a style, or of the planner itself."""
    changed = {} if style == "planner" else STYLES[style]
    return tuple(changed.get(i, number) for i, number in enumerate(DEFAULTS))


def sets(own: tuple[int, ...] = DEFAULTS, twin: tuple[int, ...] = DEFAULTS) -> tuple[int, ...]:
    """All sets of a plan, one after the other, with these for the planner and its twin."""
    return own + twin + tuple(number for style in STYLES for number in numbers_of(style))


# Where a style differs, and to what. The first changes nothing: the compiler has no type for what is empty.
_CHANGES = [((2 + n) * TUNING + i, to) for n, changed in enumerate(STYLES.values()) for i, to in changed.items()]
CHANGED_AT = (0, *(at for at, _ in _CHANGES))
CHANGED_TO = (DEFAULTS[0], *(to for _, to in _CHANGES))


@kernel
def load_tuning(plan: Plan) -> None:
    """Both planners play by the usual numbers, and each style by its own, unless somebody has written others."""
    if plan.is_tuned == 0:
        for n in range(SETS):
            for i in range(TUNING):
                plan.tuning[n * TUNING + i] = DEFAULTS[i]
        for i in range(len(CHANGED_AT)):
            plan.tuning[CHANGED_AT[i]] = CHANGED_TO[i]
        plan.is_tuned = 1
