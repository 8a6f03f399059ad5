"""Where the best choice is proven, the review finds it: a few of each kind; bench/review_rigged.py tries 200."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from branchline.maps import shipped_maps
from branchline.notation import read_action
from branchline.review.alike import likeness
from branchline.review.decisions import decide
from branchline.review.settings import FULL
from branchline.review.verdicts import MISTAKES
from tests.review.rigged import ANSWERED, Rigged, rigged

EACH = 4  # positions of a map: enough for each to have several kinds


def positions(name: str, players: int, *, answered: bool) -> Iterator[Rigged]:
    """Of one game after the other, those in which another may still answer, or those of the last turn."""
    for seed in range(20):
        yield from (one for one in rigged(name, players, seed) if (one.kind in ANSWERED) == answered)


@pytest.mark.parametrize(("name", "players"), list(zip(shipped_maps(), (2, 3, 2, 4, 5), strict=True)))
def test_what_is_proven_best_on_the_last_turn_is_found(name: str, players: int) -> None:
    found = list(islice(positions(name, players, answered=False), EACH))
    assert len(found) == EACH
    for one in found:
        decided = decide(one.moment(), FULL, 0)
        assert decided is not None
        assert _is(one, decided.best), f"{one.kind}: {decided.best} instead of {one.best}"
        assert decided.loss > 0.1 and decided.verdict in MISTAKES and not decided.close


def test_a_block_that_decides_is_found() -> None:
    """The proof lets the other answer as well as can be; the review imagines what the network would answer."""
    found = list(islice(positions("usa", 2, answered=True), EACH))
    decided = [decide(one.moment(), FULL, 0) for one in found]
    assert sum(one is not None and _is(rig, one.best) for rig, one in zip(found, decided, strict=True)) >= EACH - 1


def _is(one: Rigged, line: str) -> bool:
    return likeness(read_action(line, one.view.map), one.view) == likeness(one.best, one.view)
