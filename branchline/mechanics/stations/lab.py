"""Stations in the laboratory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from branchline.lab.figures import Study
from branchline.lab.intervals import Estimate, share
from branchline.lab.names import place_name
from branchline.lab.pieces import Finding, Table
from branchline.lab.places import Numbers, Part
from branchline.lab.playing import Games
from branchline.lab.words import number, percent, share_words
from branchline.mechanics.stations.columns import S_BUILDS, S_LENT, S_STATION_POINTS, S_STATIONS
from branchline.mechanics.stations.state import STATIONS


@dataclass(frozen=True, slots=True)
class StationFigures:
    built: dict[str, float]  # share of players by stations built
    lent: Estimate  # of the stations built, those that lend a track at the end
    places: tuple[tuple[str, float], ...]  # stations a game, the most first


class Stations(Part):
    turns = (("building stations", S_BUILDS),)
    sources = (("stations kept", S_STATION_POINTS),)

    def count(self, games: Games, wins: Numbers) -> Mapping[str, StationFigures | None]:
        return {"stations": _count(games)}

    def find(self, study: Study) -> Iterator[Finding]:
        stations: StationFigures | None = study.more["stations"]
        if stations is None:
            return
        none = stations.built["0"]
        lent = f" Of those built {share_words(stations.lent)} lend a track at the end." if stations.lent.known else ""
        words = f"{percent(none, 1)} of the players build none.{lent}"
        advice = (
            "They are an insurance that is hardly ever claimed: pay less for the stations kept, or leave fewer ways "
            "round."
            if none > 0.8
            else "They are in use; nothing to do."
        )
        yield Finding("Stations", words, advice, 20 + 20 * abs(none - 0.5))

    def tables(self, study: Study) -> Iterator[Table]:
        stations: StationFigures | None = study.more["stations"]
        if stations is None:
            return
        built = ", ".join(f"{n}: {percent(part, 1)}" for n, part in stations.built.items())
        rows = tuple((place, number(n, 3)) for place, n in stations.places)
        note = f"Players by the number of stations they build: {built}. The places where most are built:"
        yield Table("Stations", note, ("place", "stations a game"), rows)


PART = Stations()


def _count(games: Games) -> StationFigures | None:
    rules = games.map.stations
    if rules is None:
        return None
    sites = games.seat[:, :, S_STATIONS:S_LENT]
    lent = games.seat[:, :, S_LENT : S_LENT + STATIONS]
    built = (sites > 0).sum(axis=2)
    counts = np.bincount(sites[sites > 0].astype(int) - 1, minlength=len(games.map.places)) / games.n
    busiest = [int(place) for place in np.argsort(-counts, kind="stable") if counts[place] > 0]
    return StationFigures(
        built={str(i): float((built == i).mean()) for i in range(rules.each + 1)},
        lent=share(int((lent > 0).sum()), int((sites > 0).sum())),
        places=tuple((place_name(games.map, games.map.places[p].id), float(counts[p])) for p in busiest[:10]),
    )
