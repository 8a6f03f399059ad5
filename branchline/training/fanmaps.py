"""Maps made up for training, so that the network learns the game and not four boards.

A fan map is a connected piece of a shipped one with other colours, lengths and tickets, and fewer trains. The loader
checks it as it checks any map.
"""

from __future__ import annotations

import json
import random
from importlib.resources import files
from typing import Any

from branchline.maps import BadMap, read_map, shipped_maps
from branchline.maps.model import COLOURS, MapData

LEAST_PLACES = 14
LONGEST = 6
PLAIN_RULES = ("provenance", "sources", "doubts", "$schema")  # facts about the printed map


def fan_map(id: str, chance: random.Random) -> MapData:
    """A map nobody has seen."""
    while True:
        base = chance.choice(shipped_maps())
        raw = json.loads((files("branchline.maps") / f"{base}.json").read_text(encoding="utf-8"))
        try:
            return read_map(json.dumps(changed(raw, id, chance)), source=id)
        except BadMap:  # a piece may be too small for its own rules: take another
            continue


def changed(raw: dict[str, Any], id: str, chance: random.Random) -> dict[str, Any]:
    """The file of a shipped map made into another."""
    kept = piece(raw, chance)
    tracks = [track for track in raw["tracks"] if {track["a"], track["b"]} <= kept]
    lengths = {ends(track): other_length(track["length"], chance) for track in tracks}
    share = sum(lengths[ends(track)] for track in tracks) / sum(track["length"] for track in raw["tracks"])
    found = {key: value for key, value in raw.items() if key not in PLAIN_RULES}
    found |= {"id": id, "name": id, "players": {"min": 2, "max": 5}}
    found["trains"] = max(15, min(raw["trains"], round(raw["trains"] * (0.25 + 0.75 * share))))
    found["places"] = [place for place in raw["places"] if place["id"] in kept]
    found["tracks"] = [other_track(track, lengths[ends(track)], chance) for track in tracks]
    found["tickets"] = other_tickets(raw, found, chance)
    festivals = found["rules"].get("festivals")
    if festivals:
        festivals["groups"] = pieces_of_groups(festivals["groups"], kept)
    return found


def piece(raw: dict[str, Any], chance: random.Random) -> set[str]:
    """The names of connected places."""
    names = [place["id"] for place in raw["places"]]
    size = chance.randint(LEAST_PLACES, len(names))
    kept = {chance.choice(names)}
    while len(kept) < size:
        near = {end for track in raw["tracks"] if (e := ends(track)) & kept for end in e} - kept
        if not near:
            break
        kept.add(chance.choice(sorted(near)))
    return kept


def ends(track: dict[str, Any]) -> frozenset[str]:
    return frozenset((track["a"], track["b"]))


def other_length(length: int, chance: random.Random) -> int:
    return max(1, min(LONGEST, length + chance.choice((-1, 0, 0, 1))))


def other_track(track: dict[str, Any], length: int, chance: random.Random) -> dict[str, Any]:
    """The same track with another colour, gray about as often as before; parallel ones keep one length."""
    colour = track["colour"]
    if not track.get("ferry"):
        gray = chance.random() < (0.7 if colour == "gray" else 0.15)
        colour = "gray" if gray else chance.choice(COLOURS)
    found = {**track, "length": length, "colour": colour}
    if track.get("ferry"):
        found["ferry"] = min(track["ferry"], length)
    return found


def pieces_of_groups(groups: list[dict[str, Any]], kept: set[str]) -> list[dict[str, Any]]:
    left = [{**group, "places": [p for p in group["places"] if p in kept]} for group in groups]
    return [group for group in left if group["places"]]


def distances(found: dict[str, Any], start: str, closed: set[str]) -> dict[str, int]:
    """The fewest spaces to every place; none runs through a closed one."""
    reach = {start: 0}
    changed = True
    while changed:
        changed = False
        for track in found["tracks"]:
            for a, b in ((track["a"], track["b"]), (track["b"], track["a"])):
                far = reach.get(a, 10**6) + track["length"]
                if (a == start or a not in closed) and far < reach.get(b, 10**6):
                    reach[b] = far
                    changed = True
    return reach


def other_tickets(raw: dict[str, Any], found: dict[str, Any], chance: random.Random) -> list[dict[str, Any]]:
    """As many tickets as before, between other places, worth the spaces between them; the dearest are long ones."""
    names = [place["id"] for place in found["places"] if place.get("kind") != "way_station"]
    closed = {place["id"] for place in found["places"] if place.get("dead_end")}
    reach = {name: distances(found, name, closed) for name in names}
    pairs = [(a, b) for i, a in enumerate(names) for b in names[:i] if 4 <= reach[a].get(b, 0) <= found["trains"] * 0.6]
    chosen = chance.sample(pairs, min(len(pairs), len(raw["tickets"])))
    chosen.sort(key=lambda pair: -reach[pair[0]][pair[1]])
    long = sum(1 for ticket in raw["tickets"] if ticket.get("long"))
    rows = [{"a": a, "b": b, "points": max(2, reach[a][b] + chance.choice((-1, 0, 0, 1)))} for a, b in chosen]
    return [{**row, "long": True} if i < long else row for i, row in enumerate(rows)]
