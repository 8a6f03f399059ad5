"""Why one ticket of a pack is the better one, in a puzzle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from branchline.actions import Action
from branchline.mechanics.drafts.face import PickTicket
from branchline.puzzles.model import Reason
from branchline.puzzles.tickets import rather
from branchline.view import View

REASONS: Final[Mapping[str, Mapping[str, str]]] = {}


def reason(view: View, best: Action, other: Action) -> Reason | None:
    if not (isinstance(best, PickTicket) and isinstance(other, PickTicket)):
        return None
    return rather(view, best.ticket, other.ticket, [best.ticket], [other.ticket])
