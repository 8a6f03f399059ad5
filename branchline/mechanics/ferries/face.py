"""Ferries: tracks that take locomotives (EUR-11). What is said about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from branchline.base import actions as a
from branchline.faces import Face
from branchline.kernel.state import PAY
from branchline.maps.core import GRAY, LOCO
from branchline.objections import Case, Objection, explains, wrong_locomotives

# ---------------------------------------------------------------- refusals


@dataclass(frozen=True, slots=True)
class FerryLocomotives:
    track: str
    ferry: int  # at least
    locos: int


@dataclass(frozen=True, slots=True)
class FerryOfLocomotives:
    """Every space shows one, so that no colour pays for any."""

    track: str
    ferry: int


@explains(a.ClaimTrack)
def _claim(case: Case, action: a.ClaimTrack) -> Objection | None:
    track, locos = case.data.tracks[case.names.track[action.track]], case.hand[LOCO]
    if action.colour == LOCO:
        return None
    if track.ferry > locos:
        return "EUR-11", FerryLocomotives(track.id, track.ferry, locos)
    if track.ferry == track.length and track.colour == GRAY:
        return "EUR-11", FerryOfLocomotives(track.id, track.ferry)
    return None


@explains(a.PlayLocos)
def _locomotives(case: Case, action: a.PlayLocos) -> Objection | None:
    if case.s.phase == PAY and action.count < case.b.ferry[case.s.claim_track]:
        return "EUR-11", wrong_locomotives(case, action.count)
    return None


Refusal: TypeAlias = FerryLocomotives | FerryOfLocomotives

FACE = Face()
