"""What players call the things of a map: every place and track has a name of its own, so that it can be typed back."""

from __future__ import annotations

from collections import Counter
from functools import cached_property, lru_cache

from branchline.maps.model import MapData, Track
from branchline.words import Words, words_of


class Labels:
    """The names of one map; an id that is not of this map is its own name."""

    def __init__(self, data: MapData, words: Words | None = None, joint: str = "–") -> None:
        self.data, self.joint = data, joint
        self.words = words or words_of("en")
        self.tracks = {track.id: track for track in data.tracks}
        self.tickets = {ticket.id: ticket for ticket in data.tickets}
        self.names = {place.id: place.name for place in data.places} | data.place_names(self.words.language)
        self.map = data.name_in(self.words.language)

    @cached_property
    def _place_labels(self) -> dict[str, str]:
        short = {place: name.removeprefix("unnamed ") for place, name in self.names.items()}
        often = Counter(short.values())
        return {p: name if often[name] == 1 else self._beside(p, short) for p, name in short.items()}

    def _beside(self, place: str, names: dict[str, str]) -> str:
        """With the first place a track leads to, a city if there is one: it tells two points of one country apart."""
        near = [t.b if t.a == place else t.a for t in self.data.tracks if place in (t.a, t.b)]
        cities = {place.id for place in self.data.places if place.kind == "city"}
        near.sort(key=lambda p: p not in cities)
        return self.words.counted("common.by", 1, place=names[place], near=names[near[0]] if near else place)

    def place(self, place: str) -> str:
        return self._place_labels.get(place, place)

    def pair(self, a: str, b: str) -> str:
        return f"{self.place(a)}{self.joint}{self.place(b)}"

    def track(self, track: str) -> str:
        """The two ends, and which of several alike tracks it is."""
        if track not in self.tracks:
            return track
        t = self.tracks[track]
        alike = [u.id for u in self.parallel(t) if u.colour == t.colour]
        return self.pair(t.a, t.b) + (f" ({alike.index(track) + 1})" if len(alike) > 1 else "")

    def parallel(self, track: Track) -> list[Track]:
        """The tracks with the same two ends, itself among them."""
        return [u for u in self.data.tracks if {u.a, u.b} == {track.a, track.b}]

    def end(self, places: tuple[str, ...]) -> str:
        """One end of a ticket: a place, or a country with several."""
        return self.place(places[0]) if len(places) == 1 else self.names[places[0]]

    def ticket(self, ticket: str) -> str:
        if ticket not in self.tickets:
            return ticket
        t = self.tickets[ticket]
        return f"{self.end(t.a)}{self.joint}{self.end(t.b)}"

    def valued_ticket(self, ticket: str) -> str:
        """A ticket with its points."""
        known = self.tickets.get(ticket)
        return f"{self.ticket(ticket)} ({known.points})" if known else ticket


@lru_cache(maxsize=64)
def labels_of(data: MapData, words: Words | None = None) -> Labels:
    """The names of a map, made once."""
    return Labels(data, words)
