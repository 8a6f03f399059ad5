"""The faces of the base game and of the mechanics together.

Written by `python -m branchline.mechanics`: do not edit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from branchline import objections
from branchline.base import deal
from branchline.base import face as base
from branchline.faces import Face
from branchline.mechanics.drafts import face as drafts
from branchline.mechanics.ferries import face as ferries
from branchline.mechanics.festivals import face as festivals
from branchline.mechanics.mail import face as mail
from branchline.mechanics.stations import face as stations
from branchline.mechanics.terrain import face as terrain
from branchline.mechanics.tunnels import face as tunnels

FACES: tuple[Face, ...] = (
    base.FACE,
    tunnels.FACE,
    ferries.FACE,
    stations.FACE,
    terrain.FACE,
    festivals.FACE,
    drafts.FACE,
    mail.FACE,
)
Refusal: TypeAlias = (
    objections.Refusal
    | tunnels.Refusal
    | ferries.Refusal
    | stations.Refusal
    | terrain.Refusal
    | festivals.Refusal
    | drafts.Refusal
    | mail.Refusal
)


class Names(terrain.Names, festivals.Names):
    """The names of one map, by number and back."""


@dataclass(frozen=True)
class Deal(mail.Deal, terrain.Deal, deal.Deal):
    """How chance falls. Each deck is a string of names or a sequence of names.

    What is left empty follows from the seed. Into `train_deck` mechanics mix cards of their own, after those of the
    first deal. `reshuffles` and the like are the decks shuffled later, in order (C-18).
    """
