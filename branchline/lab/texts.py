"""Sentences that stand on the page and in the Markdown report alike."""

from __future__ import annotations

from collections.abc import Sequence

from branchline.lab.figures import Study
from branchline.lab.words import listed
from branchline.maps import shipped_maps
from branchline.maps.model import MapData
from branchline.version import __version__

HOW_TO_READ = (
    "A number after ± is half the width of a 95 % confidence interval, a range in brackets is that interval: Wilson's "
    "for shares, the normal one for means. Games are independent; players of one game are counted as if they were, "
    "too, which they are not quite.",
    "The figures hold for this bot against itself. People keep other tickets and block on purpose; what a bot leaves "
    "alone may be good. A difference between groups that players chose to be in (who took a track, who kept a ticket) "
    "is not yet a cause; the luck of the deal is, since chance alone makes those groups.",
    "Where the best and the worst of many are picked out, they lie a little further out than they truly are. More "
    "games, or another seed, tell.",
)


def played(studies: Sequence[Study]) -> str:
    """What stands behind the report."""
    first = studies[0]
    counts = listed([str(study.players) for study in studies])
    each = " each" if len(studies) > 1 else ""
    return (
        f"{first.games:,} games{each} with {counts} players: the bot “{first.bot}” against itself, "
        f"seed {first.seed}, Branchline {__version__}, version {first.map.version} of the map."
    )


def reconstructions(data: MapData) -> str:
    """What of the map is not the printed game; empty if all is."""
    if not data.reconstructed:
        return ""
    parts = listed([part.replace("_", " ") for part in data.reconstructed])
    return (
        f"Our reconstruction, not the printed game: {parts}. What is said about them here holds for the reconstruction."
    )


def command_of(studies: Sequence[Study]) -> str:
    """The command that gives the same report."""
    first = studies[0]
    name = first.map.id if first.map.id in shipped_maps() else f"{first.map.id}.json"
    players = ",".join(str(study.players) for study in studies)
    return f"branchline lab {name} --games {first.games} --players {players} --bot {first.bot} --seed {first.seed}"
