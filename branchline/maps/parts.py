"""The places of a map file where mechanics come in. Each mechanic has a `MapPart` in its map.py; the generated `model`
lists them, and schema and loader ask them in the order of the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from branchline.files import did_you_mean, quoted
from branchline.maps.core import MAX_LENGTH, MapData
from branchline.maps.shapes import Field

Row: TypeAlias = dict[str, Any]
Found: TypeAlias = Iterator[tuple[str, str]]  # faults: where in the file, and the reason
Keys: TypeAlias = Mapping[str, Field]

Map = TypeVar("Map", bound=MapData)


class MapPart(Generic[Map]):
    """What a mechanic adds to a map file, and to the checks. `Map` is `MapData` with the mechanic's own facts."""

    # Its keys, by the part of the file they stand in.
    rules: ClassVar[Keys] = {}
    first_tickets: ClassVar[Keys] = {}
    place: ClassVar[Keys] = {}
    track: ClassVar[Keys] = {}
    provenance: ClassVar[Keys] = {}
    ties: ClassVar[tuple[str, ...]] = ()

    # What the map as a whole has to know of it.
    lends_tracks: ClassVar[bool] = False  # tickets can be completed over tracks that took no trains of one's own
    claims_may_fail: ClassVar[bool] = False
    needs_sure_claims: ClassVar[bool] = False  # nobody has ruled how it goes with claims that may fail (C-42)

    def is_used(self, data: Map) -> bool:
        """Whether a map has this mechanic."""
        raise NotImplementedError

    def values(self, tidy: Row) -> Row:
        """Its values of `MapData`, from a file whose shapes and names are right."""
        return {}

    def wrong_names(self, rules: Row, place_ids: list[str]) -> Found:
        """Ids there twice and names that are the id of nothing; `rules` may lack what was refused before."""
        yield from ()

    def faults(self, data: Map) -> Found:
        """What is wrong with the map as a whole."""
        yield from ()

    def cards_mixed_in(self, data: Map) -> tuple[int, str]:
        """How many cards lie among the train cards, and what they are called."""
        return 0, ""

    def marks(self, tidy: Row, data: Map) -> Iterator[tuple[str, str]]:
        """Where its facts come from: part of the map, and mark."""
        yield from ()

    def facts(self, data: Map) -> Row:
        """What of it decides a game, for the hash. A mechanic added later says nothing on a map without it, so that
        the hashes of older maps stay."""
        return {}

    def track_facts(self, track: Any) -> Row:
        """The same for one track, by names: the hash takes them in the order of the alphabet."""
        return {}

    def place_facts(self, place: Any) -> Row:
        """The same for one place."""
        return {}


def readable_rows(part: object) -> list[tuple[int, Row]]:
    """The readable entries of a list, with their places in the file."""
    entries = part if isinstance(part, list) else []
    return [(i, row) for i, row in enumerate(entries) if isinstance(row, dict)]


def repeated_ids(part: str, rows: list[tuple[int, Row]]) -> Found:
    first: dict[str, int] = {}
    for i, row in rows:
        name = row.get("id")
        if name is not None and first.setdefault(name, i) != i:
            yield f"{part}[{i}].id", f"{quoted(name)} is also the id of {part}[{first[name]}]"


def unknown_place(name: str, known: list[str], path: str) -> Found:
    if name not in known:
        yield path, f"no place {quoted(name)}{did_you_mean(name, known)}"


def joined_marks(marks: Iterable[str]) -> str:
    """The different marks of the facts of one part."""
    return ", ".join(dict.fromkeys(marks))


def by_length(table: Mapping[int, int]) -> tuple[int, ...]:
    """A table of the file as a tuple; 0 for lengths that are left out."""
    return tuple(table.get(length, 0) for length in range(MAX_LENGTH + 1))


def too_few_tickets(path: str, kind: str, each: int, there: int, data: MapData) -> Found:
    """`each` tickets for as many players as may sit down are more than there are."""
    if each * data.max_players > there:
        tickets = f"{kind} tickets".strip()
        need = f"{data.max_players} players need {each * data.max_players} {tickets}"
        yield path, f"{need}, there are {there} (C-42)"
