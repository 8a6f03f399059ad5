"""Where things stand on the drawing of a map: places from their geography, tracks beside each other, names apart."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from branchline.lab.needs import routes_of
from branchline.maps.model import MapData, Place

WIDTH, TALLEST = 1000.0, 1150.0
MARGIN_X, MARGIN_Y = 60.0, 36.0
ASIDE = 9.0  # between the middles of two tracks side by side
NEAR = 15.0  # a track keeps this far from places it does not end at
DOT = 6.0
CROWD = 90.0
LETTER, LINE = 7.6, 16.0  # what a letter and a line of a name take


class Point(NamedTuple):
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Label:
    at: Point
    anchor: str  # start, middle or end
    text: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A track: from a by way of `bend` to b."""

    a: Point
    bend: Point
    b: Point

    def at(self, t: float) -> Point:
        u = 1 - t
        return Point(
            u * u * self.a.x + 2 * u * t * self.bend.x + t * t * self.b.x,
            u * u * self.a.y + 2 * u * t * self.bend.y + t * t * self.b.y,
        )


@dataclass(frozen=True, slots=True)
class Sheet:
    """The drawing: its size, the places, the tracks by number, the names."""

    width: float
    height: float
    places: dict[str, Point]
    curves: dict[int, Curve]
    labels: tuple[Label, ...]


def lay_out(data: MapData) -> Sheet:
    """Put a whole map on a sheet."""
    places, width, height = _project(data)
    curves: dict[int, Curve] = {}
    for route in routes_of(data):
        ends = data.tracks[route[0]]
        bend = _detour(places, ends.a, ends.b)
        for i, t in enumerate(route):
            aside = (i - (len(route) - 1) / 2) * ASIDE
            curves[t] = _curve(places[ends.a], places[ends.b], bend, aside)
    return Sheet(width, height, places, curves, _labels(data, places, curves, width))


def _project(data: MapData) -> tuple[dict[str, Point], float, float]:
    """Degrees to a plane on which the middle of the map is true, as wide as the sheet or as tall as it may be."""
    middle = sum(place.lat for place in data.places) / len(data.places)
    squeeze = math.cos(math.radians(middle))
    raw = {place.id: Point(place.lon * squeeze, -place.lat) for place in data.places}
    left, top = min(p.x for p in raw.values()), min(p.y for p in raw.values())
    wide = max(p.x for p in raw.values()) - left or 1.0
    tall = max(p.y for p in raw.values()) - top or 1.0
    scale = min((WIDTH - 2 * MARGIN_X) / wide, (TALLEST - 2 * MARGIN_Y) / tall)
    places = {id: Point(MARGIN_X + scale * (p.x - left), MARGIN_Y + scale * (p.y - top)) for id, p in raw.items()}
    return places, 2 * MARGIN_X + scale * wide, 2 * MARGIN_Y + scale * tall


# ---------------------------------------------------------------- tracks


def _curve(a: Point, b: Point, bend: float, aside: float) -> Curve:
    """From a to b with its middle moved to the left by `bend`, the whole moved by `aside`."""
    long = math.hypot(b.x - a.x, b.y - a.y) or 1.0
    nx, ny = (b.y - a.y) / long, -(b.x - a.x) / long
    middle = Point((a.x + b.x) / 2 + nx * (2 * bend + aside), (a.y + b.y) / 2 + ny * (2 * bend + aside))
    ends = [Point(p.x + nx * aside, p.y + ny * aside) for p in (a, b)]
    return Curve(ends[0], middle, ends[1])


def _detour(places: dict[str, Point], a: str, b: str) -> float:
    """How far the middle of a route has to move so that it runs through no other place."""
    others = [point for id, point in places.items() if id not in (a, b)]
    for bend in (0.0, 12.0, -12.0, 24.0, -24.0, 36.0, -36.0, 48.0, -48.0):
        curve = _curve(places[a], places[b], bend, 0.0)
        steps = [curve.at(i / 24) for i in range(1, 24)]
        if all(math.hypot(p.x - q.x, p.y - q.y) > NEAR for p in steps for q in others):
            return bend
    return 0.0


# ---------------------------------------------------------------- names


def _labels(data: MapData, places: dict[str, Point], curves: dict[int, Curve], width: float) -> tuple[Label, ...]:
    """A name at every named place, where it covers least; those with most neighbours choose first."""
    dots = list(places.values())
    tracks = [curve.at(i / 12) for curve in curves.values() for i in range(13)]
    crowd = {id: sum(math.hypot(p.x - q.x, p.y - q.y) < CROWD for q in dots) for id, p in places.items()}
    done: list[tuple[float, float, float, float]] = []
    labels = []
    for place in sorted(data.places, key=lambda p: (-crowd[p.id], p.id)):
        if place.kind == "way_station":
            continue
        label, box = min(
            (_label_at(place, places[place.id], side) for side in range(8)),
            key=lambda one: _covered(one[1], done, dots, tracks, width),
        )
        done.append(box)
        labels.append(label)
    return tuple(labels)


_SIDES = (
    (DOT + 5, 5.0, "start"),
    (-DOT - 5, 5.0, "end"),
    (0.0, -DOT - 6, "middle"),
    (0.0, DOT + 16, "middle"),
    (DOT + 1, -DOT - 3, "start"),
    (DOT + 1, DOT + 13, "start"),
    (-DOT - 1, -DOT - 3, "end"),
    (-DOT - 1, DOT + 13, "end"),
)


def _label_at(place: Place, dot: Point, side: int) -> tuple[Label, tuple[float, float, float, float]]:
    """A name on one side of its place, and the box it fills: left, top, right, bottom."""
    dx, dy, anchor = _SIDES[side]
    long = LETTER * len(place.name)
    x, y = dot.x + dx, dot.y + dy
    left = x - {"start": 0.0, "middle": long / 2, "end": long}[anchor]
    return Label(Point(x, y), anchor, place.name), (left, y - LINE + 4, left + long, y + 4)


def _covered(
    box: tuple[float, float, float, float],
    names: list[tuple[float, float, float, float]],
    dots: list[Point],
    tracks: list[Point],
    width: float,
) -> float:
    """How bad a place for a name is: other names are worst, then places, the edge and tracks."""
    left, top, right, bottom = box
    cost = 100.0 * sum(left < n[2] and right > n[0] and top < n[3] and bottom > n[1] for n in names)
    cost += 30.0 * sum(left - 4 < p.x < right + 4 and top - 4 < p.y < bottom + 4 for p in dots)
    cost += 60.0 * (left < 2 or right > width - 2 or top < 2)
    return cost + sum(left < p.x < right and top < p.y < bottom for p in tracks)
