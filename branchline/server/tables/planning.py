"""Where mechanics come into plans: what service.py of a mechanic may say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from branchline.actions import Action
from branchline.maps.model import CARDS, MapData, Track
from branchline.server import wire
from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.sentences import Sentence
from branchline.view import View

MOST_LOCOS: Final = 14  # there are no more in any box
TOO_FEW_LOCOS: Final = Sentence("plan_locos", "this track needs more locomotives than the plan allows")


class Asked(NamedTuple):
    """What is asked after a claim: what the player sees, may answer, and may still spend on it."""

    view: View
    legal: Sequence[Action]
    locos: int


@dataclass(frozen=True)
class OtherWish:
    """A wish of a mechanic's own to buy something: whether it can be planned, and what is bought."""

    check: Callable[[Any, MapData], None]
    purchase: Callable[[Any], Action]


@dataclass(frozen=True)
class PlanPart:
    """What a mechanic brings to plans.

    `check_claim` refuses a wish that cannot be. `cards`: what can be drawn beside train cards, and `ways` to draw it.
    `answers`: by phase, what a wish says to its question, or None where it says nothing. `locos`: how many an action
    spends.
    """

    check_claim: Callable[[wire.ClaimWish, Track, MapData], None] = lambda wish, track, data: None
    wishes: Mapping[type, OtherWish] = field(default_factory=dict)
    cards: Callable[[MapData], Collection[str]] = lambda data: ()
    ways: Callable[[str, View], Sequence[Action]] = lambda card, view: ()
    answers: Mapping[str, Callable[[wire.ClaimWish, Asked], Action | None]] = field(default_factory=dict)
    locos: Callable[[Action], int] = lambda action: 0


def check_payment(colour: str, locos: int) -> None:
    if colour not in CARDS or not 0 <= locos <= MOST_LOCOS:
        raise BadRequest(Sentence("plan_payment", "a payment has a colour, and 0 to 14 locomotives", MOST_LOCOS))
