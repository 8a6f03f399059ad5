"""What things are called on the screen: every name is unique, so that it can be typed back."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from branchline.maps.model import LOCO, MapData, Ticket, Track

LETTERS = {
    "purple": "P",
    "blue": "B",
    "orange": "O",
    "white": "W",
    "green": "G",
    "yellow": "Y",
    "black": "K",
    "red": "R",
    LOCO: "L",
}
_NOT_DECOMPOSED = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe"})


def folded(text: str) -> str:
    """Text without capitals, accents and punctuation, one blank between words."""
    bare = unicodedata.normalize("NFKD", text.casefold()).translate(_NOT_DECOMPOSED)
    bare = "".join(c for c in bare if not unicodedata.combining(c))
    return " ".join(re.split(r"[^a-z0-9?#]+", bare)).strip()


def counted(n: int, what: str) -> str:
    """ "1 train", "2 trains"; a word of another plural is given as "city/cities"."""
    one, _, many = what.partition("/")
    return f"{n} {one if n == 1 else many or one + 's'}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """ "a, b and c"."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def card_word(card: str, n: int = 1) -> str:
    return card if card != LOCO else "locomotive" if n == 1 else "locomotives"


def cards_in_words(cards: dict[str, int]) -> str:
    """ "3 red and 1 locomotive"."""
    return listed([f"{n} {card_word(card, n)}" for card, n in cards.items() if n]) or "no cards"


class Labels:
    """The names of one map; `plain` writes "Denver to Omaha" where the screen has "Denver–Omaha"."""

    def __init__(self, data: MapData, plain: bool) -> None:
        self.data = data
        self.joint = " to " if plain else "–"
        self.tracks = {track.id: track for track in data.tracks}
        self.tickets = {ticket.id: ticket for ticket in data.tickets}
        self.places = {place.id: place for place in data.places}
        self.terrains = {t.id: t.name.lower() for t in data.terrain.types} if data.terrain else {}

    @cached_property
    def _place_labels(self) -> dict[str, str]:
        short = {p.id: p.name.removeprefix("unnamed ") for p in self.data.places}
        often = Counter(short.values())
        return {
            p: name if often[name] == 1 else f"{name} (by {self._neighbour(p, short)})" for p, name in short.items()
        }

    def _neighbour(self, place: str, names: dict[str, str]) -> str:
        """The first place a track leads to, a city if there is one: it tells two points of one country apart."""
        near = [t.b if t.a == place else t.a for t in self.data.tracks if place in (t.a, t.b)]
        near.sort(key=lambda p: self.places[p].kind != "city")
        return names[near[0]] if near else place

    def place(self, place: str) -> str:
        return self._place_labels[place]

    def pair(self, a: str, b: str) -> str:
        return f"{self.place(a)}{self.joint}{self.place(b)}"

    def track(self, track: str) -> str:
        """The two ends, and which of several alike tracks it is."""
        t = self.tracks[track]
        alike = [u.id for u in self.parallel(t) if u.colour == t.colour]
        return self.pair(t.a, t.b) + (f" ({alike.index(track) + 1})" if len(alike) > 1 else "")

    def parallel(self, track: Track) -> list[Track]:
        """The tracks with the same two ends, itself among them."""
        return [u for u in self.data.tracks if {u.a, u.b} == {track.a, track.b}]

    def track_kind(self, track: str) -> str:
        """ "4 purple", "3 gray, ferry with 1 locomotive", "2 white, tunnel"."""
        t = self.tracks[track]
        kind = f"{t.length} {t.colour}"
        if t.ferry:
            kind += f", ferry with {counted(t.ferry, 'locomotive')}"
        return kind + (", tunnel" if t.tunnel else "")

    def end(self, places: tuple[str, ...]) -> str:
        """One end of a ticket: a place, or a country with several."""
        return self.place(places[0]) if len(places) == 1 else self.places[places[0]].name

    def ticket(self, ticket: str) -> str:
        t = self.tickets[ticket]
        return f"{self.end(t.a)}{self.joint}{self.end(t.b)}"

    def ticket_note(self, ticket: Ticket) -> str:
        """What a player should know beside the two ends."""
        notes = ["long ticket"] if ticket.long else []
        return ", ".join(notes + (["reconstructed"] if "reconstruction" in ticket.provenance else []))

    def group(self, group: str) -> str:
        """A pool of festival cards by the places that give it."""
        assert self.data.festivals
        found = next(g for g in self.data.festivals.groups if g.id == group)
        return listed([self.place(p) for p in found.places])

    def terrain(self, terrain: str) -> str:
        return self.terrains[terrain]

    def humane(self, reason: str, names: Sequence[str]) -> str:
        """A refusal with the names a player sees in the place of seats and ids."""
        reason = re.sub(r"\bseat (\d)\b", lambda m: names[int(m[1])] if int(m[1]) < len(names) else m[0], reason)
        return re.sub(r"[a-z0-9_]+(?:-[a-z0-9_]+)*", lambda m: self._named(m[0]), reason)

    def _named(self, word: str) -> str:
        if word in self.tracks:
            return self.track(word)
        if word in self.tickets:
            return self.ticket(word)
        return self.place(word) if word in self.places else word


def reconstruction_note(data: MapData) -> str:
    """A sentence on what is not the printed game, or nothing."""
    if not data.reconstructed:
        return ""
    parts = listed([part.replace("_", " ") for part in data.reconstructed])
    return f"On this map these are our reconstruction, not the printed game: {parts}."
