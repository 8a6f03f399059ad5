"""What places, tracks and tickets are called in a report."""

from __future__ import annotations

from functools import lru_cache

from branchline.maps.model import MapData, Ticket, Track


@lru_cache(maxsize=16)
def _places(data: MapData) -> dict[str, str]:
    return {place.id: place.name for place in data.places}


def place_name(data: MapData, place: str) -> str:
    return _places(data)[place]


def track_name(data: MapData, track: Track) -> str:
    """The two ends; a track of a double route adds its colour, or its number where the colours are the same."""
    name = route_name(data, track)
    twins = [other for other in data.tracks if {other.a, other.b} == {track.a, track.b}]
    if len(twins) == 1:
        return name
    if len({twin.colour for twin in twins}) == len(twins):
        return f"{name} ({track.colour})"
    return f"{name} ({track.colour} {1 + twins.index(track)})"


def route_name(data: MapData, track: Track) -> str:
    return f"{place_name(data, track.a)}–{place_name(data, track.b)}"


def ticket_name(data: MapData, ticket: Ticket) -> str:
    return f"{_end(data, ticket.a)}–{_end(data, ticket.b)}"


def _end(data: MapData, places: tuple[str, ...]) -> str:
    """A city by its name; the places of a country have one name together."""
    return "/".join(dict.fromkeys(place_name(data, place) for place in places))
