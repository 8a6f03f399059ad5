"""A map that no bot has seen: a grid of places made by rule, with ferries, tunnels and stations."""

from __future__ import annotations

import json
from functools import cache

from branchline.maps.loader import read_map
from branchline.maps.model import COLOURS, MapData

SIDE = 4
GRID_COLOURS = (*COLOURS, "gray")


@cache
def unseen_map() -> MapData:
    """The map, for 2 to 5 players."""
    places = [(x, y) for y in range(SIDE) for x in range(SIDE)]
    raw = {
        "schema": "branchline-map/1",
        "id": "unseen",
        "name": "The Grid",
        "players": {"min": 2, "max": 5},
        "trains": 25,
        "rules": {
            "first_tickets": {"deal": {"normal": 3, "keep_at_least": 2}},
            "longest_path": 10,
            "tunnels": {},
            "stations": {"each": 3, "unused_points": 4},
            "ties": ["tickets", "stations", "path"],
        },
        "places": [{"id": _name(p), "name": _name(p).upper(), "lat": p[1] * 2.0, "lon": p[0] * 2.0} for p in places],
        "tracks": [track for i, pair in enumerate(_neighbours()) for track in _tracks(i, *pair)],
        "tickets": [
            {"a": _name(a), "b": _name(b), "points": 2 * _steps(a, b)}
            for i, a in enumerate(places)
            for b in places[i + 1 :]
            if _steps(a, b) >= SIDE - 1
        ],
    }
    return read_map(json.dumps(raw), source="the unseen map")


Place = tuple[int, int]


def _name(place: Place) -> str:
    return f"{'abcd'[place[0]]}{place[1] + 1}"


def _steps(a: Place, b: Place) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _neighbours() -> list[tuple[Place, Place]]:
    right = [((x, y), (x + 1, y)) for y in range(SIDE) for x in range(SIDE - 1)]
    down = [((x, y), (x, y + 1)) for y in range(SIDE - 1) for x in range(SIDE)]
    return right + down


def _tracks(i: int, a: Place, b: Place) -> list[dict[str, object]]:
    """Lengths and colours go round; every fifth is a ferry, every seventh a tunnel, every sixth double."""
    track: dict[str, object] = {"a": _name(a), "b": _name(b), "length": 1 + i % 4}
    ferry, tunnel = i % 5 == 4, i % 7 == 3
    colour = "gray" if ferry else GRID_COLOURS[i % len(GRID_COLOURS)]
    extra = ({"ferry": 1} if ferry else {}) | ({"tunnel": True} if tunnel else {})
    first = {"id": f"{_name(a)}-{_name(b)}-1", **track, "colour": colour, **extra}
    if i % 6 or ferry:
        return [first]
    return [first, {"id": f"{_name(a)}-{_name(b)}-2", **track, "colour": "gray"}]
