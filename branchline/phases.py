"""Phases: what is awaited of those who have to choose, by names that programs can rely on.

How a phase is called in a language stands in the catalogues of words, under `due`.

Written by `python -m branchline.mechanics`: do not edit.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

Phase: TypeAlias = Literal[
    "over",
    "first_tickets",
    "draft",
    "keep_drafted",
    "turn",
    "draw_first",
    "draw_second",
    "keep_tickets",
    "pay",
    "double",
    "festival",
    "tunnel",
    "pay_station",
    "mail",
]
# By the number that mechanics/numbers.json keeps.
PHASES: dict[int, Phase] = {
    0: "over",
    1: "first_tickets",
    2: "draft",
    3: "keep_drafted",
    4: "turn",
    5: "draw_first",
    6: "draw_second",
    7: "keep_tickets",
    8: "pay",
    9: "double",
    10: "festival",
    11: "tunnel",
    12: "pay_station",
    13: "mail",
}
