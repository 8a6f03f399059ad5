"""Reads a map file into `MapData`, or refuses it with file, path and reason.

Three steps: the text becomes JSON values; the values are held against the table in `schema`, name by name (`reading`);
the finished map is then looked at as a whole (`checks`). Each step reports every fault it finds, and the next is only
taken when there are none, so that one slip is not reported ten times.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from branchline.files import did_you_mean, parse_json, quoted, read_bytes, shown
from branchline.maps.checks import WHOLE_MAP_CHECKS, ticket_end
from branchline.maps.core import Clauses, OtherNames, Ticket, TicketDeal, TicketDraw
from branchline.maps.corrections import corrected, is_correction
from branchline.maps.model import PARTS, MapData, Place, Track
from branchline.maps.parts import Found, Row, by_length, joined_marks, readable_rows, repeated_ids, unknown_place
from branchline.maps.reading import MAX_FAULTS, BadMap, Faults, TooMany, read
from branchline.maps.schema import MAP

SHIPPED: Final = ("usa", "europe", "iberia", "africa", "carpathians")
SHELF: Final = "BRANCHLINE_MAPS"  # the variable that names maps of one's own, files and folders, as PATH does
MAX_FILE_BYTES: Final = 1 << 20
MAX_DIGITS: Final = 18


def shipped_maps() -> tuple[str, ...]:
    """The ids of the maps that come with the package."""
    return SHIPPED


def known_maps() -> tuple[str, ...]:
    """The ids of the shipped maps and of those on the shelf (BRANCHLINE_MAPS)."""
    return *SHIPPED, *_shelf(os.environ.get(SHELF, ""))


def load_map(id_or_path: str | os.PathLike[str]) -> MapData:
    """The map of that id, shipped or on the shelf, or the map in that .json file; raises `BadMap`."""
    text = os.fspath(id_or_path)
    if not isinstance(id_or_path, str) or text.endswith(".json") or Path(text).name != text:
        path = Path(text)
        return read_map(_read_file(path), source=path.name)
    if text in SHIPPED:
        return _load_shipped(text)
    shelf = _shelf(os.environ.get(SHELF, ""))
    if text not in shelf:
        raise BadMap(shown(text) or "load_map", "", f"no map {quoted(text)}{did_you_mean(text, [*SHIPPED, *shelf])}")
    return shelf[text]


def put_on_shelf(paths: Sequence[str | os.PathLike[str]]) -> None:
    """Let map files, or folders of them, be known by their ids, in this process and in those it starts; raises the
    first `BadMap`."""
    text = os.pathsep.join(str(Path(path).absolute()) for path in paths)
    _shelf(text)
    os.environ[SHELF] = text


def read_map(text: str | bytes, *, source: str) -> MapData:
    """The map that `text`, a whole file, describes; raises the first `BadMap`, with `source` as its file."""
    result = _examine(text, source)
    if isinstance(result, MapData):
        return result
    raise result[0]


def check_map(text: str | bytes, source: str) -> list[BadMap]:
    """All the faults that can be found in `text`; none means that `read_map` takes it."""
    result = _examine(text, source)
    return [] if isinstance(result, MapData) else result


def check_file(path: str | os.PathLike[str]) -> list[BadMap]:
    """`check_map` for a file."""
    where = Path(path)
    try:
        text = _read_file(where)
    except BadMap as fault:
        return [fault]
    return check_map(text, where.name)


# --- step 0: files ------------------------------------------------------------------------------------------


@lru_cache(maxsize=len(SHIPPED))
def _load_shipped(map_id: str) -> MapData:
    return replace(read_map(_shipped_file(map_id), source=f"{map_id}.json"), drawn_as=map_id)


def _shipped_file(map_id: str) -> bytes:
    from importlib import resources  # slow to import, and a server with its own maps needs none of it

    return resources.files("branchline.maps").joinpath(f"{map_id}.json").read_bytes()


@lru_cache(maxsize=8)
def _shelf(paths: str) -> dict[str, MapData]:
    """The maps in files and folders written one after the other, as in PATH."""
    found: dict[str, MapData] = {}
    for file in (file for path in paths.split(os.pathsep) if path for file in _map_files(Path(path))):
        data = load_map(file)
        if data.id in SHIPPED or data.id in found:
            whose = "shipped" if data.id in SHIPPED else "given already"
            raise BadMap(file.name, "id", f"a map {quoted(data.id)} is {whose}: give this one an id of its own")
        found[data.id] = data
    return found


def _map_files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(path.glob("*.json"))


def _read_file(path: Path) -> bytes:
    return read_bytes(path, MAX_FILE_BYTES, BadMap)


def _examine(text: str | bytes, source: str) -> MapData | list[BadMap]:
    faults = Faults(source)
    try:
        return _read_checked(text, faults)
    except BadMap as fault:
        return [fault]
    except TooMany:
        return [
            *faults.found,
            BadMap(source, "", f"more than {MAX_FAULTS - 1} faults: the rest is not looked at"),
        ]


def _read_checked(text: str | bytes, faults: Faults) -> MapData | list[BadMap]:
    raw = parse_json(text, faults.source, most=MAX_FILE_BYTES, digits=MAX_DIGITS, error=BadMap)
    if is_correction(raw):
        return _read_correction(raw, faults)
    return _read_values(raw, faults)


def _read_correction(raw: Any, faults: Faults) -> MapData | list[BadMap]:
    shipped = {name: json.loads(_shipped_file(name)) for name in SHIPPED}
    whole = corrected(raw, shipped, faults)
    result = faults.found or _read_values(whole, faults)
    if not isinstance(result, MapData):
        return result
    of = _load_shipped(raw["corrects"])
    return replace(result, drawn_as=of.id if _ends(result) == _ends(of) else "")


def _ends(data: MapData) -> object:
    """What a drawn board rests on."""
    return [place.id for place in data.places], [(track.id, track.a, track.b) for track in data.tracks]


def _read_values(raw: object, faults: Faults) -> MapData | list[BadMap]:
    tidy = read(MAP, raw, "", faults)
    if isinstance(tidy, dict):
        faults.add_all(_wrong_names(tidy))
    if faults.found:
        return faults.found
    data = _build(tidy)
    for check in WHOLE_MAP_CHECKS:
        faults.add_all(check(data))
    return faults.found or data


# --- names --------------------------------------------------------------------------------------------------


def _wrong_names(tidy: Row) -> Found:
    """Every id is there once and every name is the id of something."""
    places, tracks, tickets = (readable_rows(tidy.get(part)) for part in ("places", "tracks", "tickets"))
    yield from repeated_ids("places", places)
    yield from repeated_ids("tracks", tracks)
    yield from repeated_ids("tickets", [(i, _with_ticket_id(row)) for i, row in tickets])
    place_ids = [row["id"] for _, row in places if "id" in row]
    countries = {row["country"] for _, row in places if row.get("country")}
    yield from _wrong_ends("tracks", tracks, place_ids)
    yield from _wrong_ends("tickets", tickets, [*place_ids, *sorted(countries - set(place_ids))])
    for language, names in (tidy.get("names") or {}).items():
        for place in (names or {}).get("places", {}):
            yield from unknown_place(place, place_ids, f"names.{language}.places.{place}")
    for part in PARTS.values():
        yield from part.wrong_names(tidy.get("rules", {}), place_ids)


def _with_ticket_id(row: Row) -> Row:
    if row.get("id") or "a" not in row or "b" not in row:
        return row
    return {**row, "id": f"{row['a']}-{row['b']}"}


def _wrong_ends(part: str, rows: list[tuple[int, Row]], known: list[str]) -> Found:
    for i, row in rows:
        for end in ("a", "b"):
            if end in row:
                yield from unknown_place(row[end], known, f"{part}[{i}].{end}")
        if "a" in row and row["a"] == row.get("b"):
            yield f"{part}[{i}].b", f"both ends are {quoted(row['a'])}"


# --- building -----------------------------------------------------------------------------------------------


def _build(tidy: Row) -> MapData:
    rules, cards, marks = tidy["rules"], tidy["cards"], tidy["provenance"]
    places = tuple(_place(row, marks["places"]) for row in tidy["places"])
    values = {
        "id": tidy["id"],
        "name": tidy["name"],
        "version": tidy["version"],
        "min_players": tidy["players"]["min"],
        "max_players": tidy["players"]["max"],
        "trains": tidy["trains"],
        "cards_per_colour": cards["per_colour"],
        "locomotives": cards["locomotives"],
        "first_hand": cards["first_hand"],
        "display": cards["display"],
        "sweep_at": cards["sweep_at"],
        "last_round_at": rules["last_round_at"],
        "both_tracks_from": rules["double_routes"]["both_from_players"],
        "track_points": by_length(rules["track_points"]),
        "ticket_draw": TicketDraw(**rules["ticket_draw"]),
        "longest_path": rules["longest_path"],
        "globetrotter": rules["globetrotter"],
        "ties": tuple(rules["ties"]),
        "clauses": Clauses(**rules["clauses"]),
        "outline": tuple(tuple((float(lon), float(lat)) for lon, lat in line) for line in tidy["outline"]),
        "names": tuple(_names(language, row) for language, row in tidy["names"].items() if row),
        "places": places,
        "tracks": tuple(_track(row, marks["tracks"]) for row in tidy["tracks"]),
        "tickets": tuple(_ticket(row, marks["tickets"], places) for row in tidy["tickets"]),
        "sources": tuple(tidy["sources"]),
        "doubts": tuple(tidy["doubts"]),
    }
    if rules["first_tickets"]["deal"]:
        values["first_tickets"] = TicketDeal(**rules["first_tickets"]["deal"])
    for part in PARTS.values():
        values |= part.values(tidy)
    return _sealed(MapData(**values), tidy)


def _sealed(data: MapData, tidy: Row) -> MapData:
    """The map with what follows from its facts: which mechanics it uses, where they come from, the hash."""
    data = replace(data, mechanics=tuple(name for name, part in PARTS.items() if part.is_used(data)))
    return replace(data, provenance=tuple(_provenance(data, tidy)), hash=_hash(data))


def _names(language: str, row: Row) -> OtherNames:
    return OtherNames(language, row["map"] or "", tuple(row["places"].items()))


def _place(row: Row, mark: str) -> Place:
    board = (float(row["board"][0]), float(row["board"][1])) if row["board"] else None
    exact = {"lat": float(row["lat"]), "lon": float(row["lon"]), "board": board}
    return Place(**(row | exact | {"provenance": row["provenance"] or mark}))


def _track(row: Row, mark: str) -> Track:
    return Track(**(row | {"provenance": row["provenance"] or mark}))


def _ticket(row: Row, mark: str, places: tuple[Place, ...]) -> Ticket:
    return Ticket(
        id=_with_ticket_id(row)["id"],
        a=ticket_end(row["a"], places),
        b=ticket_end(row["b"], places),
        points=row["points"],
        long=row["long"],
        provenance=row["provenance"] or mark,
    )


def _provenance(data: MapData, tidy: Row) -> Iterator[tuple[str, str]]:
    """Part by part, the marks of its facts."""
    marks = tidy["provenance"]
    yield "places", joined_marks(place.provenance for place in data.places)
    yield "tracks", joined_marks(track.provenance for track in data.tracks)
    yield "tickets", joined_marks(ticket.provenance for ticket in data.tickets)
    yield "cards", marks["cards"]
    yield "rules", marks["rules"]
    for name in data.mechanics:
        yield from PARTS[name].marks(tidy, data)


def _hash(data: MapData) -> str:
    text = json.dumps(_deciding_facts(data), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _deciding_facts(data: MapData) -> Row:
    """What decides a game: no names, no positions, no provenance. Orders count (EUR-08)."""
    facts: Row = {
        "id": data.id,
        "players": [data.min_players, data.max_players],
        "trains": data.trains,
        "cards": [data.cards_per_colour, data.locomotives, data.first_hand, data.display, data.sweep_at],
        "last_round_at": data.last_round_at,
        "both_tracks_from": data.both_tracks_from,
        "track_points": data.track_points,
        "ticket_draw": [data.ticket_draw.draw, data.ticket_draw.keep_at_least],
        "longest_path": data.longest_path,
        "globetrotter": data.globetrotter,
        "ties": data.ties,
        "places": [[p.id, p.kind, p.dead_end, *_added("place_facts", p)] for p in data.places],
        "tracks": [[t.id, t.a, t.b, t.length, t.colour, *_added("track_facts", t)] for t in data.tracks],
        "tickets": [[t.id, t.a, t.b, t.points, t.long] for t in data.tickets],
    }
    if isinstance(data.first_tickets, TicketDeal):
        first = data.first_tickets
        facts["first_tickets"] = ["deal", first.normal, first.long, first.keep_at_least, first.unkept]
    for part in PARTS.values():
        facts |= part.facts(data)
    return facts


def _added(place: Literal["place_facts", "track_facts"], fact: Place | Track) -> list[Any]:
    """What mechanics add to a place or a track."""
    added: Row = {}
    for part in PARTS.values():
        added |= getattr(part, place)(fact)
    return [added[name] for name in sorted(added)]
