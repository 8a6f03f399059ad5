"""Tunnels in the laboratory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.bots.games.columns import T_TURN
from branchline.lab.figures import Study, TrackFigures
from branchline.lab.intervals import NOTHING, Estimate, share
from branchline.lab.pieces import Column, Finding
from branchline.lab.places import Numbers, Part
from branchline.lab.playing import Games
from branchline.lab.words import number, share_cell, share_words
from branchline.mechanics.tunnels.columns import G_SURCHARGES, T_FAILED


@dataclass(frozen=True, slots=True)
class TunnelFigures:
    tried: float  # a game
    surcharged: Estimate
    failed: Estimate


class Tunnels(Part):
    def count(self, games: Games, wins: Numbers) -> Mapping[str, TunnelFigures | None]:
        return {"tunnels": _count(games)}

    def of_track(self, games: Games, track: int) -> Mapping[str, Any]:
        """Whether it is one, and the part of the attempts that was given up."""
        tunnel = games.map.tracks[track].tunnel
        notes = games.track[:, track].astype(int)
        taken, failures = int((notes[:, T_TURN] > 0).sum()), int(notes[:, T_FAILED].sum())
        return {"tunnel": tunnel, "failed": share(failures, failures + taken) if tunnel else NOTHING}

    def track_kind(self, track: TrackFigures) -> str:
        return "tunnel" if track.more["tunnel"] else ""

    def track_columns(self, study: Study) -> Iterator[Column]:
        if study.more["tunnels"] is not None:
            yield Column("given up %", lambda track: share_cell(track.more["failed"]))

    def find(self, study: Study) -> Iterator[Finding]:
        tunnels: TunnelFigures | None = study.more["tunnels"]
        if tunnels is None or not tunnels.failed.known:
            return
        words = (
            f"{number(tunnels.tried)} are tried in a mean game; {share_words(tunnels.surcharged)} cost extra cards, "
            f"{share_words(tunnels.failed)} are given up."
        )
        advice = "Fewer cards turned up make tunnels safer; gray tunnels can be paid with what one has."
        yield Finding("Tunnels", words, advice, 16 + 40 * tunnels.failed.value)


PART = Tunnels()


def _count(games: Games) -> TunnelFigures | None:
    tunnels = np.array([track.tunnel for track in games.map.tracks])
    if not tunnels.any():
        return None
    laid = int((games.track[:, tunnels, T_TURN] > 0).sum())
    failed = int(games.track[:, :, T_FAILED].sum())
    surcharged = int(games.game[:, G_SURCHARGES].sum())
    return TunnelFigures((laid + failed) / games.n, share(surcharged, laid + failed), share(failed, laid + failed))
