"""Terrain in the laboratory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from branchline.bots.games.columns import T_OWNER, T_TURN
from branchline.lab.figures import Study
from branchline.lab.intervals import NOTHING, Estimate, share
from branchline.lab.pieces import Column, Finding
from branchline.lab.places import Numbers, Part
from branchline.lab.playing import Games
from branchline.lab.words import number, percent, share_cell
from branchline.mechanics.terrain.columns import T_DOUBLED


@dataclass(frozen=True, slots=True)
class TerrainFigures:
    doubled: float  # tracks a player
    points: float  # that this adds, a player
    winner_points: float


class Terrain(Part):
    def worth(self, games: Games) -> Numbers:
        doubled: Numbers = games.track[:, :, T_DOUBLED].mean(axis=0)
        return 1 + doubled

    def count(self, games: Games, wins: Numbers) -> Mapping[str, TerrainFigures | None]:
        return {"terrain": _count(games, wins)}

    def of_track(self, games: Games, track: int) -> Mapping[str, Estimate]:
        """How often it was doubled when it was taken."""
        notes = games.track[:, track].astype(int)
        taken = notes[:, T_TURN] > 0
        doubled = share(int(notes[taken, T_DOUBLED].sum()), int(taken.sum()))
        return {"doubled": doubled if games.map.terrain else NOTHING}

    def track_columns(self, study: Study) -> Iterator[Column]:
        if study.more["terrain"] is not None:
            yield Column("doubled %", lambda track: share_cell(track.more["doubled"]))

    def find(self, study: Study) -> Iterator[Finding]:
        terrain: TerrainFigures | None = study.more["terrain"]
        if terrain is None:
            return
        words = (
            f"A player doubles {number(terrain.doubled)} tracks for {number(terrain.points)} more points, a winner for "
            f"{number(terrain.winner_points)}: {percent(terrain.points / study.scores.mean)} of the score."
        )
        advice = "The number of terrain cards, and how many a long track takes, set this."
        yield Finding("Terrain", words, advice, 21 + 30 * terrain.points / max(1.0, study.scores.mean))


PART = Terrain()


def _count(games: Games, wins: Numbers) -> TerrainFigures | None:
    if games.map.terrain is None:
        return None
    points = np.array([games.map.track_points[track.length] for track in games.map.tracks])
    doubled = games.track[:, :, T_DOUBLED] > 0
    owner = games.track[:, :, T_OWNER]
    added = np.stack([((owner == 1 + seat) & doubled) @ points for seat in range(games.players)], axis=1)
    return TerrainFigures(
        float(doubled.sum()) / (games.n * games.players),
        float(added.mean()),
        float((added * wins).sum() / wins.sum()),
    )
