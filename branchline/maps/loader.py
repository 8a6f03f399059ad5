"""Reads a map file into `MapData`, or refuses it with file, path and reason.

Three steps: the text becomes JSON values; the values are held against the table in `schema`, name by name;
the finished map is then looked at as a whole (C-42 and what the kernel relies on). Each step reports every
fault it finds, and the next is only taken when there are none, so that one slip is not reported ten times.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias, assert_never

from branchline.files import BadFile, did_you_mean, join_path, parse_json, quoted, read_bytes, shown, told
from branchline.maps.model import (
    COLOURS,
    MAX_DECK,
    MAX_LENGTH,
    MAX_OFFER,
    MAX_OWN_TRACKS,
    MAX_TERRAIN_CARDS,
    MAX_TRAIN_CARDS,
    FestivalGroup,
    Festivals,
    MapData,
    Place,
    Stations,
    Terrain,
    TerrainType,
    Ticket,
    TicketDeal,
    TicketDraft,
    TicketDraw,
    Track,
)
from branchline.maps.schema import (
    MAP,
    MAX_FESTIVAL_CARDS,
    MAX_TERRAIN_LOCOMOTIVES,
    REQUIRED,
    TRACK_COLOURS,
    Choice,
    Field,
    Flag,
    ListOf,
    Ratio,
    Real,
    Record,
    Shape,
    Table,
    Text,
    Whole,
)

SHIPPED: Final = ("usa", "europe", "iberia", "africa")
MAX_FILE_BYTES: Final = 1 << 20
MAX_FAULTS: Final = 100  # a file with more is not a map with slips, it is something else
MAX_DIGITS: Final = 18
LONGEST_DOUBLED: Final = 6  # AFR-10

Row: TypeAlias = dict[str, Any]


class BadMap(BadFile):
    """A map file that cannot be used."""


def shipped_maps() -> tuple[str, ...]:
    """The ids of the maps that come with the package."""
    return SHIPPED


def load_map(id_or_path: str | os.PathLike[str]) -> MapData:
    """The shipped map of that id, or the map in that .json file; raises `BadMap`."""
    text = os.fspath(id_or_path)
    if not isinstance(id_or_path, str) or text.endswith(".json") or Path(text).name != text:
        path = Path(text)
        return read_map(_read_file(path), source=path.name)
    if text not in SHIPPED:
        raise BadMap(shown(text) or "load_map", "", f"no map {quoted(text)}{did_you_mean(text, SHIPPED)}")
    return _load_shipped(text)


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
    from importlib import resources  # slow to import, and a server with its own maps needs none of it

    file = f"{map_id}.json"
    return read_map(resources.files("branchline.maps").joinpath(file).read_bytes(), source=file)


def _read_file(path: Path) -> bytes:
    return read_bytes(path, MAX_FILE_BYTES, BadMap)


class _Faults:
    """The faults of one file, in the order found."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.found: list[BadMap] = []

    def add(self, path: str, reason: str) -> None:
        self.found.append(BadMap(self.source, path, reason))
        if len(self.found) >= MAX_FAULTS:
            raise _TooMany


class _TooMany(Exception):
    """Enough faults: stop looking."""


def _examine(text: str | bytes, source: str) -> MapData | list[BadMap]:
    faults = _Faults(source)
    try:
        return _read_checked(text, faults)
    except BadMap as fault:
        return [fault]
    except _TooMany:
        return [
            *faults.found,
            BadMap(source, "", f"more than {MAX_FAULTS - 1} faults: the rest is not looked at"),
        ]


def _read_checked(text: str | bytes, faults: _Faults) -> MapData | list[BadMap]:
    raw = parse_json(text, faults.source, most=MAX_FILE_BYTES, digits=MAX_DIGITS, error=BadMap)
    tidy = _read(MAP, raw, "", faults)
    if isinstance(tidy, dict):
        _check_names(tidy, faults)
    if faults.found:
        return faults.found
    data = _build(tidy)
    for check in _WHOLE_MAP_CHECKS:
        for path, reason in check(data):
            faults.add(path, reason)
    return faults.found or data


# --- step 2: shapes and names -------------------------------------------------------------------------------

_BAD: Final = object()  # stands for a value that was refused


def _read(shape: Shape, raw: object, path: str, faults: _Faults) -> Any:
    """`raw` as a tidy value with all defaults filled in, or `_BAD`. What is refused goes to `faults`."""
    match shape:
        case Record():
            return _read_record(shape, raw, path, faults)
        case ListOf():
            return _read_list(shape, raw, path, faults)
        case Table():
            return _read_table(shape, raw, path, faults)
        case Whole():
            reason = _whole_fault(shape, raw)
        case Real():
            reason = _real_fault(shape, raw)
        case Flag():
            reason = "" if isinstance(raw, bool) else f"must be true or false, not {told(raw)}"
        case Text():
            reason = _text_fault(shape, raw)
        case Choice():
            reason = _choice_fault(shape, raw)
        case Ratio():
            reason = _ratio_fault(raw)
        case _:
            assert_never(shape)
    if reason:
        faults.add(path, reason)
        return _BAD
    return raw


def _read_record(shape: Record, raw: object, path: str, faults: _Faults) -> Any:
    if not isinstance(raw, dict):
        faults.add(path, f"must be an object, not {told(raw)}")
        return _BAD
    _check_keys(shape, raw, path, faults)
    values = {key: _read_field(key, field, raw, path, faults) for key, field in shape.fields.items()}
    return {key: value for key, value in values.items() if value is not _BAD}


def _check_keys(shape: Record, raw: Mapping[str, Any], path: str, faults: _Faults) -> None:
    for key in getattr(raw, "repeated", ()):
        faults.add(join_path(path, key), f"{quoted(key)} is written twice")
    for key in raw:
        if key not in shape.fields:
            faults.add(join_path(path, key), f"no {shape.what} {quoted(key)}{did_you_mean(key, shape.fields)}")
    if shape.one_of and sum(key in shape.fields for key in raw) != 1:
        faults.add(path, f"must have exactly one of {_listed(shape.fields)}")


def _read_field(key: str, field: Field, raw: Mapping[str, Any], path: str, faults: _Faults) -> Any:
    if key in raw:
        return _read(field.shape, raw[key], join_path(path, key), faults)
    if field.default is REQUIRED:
        faults.add(join_path(path, key), "missing")
        return _BAD
    if field.default is None:
        return None
    return _read(field.shape, field.default, join_path(path, key), faults)


def _read_list(shape: ListOf, raw: object, path: str, faults: _Faults) -> Any:
    if not isinstance(raw, list):
        faults.add(path, f"must be a list, not {told(raw)}")
        return _BAD
    if len(raw) > shape.high:
        limit = f" ({shape.limit})" if shape.limit else ""
        faults.add(path, f"{len(raw)} {shape.what}: at most {shape.high} are allowed{limit}")
    if len(raw) < shape.low:
        faults.add(path, f"{len(raw)} {shape.what}: at least {shape.low} needed")
    items = [_read(shape.item, item, f"{path}[{i}]", faults) for i, item in enumerate(raw[: shape.high])]
    if shape.unique:
        _check_unique(items, path, faults)
    return items


def _check_unique(items: list[Any], path: str, faults: _Faults) -> None:
    seen: set[str] = set()
    for i, item in enumerate(items):
        if isinstance(item, str) and item in seen:
            faults.add(f"{path}[{i}]", f"{quoted(item)} is in the list twice")
        elif isinstance(item, str):
            seen.add(item)


def _read_table(shape: Table, raw: object, path: str, faults: _Faults) -> Any:
    if not isinstance(raw, dict):
        faults.add(path, f"must be an object, not {told(raw)}")
        return _BAD
    numbers = {str(n): n for n in range(shape.low, shape.high + 1)}
    for key in getattr(raw, "repeated", ()):
        faults.add(join_path(path, key), f"{quoted(key)} is written twice")
    result: dict[int, Any] = {}
    for key, value in raw.items():
        if key in numbers:
            result[numbers[key]] = _read(shape.value, value, join_path(path, key), faults)
        else:
            faults.add(join_path(path, key), f"keys here go from {quoted(str(shape.low))} to {quoted(str(shape.high))}")
    return result


def _whole_fault(shape: Whole, raw: object) -> str:
    if not isinstance(raw, int) or isinstance(raw, bool):
        return f"must be a whole number, not {told(raw)}"
    if raw > shape.high:
        return f"{raw} is over the limit of {shape.high}" + (f" ({shape.limit})" if shape.limit else "")
    return f"{raw} is below {shape.low}" if raw < shape.low else ""


def _real_fault(shape: Real, raw: object) -> str:
    if not isinstance(raw, int | float) or isinstance(raw, bool) or not math.isfinite(raw):
        return f"must be a number, not {told(raw)}"
    return "" if shape.low <= raw <= shape.high else f"{raw} is not between {shape.low} and {shape.high}"


def _text_fault(shape: Text, raw: object) -> str:
    if not isinstance(raw, str):
        return f"must be text, not {told(raw)}"
    if not raw.strip():
        return "must not be empty"
    if len(raw) > shape.longest:
        return f"{len(raw)} letters: at most {shape.longest} are allowed"
    if shape.pattern and not re.fullmatch(shape.pattern, raw):
        return f"{quoted(raw)} is not an id: use {shape.letters}"
    return "" if raw.isprintable() else f"{quoted(raw)} has a letter that cannot be printed"


def _choice_fault(shape: Choice, raw: object) -> str:
    if not isinstance(raw, str):
        return f"must be a {shape.what}, not {told(raw)}"
    if raw in shape.values:
        return ""
    return f"no {shape.what} {quoted(raw)}{did_you_mean(raw, shape.values)}"


def _ratio_fault(raw: object) -> str:
    if isinstance(raw, str) and re.fullmatch("[1-9][0-9]?/[1-9][0-9]?", raw) and Fraction(raw) < 1:
        return ""
    return f'must be a fraction below 1 like "2/3", not {told(raw)}'


def _check_names(tidy: Row, faults: _Faults) -> None:
    """Every id is there once and every name is the id of something."""
    places, tracks, tickets = (_rows(tidy.get(part)) for part in ("places", "tracks", "tickets"))
    _check_ids("places", places, faults)
    _check_ids("tracks", tracks, faults)
    _check_ids("tickets", [(i, _with_ticket_id(row)) for i, row in tickets], faults)
    place_ids = [row["id"] for _, row in places if "id" in row]
    countries = {row["country"] for _, row in places if row.get("country")}
    _check_ends("tracks", tracks, place_ids, faults)
    _check_ends("tickets", tickets, [*place_ids, *sorted(countries - set(place_ids))], faults)
    _check_rule_names(tidy.get("rules", {}), place_ids, faults)


def _check_rule_names(rules: Row, place_ids: list[str], faults: _Faults) -> None:
    groups = _rows((rules.get("festivals") or {}).get("groups"))
    _check_ids("rules.festivals.groups", groups, faults)
    for i, group in groups:
        for j, name in enumerate(group.get("places", ())):
            if name is not _BAD:
                _check_name(name, place_ids, f"rules.festivals.groups[{i}].places[{j}]", faults)
    _check_ids("rules.terrain.types", _rows((rules.get("terrain") or {}).get("types")), faults)


def _rows(part: object) -> list[tuple[int, Row]]:
    """The readable entries of a list, with their places in the file."""
    entries = part if isinstance(part, list) else []
    return [(i, row) for i, row in enumerate(entries) if isinstance(row, dict)]


def _with_ticket_id(row: Row) -> Row:
    if row.get("id") or "a" not in row or "b" not in row:
        return row
    return {**row, "id": f"{row['a']}-{row['b']}"}


def _check_ids(part: str, rows: list[tuple[int, Row]], faults: _Faults) -> None:
    first: dict[str, int] = {}
    for i, row in rows:
        name = row.get("id")
        if name is not None and first.setdefault(name, i) != i:
            faults.add(f"{part}[{i}].id", f"{quoted(name)} is also the id of {part}[{first[name]}]")


def _check_ends(part: str, rows: list[tuple[int, Row]], known: list[str], faults: _Faults) -> None:
    for i, row in rows:
        for end in ("a", "b"):
            if end in row:
                _check_name(row[end], known, f"{part}[{i}].{end}", faults)
        if "a" in row and row["a"] == row.get("b"):
            faults.add(f"{part}[{i}].b", f"both ends are {quoted(row['a'])}")


def _check_name(name: str, known: list[str], path: str, faults: _Faults) -> None:
    if name not in known:
        faults.add(path, f"no place {quoted(name)}{did_you_mean(name, known)}")


# --- the words of a refusal ---------------------------------------------------------------------------------


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)


# --- building -----------------------------------------------------------------------------------------------


def _build(tidy: Row) -> MapData:
    rules, cards, marks = tidy["rules"], tidy["cards"], tidy["provenance"]
    places = tuple(_place(row, marks["places"]) for row in tidy["places"])
    tracks = tuple(_track(row, marks["tracks"]) for row in tidy["tracks"])
    tickets = tuple(_ticket(row, marks["tickets"], places) for row in tidy["tickets"])
    festivals = _festivals(rules["festivals"], marks["festival_cards"])
    data = MapData(
        id=tidy["id"],
        name=tidy["name"],
        version=tidy["version"],
        min_players=tidy["players"]["min"],
        max_players=tidy["players"]["max"],
        trains=tidy["trains"],
        cards_per_colour=cards["per_colour"],
        locomotives=cards["locomotives"],
        first_hand=cards["first_hand"],
        display=cards["display"],
        sweep_at=cards["sweep_at"],
        last_round_at=rules["last_round_at"],
        both_tracks_from=rules["double_routes"]["both_from_players"],
        track_points=_by_length(rules["track_points"]),
        first_tickets=_first_tickets(rules["first_tickets"], tidy["players"]),
        ticket_draw=TicketDraw(**rules["ticket_draw"]),
        longest_path=rules["longest_path"],
        globetrotter=rules["globetrotter"],
        tunnel_cards=rules["tunnels"]["cards"] if rules["tunnels"] else 0,
        ties=tuple(rules["ties"]),
        stations=Stations(**rules["stations"]) if rules["stations"] else None,
        festivals=festivals,
        terrain=_terrain(rules["terrain"]),
        places=places,
        tracks=tracks,
        tickets=tickets,
        provenance=tuple(_provenance(tidy, places, tracks, tickets, festivals)),
        sources=tuple(tidy["sources"]),
        doubts=tuple(tidy["doubts"]),
        hash="",
    )
    return replace(data, hash=_hash(data))


def _place(row: Row, mark: str) -> Place:
    return Place(
        id=row["id"],
        name=row["name"],
        kind=row["kind"],
        country=row["country"],
        dead_end=row["dead_end"],
        lat=float(row["lat"]),
        lon=float(row["lon"]),
        board=(float(row["board"][0]), float(row["board"][1])) if row["board"] else None,
        provenance=row["provenance"] or mark,
    )


def _track(row: Row, mark: str) -> Track:
    return Track(**(row | {"provenance": row["provenance"] or mark}))


def _ticket(row: Row, mark: str, places: tuple[Place, ...]) -> Ticket:
    return Ticket(
        id=_with_ticket_id(row)["id"],
        a=_ticket_end(row["a"], places),
        b=_ticket_end(row["b"], places),
        points=row["points"],
        long=row["long"],
        provenance=row["provenance"] or mark,
    )


def _ticket_end(name: str, places: tuple[Place, ...]) -> tuple[str, ...]:
    of_country = tuple(place.id for place in places if place.country == name)
    return of_country or (name,)


def _first_tickets(rule: Row, players: Row) -> TicketDeal | TicketDraft:
    if rule["deal"]:
        return TicketDeal(**rule["deal"])
    draft = rule["draft"]
    depth = sorted(draft["second"]["depth"].items())
    return TicketDraft(
        cards=draft["cards"],
        keep_exactly=draft["keep_exactly"],
        second_depth=tuple((n, Fraction(d)) for n, d in depth if players["min"] <= n <= players["max"]),
        second_jitter=draft["second"]["jitter"],
    )


def _festivals(rule: Row | None, mark: str) -> Festivals | None:
    if rule is None:
        return None
    groups = tuple(
        FestivalGroup(row["id"], tuple(row["places"]), row["cards"], row["provenance"] or mark)
        for row in rule["groups"]
    )
    scores = {row["cards"]: row["points"] for row in rule["score_table"]}
    counted_up = all(row["cards"] == i for i, row in enumerate(rule["score_table"], start=1))
    return Festivals(groups, (0, *scores.values()) if counted_up else ())


def _terrain(rule: Row | None) -> Terrain | None:
    if rule is None:
        return None
    types = tuple(TerrainType(row["id"], row["name"], tuple(row["colours"]), row["cards"]) for row in rule["types"])
    return Terrain(types, rule["deal"], rule["face_up"], _by_length(rule["cards_to_double"]))


def _by_length(table: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(table.get(length, 0) for length in range(MAX_LENGTH + 1))


def _provenance(
    tidy: Row,
    places: tuple[Place, ...],
    tracks: tuple[Track, ...],
    tickets: tuple[Ticket, ...],
    festivals: Festivals | None,
) -> Iterator[tuple[str, str]]:
    """Part by part, the marks of its facts; then the festival scores whose mark is not that of their part."""
    marks = tidy["provenance"]
    yield "places", _marks(place.provenance for place in places)
    yield "tracks", _marks(track.provenance for track in tracks)
    yield "tickets", _marks(ticket.provenance for ticket in tickets)
    yield "cards", marks["cards"]
    yield "rules", marks["rules"]
    if tidy["rules"]["terrain"]:
        yield "terrain", marks["terrain"]
    if festivals:
        scores = [(row["cards"], row["provenance"]) for row in tidy["rules"]["festivals"]["score_table"]]
        yield "festival_places", marks["festival_places"]
        yield "festival_cards", _marks(group.provenance for group in festivals.groups)
        yield "festival_scores", _marks(mark or marks["festival_scores"] for _, mark in scores)
        for cards, mark in scores:
            if mark and mark != marks["festival_scores"]:
                yield f"festival_scores[{cards}]", mark


def _marks(marks: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(marks))


def _hash(data: MapData) -> str:
    text = json.dumps(_deciding_facts(data), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _deciding_facts(data: MapData) -> Row:
    """What decides a game: no names, no positions, no provenance. Orders count (EUR-08)."""
    return {
        "id": data.id,
        "players": [data.min_players, data.max_players],
        "trains": data.trains,
        "cards": [data.cards_per_colour, data.locomotives, data.first_hand, data.display, data.sweep_at],
        "last_round_at": data.last_round_at,
        "both_tracks_from": data.both_tracks_from,
        "track_points": data.track_points,
        "first_tickets": _first_ticket_facts(data.first_tickets),
        "ticket_draw": [data.ticket_draw.draw, data.ticket_draw.keep_at_least],
        "longest_path": data.longest_path,
        "globetrotter": data.globetrotter,
        "tunnel_cards": data.tunnel_cards,
        "ties": data.ties,
        "stations": data.stations and [data.stations.each, data.stations.unused_points],
        "festivals": data.festivals
        and [[[g.id, g.places, g.cards] for g in data.festivals.groups], data.festivals.score_table],
        "terrain": data.terrain and _terrain_facts(data.terrain),
        "places": [[p.id, p.kind, p.dead_end] for p in data.places],
        "tracks": [[t.id, t.a, t.b, t.length, t.colour, t.ferry, t.tunnel] for t in data.tracks],
        "tickets": [[t.id, t.a, t.b, t.points, t.long] for t in data.tickets],
    }


def _first_ticket_facts(first: TicketDeal | TicketDraft) -> list[Any]:
    match first:
        case TicketDeal():
            return ["deal", first.normal, first.long, first.keep_at_least, first.unkept]
        case TicketDraft():
            depth = [[players, str(part)] for players, part in first.second_depth]
            return ["draft", first.cards, first.keep_exactly, depth, first.second_jitter]
        case _:
            assert_never(first)


def _terrain_facts(terrain: Terrain) -> list[Any]:
    types = [[kind.id, kind.colours, kind.cards] for kind in terrain.types]
    return [types, terrain.deal, terrain.face_up, terrain.cards_to_double]


# --- step 3: the map as a whole -----------------------------------------------------------------------------

Found: TypeAlias = Iterator[tuple[str, str]]


def _check_players(data: MapData) -> Found:
    if data.min_players > data.max_players:
        yield "players.min", f"{data.min_players} is more than players.max, {data.max_players}"


def _check_train_cards(data: MapData) -> Found:
    total = _train_cards(data)
    if total > MAX_TRAIN_CARDS:
        yield "cards", f"{total} train cards: at most {MAX_TRAIN_CARDS} are allowed (MAX_TRAIN_CARDS)"
    due = data.first_hand * data.max_players + data.display
    if due > total:
        yield "cards.first_hand", f"first hands and display take {due} cards, there are {total}"
    if data.last_round_at >= data.trains:
        yield "rules.last_round_at", f"{data.last_round_at} is not below the {data.trains} trains"


def _train_cards(data: MapData) -> int:
    return len(COLOURS) * data.cards_per_colour + data.locomotives


def _check_deck(data: MapData) -> Found:
    festival_cards = sum(group.cards for group in data.festivals.groups) if data.festivals else 0
    if festival_cards > MAX_FESTIVAL_CARDS:
        told = f"{festival_cards} cards: at most {MAX_FESTIVAL_CARDS} are allowed (MAX_FESTIVAL_CARDS)"
        yield "rules.festivals.groups", told
    deck = _train_cards(data) + festival_cards + 1
    if deck > MAX_DECK:
        told = f"train cards, festival cards and the second-draft card make {deck}"
        yield "rules.festivals", f"{told}: at most {MAX_DECK} are allowed (MAX_DECK)"


def _check_places(data: MapData) -> Found:
    reached = {end for track in data.tracks for end in (track.a, track.b)}
    for i, place in enumerate(data.places):
        if place.id not in reached:
            yield f"places[{i}]", f'no track ends at "{place.id}"'
        if place.kind == "country" and not place.country:
            yield f"places[{i}].country", "missing: a place of kind country says of which country it is"
        if place.kind != "country" and place.country:
            yield f"places[{i}].country", "only a place of kind country has it"
        if place.kind != "country" and place.dead_end:
            yield f"places[{i}].dead_end", "only a place of kind country can be a dead end (AFR-18)"


def _check_countries(data: MapData) -> Found:
    """A ticket end must mean one thing: a country's id is no place's id, but for a country of one place."""
    ids = {place.id for place in data.places}
    for i, place in enumerate(data.places):
        if place.country in ids and _ticket_end(place.country or "", data.places) != (place.country,):
            yield f"places[{i}].country", f'"{place.country}" is also the id of a place'


def _check_tracks(data: MapData) -> Found:
    most_of_a_colour = data.cards_per_colour + data.locomotives
    for i, track in enumerate(data.tracks):
        path = f"tracks[{i}]"
        if not data.track_points[track.length]:
            yield f"{path}.length", f"rules.track_points has no points for length {track.length}"
        if track.length > data.trains:
            yield f"{path}.length", f"{track.length} spaces, and a player has {data.trains} trains"
        if track.length > most_of_a_colour:
            yield f"{path}.length", f"{track.length} spaces: no colour has so many cards with the locomotives"
        if track.ferry > track.length:
            yield f"{path}.ferry", f"{track.ferry} locomotives on a track of {track.length}"
        if track.ferry > data.locomotives:
            yield f"{path}.ferry", f"{track.ferry} locomotives, and the map has {data.locomotives}"
        if track.tunnel and not data.tunnel_cards:
            yield f"{path}.tunnel", "the map has no rule tunnels"


def _check_parallel_tracks(data: MapData) -> Found:
    first: dict[frozenset[str], Track] = {}
    for i, track in enumerate(data.tracks):
        other = first.setdefault(frozenset((track.a, track.b)), track)
        if other.length != track.length:
            told = f'{track.length} spaces, and the parallel track "{other.id}" has {other.length}'
            yield f"tracks[{i}].length", f"{told} (C-42)"


def _check_own_tracks(data: MapData) -> Found:
    """Nobody may come to own so many tracks that finding the longest path takes for ever."""
    lengths = {frozenset((track.a, track.b)): track.length for track in data.tracks}
    left, most = data.trains, 0
    for length in sorted(lengths.values()):
        left -= length
        most += left >= 0
    if most > MAX_OWN_TRACKS:
        limit = f"at most {MAX_OWN_TRACKS} are allowed (MAX_OWN_TRACKS)"
        yield "trains", f"{data.trains} trains lay up to {most} tracks of this map: {limit}"


def _check_ticket_ends(data: MapData) -> Found:
    way_stations = {place.id for place in data.places if place.kind == "way_station"}
    spaces = _neighbours(data)
    for i, ticket in enumerate(data.tickets):
        for end, names in (("a", ticket.a), ("b", ticket.b)):
            if way_stations.intersection(names):
                yield f"tickets[{i}].{end}", f'"{names[0]}" is a way station: no ticket names one (AFR-22)'
        if set(ticket.a) & set(ticket.b):
            yield f"tickets[{i}].b", f'both ends are reached at "{(set(ticket.a) & set(ticket.b)).pop()}"'
        else:
            yield from _check_joined(f"tickets[{i}]", ticket, data, spaces)


def _check_joined(path: str, ticket: Ticket, data: MapData, spaces: Mapping[str, Mapping[str, int]]) -> Found:
    least = _fewest_spaces(ticket, data, spaces)
    if least is None:
        yield path, f'no chain of tracks joins "{ticket.a[0]}" and "{ticket.b[0]}"'
    elif least > data.trains and not data.stations:  # stations lend tracks that take no trains (EUR-07)
        yield path, f"its shortest chain has {least} spaces, and a player has {data.trains} trains"


def _neighbours(data: MapData) -> dict[str, dict[str, int]]:
    spaces: dict[str, dict[str, int]] = {place.id: {} for place in data.places}
    for track in data.tracks:
        for a, b in ((track.a, track.b), (track.b, track.a)):
            spaces[a][b] = min(track.length, spaces[a].get(b, MAX_LENGTH))
    return spaces


def _fewest_spaces(ticket: Ticket, data: MapData, spaces: Mapping[str, Mapping[str, int]]) -> int | None:
    """Spaces of the shortest chain between the ends, through no dead end (AFR-18); None if there is none."""
    dead_ends = {place.id for place in data.places if place.dead_end}
    best = dict.fromkeys(ticket.a, 0)
    waiting = list(ticket.a)
    while waiting:
        here = min(waiting, key=best.__getitem__)
        waiting.remove(here)
        if here in ticket.b:
            return best[here]
        if here in dead_ends and here not in ticket.a:
            continue
        for there, length in spaces[here].items():
            if there not in best or best[here] + length < best[there]:
                best[there] = best[here] + length
                waiting.append(there)
    return None


def _check_first_tickets(data: MapData) -> Found:
    long = sum(ticket.long for ticket in data.tickets)
    match data.first_tickets:
        case TicketDeal() as deal:
            yield from _check_deal(deal, data, long)
        case TicketDraft() as draft:
            yield from _check_draft(draft, data, long)
        case _:
            assert_never(data.first_tickets)


def _check_deal(deal: TicketDeal, data: MapData, long: int) -> Found:
    path = "rules.first_tickets.deal"
    if deal.normal + deal.long > MAX_OFFER:
        yield path, f"{deal.normal + deal.long} tickets a player: at most {MAX_OFFER} are allowed (MAX_OFFER)"
    if deal.keep_at_least > deal.normal + deal.long:
        yield f"{path}.keep_at_least", f"{deal.keep_at_least} of {deal.normal + deal.long} tickets dealt"
    yield from _check_enough(f"{path}.normal", "normal", deal.normal, len(data.tickets) - long, data)
    yield from _check_enough(f"{path}.long", "long", deal.long, long, data)
    if long and not deal.long:
        yield f"{path}.long", f"{long} long tickets, and none is dealt"
    if deal.long and deal.unkept != "removed":
        yield f"{path}.unkept", 'must be "removed" where long tickets are dealt (EUR-02)'


def _check_draft(draft: TicketDraft, data: MapData, long: int) -> Found:
    path = "rules.first_tickets.draft"
    if draft.keep_exactly > draft.cards:
        yield f"{path}.keep_exactly", f"{draft.keep_exactly} of {draft.cards} tickets"
    yield from _check_enough(f"{path}.cards", "", draft.cards, len(data.tickets), data)
    if long:
        yield path, f"{long} long tickets: a draft has none"
    deep = {players for players, _ in draft.second_depth}
    for players in range(data.min_players, data.max_players + 1):
        if players not in deep:
            yield f"{path}.second.depth", f"no depth for {players} players"


def _check_enough(path: str, kind: str, each: int, there: int, data: MapData) -> Found:
    if each * data.max_players > there:
        tickets = f"{kind} tickets".strip()
        need = f"{data.max_players} players need {each * data.max_players} {tickets}"
        yield path, f"{need}, there are {there} (C-42)"


def _check_ticket_draw(data: MapData) -> Found:
    rule = data.ticket_draw
    if rule.keep_at_least > rule.draw:
        yield "rules.ticket_draw.keep_at_least", f"{rule.keep_at_least} of {rule.draw} tickets drawn"


def _check_joined_rules(data: MapData) -> Found:
    for name, rule in (("terrain", data.terrain), ("festivals", data.festivals)):
        if data.tunnel_cards and rule:
            yield "rules.tunnels", f"tunnels cannot be joined with {name}: there is no ruling for it (C-42)"
    if "stations" in data.ties and not data.stations:
        yield "rules.ties", 'tie break "stations", and the map has no rule stations'


def _check_festivals(data: MapData) -> Found:
    if not data.festivals:
        return
    path = "rules.festivals"
    largest = max(group.cards for group in data.festivals.groups)
    if not data.festivals.score_table:
        yield f"{path}.score_table", "must count up: 1 card, 2 cards, 3 cards and so on"
    elif len(data.festivals.score_table) <= largest:
        yield f"{path}.score_table", f"no points for {largest} cards, and a group has so many"
    owner: dict[str, str] = {}
    for i, group in enumerate(data.festivals.groups):
        for j, place in enumerate(group.places):
            if owner.setdefault(place, group.id) != group.id:
                yield f"{path}.groups[{i}].places[{j}]", f'"{place}" is in group "{owner[place]}" too'


def _check_terrain(data: MapData) -> Found:
    if not data.terrain:
        return
    path = "rules.terrain"
    times = Counter(colour for kind in data.terrain.types for colour in kind.colours)
    for colour in TRACK_COLOURS:
        if times[colour] != 1:
            told = "no terrain type" if not times[colour] else f"{times[colour]} terrain types"
            yield f"{path}.types", f"{told} for {colour}: each colour belongs to exactly one"
    total = sum(kind.cards for kind in data.terrain.types)
    if total > MAX_TERRAIN_CARDS:
        yield f"{path}.types", f"{total} cards: at most {MAX_TERRAIN_CARDS} are allowed (MAX_TERRAIN_CARDS)"
    if data.locomotives > MAX_TERRAIN_LOCOMOTIVES:
        told = f"at most {MAX_TERRAIN_LOCOMOTIVES} are allowed with terrain (MAX_TERRAIN_LOCOMOTIVES)"
        yield "cards.locomotives", f"{data.locomotives} locomotives: {told}"
    for length in range(LONGEST_DOUBLED + 1, len(data.terrain.cards_to_double)):
        if data.terrain.cards_to_double[length]:
            reason = f"a track of more than {LONGEST_DOUBLED} spaces cannot be doubled (AFR-10)"
            yield f"{path}.cards_to_double.{length}", reason
    due = data.terrain.deal * data.max_players + data.terrain.face_up
    if due > total:
        yield f"{path}.deal", f"first deal and face-up cards take {due} cards, there are {total}"


_WHOLE_MAP_CHECKS: Final[tuple[Callable[[MapData], Found], ...]] = (
    _check_players,
    _check_train_cards,
    _check_deck,
    _check_places,
    _check_countries,
    _check_tracks,
    _check_parallel_tracks,
    _check_own_tracks,
    _check_ticket_ends,
    _check_first_tickets,
    _check_ticket_draw,
    _check_joined_rules,
    _check_festivals,
    _check_terrain,
)
