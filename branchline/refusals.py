"""Why an action is refused: `IllegalAction`, with the clause, the kind of refusal and its parameters."""

from __future__ import annotations

from typing import Any

from branchline import objections
from branchline.actions import Action
from branchline.codec import names_of
from branchline.maps.model import MapData
from branchline.mechanics.composed import Board, Position
from branchline.mechanics.composed_face import Refusal
from branchline.words import words_of
from branchline.words.telling import Telling, params_of

__all__ = ["IllegalAction", "Refusal", "refusal"]


class IllegalAction(ValueError):
    """An action the rules do not allow here.

    `clause` is the id of the rule. `why` is a frozen value: its class is the kind of refusal, its fields are the
    parameters, with things of the map by their ids. `Telling.tell("why", error.why)` words it for a reader.
    """

    def __init__(self, clause: str, why: Refusal) -> None:
        super().__init__(clause, why)
        self.clause = clause
        self.why = why

    @property
    def kind(self) -> str:
        return type(self.why).__name__

    @property
    def params(self) -> dict[str, Any]:
        return params_of(self.why)

    @property
    def reason(self) -> str:
        """In plain English, with the ids of the map."""
        return Telling(words_of("en")).tell("why", self.why)

    def __str__(self) -> str:
        return f"{self.clause}: {self.reason}"


def refusal(data: MapData, b: Board, s: Position, seat: int, action: Action) -> IllegalAction:
    """The reason why this action is not legal for this seat in this position."""
    return IllegalAction(*objections.objection(objections.Case(data, b, s, seat, names_of(data)), action))
