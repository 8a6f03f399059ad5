"""How much work a review does. Work is counted, never timed, so that the same game gets the same review anywhere."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Setting:
    """Of one decision, of one event of chance and of one point of the curve."""

    name: str
    choices: int  # that are weighed at first: the likeliest, and what was played
    asks_planner: bool  # for a choice more
    look: int  # worlds of the first look
    most: int  # worlds at the most
    work: tuple[float, ...]  # positions looked at in one decision at the most, by players from two on
    rounds: int  # own turns to come until a game is judged
    trust: float  # what the network is so sure of is not weighed if it was played
    outcomes: int  # worlds for each kind of card that could have come
    samples: int  # worlds where more could have come than is gone through
    points: int  # games played out for the points expected at each move
    shown: int  # moments from which games are played on with open cards
    games: int  # so many from each

    def limit(self, players: int) -> float:
        return self.work[min(players, len(self.work) + 1) - 2]


FULL = Setting("full", 8, True, 16, 600, (9_000, 7_000, 5_000, 4_000), 2, 1.1, 16, 64, 16, 16, 16)
QUICK = Setting("quick", 2, False, 6, 12, (160, 160, 160, 160), 1, 0.6, 2, 8, 2, 0, 0)
SETTINGS = {setting.name: setting for setting in (FULL, QUICK)}
