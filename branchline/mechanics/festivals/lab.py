"""Festivals in the laboratory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from branchline.lab.figures import Study
from branchline.lab.names import place_name
from branchline.lab.pieces import MARK, Finding, Table
from branchline.lab.places import Numbers, Part
from branchline.lab.playing import Games
from branchline.lab.words import number, percent
from branchline.maps.model import MapData
from branchline.mechanics.festivals.columns import S_FESTIVAL_POINTS, S_FESTIVALS


@dataclass(frozen=True, slots=True)
class FestivalFigures:
    name: str
    cards: int
    taken: float  # cards in players' piles at the end
    points: float  # for all players together


class Festivals(Part):
    sources = (("festival cards", S_FESTIVAL_POINTS),)

    def count(self, games: Games, wins: Numbers) -> Mapping[str, tuple[FestivalFigures, ...]]:
        return {"festivals": tuple(_count(games))}

    def in_hand(self, data: MapData) -> str:
        return "festival cards" if data.festivals else ""

    def find(self, study: Study) -> Iterator[Finding]:
        festivals: tuple[FestivalFigures, ...] = study.more["festivals"]
        if not festivals:
            return
        points = sum(group.points for group in festivals) / study.players
        taken = sum(group.taken for group in festivals) / sum(group.cards for group in festivals)
        best = max(festivals, key=lambda group: group.points)
        mark = " (their numbers are reconstructed)" if "festival_cards" in study.map.reconstructed else ""
        words = (
            f"Festival cards{mark} bring {number(points)} points a player, {percent(points / study.scores.mean)} of "
            f"the score; {percent(taken)} of the cards are taken. {best.name} brings most, {number(best.points)} "
            "points to all together."
        )
        advice = "More or fewer cards of a city move this at once; nothing else on the board has to change."
        yield Finding("Festivals", words, advice, 21 + 30 * points / max(1.0, study.scores.mean))

    def tables(self, study: Study) -> Iterator[Table]:
        festivals: tuple[FestivalFigures, ...] = study.more["festivals"]
        mark = f" {MARK}" if "festival_cards" in study.map.reconstructed else ""
        rows = (
            (g.name, f"{g.cards}{mark}", f"{100 * g.taken / g.cards:.1f}", number(g.points, 2))
            for g in sorted(festivals, key=lambda g: -g.points)
        )
        note = "Points are those of all players together, in a mean game."
        yield Table("Festivals", note, ("at", "cards", "taken %", "points"), tuple(rows))


PART = Festivals()


def _count(games: Games) -> Iterator[FestivalFigures]:
    rules = games.map.festivals
    if rules is None:
        return
    table = np.array(rules.score_table)
    for g, group in enumerate(rules.groups):
        piles = games.seat[:, :, S_FESTIVALS + g].astype(int)
        name = " and ".join(place_name(games.map, place) for place in group.places)
        points = table[np.minimum(piles, len(table) - 1)].sum(axis=1)
        yield FestivalFigures(name, group.cards, float(piles.sum(axis=1).mean()), float(points.mean()))
