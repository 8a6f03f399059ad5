"""Files of puzzles: JSON, a head and one puzzle a line, so that a diff is readable; read strictly, fault by fault.

What is read has the right form, and every name in it is known. Whether the moves are legal and the answer is among the
choices, `checking.fault_of` says.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NoReturn

from branchline.deal import Deal
from branchline.files import did_you_mean, join_path, parse_json, quoted, read_bytes, shown, told
from branchline.maps.loader import load_map, shipped_maps
from branchline.maps.model import CARDS, MapData
from branchline.notation import BadNotation, read_action, write_action
from branchline.puzzles.kinds import KINDS, REASONS
from branchline.puzzles.model import FORMAT, GRADES, BadPuzzle, Option, Param, Proof, Puzzle, Reason
from branchline.record import BadRecord, Move, Player, Record, read_game, write_game
from branchline.version import RULES_VERSION

SHIPPED: Final = Path(__file__).with_name("shipped")
SOURCES: Final = ("bots", "people")
MAX_FILE_BYTES: Final = 8 << 20
MOST_OPTIONS: Final = 40
_LONGEST: Final = 200
_DIGITS: Final = 20
_NEEDED: Final = (
    "id", "players", "seat", "deal", "moves", "kind", "options", "proofs", "end", "work", "weights", "grade", "solved",
    "reason", "source", "since",
)  # fmt: skip


@lru_cache(maxsize=1)
def shipped() -> tuple[Puzzle, ...]:
    """The puzzles in the package, map by map."""
    return tuple(one for name in shipped_maps() if (SHIPPED / f"{name}.json").exists() for one in _of_map(name))


def find(id: str) -> Puzzle | None:
    """The shipped puzzle of this id."""
    return _by_id().get(id)


@lru_cache(maxsize=1)
def _by_id() -> Mapping[str, Puzzle]:
    return {one.id: one for one in shipped()}


def _of_map(name: str) -> tuple[Puzzle, ...]:
    return load(SHIPPED / f"{name}.json")


def load(path: str | os.PathLike[str], *, map: MapData | None = None) -> tuple[Puzzle, ...]:
    """The puzzles of a file; `map` is the map of puzzles on a map that is not shipped. Raises `BadPuzzle`."""
    where = Path(path)
    text = read_bytes(where, MAX_FILE_BYTES, BadPuzzle)
    return read(text, map=map, source=shown(where.name or str(where)))


def read(text: str | bytes, *, map: MapData | None = None, source: str = "puzzles") -> tuple[Puzzle, ...]:
    """The puzzles that `text`, a whole file, holds."""
    raw = parse_json(text, source, most=MAX_FILE_BYTES, digits=_DIGITS, error=BadPuzzle)
    return _Reader(source, map).puzzles(raw)


class _Reader:
    """Reads one file; the first fault ends it."""

    def __init__(self, file: str, given: MapData | None) -> None:
        self.file = file
        self.given = given

    def puzzles(self, raw: object) -> tuple[Puzzle, ...]:
        if not isinstance(raw, dict):
            self._fail("", f"must be an object, not {told(raw)}")
        if raw.get("format") != FORMAT:
            self._fail("format", f'{told(raw.get("format"))} is not a format this program reads; it reads "{FORMAT}"')
        parts = self._table(raw, "", ("format", "map", "rules", "puzzles"))
        if parts["rules"] != RULES_VERSION:
            self._fail("rules", f"{told(parts['rules'])} is not the version this program plays, {RULES_VERSION}")
        data = self._map(parts["map"])
        found = [
            self._puzzle(one, f"puzzles[{i}]", data) for i, one in enumerate(self._list(parts["puzzles"], "puzzles"))
        ]
        seen: set[str] = set()
        for i, one in enumerate(found):
            if one.id in seen:
                self._fail(f"puzzles[{i}].id", f"{quoted(one.id)} stands there twice")
            seen.add(one.id)
        return tuple(found)

    def _map(self, raw: object) -> MapData:
        parts = self._table(raw, "map", ("id", "hash"))
        name, wanted = self._text(parts["id"], "map.id"), self._text(parts["hash"], "map.hash")
        if self.given is None and name not in shipped_maps():
            self._fail("map.id", f"no map {quoted(name)}{did_you_mean(name, shipped_maps())}")
        data = self.given or load_map(name)
        if data.hash != wanted:
            self._fail(
                "map.hash", f"these are puzzles of another version of {quoted(name)}: its hash is {quoted(wanted)}"
            )
        return data

    def _puzzle(self, raw: object, path: str, data: MapData) -> Puzzle:
        parts = self._table(raw, path, _NEEDED)
        players = self._whole(parts["players"], f"{path}.players", data.min_players, data.max_players)
        seat = self._whole(parts["seat"], f"{path}.seat", 0, players - 1)
        deal, moves = self._game(parts, path, data, players)
        options = self._list(parts["options"], f"{path}.options")
        if not 2 <= len(options) <= MOST_OPTIONS:
            self._fail(f"{path}.options", f"{len(options)} choices: there must be from 2 to {MOST_OPTIONS}")
        return Puzzle(
            id=self._text(parts["id"], f"{path}.id"),
            map=data,
            players=players,
            deal=deal,
            moves=moves,
            seat=seat,
            kind=self._one_of(parts["kind"], f"{path}.kind", KINDS),
            options=tuple(self._option(one, f"{path}.options[{i}]", data) for i, one in enumerate(options)),
            proofs=tuple(self._proof(one, f"{path}.proofs[{i}]") for i, one in self._several(parts, path, "proofs")),
            end=self._proof(parts["end"], f"{path}.end", least=-1),
            work=self._number(parts["work"], f"{path}.work", 0, 10**6),
            weights=self._digest(parts["weights"], f"{path}.weights"),
            grade=self._whole(parts["grade"], f"{path}.grade", 1, GRADES),
            solved=self._solved(parts["solved"], f"{path}.solved"),
            reason=self._reason(parts["reason"], f"{path}.reason", data),
            source=self._one_of(parts["source"], f"{path}.source", SOURCES),
            since=self._date(parts["since"], f"{path}.since"),
        )

    def _game(self, parts: Mapping[str, Any], path: str, data: MapData, players: int) -> tuple[Deal, tuple[Move, ...]]:
        """The deal and the moves, read as those of a record are."""
        whole = {
            "format": "branchline-game/1",
            "map": {"id": data.id, "hash": data.hash},
            "rules": RULES_VERSION,
            "players": [{"name": f"Seat {seat}"} for seat in range(players)],
            "deal": parts["deal"],
            "moves": parts["moves"],
        }
        try:
            record = read_game(json.dumps(whole), map=data, source=self.file)
        except (BadRecord, TypeError) as error:
            place, reason = (error.path, error.reason) if isinstance(error, BadRecord) else ("moves", "cannot be read")
            self._fail(join_path(path, place), reason)
        return record.deal, record.moves

    def _option(self, raw: object, path: str, data: MapData) -> Option:
        row = self._list(raw, path)
        if len(row) != 4:
            self._fail(path, f"must be a line, a chance, its error and how often it was tried, not {len(row)} entries")
        line = self._text(row[0], f"{path}[0]")
        try:
            read_action(line, data)
        except BadNotation as error:
            self._fail(f"{path}[0]", str(error))
        tried = self._whole(row[3], f"{path}[3]", 1, 10**9)
        return Option(line, self._part(row[1], f"{path}[1]"), self._part(row[2], f"{path}[2]"), tried)

    def _solved(self, raw: object, path: str) -> dict[str, float]:
        if not isinstance(raw, dict):
            self._fail(path, f"must be an object, not {told(raw)}")
        return {self._text(key, path): self._part(value, join_path(path, key)) for key, value in raw.items()}

    def _several(self, parts: Mapping[str, Any], path: str, key: str) -> Iterable[tuple[int, Any]]:
        found = self._list(parts[key], f"{path}.{key}")
        if not 1 <= len(found) <= MOST_OPTIONS:
            self._fail(f"{path}.{key}", f"there must be from 1 to {MOST_OPTIONS} of them, not {len(found)}")
        return enumerate(found)

    def _proof(self, raw: object, path: str, least: int = 0) -> Proof:
        row = self._list(raw, path)
        if len(row) != 3:
            self._fail(path, f"must be a gap, its error and how many tries there were, not {len(row)} entries")
        tries = self._whole(row[2], f"{path}[2]", 1, 10**9)
        return Proof(self._number(row[0], f"{path}[0]", least, 1), self._part(row[1], f"{path}[1]"), tries)

    def _reason(self, raw: object, path: str, data: MapData) -> Reason | None:
        if raw is None:
            return None
        parts = self._table(raw, path, ("kind", "params"))
        kind = self._one_of(parts["kind"], f"{path}.kind", REASONS)
        params = self._table(parts["params"], f"{path}.params", tuple(REASONS[kind]))
        named = {
            key: self._param(params[key], f"{path}.params.{key}", noun, data) for key, noun in REASONS[kind].items()
        }
        return Reason(kind, named)

    def _param(self, raw: object, path: str, noun: str, data: MapData) -> Param:
        match noun:
            case "track":
                return self._one_of(raw, path, [one.id for one in data.tracks])
            case "ticket":
                return self._one_of(raw, path, [one.id for one in data.tickets])
            case "place":
                return self._one_of(raw, path, [one.id for one in data.places])
            case "card":
                return self._one_of(raw, path, CARDS)
            case _:
                return self._whole(raw, path, 0, 1000)

    # ------------------------------------------------------------ shapes

    def _fail(self, path: str, reason: str) -> NoReturn:
        raise BadPuzzle(self.file, path, reason)

    def _table(self, raw: object, path: str, needed: Sequence[str]) -> dict[str, Any]:
        if not isinstance(raw, dict):
            self._fail(path, f"must be an object, not {told(raw)}")
        for key in getattr(raw, "repeated", ()):
            self._fail(join_path(path, key), f"{quoted(key)} is written twice")
        for key in raw:
            if key not in needed:
                self._fail(join_path(path, key), f"unknown key {quoted(key)}{did_you_mean(key, needed)}")
        for key in needed:
            if key not in raw:
                self._fail(join_path(path, key), "missing")
        return dict(raw)

    def _list(self, raw: object, path: str) -> list[Any]:
        if not isinstance(raw, list):
            self._fail(path, f"must be a list, not {told(raw)}")
        return raw

    def _text(self, raw: object, path: str) -> str:
        if not isinstance(raw, str) or not raw or len(raw) > _LONGEST or not raw.isprintable():
            self._fail(path, f"must be a short text, not {told(raw)}")
        return raw

    def _one_of(self, raw: object, path: str, known: Collection[str]) -> str:
        name = self._text(raw, path)
        if name not in known:
            several = f"is none of: {', '.join(known)}" if len(known) < 40 else "is not known here"
            self._fail(path, f"{quoted(name)} {several}{did_you_mean(name, known)}")
        return name

    def _whole(self, raw: object, path: str, least: int, most: int) -> int:
        if isinstance(raw, bool) or not isinstance(raw, int):
            self._fail(path, f"must be a whole number, not {told(raw)}")
        if not least <= raw <= most:
            self._fail(path, f"must be from {least} to {most}, not {raw}")
        return raw

    def _part(self, raw: object, path: str) -> float:
        """A part of a whole."""
        return self._number(raw, path, 0, 1)

    def _number(self, raw: object, path: str, least: int, most: int) -> float:
        if isinstance(raw, bool) or not isinstance(raw, int | float) or not least <= raw <= most:
            self._fail(path, f"must be a number from {least} to {most}, not {told(raw)}")
        return float(raw)

    def _digest(self, raw: object, path: str) -> str:
        if not isinstance(raw, str) or not re.fullmatch("[0-9a-f]{0,64}", raw):
            self._fail(path, f"must be a digest in hexadecimal, not {told(raw)}")
        return raw

    def _date(self, raw: object, path: str) -> date:
        text = self._text(raw, path)
        try:
            return date.fromisoformat(text)
        except ValueError:
            self._fail(path, f"{told(raw)} is no date like 2026-11-20")


# --- writing ------------------------------------------------------------------------------------------------


def write(puzzles: Sequence[Puzzle]) -> str:
    """The text of a file of puzzles, all of one map."""
    maps = {one.map.hash: one.map for one in puzzles}
    if len(maps) != 1:
        raise ValueError(f"a file holds the puzzles of one map, not of {len(maps)}")
    data = next(iter(maps.values()))
    head = {"format": FORMAT, "map": {"id": data.id, "hash": data.hash}, "rules": RULES_VERSION}
    rows = ",\n".join(_compact(to_json(one)) for one in puzzles)
    return f'{_compact(head)[:-1]},"puzzles":[\n{rows}\n]}}\n'


def to_json(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle as its line in a file."""
    return {
        "id": puzzle.id,
        "players": puzzle.players,
        "seat": puzzle.seat,
        "deal": deal_json(puzzle.deal, puzzle.map, puzzle.players),
        "moves": [f"{seat} {write_action(action)}" for seat, action in puzzle.moves],
        "kind": puzzle.kind,
        "options": [[one.line, round(one.win, 4), round(one.error, 4), one.visits] for one in puzzle.options],
        "proofs": [_proof_json(one) for one in puzzle.proofs],
        "end": _proof_json(puzzle.end),
        "work": puzzle.work,
        "weights": puzzle.weights,
        "grade": puzzle.grade,
        "solved": {level: round(share, 2) for level, share in puzzle.solved.items()},
        "reason": None if puzzle.reason is None else {"kind": puzzle.reason.kind, "params": dict(puzzle.reason.params)},
        "source": puzzle.source,
        "since": puzzle.since.isoformat(),
    }


def _proof_json(proof: Proof) -> list[float]:
    return [round(proof.gap, 4), round(proof.error, 4), proof.tries]


def deal_json(deal: Deal, data: MapData, players: int) -> Any:
    """A deal as a record writes it."""
    names = tuple(Player(f"Seat {seat}") for seat in range(players))
    return json.loads(write_game(Record(data, names, deal)))["deal"]


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
